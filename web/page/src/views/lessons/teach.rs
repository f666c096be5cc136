//! The teacher's editor of a lesson: steps from links, the text, and the model's answers.

use super::memory::{Memory, MemoryChange};
use super::words;
use super::worker::use_worker;
use crate::browser::{self, saving};
use crate::notices::reason;
use crate::state::{Action, Page};
use loggia_link::single;
use loggia_link::state::{Inputs, State, View};
use loggia_model::Error;
use loggia_worker::check::StepReport;
use loggia_worker::presentation::opening;
use loggia_worker::{Checked, LessonRequest, LessonResponse};
use yew::platform::spawn_local;
use yew::{
    Callback, Html, InputEvent, Properties, UseReducerHandle, component, html, use_effect_with,
    use_state,
};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) page: Page,
    pub(super) on_action: Callback<Action>,
    pub(super) memory: UseReducerHandle<Memory>,
}

#[component]
pub(super) fn Teach(props: &Props) -> Html {
    let Props { page, on_action, memory } = props;
    let checked = use_state(|| None::<Result<Checked, Error>>);
    let link = use_state(String::new);
    // If there is a draft, the editor is open, so that a teacher can continue it with another link.
    let is_open = use_state(|| !memory.draft().trim().is_empty());
    let on_response = {
        let (checked, memory) = (checked.clone(), memory.dispatcher());
        Callback::from(move |result| match result {
            Ok(LessonResponse::Draft(text)) => memory.dispatch(MemoryChange::Draft(text)),
            Ok(LessonResponse::Checked(found)) => checked.set(Some(Ok(found))),
            Ok(_) => {}
            Err(error) => checked.set(Some(Err(error))),
        })
    };
    let send = use_worker(on_response);
    {
        let send = send.clone();
        use_effect_with(memory.draft().to_owned(), move |draft| {
            if !draft.trim().is_empty() {
                send.emit(LessonRequest::Check(draft.clone()));
            }
        });
    }
    let on_link = {
        let link = link.clone();
        move |event: InputEvent| link.set(browser::input_value(&event))
    };
    let view = use_state(View::default);
    let on_view = {
        let view = view.clone();
        move |event: yew::Event| {
            if let Ok(chosen) = View::named(&browser::selected_option(&event)) {
                view.set(chosen);
            }
        }
    };
    let on_loaded = {
        let (draft, send, state) = (memory.draft().to_owned(), send.clone(), loaded(page, *view));
        move |_| {
            let (link, _) = loggia_link::encode(&state);
            send.emit(LessonRequest::AddStep { draft: draft.clone(), link });
        }
    };
    let view_option = |of: View| {
        html! { <option value={of.name()} selected={of == *view}>{ crate::text::view(of) }</option> }
    };
    let on_add = {
        let (draft, link) = (memory.draft().to_owned(), link.clone());
        move |_| {
            send.emit(LessonRequest::AddStep { draft: draft.clone(), link: (*link).clone() });
            link.set(String::new());
        }
    };
    let on_type = {
        let memory = memory.dispatcher();
        move |event: InputEvent| {
            memory.dispatch(MemoryChange::Draft(browser::text_area_value(&event)))
        }
    };
    html! {
        <details class="teach" id="teach" open={*is_open}>
            <summary>{ words::TEACH }</summary>
            <p>{ words::TEACH_ABOUT }</p>
            <div class="lesson-buttons">
                <label class="teach-link">
                    { words::TEACH_LINK }
                    <input class="field" type="text" id="teach-link" value={(*link).clone()} oninput={on_link} />
                </label>
                <button type="button" id="teach-add" disabled={link.trim().is_empty()} onclick={on_add}>
                    { words::TEACH_ADD }
                </button>
            </div>
            <div class="lesson-buttons">
                <label>
                    { words::teach_loaded(&page.machine.title) }
                    <select class="field" id="teach-view" onchange={on_view}>
                        { for QUESTION_VIEWS.into_iter().map(view_option) }
                    </select>
                </label>
                <button type="button" id="teach-loaded" onclick={on_loaded}>{ words::TEACH_ADD }</button>
            </div>
            <label>
                { words::TEACH_TEXT }
                <textarea
                    class="field"
                    id="teach-text"
                    rows="18"
                    spellcheck="false"
                    value={memory.draft().to_owned()}
                    oninput={on_type}
                />
            </label>
            { for checked.as_ref().map(checked_panel) }
            { shares(memory.draft(), &checked, on_action) }
        </details>
    }
}

/// Views whose questions need only the loaded machine.
const QUESTION_VIEWS: [View; 6] =
    [View::Message, View::Overlap, View::Collectives, View::Simulate, View::Plan, View::Signature];

/// The loaded machine in a view, with the inputs set there.
fn loaded(page: &Page, view: View) -> State {
    let mut state = page.state();
    state.signatures.truncate(1);
    let inputs = Inputs { lesson: None, at: None, answers: None, hidden: false, ..state.inputs };
    State { view, inputs, ..state }
}

/// The model's answers, and errors of the lesson.
fn checked_panel(checked: &Result<Checked, Error>) -> Html {
    let checked = match checked {
        Ok(checked) => checked,
        Err(error) => return reason(error),
    };
    let step = |(at, step): (usize, &StepReport)| {
        let wrong = step.wrong.iter().map(|wrong| {
            html! { <li>{ words::WRONG_SIGN }{ " " }{ &wrong.answer }{ ": " }{ &wrong.feedback }</li> }
        });
        html! {
            <li key={at}>
                <p>{ &step.question }</p>
                <p>{ words::RIGHT_SIGN }{ " " }<b>{ &step.answer }</b>{ " · " }{ &step.reveal }</p>
                <ul>{ for wrong }</ul>
            </li>
        }
    };
    html! {
        <div class="teach-found" role="status">
            { for checked.problems.iter().chain(&checked.warnings).map(reason) }
            <ol>{ for checked.steps.iter().enumerate().map(step) }</ol>
        </div>
    }
}

/// A preview as a student sees it; the lesson as files.
fn shares(
    draft: &str,
    checked: &Option<Result<Checked, Error>>,
    on_action: &Callback<Action>,
) -> Html {
    let is_valid = matches!(checked, Some(Ok(checked)) if checked.problems.is_empty());
    let state = opening(draft, None);
    let on_open = {
        let state = state.clone();
        on_action.reform(move |_| Action::OpenLink(Ok(Box::new(state.clone()))))
    };
    let on_file = {
        let draft = draft.to_owned();
        move |_| {
            saving::text("lesson.toml", "text/plain;charset=utf-8", &draft);
        }
    };
    let on_page = move |_| {
        let state = state.clone();
        spawn_local(async move {
            one_file(&state).await;
        });
    };
    html! {
        <div class="lesson-buttons">
            <button type="button" id="teach-open" disabled={!is_valid} onclick={on_open}>{ words::TEACH_OPEN }</button>
            <button type="button" disabled={!is_valid} onclick={on_file}>{ words::TEACH_FILE }</button>
            <button type="button" disabled={!is_valid} onclick={on_page}>{ words::TEACH_PAGE }</button>
        </div>
    }
}

async fn one_file(state: &State) -> Option<()> {
    let page = single::with_state(&saving::one_file().await?, state)?;
    saving::text("lesson.html", "text/html", &page)
}
