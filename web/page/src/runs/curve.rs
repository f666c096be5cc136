//! Completion time over L and over G, with a handle at the machine's value.

pub(crate) mod figure;

use super::results::Results;
use super::{request, words as text};
use crate::browser::{self, Size};
use crate::draw::plane::Plane;
use crate::draw::scale::Frame;
use crate::draw::slider::ParameterSlider;
use crate::memo::{Shared, memoized};
use crate::plots::plane::axes;
use crate::plots::surface::{px, use_size};
use crate::sharing::Data;
use crate::sharing::export::Export;
use crate::state::{Action, Page};
use crate::tables::scroll::Scroll;
use crate::tables::{quantity, table};
use figure::{breaks, end_at, path, piece_at, plane};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time, whole};
use loggia_simulate::Parameter;
use loggia_simulate::result::{Curve, Piece};
use web_sys::{KeyboardEvent, PointerEvent};
use yew::{Callback, Html, Properties, component, html, use_node_ref};

/// Maximum number of listed pieces.
const LISTED: usize = 50;

/// Both curves, as far as computed.
pub(super) fn curves(results: &Results, page: &Page, on_action: &Callback<Action>) -> Option<Html> {
    let parameters = [Parameter::Latency, Parameter::GapPerByte];
    let known = results.curves.iter().zip(parameters).filter_map(|(curve, parameter)| {
        let (curve, value) = (curve.clone()?, request::value(&page.machine, page, parameter)?);
        let original = request::value(&page.original, page, parameter).unwrap_or(value);
        let (symbol, on_action) = (curve.parameter, on_action.clone());
        Some(html! { <Line {curve} {value} {original} {on_action} key={symbol} /> })
    });
    let known: Vec<Html> = known.collect();
    (!known.is_empty()).then(|| {
        let inside = html! {
            <>
                <p class="aside">{ text::CURVE_NOTE }</p>
                <div class="pictures">{ for known }</div>
            </>
        };
        let title = html! { { text::CURVES } };
        table::folded("curve", title, text::CURVES_SUMMARY.to_owned(), inside)
    })
}

#[derive(Properties, PartialEq)]
struct Props {
    curve: Shared<Curve>,
    /// The machine's value, now and before the reader changed it.
    value: Micros,
    original: Micros,
    on_action: Callback<Action>,
}

#[component]
fn Line(props: &Props) -> Html {
    let area = use_node_ref();
    let size = use_size(&area);
    let Props { curve, .. } = props;
    let frame = Frame::inside(size.width, size.height, size.em);
    let frame = Frame { right: size.width - 1.5 * size.em, ..frame };
    let picture = plane(curve).filter(|_| frame.is_visible()).map(|plane| {
        let node = draw_picture(props, size, frame, plane, &area);
        html! { { node } }
    });
    let broken = curve.broken_off_at_us.map(|at| {
        html! { <p class="aside">{ text::broken_off(&time(at)) }</p> }
    });
    html! {
        <div class="over">
            <h3>{ format!("T({})", curve.parameter) }</h3>
            <figure class="plot"><div class="plot-area" ref={area.clone()}>{ picture }</div></figure>
            <Export title={format!("T({})", curve.parameter)} area={area.clone()} data={Data::Curve(curve.clone())} />
            { broken }
            <details class="data">
                <summary>{ text::pieces(curve.pieces.len()) }</summary>
                <Scroll>{ memoized(curve.clone(), |curve| data(curve)) }</Scroll>
            </details>
        </div>
    }
}

fn draw_picture(
    props: &Props,
    size: Size,
    frame: Frame,
    plane: Plane,
    area: &yew::NodeRef,
) -> Html {
    let Props { curve, value, .. } = props;
    let view = format!("0 0 {} {}", size.width, size.height);
    let dot = |(x, y): (f64, f64)| {
        html! { <circle class="break" cx={px(x)} cy={px(y)} r="3.5" /> }
    };
    let breaks = breaks(plane, frame, curve);
    // More marks would look like a line.
    let breaks = breaks.into_iter().take(400).map(dot);
    html! {
        <svg class="overlay still" viewBox={view}>
            <g role="img" aria-label={text::curve(curve.parameter, curve.pieces.len(), &time(plane.until))}>
                { axes(plane, frame, curve.parameter) }
                <path class="swept line-total" d={path(plane, frame, curve)} />
                { for breaks }
            </g>
            { piece_at(curve, *value).map(|piece| handle(props, piece, frame, plane, area)) }
        </svg>
    }
}

