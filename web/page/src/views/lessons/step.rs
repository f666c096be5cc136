//! The open step of a lesson: its text, its question, the answer, the feedback.

use super::answer::AnswerForm;
use super::memory::{Memory, MemoryChange};
use super::reveal::revealed;
use super::words;
use super::worker::{LessonResult, use_worker};
use crate::browser::{self, Files};
use crate::notices::reason;
use crate::plots::{explained, rounds};
use crate::state::{Action, Page};
use crate::tables::rich;
use crate::tables::scroll::Scroll;
use loggia_link::state::View;
use loggia_model::Error;
use loggia_worker::class::signed;
use loggia_worker::grading::Attempt;
use loggia_worker::presentation::{AnswerKind, Picture, Status, StepView, opening};
use loggia_worker::{LessonRequest, LessonResponse, StepQuery};
use yew::platform::spawn_local;
use yew::{
    Callback, Html, InputEvent, Properties, UseReducerHandle, classes, component, html,
    use_effect_with, use_mut_ref, use_node_ref, use_state,
};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) page: Page,
    pub(super) on_action: Callback<Action>,
    pub(super) memory: UseReducerHandle<Memory>,
}

/// The grading of the last answer.
#[derive(Clone, Debug, Default, PartialEq)]
struct Grading {
    /// Number of answers: each moves the focus to its feedback.
    count: u32,
    right: Option<bool>,
    feedback: Option<String>,
}

