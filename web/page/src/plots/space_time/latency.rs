//! The handle that changes L, where the first message arrives.

use crate::draw::path::Pixel;
use crate::draw::slider::ParameterSlider;
use crate::{browser, text};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time};
use web_sys::{KeyboardEvent, PointerEvent};
use yew::{Callback, Html, Properties, component, html, use_node_ref, use_state};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// Position of the handle.
    pub(super) at: Pixel,
    /// Time per pixel.
    pub(super) pixel: Micros,
    /// L before and after the reader changed it.
    pub(super) latency: [Micros; 2],
    /// Gets L as typed.
    pub(super) on_change: Callback<String>,
}

/// A drag: pointer and L at its start, and the scale, which changes with L.
#[derive(Clone, Copy)]
struct Drag {
    pointer: f64,
    latency: Micros,
    pixel: Micros,
}

#[component]
pub(super) fn Latency(props: &Props) -> Html {
    let Props { at: (x, y), pixel, latency: [original, latency], on_change } = props;
    let (node, drag) = (use_node_ref(), use_state(|| None::<Drag>));
    let turn = ParameterSlider(original.0);
    let on_press = {
        let (node, drag, latency, pixel) = (node.clone(), drag.clone(), *latency, *pixel);
        move |event: PointerEvent| {
            browser::capture_pointer(&event, &node);
            let pointer = browser::pressed_at(&event);
            drag.set(pointer.map(|pointer| Drag { pointer, latency, pixel }));
        }
    };
    let on_drag = {
        let (drag, on_change) = (drag.clone(), on_change.clone());
        move |event: PointerEvent| {
            let Some((now, drag)) = browser::pressed_at(&event).zip(*drag) else { return };
            let dragged = drag.latency + drag.pixel * (now - drag.pointer);
            on_change.emit(format!("{}us", number(dragged.0.max(0.0), 3)));
        }
    };
    let on_key = {
        let (on_change, step) = (on_change.clone(), turn.nearest(latency.0));
        move |event: KeyboardEvent| {
            let step = match event.key().as_str() {
                "ArrowRight" | "ArrowUp" => step + 1,
                "ArrowLeft" | "ArrowDown" => step - 1,
                _ => return,
            };
            event.prevent_default();
            on_change.emit(turn.value(step.clamp(0, turn.steps())));
        }
    };
    html! {
        <g
            class="latency"
            ref={node}
            role="slider"
            tabindex="0"
            data-term="L"
            aria-label={text::meaning("L")}
            aria-valuemin="0"
            aria-valuemax={turn.value(turn.steps())}
            aria-valuenow={latency.0.to_string()}
            aria-valuetext={time(*latency)}
            onpointerdown={on_press}
            onpointermove={on_drag}
            onkeydown={on_key}
        >
            <title>{ super::words::drag(&time(*latency)) }</title>
            <circle class="reach" cx={format!("{x:.1}")} cy={format!("{y:.1}")} r="16" />
            <circle class="knob" cx={format!("{x:.1}")} cy={format!("{y:.1}")} r="5.5" />
        </g>
    }
}
