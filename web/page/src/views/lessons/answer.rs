//! The answer of a student: one form for each kind of question.

use super::words;
use crate::browser;
use crate::state::{Action, Page};
use crate::tables::rich;
use loggia_link::state::State;
use loggia_model::signature::symbol_of;
use loggia_model::units::float;
use loggia_worker::grading::Attempt;
use loggia_worker::presentation::{AnswerKind, StepView, setting};
use yew::{
    Callback, Html, InputEvent, Properties, SubmitEvent, UseStateHandle, component, html, use_state,
};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) view: StepView,
    pub(super) page: Page,
    pub(super) on_action: Callback<Action>,
    pub(super) on_answer: Callback<Attempt>,
    pub(super) on_give_up: Callback<()>,
}

/// The answer as typed or chosen so far.
#[derive(Clone, Debug, Default, PartialEq)]
struct Draft {
    option: Option<usize>,
    text: String,
    order: Vec<usize>,
}

#[component]
pub(super) fn AnswerForm(props: &Props) -> Html {
    let Props { view, page, on_action, on_answer, on_give_up } = props;
    let count = view.options.len();
    let draft = use_state(|| Draft { order: (0..count).collect(), ..Draft::default() });
    let attempt = attempt(view, &draft, page);
    let is_ready = attempt.is_some();
    let onsubmit = {
        let on_answer = on_answer.clone();
        move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(attempt) = attempt.clone() {
                on_answer.emit(attempt);
            }
        }
    };
    let fields = match view.kind {
        AnswerKind::Choice => choices(view, &draft),
        AnswerKind::Number => number(view, &draft),
        AnswerKind::Order => order(view, &draft),
        AnswerKind::Target => {
            let field = |name: &String| {
                html! { <Free key={name.clone()} name={name.clone()} page={page.clone()} on_action={on_action.clone()} /> }
            };
            let first = view.state.clone();
            let on_reset = on_action.reform(move |_| Action::OpenLink(Ok(first.clone())));
            html! {
                <>
                    { for view.free.iter().map(field) }
                    <button type="button" class="lesson-reset" onclick={on_reset}>{ words::RESET }</button>
                </>
            }
        }
        AnswerKind::Say => text(&draft),
    };
    let on_give_up = on_give_up.reform(|_: yew::MouseEvent| ());
    html! {
        <form class="lesson-answer" {onsubmit}>
            <fieldset>
                <legend class="unseen">{ &view.question }</legend>
                { fields }
            </fieldset>
            <div class="lesson-buttons">
                <button type="submit" class="lesson-submit" disabled={!is_ready}>{ words::ANSWER }</button>
                if view.has_tried {
                    <button type="button" class="lesson-give-up" onclick={on_give_up}>{ words::GIVE_UP }</button>
                }
                <small>{ words::tries(view.tries_left) }</small>
            </div>
        </form>
    }
}

/// The answer, if it is complete.
fn attempt(view: &StepView, draft: &Draft, page: &Page) -> Option<Attempt> {
    match view.kind {
        AnswerKind::Choice => draft.option.map(Attempt::Option),
        AnswerKind::Number => {
            let unit = view.unit.as_deref().unwrap_or_default();
            read_number(&draft.text, unit).map(Attempt::Number)
        }
        AnswerKind::Order => Some(Attempt::Order(draft.order.clone())),
        AnswerKind::Target => Some(Attempt::Target(Box::new(page.state()))),
        AnswerKind::Say => Some(draft.text.trim())
            .filter(|text| !text.is_empty())
            .map(|text| Attempt::Text(text.to_owned())),
    }
}

/// Reads `2,204`, `2 204` and `7.4`; a single comma is a decimal comma unless three digits follow
/// it. The unit of the question may be typed, too.
fn read_number(text: &str, unit: &str) -> Option<f64> {
    let text = text.trim();
    let units = [unit.to_owned(), unit.replace('µ', "u"), unit.replace('µ', "μ")];
    let without_unit =
        units.iter().filter(|unit| !unit.is_empty()).find_map(|unit| text.strip_suffix(unit));
    let text =
        without_unit.unwrap_or(text).replace(['\u{a0}', '\u{202f}', ' '], "").replace('−', "-");
    let is_grouped = text
        .split(',')
        .skip(1)
        .all(|part| part.split('.').next().is_some_and(|digits| digits.len() == 3));
    let plain = if is_grouped { text.replace(',', "") } else { text.replace(',', ".") };
    float(&plain)
}

fn choices(view: &StepView, draft: &UseStateHandle<Draft>) -> Html {
    let option = |(at, text): (usize, &String)| {
        let onchange = {
            let draft = draft.clone();
            move |_| draft.set(Draft { option: Some(at), ..(*draft).clone() })
        };
        html! {
            <label class="lesson-option" key={at}>
                <input
                    type="radio"
                    name="lesson-option"
                    value={at.to_string()}
                    checked={draft.option == Some(at)}
                    {onchange}
                />
                <span>{ rich::formula(text) }</span>
            </label>
        }
    };
    html! { <>{ for view.options.iter().enumerate().map(option) }</> }
}

