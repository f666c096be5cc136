//! The handle of a plot: position, values, keys.

use crate::draw::figure::{Figure, Ink};
use crate::draw::scale::Frame;
use crate::draw::steps::Axis;
use crate::draw::words;
use crate::plots::surface::px;
use std::rc::Rc;
use web_sys::KeyboardEvent;
use yew::{AttrValue, Callback, Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) figure: Rc<Figure>,
    pub(super) frame: Frame,
    pub(super) at: u64,
    /// Values of the lines at the handle.
    pub(super) dots: Vec<(Ink, f64)>,
    /// Position and answer as text.
    pub(super) value_text: AttrValue,
    pub(super) on_move: Callback<u64>,
}

#[component]
pub(super) fn Handle(props: &Props) -> Html {
    let Props { figure, frame, at, value_text, .. } = props;
    let Frame { left, right, top, bottom, em } = *frame;
    let axis = figure.axis;
    let value = (*at as f64).clamp(figure.x.low, figure.x.high);
    let x = frame.x(figure.x, value);
    let on_key = {
        let (at, on_move) = (*at, props.on_move.clone());
        move |event: KeyboardEvent| {
            if let Some(value) = moved(axis, at, &event.key()) {
                event.prevent_default();
                on_move.emit(value);
            }
        }
    };
    // Half the width of the text, so that the text stays inside the plot.
    let half = em * (0.31 * value_text.chars().count() as f64 + 0.8);
    let flag = x.clamp(left + half, (right + 4.0 * em - half).max(left + half));
    html! {
        <g
            class="handle"
            role="slider"
            tabindex="0"
            aria-label={words::quantity(axis)}
            aria-valuemin={axis.low().to_string()}
            aria-valuemax={axis.high().to_string()}
            aria-valuenow={at.to_string()}
            aria-valuetext={value_text.clone()}
            onkeydown={on_key}
        >
            <rect class="grasp" x={px(left)} y={px(top)} width={px(right - left)} height={px(bottom - top + 12.0)} />
            <path class="hair" d={format!("M{x:.1} {top:.1}V{bottom:.1}")} />
            <rect class="flag" x={px(flag - half)} y={px(top - 2.2 * em)} width={px(2.0 * half)} height={px(1.8 * em)} rx={px(0.9 * em)} />
            <text class="flag-words" x={px(flag)} y={px(top - 1.3 * em)}>{ value_text }</text>
            { for props.dots.iter().map(|dot| circle(*dot, x, figure, *frame)) }
            <circle class="knob" cx={px(x)} cy={px(bottom)} r="7" />
        </g>
    }
}

fn circle((ink, value): (Ink, f64), x: f64, figure: &Figure, frame: Frame) -> Html {
    let y = frame.y(figure.y, value.max(f64::MIN_POSITIVE));
    if y > frame.bottom || y < frame.top {
        return html! {};
    }
    let radius = if ink == Ink::Total { "5.5" } else { "3.5" };
    html! { <circle class={format!("dot ink-{}", ink.name())} cx={px(x)} cy={px(y)} r={radius} /> }
}

/// The value after a key is pressed.
fn moved(axis: Axis, at: u64, key: &str) -> Option<u64> {
    const PAGE: u32 = 8;
    let (step, last) = (axis.nearest(at), axis.steps());
    let step = match key {
        "ArrowRight" | "ArrowUp" => step + 1,
        "ArrowLeft" | "ArrowDown" => step.saturating_sub(1),
        "PageUp" => step + PAGE,
        "PageDown" => step.saturating_sub(PAGE),
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    Some(axis.value(step.min(last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_move_by_a_step_an_octave_or_to_the_end() {
        let moved = |key| moved(Axis::Bytes, 1024, key);
        assert_eq!(moved("ArrowRight"), Some(1152));
        assert_eq!(moved("ArrowLeft"), Some(960));
        assert_eq!(moved("PageUp"), Some(2048));
        assert_eq!(moved("Home"), Some(1));
        assert_eq!(moved("End"), Some(16 << 20));
        assert_eq!(moved("Tab"), None);
    }

    #[test]
    fn a_key_leads_back_from_beyond_the_end() {
        assert_eq!(moved(Axis::Bytes, 1 << 40, "ArrowRight"), Some(16 << 20));
        assert_eq!(moved(Axis::Procs, 2, "ArrowLeft"), Some(2));
    }
}
