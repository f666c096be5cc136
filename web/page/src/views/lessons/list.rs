//! The list of lessons, with the student's place in each.

use super::class::ClassView;
use super::memory::{Memory, MemoryChange};
use super::teach::Teach;
use super::words;
use super::worker::use_worker;
use crate::notices::reason;
use crate::state::{Action, Page};
use crate::tables::rich;
use loggia_model::Error;
use loggia_worker::presentation::{Summary, opening};
use loggia_worker::{LessonRequest, LessonResponse};
use yew::{
    Callback, Html, Properties, UseReducerHandle, component, html, use_effect_with, use_state,
};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) page: Page,
    pub(super) on_action: Callback<Action>,
    pub(super) memory: UseReducerHandle<Memory>,
}

#[component]
pub(super) fn List(props: &Props) -> Html {
    let lessons = use_state(|| None::<Result<Vec<Summary>, Error>>);
    let on_response = {
        let lessons = lessons.clone();
        Callback::from(move |result| match result {
            Ok(LessonResponse::List(list)) => lessons.set(Some(Ok(list))),
            Ok(_) => {}
            Err(error) => lessons.set(Some(Err(error))),
        })
    };
    let send = use_worker(on_response);
    use_effect_with(props.memory.own(), move |own| send.emit(LessonRequest::List(own.clone())));
    let content = match &*lessons {
        None => html! { <p class="aside" role="status">{ words::LOADING }</p> },
        Some(Err(error)) => reason(error),
        Some(Ok(list)) => html! {
            <>
                <ol class="lessons">{ for list.iter().zip(1..).map(|(lesson, number)| item(number, lesson, props)) }</ol>
                { keeping(&props.memory) }
                <ClassView lessons={list.clone()} />
                <Teach page={props.page.clone()} on_action={props.on_action.clone()} memory={props.memory.clone()} />
            </>
        },
    };
    html! {
        <section class="panel whole lesson-list" id="lessons" aria-labelledby="lessons-title">
            <h2 id="lessons-title">{ words::TITLE }</h2>
            <p class="asked">{ words::ABOUT }</p>
            { content }
        </section>
    }
}

fn item(number: usize, lesson: &Summary, props: &Props) -> Html {
    let place = props.memory.place(&lesson.name).cloned();
    let state = {
        let (at, code) = place.clone().map_or((None, None), |(at, code)| (Some(at), Some(code)));
        let mut state = opening(&lesson.name, at);
        state.inputs.answers = code;
        state
    };
    let onclick = props.on_action.reform(move |_| Action::OpenLink(Ok(Box::new(state.clone()))));
    let button = match &place {
        Some((at, _)) if *at as usize == lesson.steps => words::OPEN,
        Some(_) => words::CONTINUE,
        None => words::START,
    };
    let progress = place.map(|(at, _)| {
        html! { <span class="lesson-place">{ words::place(at, lesson.steps) }</span> }
    });
    html! {
        <li key={lesson.name.clone()}>
            <h3>{ format!("{}. {}", number, lesson.title) }</h3>
            <p>{ rich::formula(&lesson.goal) }</p>
            <p class="aside">{ words::length(lesson.minutes, lesson.steps) }{ for progress }</p>
            <button type="button" data-lesson={lesson.name.clone()} {onclick}>
                { button }
                <span class="unseen">{ format!(": {}", lesson.title) }</span>
            </button>
        </li>
    }
}

/// Whether the browser stores the progress.
fn keeping(memory: &UseReducerHandle<Memory>) -> Html {
    let change = |is_kept: bool| {
        let memory = memory.dispatcher();
        move |_| memory.dispatch(MemoryChange::Keep(is_kept))
    };
    match memory.is_kept() {
        true => html! {
            <p class="lesson-memory">
                { words::KEPT }
                <button type="button" onclick={change(false)}>{ words::FORGET }</button>
            </p>
        },
        false => html! {
            <p class="lesson-memory">
                { words::NOT_KEPT }
                <button type="button" onclick={change(true)}>{ words::KEEP }</button>
            </p>
        },
    }
}
