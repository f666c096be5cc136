//! Mouse wheel over a timeline.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, EventTarget, MouseEvent, WheelEvent};
use yew::NodeRef;

/// Position of the pointer in an element: 0 at the left and top, 1 at the right and bottom.
pub(crate) fn place_of(event: &MouseEvent, node: &NodeRef) -> Option<(f64, f64)> {
    let element: Element = node.cast()?;
    let edges = element.get_bounding_client_rect();
    let x = (f64::from(event.client_x()) - edges.left()) / edges.width().max(1.0);
    let y = (f64::from(event.client_y()) - edges.top()) / edges.height().max(1.0);
    Some((x, y))
}

/// Calls with the pointer's position and the wheel's movement, down positive; if `call` returns
/// true, the page does not scroll.
pub(crate) fn on_wheel(
    node: &NodeRef,
    call: impl Fn((f64, f64), f64, bool) -> bool + 'static,
) -> Option<WheelListener> {
    let element: Element = node.cast()?;
    let place = node.clone();
    let listener = Closure::<dyn FnMut(WheelEvent)>::new(move |event: WheelEvent| {
        let Some(at) = place_of(&event, &place) else { return };
        if call(at, event.delta_y(), event.ctrl_key() || event.meta_key()) {
            event.prevent_default();
        }
    });
    let target: EventTarget = element.into();
    let added = listener.as_ref().unchecked_ref();
    target.add_event_listener_with_callback("wheel", added).ok()?;
    Some(WheelListener { target, listener })
}

/// A listener for the wheel; removed when dropped.
pub(crate) struct WheelListener {
    target: EventTarget,
    listener: Closure<dyn FnMut(WheelEvent)>,
}

impl Drop for WheelListener {
    fn drop(&mut self) {
        let added = self.listener.as_ref().unchecked_ref();
        let _ = self.target.remove_event_listener_with_callback("wheel", added);
    }
}
