//! The bandwidth by size.

use super::picture::{PlotInputs, missing, picture};
use super::words;
use crate::plots::plot::Plot;
use crate::tables::table::table;
use crate::tables::{quantity, rich};
use crate::views::signature::figure::bandwidth::figure;
use loggia_model::model::metrics::{PointToPoint, point_to_point};
use loggia_model::model::{self, Route};
use loggia_model::signature::Point;
use loggia_model::units::Bytes;
use loggia_model::units::words::{rate, size, time};
use std::rc::Rc;
use yew::{Html, component, html, use_memo};

#[component]
pub(super) fn Bandwidth(of: &PlotInputs) -> Html {
    let measured = use_memo((of.machine.clone(), of.tier.clone()), |(machine, tier)| {
        loggia_fit::measured(tier, &machine.samples)
    });
    let Ok(route) = of.route() else { return html! {} };
    let metrics = model::predict(&route, None, Bytes(1)).and_then(|_| point_to_point(&route, None));
    let metrics = match metrics {
        Ok(metrics) => metrics,
        Err(why) => return missing(words::BANDWIDTH, &why),
    };
    let plot = figure(&route, &metrics, &measured)
        .map(|figure| html! { <Plot title={words::BANDWIDTH} figure={Rc::new(figure)} /> });
    let rows = sizes(&measured).into_iter().map(|(bytes, point)| row(&route, bytes, point));
    let data = table(words::BANDWIDTH, &words::BANDWIDTH_COLUMNS, rows.collect());
    let shows = shows(&metrics, !measured.is_empty());
    picture(words::BANDWIDTH, shows, html! { <>{ plot }</> }, data)
}

fn shows(metrics: &PointToPoint, is_measured: bool) -> Html {
    let asymptotic = metrics.asymptotic_bandwidth.map(|bandwidth| {
        let path = "metrics.asymptotic_bandwidth_bytes_per_us";
        let shown = rate(bandwidth);
        let bandwidth = quantity::number(path, "bytes/us", Some(bandwidth.0), shown);
        html! { <>{ "r∞ " }{ bandwidth }{ ". " }</> }
    });
    let half = metrics.half_length.map(|half| {
        let path = "metrics.half_length_bytes";
        let half = quantity::number(path, "bytes", Some(half.count()), size(half));
        html! { <>{ rich::formula(words::HALF) }{ half }{ ". " }</> }
    });
    let measured = is_measured.then_some(words::MEASURED);
    html! { <>{ words::BANDWIDTH_SHOWS }{ asymptotic }{ half }{ measured }</> }
}

/// Measured sizes; without any, powers of four.
fn sizes(measured: &[Point]) -> Vec<(Bytes, Option<&Point>)> {
    match measured {
        [] => (0..=12).map(|power| (Bytes(1 << (2 * power)), None)).collect(),
        points => points.iter().map(|point| (point.bytes, Some(point))).collect(),
    }
}

fn row(route: &Route, bytes: Bytes, measured: Option<&Point>) -> Vec<Html> {
    let predicted = model::predict(route, None, bytes).ok().and_then(|p| p.time());
    let both = [predicted, measured.map(|point| point.value)].map(|known| match known {
        Some(known) => [time(known), rate(bytes.within(known))],
        None => ["—".to_owned(), "—".to_owned()],
    });
    let cells = both.concat().into_iter().map(|words| html! { { words } });
    [html! { { size(bytes) } }].into_iter().chain(cells).collect()
}
