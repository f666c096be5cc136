//! Fields for the new machine's name.

use super::answers::{AnswerEdit, Answers};
use super::questions::number;
use super::words as text;
use crate::browser;
use loggia_worker::NewMachine;
use yew::{Callback, Html, InputEvent, html};

/// Name, title, number of nodes and date; empty fields mean the defaults shown in them.
pub(super) fn naming(
    alone: Option<&NewMachine>,
    answers: &Answers,
    on_answer: &Callback<AnswerEdit>,
) -> Html {
    let field =
        |id: &'static str, label, typed: &str, known: &str, to: fn(String) -> AnswerEdit| {
            let on_input =
                on_answer.reform(move |event: InputEvent| to(browser::input_value(&event)));
            html! {
                <>
                    <label for={id}>{ label }</label>
                    <input
                        {id}
                        class="field"
                        type="text"
                        autocomplete="off"
                        value={typed.to_owned()}
                        placeholder={known.to_owned()}
                        oninput={on_input}
                    />
                </>
            }
        };
    let on_nodes =
        on_answer.reform(|event: InputEvent| AnswerEdit::Nodes(browser::input_value(&event)));
    let [title, name] = alone.map_or([""; 2], |alone| [alone.title.as_str(), alone.name.as_str()]);
    html! {
        <section aria-labelledby="import-names">
            <h3 id="import-names">{ text::NAMES }</h3>
            <div class="names">
                { field("import-title", text::TITLE_FIELD, &answers.title, title, AnswerEdit::Title) }
                { field("import-name", text::NAME_FIELD, &answers.name, name, AnswerEdit::Name) }
                { number("import-nodes", text::NODES_FIELD, &answers.nodes, text::NODES_UNKNOWN, on_nodes) }
                { field("import-date", text::DATE_FIELD, &answers.date, text::DATE_UNKNOWN, AnswerEdit::Date) }
            </div>
        </section>
    }
}
