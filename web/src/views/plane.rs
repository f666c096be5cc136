//! The axes of a picture that begins at nothing.

use crate::draw::moments;
use crate::draw::plane::Plane;
use crate::draw::scale::Frame;
use crate::views::surface::px;
use loggia_model::units::Micros;
use yew::{Html, html};

/// Lines, moments along and up, and what is along.
pub(crate) fn axes(plane: Plane, frame: Frame, title: &'static str) -> Html {
    let Frame { left, right, top, bottom, em } = frame;
    let along = moments::along(plane.until, right - left, em).into_iter().map(|tick| {
        let (x, _) = plane.pixel(frame, Micros(tick.value), Micros(0.0));
        html! { <text class="tick" x={px(x)} y={px(bottom + 1.5 * em)}>{ tick.label }</text> }
    });
    let up = moments::along(plane.most, 2.0 * (bottom - top), em).into_iter().map(|tick| {
        let (_, y) = plane.pixel(frame, Micros(0.0), Micros(tick.value));
        html! {
            <>
                <path class="gridline" d={format!("M{left:.1} {y:.1}H{right:.1}")} />
                <text class="tick up" x={px(left - 0.7 * em)} y={px(y)}>{ tick.label }</text>
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