#[component]
pub(super) fn Step(props: &Props) -> Html {
    let Props { page, on_action, memory } = props;
    let shown = use_state(|| None::<StepView>);
    let problem = use_state(|| None::<Error>);
    let grading = use_state(Grading::default);
    // The shown step and code, and whether the next response opens the step's state.
    let place = use_mut_ref(|| (0_usize, String::new()));
    let opens_state = use_mut_ref(|| false);
    let feedback = use_node_ref();
    let lesson = page.inputs.lesson.clone().unwrap_or_default();
    let on_response = {
        let (shown, problem, grading) = (shown.clone(), problem.clone(), grading.clone());
        let (place, opens_state) = (place.clone(), opens_state.clone());
        let (on_action, memory) = (on_action.clone(), memory.dispatcher());
        let (lesson, has_program) = (lesson.clone(), page.program.is_some());
        let is_hidden = page.inputs.hidden;
        Callback::from(move |result: LessonResult| {
            let (view, graded) = match result {
                Err(error) => return problem.set(Some(error)),
                Ok(LessonResponse::Step(view)) => (*view, None),
                Ok(LessonResponse::Outcome(outcome)) => (outcome.view, Some(outcome.graded)),
                Ok(_) => return,
            };
            problem.set(None);
            *place.borrow_mut() = (view.at, view.code.clone());
            let at = u32::try_from(view.at).unwrap_or(1);
            memory.dispatch(MemoryChange::Place {
                lesson: lesson.clone(),
                at,
                code: view.code.clone(),
            });
            match &graded {
                Some(graded) => grading.set(Grading {
                    count: grading.count + 1,
                    right: Some(graded.right),
                    feedback: graded.feedback.clone(),
                }),
                None if view.reveal.is_none() => grading.set(Grading::default()),
                None => grading.set(Grading { count: grading.count + 1, ..Grading::default() }),
            }
            if std::mem::take(&mut *opens_state.borrow_mut()) || view.shows {
                open(&view, has_program, &on_action);
            } else {
                on_action.emit(Action::SetInput("answers", view.code.clone()));
                if view.reveal.is_some() && is_hidden {
                    on_action.emit(Action::SetInput("hidden", "no".to_owned()));
                }
            }
            shown.set(Some(view));
        })
    };
    let send = use_worker(on_response);
    let request = {
        let (send, lesson) = (send.clone(), lesson.clone());
        let code = page.inputs.answers.clone().unwrap_or_default();
        move |at: usize, want: StepQuery| {
            let (lesson, code) = (lesson.clone(), code.clone());
            // The seed depends on the time, so that students get different numbers.
            let seed = (browser::now() as u64 % 32) as u8;
            send.emit(LessonRequest::Step { lesson, at, code, seed, want });
        }
    };
    {
        let (request, opens_state) = (request.clone(), opens_state.clone());
        let is_closed = page.view == View::Lessons || page.inputs.at.is_none();
        let at = page.inputs.at.unwrap_or(1) as usize;
        let code = page.inputs.answers.clone().unwrap_or_default();
        use_effect_with((lesson, at, code), move |(_, at, code)| {
            let is_shown = *place.borrow() == (*at, code.clone());
            if !is_shown {
                *opens_state.borrow_mut() |= is_closed;
                request(*at, StepQuery::View);
            }
        });
    }
    {
        let feedback = feedback.clone();
        use_effect_with(grading.count, move |count| {
            if *count > 0 {
                browser::focus(&feedback);
            }
        });
    }
    let (section, beginning) = (use_node_ref(), use_node_ref());
    {
        let (section, beginning) = (section.clone(), beginning.clone());
        use_effect_with(shown.as_ref().map(|view| view.at), move |at| {
            // The first step is at the top already.
            if at.is_some_and(|at| at > 1) {
                browser::show(&section);
            }
            browser::focus(&beginning);
        });
    }
    let leave = on_action.reform(|_| Action::LeaveLesson);
    let Some(view) = &*shown else {
        return html! {
            <section class="panel whole lesson" id="lesson">
                { match &*problem {
                    Some(error) => reason(error),
                    None => html! { <p class="aside" role="status">{ words::LOADING }</p> },
                } }
                <button type="button" onclick={leave}>{ words::ALL }</button>
            </section>
        };
    };
    let go = {
        let (request, opens_state) = (request.clone(), opens_state);
        Callback::from(move |at: usize| {
            *opens_state.borrow_mut() = true;
            request(at, StepQuery::View);
        })
    };
    let at = view.at;
    let on_answer = {
        let request = request.clone();
        Callback::from(move |attempt: Attempt| request(at, StepQuery::Answer(attempt)))
    };
    let is_over = view.reveal.is_some();
    let reveal = (page.projector && !is_over).then(|| {
        let request = request.clone();
        html! { <Revealer on_reveal={Callback::from(move |()| request(at, StepQuery::Reveal))} /> }
    });
    let on_give_up = Callback::from(move |()| request(at, StepQuery::GiveUp));
    let form = (!is_over).then(|| {
        html! {
            <AnswerForm
                key={format!("{} {at}", view.lesson.name)}
                view={view.clone()}
                page={page.clone()}
                on_action={on_action.clone()}
                {on_answer}
                {on_give_up}
            />
        }
    });
    html! {
        <section class="panel whole lesson" id="lesson" aria-labelledby="lesson-title" data-step={at.to_string()} ref={section}>
            { head(view, &go, leave) }
            // The focus moves here when the step opens.
            <div tabindex="-1" class="lesson-beginning" ref={beginning}>
                { for view.text.as_ref().map(|text| html! { <p class="lesson-text">{ rich::formula(text) }</p> }) }
                { for view.picture.map(picture) }
                { table(&view.data) }
                <h3 class="lesson-question" id="lesson-question">{ rich::formula(&view.question) }</h3>
            </div>
            { form.unwrap_or_default() }
            { reveal.unwrap_or_default() }
            <div class="lesson-feedback" role="status" tabindex="-1" ref={feedback}>
                { feedback_text(&grading, view) }
                { for view.reveal.as_ref().map(|reveal| revealed(reveal, page, on_action)) }
            </div>
            { for changed(view, page, on_action) }
            { problem.as_ref().map(reason).unwrap_or_default() }
            { foot(view, &go, on_action) }
            <MyAnswers code={view.code.clone()} />
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct RevealerProps {
    on_reveal: Callback<()>,
}

/// Shows the answer to an audience: by a button, and by the space bar.
#[component]
fn Revealer(props: &RevealerProps) -> Html {
    use_effect_with(props.on_reveal.clone(), move |on_reveal| {
        let on_reveal = on_reveal.clone();
        let listener = browser::on_key(move |key| {
            let is_space = key.name == " " && !key.in_field;
            if is_space {
                on_reveal.emit(());
            }
            is_space
        });
        move || drop(listener)
    });
    html! {
        <button type="button" class="lesson-show-room" onclick={props.on_reveal.reform(|_| ())}>
            { words::REVEAL }
        </button>
    }
}

/// Opens the state of a step.
fn open(view: &StepView, has_program: bool, on_action: &Callback<Action>) {
    if has_program {
        // An open file would be run instead of the step's algorithm.
        on_action.emit(Action::Program(None));
    }
    on_action.emit(Action::OpenLink(Ok(view.state.clone())));
    let program = view.program.as_ref().and_then(|(name, text)| Files::of_text(name, text));
    if program.is_some() {
        on_action.emit(Action::Program(program));
    }
}

fn head(view: &StepView, go: &Callback<usize>, leave: Callback<yew::MouseEvent>) -> Html {
    let step = |(place, status): (usize, &Status)| {
        let at = place + 1;
        let onclick = go.reform(move |_| at);
        let (sign, meaning) = words::status(*status);
        let label = format!("{at}: {meaning}");
        html! {
            <li key={at}>
                <button
                    type="button"
                    class={classes!("lesson-step", (at == view.at).then_some("open"))}
                    aria-current={(at == view.at).then_some("step")}
                    aria-label={label.clone()}
                    title={label}
                    {onclick}
                >
                    { at }{ " " }{ sign }
                </button>
            </li>
        }
    };
    html! {
        <>
            <nav class="lesson-around" aria-label={words::STEPS}>
                <ol>{ for view.statuses.iter().enumerate().map(step) }</ol>
                <button type="button" onclick={leave}>{ words::ALL }</button>
            </nav>
            <h2 id="lesson-title">{ &view.lesson.title }</h2>
        </>
    }
}

fn picture(picture: Picture) -> Html {
    match picture {
        Picture::Message => explained::message(),
        Picture::Handshake => explained::handshake(),
        Picture::Tree => rounds::tree(),
        Picture::Ring => rounds::ring(),
    }
}

fn table(rows: &[Vec<String>]) -> Option<Html> {
    let (heads, rest) = rows.split_first()?;
    let row = |row: &Vec<String>| {
        html! { <tr>{ for row.iter().map(|cell| html! { <td>{ cell }</td> }) }</tr> }
    };
    Some(html! {
        <Scroll>
            <table class="lesson-data">
                <thead>
                    <tr>{ for heads.iter().map(|head| html! { <th scope="col">{ head }</th> }) }</tr>
                </thead>
                <tbody>{ for rest.iter().map(row) }</tbody>
            </table>
        </Scroll>
    })
}

/// A note once the student has changed the values of the question after the answer.
fn changed(view: &StepView, page: &Page, on_action: &Callback<Action>) -> Option<Html> {
    let is_fixed = view.reveal.is_some() && view.kind != AnswerKind::Target;
    let (now, asked) = (&page.inputs, &view.state.inputs);
    let is_same = (now.bytes, now.procs) == (asked.bytes, asked.procs)
        && view.state.signatures.first() == Some(&*page.machine);
    (is_fixed && !is_same).then(|| {
        let state = view.state.clone();
        let onclick = on_action.reform(move |_| Action::OpenLink(Ok(state.clone())));
        html! {
            <p class="lesson-changed" role="status">
                { words::CHANGED }
                <button type="button" {onclick}>{ words::BACK_TO_QUESTION }</button>
            </p>
        }
    })
}

fn feedback_text(grading: &Grading, view: &StepView) -> Html {
    let verdict = match (grading.right, view.kind) {
        (Some(_), AnswerKind::Say) | (None, _) => None,
        (Some(true), _) => Some(words::RIGHT),
        (Some(false), _) if view.reveal.is_some() => Some(words::WRONG_TO_THE_END),
        (Some(false), _) => Some(words::WRONG),
    };
    let hint = (grading.right == Some(false) && view.reveal.is_none())
        .then(|| {
            view.hints.last().map(|hint| html! { <p>{ words::HINT }{ rich::formula(hint) }</p> })
        })
        .flatten();
    html! {
        <>
            { for verdict.map(|verdict| html! { <p><b>{ verdict }</b></p> }) }
            { for grading.feedback.as_ref().map(|text| html! { <p>{ rich::formula(text) }</p> }) }
            { hint.unwrap_or_default() }
        </>
    }
}

/// The buttons Back and Next; at the end, the result and the next lesson.
fn foot(view: &StepView, go: &Callback<usize>, on_action: &Callback<Action>) -> Html {
    let at = view.at;
    let back = (at > 1).then(|| {
        html! { <button type="button" class="lesson-back" onclick={go.reform(move |_| at - 1)}>{ words::BACK }</button> }
    });
    let is_last = at == view.lesson.steps;
    let next = (view.reveal.is_some() && !is_last).then(|| {
        html! { <button type="button" class="lesson-next" onclick={go.reform(move |_| at + 1)}>{ words::NEXT }</button> }
    });
    let end = (view.reveal.is_some() && is_last).then(|| {
        html! { <p>{ words::end(&view.statuses) }{ for next_lesson(view, on_action) }</p> }
    });
    html! {
        <>
            { end.unwrap_or_default() }
            <div class="lesson-foot">{ back.unwrap_or_default() }{ next.unwrap_or_default() }</div>
        </>
    }
}

fn next_lesson(view: &StepView, on_action: &Callback<Action>) -> Option<Html> {
    let (name, title) = view.next.as_ref()?;
    let state = opening(name, None);
    let onclick = on_action.reform(move |_| Action::OpenLink(Ok(Box::new(state.clone()))));
    Some(html! {
        <>{ " " }<button type="button" class="lesson-onward" {onclick}>{ words::next_lesson(title) }</button></>
    })
}

#[derive(Properties, PartialEq)]
struct MyAnswersProps {
    code: String,
}

/// The student's code, with a name.
#[component]
fn MyAnswers(props: &MyAnswersProps) -> Html {
    let name = use_state(String::new);
    let copied = use_state(|| None::<bool>);
    let on_type = {
        let (name, copied) = (name.clone(), copied.clone());
        move |event: InputEvent| {
            name.set(browser::input_value(&event));
            copied.set(None);
        }
    };
    let code = signed(&name, &props.code);
    let on_copy = {
        let (code, copied) = (code.clone(), copied.clone());
        move |_| {
            let (code, copied) = (code.clone(), copied.clone());
            spawn_local(async move { copied.set(Some(browser::copy(code).await)) });
        }
    };
    let note = (*copied)
        .map(|is_done| if is_done { crate::text::COPIED } else { crate::text::NOT_COPIED });
    html! {
        <details class="my-answers">
            <summary>{ words::MY_ANSWERS }</summary>
            <p>{ words::MY_ANSWERS_ABOUT }</p>
            <label>{ words::MY_NAME }<input type="text" id="my-name" maxlength="40" oninput={on_type} /></label>
            <output id="my-code">{ code }</output>
            <button type="button" onclick={on_copy}>{ words::COPY_CODE }</button>
            <small role="status">{ for note }</small>
        </details>
    }
}
