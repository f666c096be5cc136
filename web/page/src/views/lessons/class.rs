//! The answers of a class: a teacher pastes codes and sees the first answers to each step.

mod csv;
mod numbers;

use super::words;
use super::worker::use_worker;
use crate::browser::{self, saving};
use crate::notices::reason;
use loggia_model::Error;
use loggia_model::units::words::counted;
use loggia_worker::class::{AnswerCount, Class, ClassStep};
use loggia_worker::presentation::Summary;
use loggia_worker::{LessonRequest, LessonResponse};
use std::cmp::Reverse;
use yew::platform::spawn_local;
use yew::{Callback, Html, InputEvent, Properties, component, html, use_state};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) lessons: Vec<Summary>,
}

#[component]
pub(super) fn ClassView(props: &Props) -> Html {
    let class = use_state(|| None::<Result<Class, Error>>);
    let text = use_state(String::new);
    let first = props.lessons.first().map(|lesson| lesson.name.clone()).unwrap_or_default();
    let chosen = use_state(|| first);
    let on_response = {
        let class = class.clone();
        Callback::from(move |result| match result {
            Ok(LessonResponse::Class(counted)) => class.set(Some(Ok(counted))),
            Ok(_) => {}
            Err(error) => class.set(Some(Err(error))),
        })
    };
    let send = use_worker(on_response);
    let on_type = {
        let text = text.clone();
        move |event: InputEvent| text.set(browser::text_area_value(&event))
    };
    let on_choose = {
        let chosen = chosen.clone();
        move |event: yew::Event| chosen.set(browser::selected_option(&event))
    };
    let on_count = {
        let (text, chosen) = (text.clone(), chosen.clone());
        move |_| {
            send.emit(LessonRequest::Class { lesson: (*chosen).clone(), text: (*text).clone() });
        }
    };
    let option = |lesson: &Summary| {
        html! {
            <option value={lesson.name.clone()} selected={lesson.name == *chosen}>
                { &lesson.title }
            </option>
        }
    };
    html! {
        <details class="class-answers">
            <summary>{ words::CLASS }</summary>
            <p>{ words::CLASS_ABOUT }</p>
            <label>
                { words::CLASS_LESSON }
                <select class="field" id="class-lesson" onchange={on_choose}>
                    { for props.lessons.iter().map(option) }
                </select>
            </label>
            <label>
                { words::CLASS_CODES }
                <textarea class="field" id="class-codes" rows="6" oninput={on_type} value={(*text).clone()} />
            </label>
            <button type="button" id="class-count" onclick={on_count}>{ words::CLASS_COUNT }</button>
            { match &*class {
                None => html! {},
                Some(Err(error)) => reason(error),
                Some(Ok(class)) => html! { <Counted class={class.clone()} /> },
            } }
        </details>
    }
}

#[derive(Properties, PartialEq)]
struct CountedProps {
    class: Class,
}

/// The steps in their order, or sorted by the share of right first answers, lowest first.
#[component]
fn Counted(props: &CountedProps) -> Html {
    let class = &props.class;
    let by_share = use_state(|| false);
    let copied = use_state(|| None::<bool>);
    let on_order = {
        let by_share = by_share.clone();
        move |event: yew::Event| by_share.set(browser::selected_option(&event) == "share")
    };
    let on_copy = {
        let (text, copied) = (csv::csv(class), copied.clone());
        move |_| {
            let (text, copied) = (text.clone(), copied.clone());
            spawn_local(async move { copied.set(Some(browser::copy(text).await)) });
        }
    };
    let on_save = {
        let text = csv::csv(class);
        move |_| {
            saving::text("class.csv", "text/csv", &text);
        }
    };
    let note = (*copied)
        .map(|is_done| if is_done { crate::text::COPIED } else { crate::text::NOT_COPIED });
    let mut steps: Vec<(usize, &ClassStep)> = class.steps.iter().enumerate().collect();
    if *by_share {
        steps.sort_by_key(|(_, step)| (step.answered == 0, wrong_share(step)));
    }
    html! {
        <div class="class-counted" role="status">
            <p><b>{ counted(class.students, "student") }</b></p>
            <ul>
                { for words::remarks(class).into_iter().map(|remark| html! { <li>{ remark }</li> }) }
            </ul>
            <div class="lesson-buttons">
                <label>
                    { words::CLASS_ORDER }
                    <select class="field" id="class-order" onchange={on_order}>
                        <option value="step" selected={!*by_share}>{ words::CLASS_BY_STEP }</option>
                        <option value="share" selected={*by_share}>{ words::CLASS_BY_SHARE }</option>
                    </select>
                </label>
                <button type="button" id="class-copy" onclick={on_copy}>{ words::CLASS_COPY }</button>
                <button type="button" id="class-save" onclick={on_save}>{ words::CLASS_SAVE }</button>
                <small>{ for note }</small>
            </div>
            { for steps.into_iter().map(|(at, step)| of_step(at + 1, step)) }
        </div>
    }
}

/// Sort key by the share of right first answers, lowest first.
fn wrong_share(step: &ClassStep) -> Reverse<u64> {
    let wrong = step.answered - step.right_at_first;
    Reverse(1_000_000 * wrong as u64 / step.answered.max(1) as u64)
}

fn of_step(at: usize, step: &ClassStep) -> Html {
    let most = step.answered.max(1);
    let row = |answer: &AnswerCount| {
        let share = 100.0 * answer.count as f64 / most as f64;
        let sign = if answer.is_right { words::RIGHT_SIGN } else { words::WRONG_SIGN };
        html! {
            <tr>
                <th scope="row">{ sign }{ " " }{ &answer.answer }</th>
                <td class="number">{ answer.count }</td>
                <td aria-hidden="true">
                    <svg class="class-bar"><rect width={format!("{share}%")} height="100%" rx="3" /></svg>
                </td>
                <td>{ for &answer.feedback }</td>
            </tr>
        }
    };
    html! {
        <section class="class-step" key={at}>
            <h3>{ format!("{at}. {}", step.question) }</h3>
            <p class="aside">{ words::class_step(step) }</p>
            { numbers::numbers(step).unwrap_or_default() }
            <table><tbody>{ for step.answers.iter().map(row) }</tbody></table>
        </section>
    }
}
