//! The read-out of a plot: values of all lines at one place. Its drawing is loaded when first needed.

use crate::draw::figure::Figure;
use crate::draw::reading::{Value, beside, nearest, values};
use crate::draw::scale::Frame;
use crate::draw::words;
use crate::loaded::{Loading, use_loaded};
use crate::plots::plot::axes::label;
use crate::plots::surface::px;
use std::rc::Rc;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use yew::{Html, Properties, component, html};

/// Where a plot is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// At a value of the horizontal axis.
    Place(u64),
    /// At the handle.
    Handle,
}

impl Look {
    /// At the place nearest to a pixel.
    pub(super) fn under(figure: &Figure, frame: Frame, pixel: f64) -> Self {
        Look::Place(nearest(figure, frame.value_at(figure.x, pixel)))
    }
}

/// Where a plot without a handle is read after a key is pressed.
pub(super) fn moved(figure: &Figure, look: Option<Look>, key: &str) -> Option<Look> {
    let Some(Look::Place(at)) = look else {
        let starts = matches!(key, "ArrowRight" | "ArrowLeft" | "Home" | "End");
        return starts.then(|| Look::Place(nearest(figure, figure.x.low)));
    };
    Some(Look::Place(match key {
        "ArrowRight" => beside(figure, at, true),
        "ArrowLeft" => beside(figure, at, false),
        "Home" => nearest(figure, figure.x.low),
        "End" => nearest(figure, figure.x.high),
        _ => return None,
    }))
}

#[derive(Clone, Properties, PartialEq)]
pub(super) struct Props {
    pub(super) figure: Rc<Figure>,
    pub(super) frame: Frame,
    /// A value of the horizontal axis.
    pub(super) at: u64,
    /// Whether a screen reader says it.
    pub(super) is_said: bool,
}

type Show = fn(&Props) -> Html;

#[wasm_split(reading, fallible)]
fn load() -> Result<Show, SplitLoaderError> {
    Ok(drawn)
}

#[component]
pub(super) fn Reading(props: &Props) -> Html {
    match use_loaded(load) {
        Loading::Ready(show) => show(props),
        _ => html! {},
    }
}

/// Text lines, in font sizes.
const LINE: f64 = 1.4;
/// A letter's width, in font sizes.
const LETTER: f64 = 0.57;

fn drawn(Props { figure, frame, at, is_said }: &Props) -> Html {
    let values = values(figure, *at);
    if values.is_empty() {
        return html! {};
    }
    let Frame { left, right, top, bottom, em } = *frame;
    let x = frame.x(figure.x, *at as f64).clamp(left, right);
    let title = words::place(figure.axis, &figure.axis.words(*at));
    let rows: Vec<(String, String)> = values
        .iter()
        .map(|value| {
            let name =
                if value.is_point { words::measured(&value.label) } else { value.label.clone() };
            (name, words::value_in(figure.unit, value.y))
        })
        .collect();
    let longest = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| text.chars().count()).max().unwrap_or_default() as f64 * LETTER
    };
    let (names, numbers) = (
        longest(&mut rows.iter().map(|(name, _)| name)),
        longest(&mut rows.iter().map(|(_, number)| number)),
    );
    let width = em * (names + numbers + 3.6).max(LETTER * title.chars().count() as f64 + 1.6);
    let height = em * (LINE * (rows.len() + 1) as f64 + 0.6);
    // On the side with more room.
    let begin = if x - left > right - x { x - width - em } else { x + em };
    let line = |row: usize| px(top + em * (0.5 + LINE * (row as f64 + 0.5)));
    let row = |(i, (value, (name, number))): (usize, (&Value, &(String, String)))| {
        let y = line(i + 1);
        html! {
            <g>
                <circle class={format!("dot ink-{}", value.ink.name())} cx={px(begin + 1.1 * em)} cy={y.clone()} r={px(0.38 * em)} />
                <text x={px(begin + 2.0 * em)} y={y.clone()}>{ label(value.ink, name) }</text>
                <text class="value" x={px(begin + width - 0.8 * em)} {y}>{ number }</text>
            </g>
        }
    };
    let dot = |value: &Value| {
        let y = frame.y(figure.y, value.y.max(f64::MIN_POSITIVE));
        (top..=bottom).contains(&y).then(|| {
            html! { <circle class={format!("dot ink-{}", value.ink.name())} cx={px(x)} cy={px(y)} r="4" /> }
        })
    };
    let role = is_said.then_some("status");
    html! {
        <g class="reading" {role} aria-hidden={(!is_said).then_some("true")}>
            <path class="hair" d={format!("M{x:.1} {top:.1}V{bottom:.1}")} />
            { for values.iter().filter_map(dot) }
            <rect class="sheet" x={px(begin)} y={px(top + 0.2 * em)} width={px(width)} height={px(height)} rx={px(0.4 * em)} />
            <text class="title" x={px(begin + 0.8 * em)} y={line(0)}>{ title }</text>
            { for values.iter().zip(&rows).enumerate().map(row) }
        </g>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_move_from_place_to_place() {
        let figure = Figure::example();
        let moved = |look, key| moved(&figure, look, key);
        assert_eq!(moved(None, "ArrowRight"), Some(Look::Place(1)));
        assert_eq!(moved(Some(Look::Place(1024)), "ArrowRight"), Some(Look::Place(1152)));
        assert_eq!(moved(Some(Look::Place(1024)), "End"), Some(Look::Place(16 << 20)));
        assert_eq!(moved(Some(Look::Place(1024)), "Tab"), None);
    }
}
