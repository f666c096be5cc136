//! The overheads of all send modes.

use super::picture::{PlotInputs, missing, picture};
use super::words;
use crate::plots::plot::Plot;
use crate::tables::table::table;
use crate::tables::{quantity, rich};
use crate::text;
use crate::views::signature::figure::overheads::figure;
use loggia_model::model::Need;
use loggia_model::signature::{Curve, Point, Style};
use loggia_model::units::words::{number, size};
use std::rc::Rc;
use yew::{Html, component, html};

#[component]
pub(super) fn Overheads(of: &PlotInputs) -> Html {
    let Ok(route) = of.route() else { return html! {} };
    let Some(figure) = figure(&route) else {
        let why = route.lacks(words::OVERHEADS, &[Need::SendOverhead, Need::RecvOverhead]);
        return missing(words::OVERHEADS, &why);
    };
    let plot = html! { <Plot title={words::OVERHEADS} figure={Rc::new(figure)} /> };
    let styles = route.tier.styles.iter().enumerate();
    let rows = styles.flat_map(|(i, style)| rows(style, &format!("{}.styles[{i}]", of.path())));
    let data = table(words::OVERHEADS, &words::OVERHEAD_COLUMNS, rows.collect());
    picture(words::OVERHEADS, rich::formula(words::OVERHEADS_SHOW), plot, data)
}

fn rows(style: &Style, path: &str) -> Vec<Vec<Html>> {
    let name = style.name.0.as_str();
    let both = [
        ("o_s", "send_overhead", &style.send_overhead),
        ("o_r", "recv_overhead", &style.recv_overhead),
    ];
    both.into_iter()
        .flat_map(|(symbol, key, curve)| {
            let path = format!("{path}.{key}");
            curve.iter().flat_map(move |curve| of_curve(name, symbol, curve, &path))
        })
        .collect()
}

fn of_curve(style: &str, symbol: &str, curve: &Curve, path: &str) -> Vec<Vec<Html>> {
    let begin = || vec![html! { { style } }, rich::symbol(symbol)];
    if let Some(fixed) = curve.fixed {
        let each = curve.per_byte.unwrap_or_default();
        let line = text::line(&number(fixed.0, 5), &number(each.0, 5));
        return vec![[begin(), vec![html! {}, html! { { line } }, html! {}]].concat()];
    }
    let row = |(i, point): (usize, &Point)| {
        let value = point.value;
        let shown = number(value.0, 5);
        let value = quantity::micros(&format!("{path}.points[{i}].value"), Some(value), shown);
        let rest = vec![html! { { size(point.bytes) } }, value, html! { { bounds(point) } }];
        [begin(), rest].concat()
    };
    curve.points.iter().enumerate().map(row).collect()
}

fn bounds(point: &Point) -> String {
    let bounds = point.low.zip(point.high);
    bounds.map_or(String::new(), |(low, high)| {
        crate::tables::words::between(&number(low.0, 4), &number(high.0, 4))
    })
}
