//! The answers of a class: a teacher pastes codes and sees, step by step, what was answered first.

use super::asking::use_worker;
use super::words;
use crate::browser;
use crate::notices::reason;
use loggia_model::Error;
use loggia_worker::class::{AnswerCount, Class, ClassStep};
use loggia_worker::presentation::Summary;
use loggia_worker::{LessonRequest, LessonResponse};
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
        Callback::from(move |heard| match heard {
            Ok(LessonResponse::Class(counted)) => class.set(Some(Ok(counted))),
            Ok(_) => {}
            Err(error) => class.set(Some(Err(error))),
        })
    };
    let ask = use_worker(on_response);
    let on_type = {
        let text = text.clone();
        move |event: InputEvent| text.set(browser::written(&event))
    };
    let on_choose = {
        let chosen = chosen.clone();
        move |event: yew::Event| chosen.set(browser::selected(&event))
    };
    let on_count = {
        let (text, chosen) = (text.clone(), chosen.clone());
        move |_| {
            ask.emit(LessonRequest::Class { lesson: (*chosen).clone(), text: (*text).clone() });
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
                Some(Ok(class)) => counted(class),
            } }
        </details>
    }
}

fn counted(class: &Class) -> Html {
    let step = |(at, step): (usize, &ClassStep)| of_step(at + 1, step);
    html! {
        <div class="class-counted" role="status">
            <p><b>{ words::students(class.students) }</b></p>
            <ul>
                { for words::remarks(class).into_iter().map(|remark| html! { <li>{ remark }</li> }) }
            </ul>
            { for class.steps.iter().enumerate().map(step) }
        </div>
    }
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
        <section class="class-step">
            <h3>{ format!("{at}. {}", step.question) }</h3>
            <p class="aside">{ words::class_step(step) }</p>
            <table><tbody>{ for step.answers.iter().map(row) }</tbody></table>
        </section>
    }
}