/// The handle at the machine's value; dragging it changes the parameter.
fn handle(props: &Props, piece: &Piece, frame: Frame, plane: Plane, area: &yew::NodeRef) -> Html {
    let Props { curve, value, original, on_action } = props;
    let end = end_at(piece, *value);
    let (x, y) = plane.pixel(frame, *value, end);
    let turn = ParameterSlider(original.0);
    let symbol = curve.parameter;
    let (step, now) = (turn.nearest(value.0), on_action.clone());
    let on_key = move |event: KeyboardEvent| {
        let step = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => step + 1,
            "ArrowLeft" | "ArrowDown" => step - 1,
            _ => return,
        };
        event.prevent_default();
        now.emit(Action::Set(symbol, turn.value(step.clamp(0, turn.steps()))));
    };
    let (press, drag) = (area.clone(), area.clone());
    let on_action = on_action.clone();
    let on_drag = move |event: PointerEvent| {
        if let Some(pixel) = browser::dragged_to(&event, &drag) {
            on_action.emit(Action::Set(symbol, number(plane.value(frame, pixel).0, 3)));
        }
    };
    let value_text = text::here(curve.parameter, &time(*value), &time(end));
    let half = frame.em * (0.31 * value_text.chars().count() as f64 + 0.8);
    let flag = x.clamp(frame.left + half, (frame.right - half).max(frame.left + half));
    let Frame { left, right, top, bottom, em } = frame;
    html! {
        <g
            class="handle"
            role="slider"
            tabindex="0"
            aria-label={crate::text::meaning(curve.parameter)}
            aria-valuemin="0"
            aria-valuemax={plane.until.0.to_string()}
            aria-valuenow={value.0.to_string()}
            aria-valuetext={value_text.clone()}
            onkeydown={on_key}
            onpointerdown={move |event: PointerEvent| browser::capture_pointer(&event, &press)}
            onpointermove={on_drag}
        >
            <rect class="grasp" x={px(left)} y={px(top)} width={px(right - left)} height={px(bottom - top + 12.0)} />
            <path class="hair" d={format!("M{x:.1} {top:.1}V{bottom:.1}")} />
            <rect class="flag" x={px(flag - half)} y={px(top - 2.2 * em)} width={px(2.0 * half)} height={px(1.8 * em)} rx={px(0.9 * em)} />
            <text class="flag-words" x={px(flag)} y={px(top - 1.3 * em)}>{ value_text }</text>
            <circle class="dot ink-total" cx={px(x)} cy={px(y)} r="5.5" />
            <circle class="knob" cx={px(x)} cy={px(bottom)} r="7" />
        </g>
    }
}

fn data(curve: &Curve) -> Html {
    let row = |(i, piece): (usize, &Piece)| {
        let path = format!("simulate.curve.{}.pieces.{i}", curve.parameter);
        let micros = |key: &str, time: Micros| {
            quantity::micros(&format!("{path}.{key}"), Some(time), number(time.0, 8))
        };
        vec![
            micros("from_us", piece.from_us),
            micros("to_us", piece.to_us),
            micros("time_us", piece.time_us),
            quantity::number(
                &format!("{path}.slope"),
                "",
                Some(piece.slope as f64),
                whole(piece.slope as f64),
            ),
            html! { { if piece.jump { text::JUMPS } else { "" } } },
        ]
    };
    let rows = curve.pieces.iter().take(LISTED).enumerate().map(row).collect();
    table::table(text::CURVES, &text::PIECE_COLUMNS, rows)
}
