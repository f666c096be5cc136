//! What a view shows while answers are hidden: the question in words, or the parameters of a lesson's
//! machines.

use super::words;
use crate::machines::Machine;
use crate::state::Page;
use crate::tables::scroll::Scroll;
use crate::tables::table::table;
use crate::text;
use loggia_link::state::View;
use loggia_model::Signature;
use loggia_model::model::Route;
use loggia_model::model::editable::{Editable, Unit};
use loggia_model::units::words::{number, whole};
use serde_json::Value;
use yew::{Html, html};

/// The parameters of LogGPS in the order of a message, with the heads of their columns.
const COLUMNS: [(&str, &str); 6] = [
    ("o_s", "o_s, µs"),
    ("L", "L, µs"),
    ("o_r", "o_r, µs"),
    ("g", "g, µs"),
    ("G", "G, ns/byte"),
    ("S", "S, bytes"),
];

pub(crate) fn hidden_view(page: &Page) -> Html {
    match page.inputs.lesson {
        Some(_) => parameters(page),
        None => inputs_panel(page),
    }
}

/// The parameters of the machines in the question, next to each other.
fn parameters(page: &Page) -> Html {
    // In Compare, the other machine's parameters may be the answer.
    let others = page.compared_explicitly().filter(|_| page.view != View::Compare);
    let machines: Vec<(Machine, Vec<Editable>)> = std::iter::once(page.machine.clone())
        .chain(others)
        .map(|machine| (machine.clone(), known(page, &machine)))
        .collect();
    // That a parameter is unknown may be the answer, too.
    let is_known = |(symbol, _): &(&str, &str)| {
        machines.iter().any(|(_, known)| known.iter().any(|of| of.symbol == *symbol))
    };
    let shown_columns = COLUMNS.into_iter().filter(is_known);
    let (symbols, titles): (Vec<&str>, Vec<&'static str>) = shown_columns.unzip();
    let row = |(machine, known): &(Machine, Vec<Editable>)| {
        let cell = |symbol: &&str| {
            let of = known.iter().find(|parameter| parameter.symbol == *symbol);
            html! { { of.map_or_else(|| words::UNKNOWN.to_owned(), shown) } }
        };
        let name = html! { { &machine.title } };
        std::iter::once(name).chain(symbols.iter().map(cell)).collect()
    };
    let columns = [&[words::MACHINE][..], &titles].concat();
    let rows = machines.iter().map(row).collect();
    html! {
        <section class="panel whole" id="asked">
            <h2>{ words::PARAMETERS }</h2>
            <Scroll>{ table(words::PARAMETERS, &columns, rows) }</Scroll>
        </section>
    }
}

fn known(page: &Page, machine: &Signature) -> Vec<Editable> {
    let (tier, style) = (page.inputs.tier.as_deref(), page.inputs.style.as_deref());
    Route::near(machine, tier, style).map(|route| route.editable(page.bytes())).unwrap_or_default()
}

/// In the unit of its column.
fn shown(parameter: &Editable) -> String {
    let value = parameter.value.value;
    match parameter.unit {
        Unit::Micros => number(value, 4),
        Unit::MicrosPerByte => number(value * 1e3, 4),
        Unit::Bytes => whole(value),
    }
}

/// Inputs that are not part of the question.
const OTHER: [&str; 6] = ["hidden", "lesson", "at", "answers", "figure", "bandwidth"];

fn inputs_panel(page: &Page) -> Html {
    let item = |(name, value): (String, String)| html! { <><dt>{ name }</dt><dd>{ value }</dd></> };
    html! {
        <section class="panel whole" id="asked">
            <h2>{ text::QUESTION_TITLE }{ ": " }{ text::view(page.view) }</h2>
            <dl class="asked-inputs">{ for inputs(page).into_iter().map(item) }</dl>
        </section>
    }
}

/// The reader's inputs, with names and values.
fn inputs(page: &Page) -> Vec<(String, String)> {
    let inputs = serde_json::to_value(&page.inputs).unwrap_or_default();
    let inputs = inputs.as_object().cloned().unwrap_or_default();
    let word = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    let belongs = |name: &String| !OTHER.contains(&name.as_str());
    let shown = inputs.into_iter().filter(|(name, _)| belongs(name));
    shown.map(|(name, value)| (words::input(&name), word(value))).collect()
}
