//! The answer of a step, beside the student's first answer.

use super::words;
use crate::state::Action;
use crate::tables::rich;
use loggia_worker::presentation::{Mark, MarkKind, Reveal};
use yew::{Callback, Html, html};

pub(super) fn revealed(reveal: &Reveal, on_action: &Callback<Action>) -> Html {
    let solution = reveal.solution.clone().filter(|_| !reveal.right).map(|state| {
        let onclick = on_action.reform(move |_| Action::OpenLink(Ok(state.clone())));
        html! { <button type="button" class="lesson-show" {onclick}>{ words::SHOW_ME }</button> }
    });
    html! {
        <div class="lesson-reveal">
            <p class="lesson-right"><span>{ words::THE_ANSWER }</span><b>{ rich::formula(&reveal.answer) }</b></p>
            { for axis(reveal) }
            <p>{ rich::formula(&reveal.text) }</p>
            { for solution }
        </div>
    }
}

/// Where a label hangs, so that it stays in the picture.
fn anchor(at: f64) -> &'static str {
    match at {
        at if at < WIDTH / 4.0 => "axis-begin",
        at if at > WIDTH * 3.0 / 4.0 => "axis-end",
        _ => "axis-middle",
    }
}

/// The width of the axis, in the units of its picture.
const WIDTH: f64 = 1000.0;
/// What is left free on both sides.
const MARGIN: f64 = 60.0;

/// First answer and right answer on a logarithmic axis, with the accepted band.
fn axis(reveal: &Reveal) -> Option<Html> {
    let all: Vec<f64> = reveal.marks.iter().map(|mark| mark.value).collect();
    let is_drawn = !all.is_empty() && all.iter().all(|value| *value > 0.0);
    let [low, high] = reveal.accepted.filter(|_| is_drawn)?;
    let least = all.iter().copied().fold(low, f64::min).ln();
    let most = all.iter().copied().fold(high, f64::max).ln();
    let span = (most - least).max(1e-3);
    let x = |value: f64| MARGIN + (value.max(1e-12).ln() - least) / span * (WIDTH - 2.0 * MARGIN);
    let mark = |mark: &Mark| {
        let at = x(mark.value);
        let (class, row) = match mark.kind {
            MarkKind::FirstAnswer => ("axis-first", 88.0),
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
    let said: Vec<String> = reveal
        .marks
        .iter()
        .map(|mark| format!("{}: {}", words::mark(mark.kind), mark.text))
        .collect();
    Some(html! {
        <svg class="lesson-axis" viewBox="0 0 1000 100" role="img" aria-label={said.join("; ")}>
            <rect
                class="axis-band"
                x={format!("{:.1}", x(low.max(1e-12)))}
                y="48"
                width={format!("{:.1}", (x(high) - x(low.max(1e-12))).max(2.0))}
                height="20"
            />
            <path class="axis-line" d="M20 58H980" />
            { for reveal.marks.iter().map(mark) }
        </svg>
    })
}
