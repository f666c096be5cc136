//! The terms of a time, as a bar and as a table.

use super::{quantity, rich};
use crate::draw::figure::Ink;
use crate::text;
use loggia_model::units::words::{number, share, time};
use loggia_model::units::{Interval, Micros};
use yew::{Html, html};

/// A part of a time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    pub(crate) symbol: &'static str,
    pub(crate) ink: Ink,
    /// Count and unit cost of the term; `None` if it has none.
    pub(crate) counted: Option<(f64, Interval<Micros>)>,
    /// The term's time.
    pub(crate) time: Option<Micros>,
    /// Path in the command's JSON; empty if it is not there.
    pub(crate) path: String,
    /// Paper and table, or measurement.
    pub(crate) source: String,
}

/// A stacked bar; parts with enough room have their symbol.
pub(crate) fn bar(parts: &[Part]) -> Html {
    const ROOM_FOR_A_SYMBOL: f64 = 0.06;
    let times: Vec<f64> =
        parts.iter().map(|part| part.time.map_or(0.0, |t| t.0.max(0.0))).collect();
    let whole: f64 = times.iter().sum();
    if whole <= 0.0 {
        return html! {};
    }
    let mut start = 0.0;
    let segment = |(part, time): (&Part, &f64)| {
        let share = time / whole;
        let (from, middle) = (percent(start), percent(start + share / 2.0));
        start += share;
        let name = part.ink.name();
        let symbol = (share > ROOM_FOR_A_SYMBOL).then(|| {
            html! {
                <text class={format!("on-{name}")} x={middle} y="50%">
                    { rich::symbol_in_svg(part.symbol) }
                </text>
            }
        });
        html! {
            <g>
                <title>{ words(part, share) }</title>
                <rect class={format!("ink-{name}")} x={from} width={percent(share)} height="100%" />
                { symbol }
            </g>
        }
    };
    let segments: Html = parts.iter().zip(&times).map(segment).collect();
    let described = parts.iter().zip(&times).map(|(part, time)| words(part, time / whole));
    let described = described.collect::<Vec<_>>().join(", ");
    html! { <svg class="bar" role="img" aria-label={described}>{ segments }</svg> }
}

fn percent(share: f64) -> String {
    format!("{:.3}%", share * 100.0)
}

/// "send overhead o_s: 40.1 µs, 38%"
fn words(part: &Part, of_whole: f64) -> String {
    let time = part.time.map_or(text::NO_NUMBER.to_owned(), time);
    format!("{} {}: {time}, {}", text::meaning(part.symbol), part.symbol, share(of_whole))
}

/// The parts as a table.
pub(crate) fn table(parts: &[Part]) -> Html {
    let [term, count, each, micros, source] = text::TERM_COLUMNS;
    let is_counted = parts.iter().any(|part| part.counted.is_some());
    let head = |words: &'static str| html! { <th scope="col" class="number">{ words }</th> };
    html! {
        <table class="parts">
            <caption class="unseen">{ text::TERMS }</caption>
            <thead>
                <tr>
                    <th scope="col">{ term }</th>
                    { is_counted.then(|| html! { <>{ head(count) }{ head(each) }</> }) }
                    { head(micros) }
                    <th scope="col" class="source">{ source }</th>
                </tr>
            </thead>
            <tbody>{ for parts.iter().map(|part| row(part, is_counted)) }</tbody>
        </table>
    }
}

fn row(part: &Part, is_counted: bool) -> Html {
    let (count, each) = match part.counted {
        Some((count, each)) => (number(count, 17), bounded(each)),
        None => Default::default(),
    };
    let shown = part.time.map_or(text::NO_NUMBER.to_owned(), |t| number(t.0, 4));
    let value = match part.path.as_str() {
        "" => html! { { shown } },
        path => quantity::micros(path, part.time, shown),
    };
    let cell = |text: String| html! { <td class="number">{ text }</td> };
    let counted = is_counted.then(|| html! { <>{ cell(count) }{ cell(each) }</> });
    html! {
        <tr>
            <th scope="row">
                { rich::swatch(part.ink) }{ rich::symbol(part.symbol) }
                <small>{ text::meaning(part.symbol) }</small>
            </th>
            { counted }
            <td class="number">{ value }</td>
            <td class="source">{ rich::formula(&part.source) }</td>
        </tr>
    }
}

/// A value with its bounds, if any.
pub(crate) fn bounded(each: Interval<Micros>) -> String {
    let value = time(each.value);
    if !each.is_bounded() {
        return value;
    }
    format!("{value} ({}–{})", time(each.low), time(each.high))
}
