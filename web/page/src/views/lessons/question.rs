//! The question in words: the only part of a view in the document while answers are hidden.

use super::words;
use crate::state::Page;
use crate::text;
use serde_json::Value;
use yew::{Html, html};

/// Inputs that are not part of the question.
const OTHER: [&str; 6] = ["hidden", "lesson", "at", "answers", "figure", "bandwidth"];

pub(crate) fn inputs_panel(page: &Page) -> Html {
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
