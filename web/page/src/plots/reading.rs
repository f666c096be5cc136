//! The read-out of a picture: values of all lines at one position. Loaded when first needed.

use crate::browser::{self, EventListener};
use crate::draw::figure::Figure;
use crate::draw::reading::{Value, nearest, neighbour, values};
use crate::draw::scale::Frame;
use crate::draw::words;
use crate::plots::label::label;
use crate::plots::surface::px;
use std::rc::Rc;
use wasm_split_helpers::{SplitLoaderError, wasm_split};
use web_sys::{FocusEvent, KeyboardEvent, PointerEvent};
use yew::platform::spawn_local;
use yew::{
    Callback, Html, NodeRef, Properties, UseStateHandle, component, hook, html, use_effect_with,
    use_state, use_state_eq,
};

/// Draws the read-out from the picture's area, lines, frame, position of its handle if it has one,
/// and the first position of the pointer in pixels of the window.
type Show = fn(NodeRef, Rc<Figure>, Frame, Option<u64>, Option<i32>) -> Html;

#[wasm_split(reading, fallible)]
fn load() -> Result<Show, SplitLoaderError> {
    Ok(|area, figure, frame, at, first| html! { <ReadOut {area} {figure} {frame} {at} {first} /> })
}

/// A picture's read-out, once it is loaded.
pub(crate) struct Reading {
    loaded: Option<(Show, Option<i32>)>,
    pub(crate) on_enter: Callback<PointerEvent>,
    pub(crate) on_focus: Callback<FocusEvent>,
}

impl Reading {
    /// Always one node: otherwise its neighbours would be created again and lose the focus.
    pub(crate) fn html(
        &self,
        area: &NodeRef,
        figure: impl FnOnce() -> Rc<Figure>,
        frame: Frame,
        at: Option<u64>,
    ) -> Html {
        match self.loaded.filter(|_| frame.is_visible()) {
            Some((show, first)) => show(area.clone(), figure(), frame, at, first),
            None => Html::default(),
        }
    }
}

/// Loads the read-out when a pointer or the focus first comes to a picture.
#[hook]
pub(crate) fn use_reading() -> Reading {
    let loaded = use_state(|| None);
    let on_first = {
        let loaded = loaded.clone();
        Callback::from(move |first: Option<i32>| {
            let loaded = loaded.clone();
            if loaded.is_none() {
                spawn_local(async move {
                    if let Ok(show) = load().await {
                        loaded.set(Some((show, first)));
                    }
                });
            }
        })
    };
    Reading {
        loaded: *loaded,
        on_enter: on_first.reform(|event: PointerEvent| Some(event.client_x())),
        on_focus: on_first.reform(|_| None),
    }
}

#[derive(Clone, Properties, PartialEq)]
struct Props {
    area: NodeRef,
    figure: Rc<Figure>,
    frame: Frame,
    at: Option<u64>,
    first: Option<i32>,
}

/// Position at which a plot is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadPosition {
    /// At a value of the horizontal axis.
    Place(u64),
    /// At the handle.
    Handle,
}

impl ReadPosition {
    /// The position nearest to a pixel.
    fn nearest_to_pixel(figure: &Figure, frame: Frame, pixel: f64) -> Self {
        ReadPosition::Place(nearest(figure, frame.value_at(figure.x, pixel)))
    }
}

/// The position after a key is pressed in a plot without a handle.
fn moved(figure: &Figure, position: Option<ReadPosition>, key: &str) -> Option<ReadPosition> {
    let Some(ReadPosition::Place(at)) = position else {
        let starts = matches!(key, "ArrowRight" | "ArrowLeft" | "Home" | "End");
        return starts.then(|| ReadPosition::Place(nearest(figure, figure.x.low)));
    };
    Some(ReadPosition::Place(match key {
        "ArrowRight" => neighbour(figure, at, true),
        "ArrowLeft" => neighbour(figure, at, false),
        "Home" => nearest(figure, figure.x.low),
        "End" => nearest(figure, figure.x.high),
        _ => return None,
    }))
}

/// Follows the pointer and the keys.
#[component]
fn ReadOut(props: &Props) -> Html {
    let Props { figure, frame, at, .. } = props;
    let position = use_state_eq(|| {
        let first = browser::offset_in(props.first?, &props.area)?;
        Some(ReadPosition::nearest_to_pixel(figure, *frame, first))
    });
    {
        let position = position.clone();
        use_effect_with((props.clone(), *position), move |(props, now)| {
            let listeners = listen(props, *now, &position);
            move || drop(listeners)
        });
    }
    let place = match *position {
        Some(ReadPosition::Place(place)) => Some(place),
        Some(ReadPosition::Handle) => *at,
        None => None,
    };
    place.map(|place| read_out(figure, *frame, place, at.is_none())).unwrap_or_default()
}

type Listeners = (
    [Option<EventListener<PointerEvent>>; 2],
    Option<EventListener<KeyboardEvent>>,
    Option<EventListener<FocusEvent>>,
);

fn listen(
    props: &Props,
    now: Option<ReadPosition>,
    position: &UseStateHandle<Option<ReadPosition>>,
) -> Listeners {
    let (area, figure, frame) = (props.area.clone(), props.figure.clone(), props.frame);
    let to = position.setter();
    let on_move = move |event: PointerEvent| {
        let under = |x| ReadPosition::nearest_to_pixel(&figure, frame, x);
        to.set(browser::offset_in(event.client_x(), &area).map(under));
    };
    let to = position.setter();
    let on_leave = move |event: PointerEvent| {
        // After a touch, the values stay visible.
        if event.pointer_type() == "mouse" {
            to.set(None);
        }
    };
    let (to, figure, is_still) = (position.setter(), props.figure.clone(), props.at.is_none());
    let on_key = move |event: KeyboardEvent| {
        let next =
            if is_still { moved(&figure, now, &event.key()) } else { Some(ReadPosition::Handle) };
        if next.is_some() {
            if is_still {
                event.prevent_default();
            }
            to.set(next);
        }
    };
    let to = position.setter();
    let node = &props.area;
    (
        [
            EventListener::of(node, "pointermove", on_move),
            EventListener::of(node, "pointerleave", on_leave),
        ],
        EventListener::of(node, "keydown", on_key),
        EventListener::of(node, "focusout", move |_: FocusEvent| to.set(None)),
    )
}

/// Height of a text line, in font sizes.
const LINE: f64 = 1.4;
/// A letter's width, in font sizes.
const LETTER: f64 = 0.57;

fn read_out(figure: &Figure, frame: Frame, at: u64, is_announced: bool) -> Html {
    let values = values(figure, at);
    if values.is_empty() {
        return html! {};
    }
    let Frame { left, right, top, bottom, em } = frame;
    let x = frame.x(figure.x, at as f64).clamp(left, right);
    let title = words::place(figure.axis, &figure.axis.words(at));
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
    // The read-out is on the side with more room.
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
    let role = is_announced.then_some("status");
    html! {
        <g class="reading" {role} aria-hidden={(!is_announced).then_some("true")}>
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
        let moved = |position, key| moved(&figure, position, key);
        assert_eq!(moved(None, "ArrowRight"), Some(ReadPosition::Place(1)));
        assert_eq!(
            moved(Some(ReadPosition::Place(1024)), "ArrowRight"),
            Some(ReadPosition::Place(1152))
        );
        assert_eq!(
            moved(Some(ReadPosition::Place(1024)), "End"),
            Some(ReadPosition::Place(16 << 20))
        );
        assert_eq!(moved(Some(ReadPosition::Place(1024)), "Tab"), None);
    }
}
