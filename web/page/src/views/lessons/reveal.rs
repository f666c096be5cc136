//! The answer of a step, with the student's first answer.

use super::axis::{Axis, anchor};
use super::words;
use crate::state::{Action, Page};
use crate::tables::rich;
use crate::views::message;
use crate::views::overlap::{self, messages};
use loggia_link::state::View;
use loggia_worker::presentation::{Mark, MarkKind, Reveal};
use yew::{Callback, Html, html};

pub(super) fn revealed(reveal: &Reveal, page: &Page, on_action: &Callback<Action>) -> Html {
    let solution = reveal.solution.clone().filter(|_| !reveal.right).map(|state| {
        let onclick = on_action.reform(move |_| Action::OpenLink(Ok(state.clone())));
        html! { <button type="button" class="lesson-show" {onclick}>{ words::SHOW_ME }</button> }
    });
    // If the student has reached a target with other, equally right values, the answer is not
    // shown.
    let answer = (!reveal.right || reveal.solution.is_none()).then(|| {
        html! {
            <p class="lesson-right">
                <span>{ words::THE_ANSWER }</span><b>{ rich::formula(&reveal.answer) }</b>
            </p>
        }
    });
    html! {
        <div class="lesson-reveal">
            { for answer }
            { for axis(reveal) }
            <p>{ rich::formula(&reveal.text) }</p>
            { for picture(page) }
            { for solution }
        </div>
    }
}

/// The terms of the answer as a picture, since the view below is often out of sight.
fn picture(page: &Page) -> Option<Html> {
    let drawn = match page.view {
        _ if page.inputs.hidden => None,
        View::Message => message::answer_picture(page),
        View::Overlap if page.inputs.count.is_some() => messages::answer_picture(page),
        View::Overlap => overlap::answer_picture(page),
        _ => None,
    };
    drawn.map(|drawn| html! { <div class="lesson-picture">{ drawn }</div> })
}

/// First answer and right answer on a logarithmic axis, with the accepted band.
fn axis(reveal: &Reveal) -> Option<Html> {
    let all: Vec<f64> = reveal.marks.iter().map(|mark| mark.value).collect();
    let is_drawn = !all.is_empty() && all.iter().all(|value| *value > 0.0);
    let [low, high] = reveal.accepted.filter(|_| is_drawn)?;
    let scale = Axis::of(&all, [low, high]);
    let [left, width] = scale.band([low, high]);
    let mark = |mark: &Mark| {
        let at = scale.x(mark.value);
        let (class, row) = match mark.kind {
            MarkKind::FirstAnswer => ("axis-first", 80.0),
            MarkKind::RightAnswer => ("axis-right", 28.0),
        };
        html! {
            <g {class}>
                <path d={format!("M{at:.1} 40V76")} />
                <text class={anchor(at)} x={format!("{at:.1}")} y={row.to_string()}>
                    { format!("{}: {}", words::mark(mark.kind), mark.text) }
                </text>
            </g>
        }
    };
    let labels: Vec<String> = reveal
        .marks
        .iter()
        .map(|mark| format!("{}: {}", words::mark(mark.kind), mark.text))
        .collect();
    Some(html! {
        <>
        <svg class="lesson-axis" viewBox="0 0 1000 100" role="img" aria-label={labels.join("; ")}>
            <rect
                class="axis-band"
                x={format!("{left:.1}")}
                y="48"
                width={format!("{width:.1}")}
                height="20"
            />
            <path class="axis-line" d="M20 58H980" />
            { for reveal.marks.iter().map(mark) }
        </svg>
        <p class="aside">{ words::BAND }</p>
        </>
    })
}
