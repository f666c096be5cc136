//! Results of an import: parameters by benchmark, unknown parameters, additions to a machine.

use super::samples::sizes;
use super::words as text;
use crate::notices::explained;
use crate::tables::scroll::Scroll;
use crate::tables::table::table;
use crate::tables::{quantity, rich};
use loggia_exchange::import::merge::{Merged, Outcome};
use loggia_exchange::import::result::{ByTool, Unknown};
use loggia_exchange::import::words;
use loggia_model::Error;
use loggia_model::units::MicrosPerByte;
use loggia_model::units::words::{number, per_byte};
use loggia_worker::Additions;
use yew::{Html, html};

const NONE: &str = "—";

/// A number of the report; empty if unknown.
fn value_cell(path: &str, unit: &'static str, value: Option<f64>) -> Html {
    let shown = value.map_or(NONE.to_owned(), |value| number(value, 5));
    quantity::number(path, unit, value, shown)
}

/// A time per byte, in the most readable unit.
fn per_byte_cell(path: &str, value: Option<f64>) -> Html {
    let shown = value.map_or(NONE.to_owned(), |value| per_byte(MicrosPerByte(value)));
    quantity::number(path, "us/byte", value, shown)
}

/// The parameters by benchmark.
pub(super) fn by_tool(all: &[ByTool]) -> Html {
    if all.is_empty() {
        return html! {};
    }
    let row = |(place, one): (usize, &ByTool)| {
        let path = |name: &str| format!("import.by_tool.{place}.{name}");
        let limit = one.eager_limit.as_ref();
        vec![
            html! { { &one.tool } },
            html! { { &one.tier } },
            value_cell(&path("end_to_end_latency_us"), "us", one.end_to_end_latency_us),
            per_byte_cell(&path("gap_per_byte_us"), one.gap_per_byte_us),
            limit.map_or(html! { { NONE } }, |limit| sizes(&path("eager_limit"), limit)),
        ]
    };
    let rows = all.iter().enumerate().map(row).collect();
    section("import-by-tool", text::BY_TOOL, table(text::BY_TOOL, &text::BY_TOOL_COLUMNS, rows))
}

/// Unknown parameters, and the tools that measure them.
pub(super) fn unknown(all: &[Unknown]) -> Html {
    if all.is_empty() {
        return html! {};
    }
    let row = |(place, unknown): (usize, &Unknown)| {
        let path = format!("import.unknown.{place}.symbols");
        // Operations are not symbols.
        let shown = match &unknown.tier {
            Some(_) => rich::formula(&unknown.symbols),
            None => html! { { &unknown.symbols } },
        };
        let symbols = quantity::words(&path, &unknown.symbols, shown);
        let tier = unknown.tier.clone().unwrap_or_else(|| text::COLLECTIVES.to_owned());
        vec![symbols, html! { { tier } }, html! { { unknown.help } }]
    };
    let rows = all.iter().enumerate().map(row).collect();
    let listed = table(text::UNKNOWN, &text::UNKNOWN_COLUMNS, rows);
    section("import-unknown", text::UNKNOWN, html! { <div class="worded">{ listed }</div> })
}

/// Notes of the new signature.
pub(super) fn notes(notes: &[String]) -> Html {
    if notes.is_empty() {
        return html! {};
    }
    let note = |note: &String| html! { <li>{ note }</li> };
    let list = html! { <ul class="aside">{ for notes.iter().map(note) }</ul> };
    section("import-notes", text::NOTES, list)
}

fn section(id: &'static str, title: &'static str, content: Html) -> Html {
    html! {
        <section aria-labelledby={id}>
            <h3 {id}>{ title }</h3>
            <Scroll>{ content }</Scroll>
        </section>
    }
}

/// The additions to a machine.
pub(super) fn additions(machine: &str, onto: &Result<Additions, Error>) -> Html {
    let merged = match onto {
        Ok(onto) => &onto.merged,
        Err(why) => return explained(why),
    };
    let added = merged.iter().filter(|one| one.outcome == Outcome::Added).count();
    let row = |(place, one): (usize, &Merged)| {
        let path = |name: &str| format!("import.merged.{place}.{name}");
        let tier = one.tier.clone().unwrap_or_else(|| text::COLLECTIVES.to_owned());
        vec![
            match &one.tier {
                Some(_) => rich::formula(&one.symbol),
                None => html! { { &one.symbol } },
            },
            html! { { tier } },
            html! { { words::outcome(one.outcome) } },
            value_cell(&path("value"), "", one.value),
            value_cell(&path("imported"), "", one.imported),
        ]
    };
    let rows = merged.iter().enumerate().map(row).collect();
    html! {
        <details class="onto">
            <summary>{ text::onto(machine, added, merged.len() - added) }</summary>
            <Scroll>{ table(text::ONTO, &text::ONTO_COLUMNS, rows) }</Scroll>
        </details>
    }
}
