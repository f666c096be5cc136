//! A plot: lines on a canvas, texts in an SVG above it, a handle, and a read-out of all lines.

mod axes;
mod canvas;
mod handle;

use super::reading::use_reading;
use super::surface::use_size;
use crate::browser::{self, Size};
use crate::draw::figure::{Figure, Ink, Unit};
use crate::draw::scale::Frame;
use crate::draw::words;
use crate::sharing::Data;
use crate::sharing::export::Export;
use crate::text;
use axes::Axes;
use canvas::Canvas;
use handle::Handle;
use loggia_model::units::words::{rate, time};
use loggia_model::units::{Bytes, BytesPerMicro, Micros};
use std::rc::Rc;
use web_sys::PointerEvent;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_node_ref};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Its name, for screen readers.
    pub(crate) title: AttrValue,
    pub(crate) figure: Rc<Figure>,
    /// Position of the handle on the horizontal axis, if there is one.
    #[prop_or_default]
    pub(crate) at: Option<u64>,
    /// Values of the lines at the handle, the total last.
    #[prop_or_default]
    pub(crate) dots: Vec<(Ink, Micros)>,
    /// The total at the handle.
    #[prop_or_default]
    pub(crate) answer: Option<Micros>,
    /// The factor of a what-if while it is dragged, if the handle does not show it.
    #[prop_or_default]
    pub(crate) moved: Option<f64>,
    /// The meaning of the shaded area, if it is not the usual one.
    #[prop_or_default]
    pub(crate) shade: Option<AttrValue>,
    /// Gets the value the handle was moved to.
    #[prop_or_default]
    pub(crate) on_move: Callback<u64>,
}

#[component]
pub(crate) fn Plot(props: &Props) -> Html {
    let area = use_node_ref();
    let size = use_size(&area);
    let Props { figure, .. } = props;
    let frame = figure.frame(size.width, size.height, size.em);
    let reading = use_reading();
    let read_out = reading.html(&area, || figure.clone(), frame, props.at);
    let layers = frame.is_visible().then(|| layers(props, size, frame, read_out));
    let to_value = {
        let (area, figure, on_move) = (area.clone(), figure.clone(), props.on_move.clone());
        move |event: &PointerEvent| {
            let Some(x) = browser::dragged_to(event, &area) else { return };
            let value = frame.value_at(figure.x, x).round() as u64;
            let axis = figure.axis;
            on_move.emit(axis.value(axis.nearest(value)));
        }
    };
    let on_press = {
        let (area, to_value) = (area.clone(), to_value.clone());
        move |event: PointerEvent| {
            browser::capture_pointer(&event, &area);
            to_value(&event);
        }
    };
    let is_still = props.at.is_none();
    let shade = figure.known.map(|_| match &props.shade {
        Some(words) => html! { <figcaption>{ words }</figcaption> },
        None => html! { <figcaption>{ words::shade(figure.axis) }</figcaption> },
    });
    // Always one node, since otherwise the area would be created again.
    let shade = shade.unwrap_or_default();
    let data = Data::Figure(figure.clone());
    let export = html! { <Export title={props.title.clone()} area={area.clone()} {data} /> };
    let class = if is_still { "plot still" } else { "plot" };
    let (role, hint) = (is_still.then_some("group"), is_still.then_some(words::READ));
    html! {
        <figure {class}>
            <div
                class="plot-area"
                ref={area}
                {role}
                aria-label={hint}
                tabindex={is_still.then_some("0")}
                onpointerdown={on_press}
                onpointermove={move |event: PointerEvent| to_value(&event)}
                onpointerenter={reading.on_enter}
                onfocusin={reading.on_focus}
            >
                { layers }
            </div>
            { shade }
            { export }
        </figure>
    }
}

/// The bandwidth of a message of this size.
fn speed(moved: Option<f64>, at: u64, time: Micros) -> BytesPerMicro {
    moved.map_or(Bytes(at).within(time), |moved| BytesPerMicro::of(moved, time))
}

/// Values at the handle, in the unit of the vertical axis.
fn dots_in_unit(props: &Props) -> Vec<(Ink, f64)> {
    let value = |time: Micros| match (props.figure.unit, props.at) {
        (Unit::Rate, Some(at)) => speed(props.moved, at, time).0,
        _ => time.0,
    };
    props.dots.iter().map(|(ink, time)| (*ink, value(*time))).collect()
}

fn in_unit(props: &Props, at: u64, answer: Micros) -> String {
    match props.figure.unit {
        Unit::Rate => rate(speed(props.moved, at, answer)),
        _ => time(answer),
    }
}

fn layers(props: &Props, size: Size, frame: Frame, reading: Html) -> Html {
    let Props { title, figure, at, dots, answer, on_move, .. } = props;
    let value_text = at.map(|at| {
        let place = figure.axis.words(at);
        match (answer, dots.as_slice()) {
            (Some(answer), _) => words::at(figure.axis, &place, &in_unit(props, at, *answer)),
            (None, []) => words::at(figure.axis, &place, text::NO_NUMBER),
            // Each line has its own value.
            (None, _) => words::place(figure.axis, &place),
        }
    });
    let described = words::picture(figure, title, value_text.as_deref().unwrap_or_default());
    let handle = at.zip(value_text).map(|(at, value_text)| {
        html! {
            <Handle
                figure={figure.clone()}
                {frame}
                {at}
                dots={dots_in_unit(props)}
                {value_text}
                on_move={on_move.clone()}
            />
        }
    });
    html! {
        <>
            <Canvas figure={figure.clone()} {size} label={described} />
            <svg class="overlay" viewBox={format!("0 0 {} {}", size.width, size.height)}>
                <Axes figure={figure.clone()} {frame} />
                { handle }
                { reading }
            </svg>
        </>
    }
}
