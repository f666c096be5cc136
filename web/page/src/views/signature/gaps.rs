//! g by queue depth, and g compared with G.

use super::picture::{PlotInputs, missing, picture};
use super::words;
use crate::plots::plot::Plot;
use crate::tables::quantity;
use crate::tables::table::table;
use crate::views::signature::figure::gaps::{by_depth, by_size};
use loggia_model::Error;
use loggia_model::model::metrics::point_to_point;
use loggia_model::model::{Need, Route};
use loggia_model::signature::DepthPoint;
use loggia_model::units::words::{number, size, time};
use loggia_model::units::{Bytes, Micros};
use std::rc::Rc;
use yew::{Html, component, html};

#[component]
pub(super) fn Depths(of: &PlotInputs) -> Html {
    let Ok(route) = of.route() else { return html! {} };
    let points = &route.tier.gap_by_depth;
    let known: Vec<(u32, Micros)> =
        points.iter().filter_map(|p| Some((p.depth, p.gap.interval()?.value))).collect();
    let best = known.iter().min_by(|a, b| a.1.0.total_cmp(&b.1.0));
    let (Some(figure), Some(first), Some(best)) = (by_depth(route.tier), known.first(), best)
    else {
        return missing(words::DEPTHS, &Error::new(words::NO_DEPTHS, "", ""));
    };
    let plot = html! { <Plot title={words::DEPTHS} figure={Rc::new(figure)} /> };
    let rows = points
        .iter()
        .enumerate()
        .map(|(i, point)| row(point, &format!("{}.gap_by_depth[{i}].gap.value", of.path())));
    let data = table(words::DEPTHS, &words::DEPTH_COLUMNS, rows.collect());
    let shows = words::depths((first.0, &time(first.1)), (best.0, &time(best.1)));
    picture(words::DEPTHS, html! { { shows } }, plot, data)
}

fn row(point: &DepthPoint, path: &str) -> Vec<Html> {
    let known = point.gap.interval();
    let value = known.map(|gap| gap.value);
    let shown = value.map_or("—".to_owned(), |value| number(value.0, 5));
    let bounds = known.filter(|gap| gap.is_bounded());
    let bounds =
        bounds.map(|g| crate::tables::words::between(&number(g.low.0, 4), &number(g.high.0, 4)));
    vec![
        html! { { point.depth.to_string() } },
        quantity::micros(path, value, shown),
        html! { { bounds.unwrap_or_default() } },
    ]
}

#[component]
pub(super) fn Gaps(of: &PlotInputs) -> Html {
    let Ok(route) = of.route() else { return html! {} };
    let lacking: Vec<Need> =
        [Need::Gap, Need::GapPerByte].into_iter().filter(|need| !route.has(*need)).collect();
    if !lacking.is_empty() {
        return missing(words::GAPS, &route.lacks(words::GAPS, &lacking));
    }
    let metrics = match point_to_point(&route, None) {
        Ok(metrics) => metrics,
        Err(why) => return missing(words::GAPS, &why),
    };
    let plot = by_size(&route, &metrics)
        .map(|figure| html! { <Plot title={words::GAPS} figure={Rc::new(figure)} /> });
    let rows = (0..=12).map(|power| of_size(&route, Bytes(1 << (2 * power))));
    let data = table(words::GAPS, &words::GAP_COLUMNS, rows.collect());
    let large = metrics.large_message;
    let shows = html! {
        <>
            { words::GAPS_SHOW }{ " " }
            { quantity::number("metrics.large_message_bytes", "bytes", large.map(Bytes::count), words::large(large)) }
        </>
    };
    picture(words::GAPS, shows, html! { <>{ plot }</> }, data)
}

fn of_size(route: &Route, bytes: Bytes) -> Vec<Html> {
    let times = [
        route.gap().map(|gap| gap.value),
        route.gap_per_byte().map(|each| each.value.of(bytes.count())),
        route.gap_at(bytes).filter(|at| at.clamped_from.is_none()).map(|at| at.time.value),
    ];
    let words = times.map(|known| known.map_or("—".to_owned(), time));
    let cells = words.into_iter().map(|words| html! { { words } });
    [html! { { size(bytes) } }].into_iter().chain(cells).collect()
}
