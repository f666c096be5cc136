//! The sketch as text and as a form. Both edit the same text.

use super::edit::{EditorInputs, SketchEdit};
use super::form;
use super::words as text;
use crate::browser::{self, saving};
use crate::fields::chips::{Chip, Chips};
use crate::fields::route::chip;
use crate::notices::explained;
use crate::state::Action;
use loggia_model::Error;
use loggia_model::error::Place;
use loggia_plan::sketch::EXAMPLES;
use yew::{
    Callback, Html, InputEvent, MouseEvent, NodeRef, Properties, UseStateSetter, component, hook,
    html, use_effect_with, use_node_ref, use_state, use_state_eq,
};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) text: String,
    pub(super) known: Option<EditorInputs>,
    pub(super) problem: Option<Error>,
    pub(super) on_put: Callback<SketchEdit>,
    pub(super) on_action: Callback<Action>,
}

#[component]
pub(super) fn Editor(props: &Props) -> Html {
    let Props { text, known, problem, on_put, on_action } = props;
    let is_text = use_state_eq(|| false);
    let field = use_node_ref();
    let show = use_show(&field);
    // Errors without a position in the text are shown in place of the plan.
    let problem = problem.as_ref().filter(|problem| place(problem).is_some());
    let form = known.as_ref().map(|known| {
        html! {
            <form::Form
                outline={known.outline.clone()}
                is_current={known.is_current}
                text={text.clone()}
                on_put={on_put.clone()}
                on_action={on_action.clone()}
            />
        }
    });
    let on_show = problem.map(|problem| {
        let at = place(problem).and_then(|place| character(text, place)).unwrap_or_default();
        let is_text = is_text.setter();
        Callback::from(move |_: MouseEvent| {
            is_text.set(true);
            show.emit(at);
        })
    });
    html! {
        <>
            { form_or_text(*is_text, is_text.setter()) }
            <div class={if *is_text { "editor by-text" } else { "editor by-form" }}>
                <div class="by-hand">{ form.unwrap_or_default() }</div>
                <Text
                    {field}
                    text={text.clone()}
                    is_wrong={problem.is_some()}
                    on_action={on_action.clone()}
                />
            </div>
            <div id="sketch-problem" class="field-problem" role="status">
                { problem.map(explained).unwrap_or_default() }
                { on_show.map(|onclick| html! {
                    <button type="button" {onclick}>{ text::SHOW }</button>
                }).unwrap_or_default() }
            </div>
        </>
    }
}

/// Moves the cursor to a character, once the text is visible.
#[hook]
fn use_show(field: &NodeRef) -> Callback<u32> {
    let target = use_state(|| None::<u32>);
    {
        let (field, target) = (field.clone(), target.clone());
        use_effect_with(*target, move |at| {
            if let Some(at) = *at {
                browser::put_cursor(&field, at);
                target.set(None);
            }
        });
    }
    let target = target.setter();
    Callback::from(move |at| target.set(Some(at)))
}

/// Choice of form or text, on narrow screens.
fn form_or_text(is_text: bool, set: UseStateSetter<bool>) -> Html {
    let [form, text] = text::EDITORS;
    let chips = vec![chip("form", form, "", !is_text), chip("text", text, "", is_text)];
    let on_choose = Callback::from(move |choice: String| set.set(choice == "text"));
    html! { <div class="ways-to-edit"><Chips name="edit" legend={text::AS} {chips} {on_choose} /></div> }
}

/// Choice of an example.
pub(super) fn examples(now: &str, on_action: &Callback<Action>) -> Html {
    let own = EXAMPLES.len();
    let shown = EXAMPLES.iter().position(|(_, text)| *text == now).unwrap_or(own);
    let names = EXAMPLES.iter().map(|(name, _)| *name).chain(["own"]);
    let chips = names.zip(text::EXAMPLES).enumerate();
    let chips: Vec<Chip> =
        chips.map(|(i, (name, label))| chip(name, label, "", i == shown)).collect();
    let on_choose = on_action.reform(|name: String| {
        let text = EXAMPLES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
        Action::Sketch(name, text.unwrap_or(text::OWN).to_owned())
    });
    html! { <Chips name="example" legend={text::EXAMPLE} {chips} {on_choose} /> }
}

#[derive(Properties, PartialEq)]
struct TextProps {
    field: NodeRef,
    text: String,
    is_wrong: bool,
    on_action: Callback<Action>,
}

#[component]
fn Text(props: &TextProps) -> Html {
    /// Smallest and largest height of the field, in lines.
    const LINES: (usize, usize) = (12, 40);
    let TextProps { field, text, is_wrong, on_action } = props;
    let on_type = on_action.reform(|event: InputEvent| {
        Action::Sketch("typed".to_owned(), browser::text_area_value(&event))
    });
    let on_save = {
        let text = text.clone();
        move |_: MouseEvent| {
            saving::text(text::FILE, "application/toml", &text);
        }
    };
    let rows = (text.lines().count() + 1).clamp(LINES.0, LINES.1);
    html! {
        <div class="sketch-text">
            <label for="sketch-text">{ text::TEXT }</label>
            <textarea
                ref={field.clone()}
                id="sketch-text"
                class="field"
                rows={rows.to_string()}
                wrap="off"
                spellcheck="false"
                autocomplete="off"
                value={text.clone()}
                aria-invalid={is_wrong.to_string()}
                aria-describedby="sketch-problem"
                oninput={on_type}
            />
            <p><button type="button" id="save-sketch" onclick={on_save}>{ text::SAVE }</button></p>
        </div>
    }
}

/// Line and column of an error, from 1.
fn place(error: &Error) -> Option<(usize, usize)> {
    match error.place {
        Place::Text(line, column) => {
            Some((line.try_into().ok()?, column.unwrap_or(1).try_into().ok()?))
        }
        _ => None,
    }
}

/// Offset of a position, in UTF-16 units, as browsers count.
fn character(text: &str, (line, column): (usize, usize)) -> Option<u32> {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(before..)?;
    let within = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at);
    u32::try_from(text.get(..before + within)?.encode_utf16().count()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::error::Input;

    #[test]
    fn an_error_is_shown_at_its_position() {
        let at = |place: Place| self::place(&Error::new("", place, ""));
        let procs = Input::Procs.into();
        assert_eq!(
            [at(Place::at(3, 5)), at(Place::line(7)), at(procs)],
            [Some((3, 5)), Some((7, 1)), None]
        );
        let text = "a = \"µ𝛍\"\nbc = 1";
        assert_eq!(character(text, (1, 1)), Some(0));
        assert_eq!(character(text, (2, 2)), Some(11), "one character is two UTF-16 units");
        assert_eq!(character(text, (2, 99)), Some(16));
        assert_eq!(character(text, (9, 1)), Some(16));
    }
}
