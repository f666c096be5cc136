//! Unknown parameters that an error names, each with a value to assume, which the reader can
//! change.

use super::words as text;
use crate::browser;
use crate::state::Action;
use crate::tables::rich;
use loggia_model::Error;
use loggia_model::error::{Assumption, Part};
use yew::{Callback, Html, InputEvent, Properties, component, html, use_state};

/// The fields below an error; empty if it names no parameter. The key gives each error its own
/// fields.
pub(crate) fn assume(error: &Error, on_action: &Callback<Action>) -> Html {
    let parts = error.help.0.iter();
    let all: Vec<Assumption> = parts
        .filter_map(|part| match part {
            Part::Assume(all) => Some(all.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    let key: String = all.iter().map(|one| one.parameter.as_str()).collect();
    match all.is_empty() {
        true => Html::default(),
        false => html! { <Fields {key} {all} on_action={on_action.clone()} /> },
    }
}

#[derive(Properties, PartialEq)]
struct Props {
    all: Vec<Assumption>,
    on_action: Callback<Action>,
}

#[component]
fn Fields(props: &Props) -> Html {
    let values = use_state(|| -> Vec<(String, String)> {
        let pair = |one: &Assumption| (one.parameter.clone(), one.value.clone());
        props.all.iter().map(pair).collect()
    });
    let field = |(place, (symbol, value)): (usize, &(String, String))| {
        let id = format!("assume-{place}");
        let shown = if symbol == "O_control" { "O'" } else { symbol };
        let values = values.clone();
        let on_input = move |event: InputEvent| {
            let mut changed = (*values).clone();
            changed[place].1 = browser::input_value(&event);
            values.set(changed);
        };
        html! {
            <>
                <label for={id.clone()}>
                    { rich::symbol(shown) }{ " " }<small>{ crate::text::parameter(shown) }</small>
                </label>
                <input {id} class="field" type="text" autocomplete="off" value={value.clone()} oninput={on_input} />
            </>
        }
    };
    let chosen = (*values).clone();
    let on_click = props.on_action.reform(move |_| Action::SetAll(chosen.clone()));
    html! {
        <section class="why assumptions">
            <h3>{ text::ASSUMPTIONS }</h3>
            <div class="assumed">{ for values.iter().enumerate().map(field) }</div>
            <p><button type="button" class="assume" onclick={on_click}>{ text::ASSUME }</button></p>
            <p class="aside">{ text::ASSUMED }</p>
        </section>
    }
}
