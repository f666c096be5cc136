//! Axes and line names of a linear plot.

use super::surface::px;
use crate::draw::figure::Ink;
use crate::draw::moments;
use crate::draw::plane::Plane;
use crate::draw::scale::Frame;
use loggia_model::units::Micros;
use yew::{Html, html};

/// Axes with ticks, and the title of the horizontal axis.
pub(crate) fn axes(plane: Plane, frame: Frame, title: &'static str) -> Html {
    let Frame { left, right, top, bottom, em } = frame;
    let along = moments::along(plane.until, right - left, em).into_iter();
    let along = along.map(|tick| {
        let (x, _) = plane.pixel(frame, Micros(tick.value), Micros(0.0));
        (x, tick.label)
    });
    let up = moments::along(plane.most, 2.0 * (bottom - top), em).into_iter();
    let up = up.map(|tick| {
        let (_, y) = plane.pixel(frame, Micros(0.0), Micros(tick.value));
        (y, tick.label)
    });
    lines(frame, along, up, title)
}

/// Axes of any scales, from labels with their pixels, and the title of the horizontal axis.
pub(crate) fn lines(
    frame: Frame,
    along: impl Iterator<Item = (f64, String)>,
    up: impl Iterator<Item = (f64, String)>,
    title: &'static str,
) -> Html {
    let Frame { left, right, top, bottom, em } = frame;
    let along = along.map(|(x, label)| {
        html! { <text class="tick" x={px(x)} y={px(bottom + 1.5 * em)}>{ label }</text> }
    });
    let up = up.map(|(y, label)| {
        html! {
            <>
                <path class="gridline" d={format!("M{left:.1} {y:.1}H{right:.1}")} />
                <text class="tick up" x={px(left - 0.7 * em)} y={px(y)}>{ label }</text>
            </>
        }
    });
    html! {
        <g>
            { for up }{ for along }
            <path class="axis" d={format!("M{left} {top}V{bottom}H{right}")} />
            <text class="axis-title" x={px((left + right) / 2.0)} y={px(bottom + 3.2 * em)}>
                { title }
            </text>
        </g>
    }
}

/// The name of a line next to the plot, connected to the line's end.
pub(crate) fn name(
    ink: Ink,
    (class, label): (&'static str, Html),
    (x, y): (f64, f64),
    place: f64,
    frame: Frame,
) -> Html {
    let from = x.min(frame.right);
    // The connection must not look like the line.
    let far = if from < frame.right - frame.em { " far" } else { "" };
    let to = frame.right + 0.6 * frame.em;
    html! {
        <g>
            <path
                class={format!("leader{far} line-{}", ink.name())}
                d={format!("M{from:.1} {y:.1}L{to:.1} {place:.1}h4")}
            />
            <text {class} x={px(frame.right + 1.2 * frame.em)} y={px(place)}>{ label }</text>
        </g>
    }
}
