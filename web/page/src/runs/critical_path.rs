//! The critical path, its parts, and the sensitivity.

use super::words as text;
use crate::draw::figure::Ink;
use crate::draw::timeline::ink;
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, rich, table};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time, whole};
use loggia_simulate::result::{Sensitivity, Step, Term};
use loggia_worker::PathExcerpt;
use yew::{Html, html};

/// Number of steps listed from the start and from the end of the path.
const LISTED: usize = 20;

pub(super) fn critical_path(excerpt: &PathExcerpt, sensitivity: Option<&Sensitivity>) -> Html {
    let count = excerpt.path.steps.len() + excerpt.left_out.map_or(0, |(_, n)| n);
    let inside = html! {
        <>
            { strip(&excerpt.path.steps) }
            <Scroll>{ terms(&excerpt.path.terms) }</Scroll>
            { sensitivity.map(sensitivity_section) }
            <details class="data">
                <summary>{ text::steps(count) }</summary>
                <Scroll>{ steps(excerpt) }</Scroll>
            </details>
        </>
    };
    table::folded("critical-path", html! { { text::PATH } }, text::path(count), inside)
}

/// The path along time: processors, and the network between them.
fn strip(steps: &[Step]) -> Html {
    let Some(end) = steps.last().map(|step| step.end_us.0) else { return html! {} };
    let percent = |time: f64| format!("{:.4}%", 100.0 * time / end.max(f64::MIN_POSITIVE));
    let part = |step: &Step| {
        let class = format!("ink-{}", ink(step.activity).name());
        let width = percent((step.end_us - step.start_us).0);
        html! {
            <rect {class} x={percent(step.start_us.0)} {width} height="100%">
                <title>{ text::interval(&step.op, crate::draw::timeline::activity(step.activity), step.start_us, step.end_us) }</title>
            </rect>
        }
    };
    html! {
        <>
            <svg class="way-strip" role="img" aria-label={text::strip(steps.len(), Micros(end))}>
                <rect class="ink-latency" width="100%" height="100%" />
                { for steps.iter().map(part) }
            </svg>
            <ul class="legend">
                { for text::STRIP.into_iter().zip([Ink::Compute, Ink::Send, Ink::Recv, Ink::Startup, Ink::Latency])
                    .map(|(words, ink)| html! { <li>{ rich::swatch(ink) }{ words }</li> }) }
            </ul>
        </>
    }
}

/// Colours of a term.
fn inks(symbol: &str) -> Vec<Ink> {
    match symbol {
        "o" | "O" => vec![Ink::Send, Ink::Recv],
        "computation" => vec![Ink::Compute],
        symbol => vec![Ink::of(symbol)],
    }
}

fn terms(terms: &[Term]) -> Html {
    let row = |(i, term): (usize, &Term)| {
        let path = format!("simulate.critical_path.terms.{i}");
        let swatches = inks(term.symbol).into_iter().map(rich::swatch);
        let count = term.count.map(|count| count as f64);
        let shown = count.map_or(String::new(), whole);
        vec![
            html! { <>{ for swatches }{ rich::symbol(term.symbol) }<small>{ text::part(term.symbol) }</small></> },
            quantity::number(&format!("{path}.count"), "", count, shown),
            quantity::micros(
                &format!("{path}.time_us"),
                Some(Micros(term.time_us)),
                number(term.time_us, 4),
            ),
        ]
    };
    table::table(text::PATH_PARTS, &text::TERM_COLUMNS, terms.iter().enumerate().map(row).collect())
}

fn sensitivity_section(sensitivity: &Sensitivity) -> Html {
    let all = [
        ("d_latency", "L", sensitivity.d_latency),
        ("d_overhead", "o", sensitivity.d_overhead),
        ("d_control_overhead", "O'", sensitivity.d_control_overhead),
        ("d_gap", "g", sensitivity.d_gap),
        ("d_gap_per_byte", "G", sensitivity.d_gap_per_byte),
    ];
    let card =
        sensitivity.d_node_gap_per_byte.map(|bytes| ("d_node_gap_per_byte", "(1/R_N)", bytes));
    let item = |(key, symbol, value): (&str, &str, i64)| {
        let path = format!("simulate.{key}");
        let shown = whole(value as f64);
        html! {
            <div>
                <dt>{ "dT/d" }{ rich::symbol(symbol) }</dt>
                <dd>{ quantity::number(&path, "", Some(value as f64), shown) }</dd>
            </div>
        }
    };
    html! {
        <>
            <h3>{ text::SENSITIVITY }</h3>
            <dl class="facts">{ for all.into_iter().chain(card).map(item) }</dl>
            <p class="aside">{ text::SENSITIVITY_MEAN }</p>
        </>
    }
}

fn steps(excerpt: &PathExcerpt) -> Html {
    let steps = &excerpt.path.steps;
    let is_long = steps.len() > 2 * LISTED;
    let listed = |i: &usize| !is_long || *i < LISTED || *i >= steps.len() - LISTED;
    let row = |i: usize| {
        let step = &steps[i];
        let is_gap = is_long && i + LISTED == steps.len();
        let gap = is_gap.then(|| html! { <small>{ text::LEFT_OUT }</small> });
        vec![
            html! { <>{ gap }{ rich::swatch(ink(step.activity)) }{ crate::draw::timeline::activity(step.activity) }</> },
            html! { { &step.op } },
            html! { { time(step.start_us) } },
            html! { { time(step.end_us) } },
        ]
    };
    let rows = (0..steps.len()).filter(listed).map(row).collect();
    table::table(text::PATH, &text::STEP_COLUMNS, rows)
}