fn number(view: &StepView, draft: &UseStateHandle<Draft>) -> Html {
    let oninput = typing(draft, browser::input_value);
    let unit = view.unit.clone().unwrap_or_default();
    let wrong = !draft.text.trim().is_empty() && read_number(&draft.text, &unit).is_none();
    html! {
        <label>
            <span class="unseen">{ words::YOUR_NUMBER }</span>
            <input
                class="field"
                type="text"
                id="lesson-number"
                inputmode="decimal"
                autocomplete="off"
                aria-invalid={wrong.to_string()}
                value={draft.text.clone()}
                {oninput}
            />
            // Always one node: otherwise the field would lose the focus.
            <span>{ " " }{ unit }{ if wrong { words::NO_NUMBER } else { "" } }</span>
        </label>
    }
}

fn text(draft: &UseStateHandle<Draft>) -> Html {
    let oninput = typing(draft, browser::text_area_value);
    html! {
        <label>
            <span class="unseen">{ words::YOUR_TEXT }</span>
            <textarea class="field" id="lesson-say" rows="3" {oninput} value={draft.text.clone()} />
        </label>
    }
}

fn typing(
    draft: &UseStateHandle<Draft>,
    read: fn(&InputEvent) -> String,
) -> impl Fn(InputEvent) + use<> {
    let draft = draft.clone();
    move |event| draft.set(Draft { text: read(&event), ..(*draft).clone() })
}

/// Options in the student's order; buttons move them.
fn order(view: &StepView, draft: &UseStateHandle<Draft>) -> Html {
    let last = draft.order.len().saturating_sub(1);
    let item = |(place, at): (usize, &usize)| {
        let text = view.options.get(*at).cloned().unwrap_or_default();
        let swap = |with: usize| {
            let draft = draft.clone();
            move |_| {
                let mut order = draft.order.clone();
                order.swap(place, with);
                draft.set(Draft { order, ..(*draft).clone() });
            }
        };
        html! {
            <li key={*at}>
                <span>{ rich::formula(&text) }</span>
                <button
                    type="button"
                    disabled={place == 0}
                    aria-label={format!("{}: {text}", words::EARLIER)}
                    onclick={swap(place.saturating_sub(1))}
                >
                    { "↑" }
                </button>
                <button
                    type="button"
                    disabled={place == last}
                    aria-label={format!("{}: {text}", words::LATER)}
                    onclick={swap((place + 1).min(last))}
                >
                    { "↓" }
                </button>
            </li>
        }
    };
    html! { <ol class="lesson-order">{ for draft.order.iter().enumerate().map(item) }</ol> }
}

/// A number without a unit has the unit in which the field shows its value.
fn with_unit(name: &str, typed: &str) -> String {
    match read_number(typed, "") {
        Some(value) => format!("{value}{}", words::unit(name)),
        None => typed.to_owned(),
    }
}

#[derive(Properties, PartialEq)]
struct FreeProps {
    name: String,
    page: Page,
    on_action: Callback<Action>,
}

/// A field for an input or a parameter that may be changed. It shows the page's value, and sets it
/// once the typed text can be parsed.
#[component]
fn Free(props: &FreeProps) -> Html {
    let FreeProps { name, page, on_action } = props;
    let typed = use_state(|| None::<String>);
    let state = page.state();
    let value = setting(&state, name).map(|value| words::set_to(name, value)).unwrap_or_default();
    let (input, symbol) = (State::input_name(name), symbol_of(name));
    let oninput = {
        let (typed, name, on_action) = (typed.clone(), name.clone(), on_action.clone());
        move |event: InputEvent| {
            let text = browser::input_value(&event);
            let value = with_unit(&name, &text);
            let is_possible = !text.trim().is_empty() && state.clone().set(&name, &value).is_ok();
            match (input, symbol) {
                (Some(name), _) if is_possible => on_action.emit(Action::SetInput(name, value)),
                (None, Some(symbol)) if is_possible => on_action.emit(Action::Set(symbol, value)),
                _ => {}
            }
            typed.set(Some(text));
        }
    };
    let onblur = {
        let typed = typed.clone();
        move |_| typed.set(None)
    };
    html! {
        <label class="lesson-free">
            { rich::formula(&words::free(name)) }
            <input
                class="field"
                type="text"
                id={format!("free-{name}")}
                autocomplete="off"
                value={(*typed).clone().unwrap_or(value)}
                {oninput}
                {onblur}
            />
            <small>{ words::example(name) }</small>
        </label>
    }
}

#[cfg(test)]
mod tests {
    use super::{read_number, with_unit};

    #[test]
    fn a_number_without_a_unit_has_that_of_the_field() {
        let cases = [
            ("G", "24", "24ns"),
            ("G", "2,38", "2.38ns"),
            ("L", "0.5", "0.5µs"),
            ("S", "65,536", "65536"),
            ("L", "500ns", "500ns"),
            ("bytes", "64KiB", "64KiB"),
            ("count", "100", "100"),
            ("recv_at", "50", "50µs"),
        ];
        for (name, typed, value) in cases {
            assert_eq!(with_unit(name, typed), value);
        }
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, number) in [
            ("2,204", 2204.0),
            ("2 204", 2204.0),
            ("2\u{202f}204", 2204.0),
            ("7,4", 7.4),
            (" 7.4 ", 7.4),
            ("1,234.5", 1234.5),
            ("−1.5", -1.5),
            ("30 us", 30.0),
            ("30µs", 30.0),
        ] {
            assert_eq!(read_number(text, "µs"), Some(number), "{text}");
        }
        for text in ["seven", "", "inf", "µs", "30 ms", "3 bytes"] {
            assert_eq!(read_number(text, "µs"), None, "{text}");
        }
        assert_eq!(read_number("30", ""), Some(30.0));
    }
}
