//! Access to the browser. Only this file and its folder call browser interfaces; missing ones are
//! tolerated.

mod folder;
pub(crate) mod looks;
pub(crate) mod saving;
pub(crate) mod storage;
mod timeline;
mod title;
mod watch;
mod worker;

pub(crate) use folder::files_in;
pub(crate) use timeline::{on_wheel, place_of};
pub(crate) use title::watch_title;
pub(crate) use watch::{newer, watched};
pub(crate) use worker::{Files, WebWorker, WorkerEvent, head};

use loggia_model::units::float;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::convert::FromWasmAbi;
use wasm_bindgen::{Clamped, JsCast};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    CanvasRenderingContext2d, ClipboardEvent, DataTransfer, DragEvent, Element, Event, EventTarget,
    File, FileList, FileSystemDirectoryEntry, HashChangeEvent, HtmlCanvasElement,
    HtmlDialogElement, HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement,
    ImageData, InputEvent, KeyboardEvent, PointerEvent, ResizeObserver, Window,
};
use yew::{NodeRef, TargetCast};

fn window() -> Option<Window> {
    web_sys::window()
}

/// The part of the address after `#`.
pub(crate) fn fragment() -> String {
    window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// The state in a page that is a single file.
pub(crate) fn embedded_state() -> Option<String> {
    window()?.document()?.get_element_by_id("loggia-state")?.text_content()
}

/// The text of the first matching element.
pub(crate) fn text_of(selector: &str) -> Option<String> {
    window()?.document()?.query_selector(selector).ok()??.text_content()
}

/// A list's `scroll-padding-bottom` in px: in a narrow window, the row of parameters covers it.
fn covered(list: &HtmlElement) -> Option<f64> {
    let style = window()?.get_computed_style(list).ok()??;
    style.get_property_value("scroll-padding-bottom").ok()?.strip_suffix("px")?.parse().ok()
}

/// Scrolls a list so that its first matching element is in the middle, unless the whole element is
/// visible. The page stays where it is.
pub(crate) fn show_in_list(list: &NodeRef, selector: &str) {
    let Some(list) = list.cast::<HtmlElement>() else { return };
    let Some(element) = list.query_selector(selector).ok().flatten() else { return };
    let (outer, inner) = (list.get_bounding_client_rect(), element.get_bounding_client_rect());
    if inner.left() < outer.left() || inner.right() > outer.right() {
        let right = (inner.left() + inner.right() - outer.left() - outer.right()) / 2.0;
        list.set_scroll_left(list.scroll_left() + right as i32);
    }
    let height = window().and_then(|window| window.inner_height().ok()?.as_f64());
    let free = height.unwrap_or(f64::INFINITY) - covered(&list).unwrap_or(0.0);
    let bottom = outer.bottom().min(free);
    if inner.top() < outer.top() || inner.bottom() > bottom {
        let down = (inner.top() + inner.bottom() - outer.top() - bottom) / 2.0;
        list.set_scroll_top(list.scroll_top() + down as i32);
    }
}

/// The address without its fragment.
pub(crate) fn base() -> String {
    let address = window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    address.split('#').next().unwrap_or_default().to_owned()
}

/// Replaces the address, or adds a history entry for the browser's back button.
pub(crate) fn write_address(address: &str, is_new: bool) {
    let Some(history) = window().and_then(|window| window.history().ok()) else { return };
    let none = wasm_bindgen::JsValue::NULL;
    // Browsers limit the rate of this call. The next change writes the address again.
    let _ = match is_new {
        true => history.push_state_with_url(&none, "", Some(address)),
        false => history.replace_state_with_url(&none, "", Some(address)),
    };
}

/// Puts a text onto the clipboard; false where the browser does not allow it.
pub(crate) async fn copy(text: String) -> bool {
    let Some(window) = window().filter(Window::is_secure_context) else { return false };
    JsFuture::from(window.navigator().clipboard().write_text(&text)).await.is_ok()
}

/// Calls with the new fragment when the address changes by hand or by the browser's buttons.
pub(crate) fn on_hash_change(
    mut call: impl FnMut(String) + 'static,
) -> Option<EventListener<HashChangeEvent>> {
    let call = move |event: HashChangeEvent| {
        let address = event.new_url();
        call(address.find('#').map_or(String::new(), |at| address[at..].to_owned()));
    };
    Some(EventListener::at(window()?.into(), "hashchange", call))
}

/// A pressed key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) name: String,
    /// Control, or the key that replaces it on other systems.
    pub(crate) command: bool,
    pub(crate) shift: bool,
    /// Whether the focus is in a text field, which handles keys itself.
    pub(crate) in_field: bool,
}

/// Calls for each pressed key; if `call` returns true, the browser ignores the key.
pub(crate) fn on_key(call: impl Fn(Key) -> bool + 'static) -> Option<EventListener<KeyboardEvent>> {
    EventListener::new("keydown", move |event: KeyboardEvent| {
        let key = Key {
            name: event.key(),
            command: event.ctrl_key() || event.meta_key(),
            shift: event.shift_key(),
            in_field: is_text(&event),
        };
        if !event.alt_key() && call(key) {
            event.prevent_default();
        }
    })
}

fn is_text(event: &Event) -> bool {
    let Some(target) = event.target() else { return false };
    let field = target.dyn_ref::<HtmlInputElement>();
    let is_typed = |field: &HtmlInputElement| matches!(field.type_().as_str(), "text" | "search");
    field.is_some_and(is_typed) || target.has_type::<HtmlTextAreaElement>()
}

/// A listener for an event; removed when dropped.
pub(crate) struct EventListener<E: 'static> {
    target: EventTarget,
    event: &'static str,
    listener: Closure<dyn FnMut(E)>,
}

impl<E: FromWasmAbi + 'static> EventListener<E> {
    fn at(target: EventTarget, event: &'static str, call: impl FnMut(E) + 'static) -> Self {
        let listener = Closure::<dyn FnMut(E)>::new(call);
        let added = listener.as_ref().unchecked_ref();
        let _ = target.add_event_listener_with_callback(event, added);
        EventListener { target, event, listener }
    }

    /// A listener of an element.
    pub(crate) fn of(
        node: &NodeRef,
        event: &'static str,
        call: impl FnMut(E) + 'static,
    ) -> Option<Self> {
        Some(EventListener::at(node.cast::<Element>()?.into(), event, call))
    }

    fn new(event: &'static str, call: impl FnMut(E) + 'static) -> Option<Self> {
        Some(EventListener::at(window()?.document()?.into(), event, call))
    }
}

impl<E: 'static> Drop for EventListener<E> {
    fn drop(&mut self) {
        let added = self.listener.as_ref().unchecked_ref();
        let _ = self.target.remove_event_listener_with_callback(self.event, added);
    }
}

/// Scrolls to an element.
pub(crate) fn show(node: &NodeRef) {
    if let Some(element) = node.cast::<Element>() {
        element.scroll_into_view();
    }
}

/// Moves the keyboard's focus to an element.
pub(crate) fn focus(node: &NodeRef) {
    if let Some(element) = node.cast::<HtmlElement>() {
        let _ = element.focus();
    }
}

/// Opens a modal dialog.
pub(crate) fn show_above(node: &NodeRef) {
    if let Some(dialog) = node.cast::<HtmlDialogElement>() {
        let _ = dialog.show_modal();
    }
}

/// A dropped, pasted or measured item.
pub(crate) enum Dropped {
    File(File),
    Folder(FileSystemDirectoryEntry),
    Text(String),
    /// A newer signature of a machine that is being measured.
    Update(String),
}

/// Listens for drops on the page and for pastes outside of fields.
pub(crate) struct DropListener {
    _drag: EventListener<DragEvent>,
    _drop: EventListener<DragEvent>,
    _paste: EventListener<ClipboardEvent>,
}

/// Calls with dropped files, or dropped or pasted text.
pub(crate) fn on_drop(call: impl Fn(Vec<Dropped>) + Clone + 'static) -> Option<DropListener> {
    let pasted = call.clone();
    Some(DropListener {
        // Otherwise the browser would open the file instead of the page.
        _drag: EventListener::new("dragover", |event: DragEvent| event.prevent_default())?,
        _drop: EventListener::new("drop", move |event: DragEvent| {
            event.prevent_default();
            call(contents(event.data_transfer()));
        })?,
        _paste: EventListener::new("paste", move |event: ClipboardEvent| {
            if !is_text(&event) {
                event.prevent_default();
                pasted(contents(event.clipboard_data()));
            }
        })?,
    })
}

fn contents(data: Option<DataTransfer>) -> Vec<Dropped> {
    let Some(data) = data else { return Vec::new() };
    let dropped = folder::dropped(&data);
    if !dropped.is_empty() {
        return dropped;
    }
    let text = data.get_data("text/plain").unwrap_or_default();
    if text.trim().is_empty() { Vec::new() } else { vec![Dropped::Text(text)] }
}

fn files_of(list: FileList) -> Vec<File> {
    (0..list.length()).filter_map(|i| list.get(i)).collect()
}

/// The files picked in a field. Clears the field, so that the same file can be picked again.
pub(crate) fn picked_files(event: &yew::Event) -> Vec<File> {
    let Some(field) = event.target_dyn_into::<HtmlInputElement>() else { return Vec::new() };
    let files = field.files().map(files_of).unwrap_or_default();
    field.set_value("");
    files
}

/// The text of a file, if it can be read.
pub(crate) async fn read(file: &File) -> Option<String> {
    JsFuture::from(file.text()).await.ok()?.as_string()
}

/// Calls when the colour scheme changes; true means dark.
pub(crate) fn on_scheme(mut call: impl FnMut(bool) + 'static) -> Option<EventListener<Event>> {
    let media = window()?.match_media("(prefers-color-scheme: dark)").ok()??;
    call(media.matches());
    let now = media.clone();
    Some(EventListener::at(media.into(), "change", move |_: Event| call(now.matches())))
}

/// Watches the size of an element; stops when dropped.
pub(crate) struct SizeWatcher {
    observer: ResizeObserver,
    _call: Closure<dyn FnMut()>,
}

impl Drop for SizeWatcher {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Size of an element and of its font, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Font size.
    pub(crate) em: f64,
}

/// Calls with the size of an element, now and after each change.
pub(crate) fn watch_size(node: &NodeRef, call: impl Fn(Size) + 'static) -> Option<SizeWatcher> {
    let element: Element = node.cast()?;
    let watched = element.clone();
    let report = move || {
        let (width, height) = (watched.client_width(), watched.client_height());
        let em = type_size(&watched).unwrap_or(12.0);
        call(Size { width: width.into(), height: height.into(), em });
    };
    report();
    let call = Closure::<dyn FnMut()>::new(report);
    let observer = ResizeObserver::new(call.as_ref().unchecked_ref()).ok()?;
    observer.observe(&element);
    Some(SizeWatcher { observer, _call: call })
}

fn type_size(element: &Element) -> Option<f64> {
    let style = window()?.get_computed_style(element).ok()??;
    float(style.get_property_value("font-size").ok()?.strip_suffix("px")?)
}

/// Device pixels per CSS pixel, at least 2 for sharp thin lines.
pub(crate) fn pixel_ratio() -> f64 {
    window().map_or(2.0, |window| window.device_pixel_ratio()).clamp(2.0, 4.0)
}

/// An empty canvas of this size.
pub(crate) fn canvas(
    node: &NodeRef,
    Size { width, height, .. }: Size,
    ratio: f64,
) -> Option<DrawingArea<CanvasBackend, Shift>> {
    let canvas: HtmlCanvasElement = node.cast()?;
    let [width, height] = [width, height].map(|length| (length * ratio).round() as u32);
    if (canvas.width(), canvas.height()) == (width, height) {
        // Clearing is cheaper than a new canvas.
        let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        context.clear_rect(0.0, 0.0, width.into(), height.into());
    } else {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    Some(CanvasBackend::with_canvas_object(canvas)?.into_drawing_area())
}

/// Time in ms since an arbitrary start.
pub(crate) fn now() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// Draws RGBA pixels on a canvas, row by row.
pub(crate) fn put_pixels(node: &NodeRef, width: u32, pixels: &[u8]) -> Option<()> {
    put_on(&node.cast()?, width, pixels)
}

fn put_on(canvas: &HtmlCanvasElement, width: u32, pixels: &[u8]) -> Option<()> {
    let image = ImageData::new_with_u8_clamped_array(Clamped(pixels), width).ok()?;
    if (canvas.width(), canvas.height()) != (width, image.height()) {
        canvas.set_width(width);
        canvas.set_height(image.height());
    }
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    context.put_image_data(&image, 0.0, 0.0).ok()
}

/// Position of a pressed pointer in an element: 0 to 1 from the left and from the bottom.
pub(crate) fn pressed_in(event: &PointerEvent, node: &NodeRef) -> Option<(f64, f64)> {
    let element: Element = node.cast().filter(|_| event.buttons() & 1 == 1)?;
    let edges = element.get_bounding_client_rect();
    let share = |at: i32, from: f64, length: f64| ((f64::from(at) - from) / length).clamp(0.0, 1.0);
    let x = share(event.client_x(), edges.left(), edges.width());
    Some((x, 1.0 - share(event.client_y(), edges.top(), edges.height())))
}

/// Colours of the style sheet by name; grey for unknown names.
pub(crate) fn style_colours(names: &[String]) -> Option<Vec<[u8; 3]>> {
    let root = window()?.document()?.document_element()?;
    let style = window()?.get_computed_style(&root).ok()??;
    let colour = |name: &String| {
        let text = style.get_property_value(name).unwrap_or_default();
        parse_colour(text.trim()).unwrap_or([128; 3])
    };
    Some(names.iter().map(colour).collect())
}

/// `#rrggbb`
fn parse_colour(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let part = |i: usize| u8::from_str_radix(&digits[i..i + 2], 16).ok();
    Some([part(0)?, part(2)?, part(4)?])
}

/// Distance of a pressed pointer from the left edge of an element, in pixels; `None` if no button
/// is pressed.
pub(crate) fn dragged_to(event: &PointerEvent, node: &NodeRef) -> Option<f64> {
    offset_in(event.client_x(), node).filter(|_| event.buttons() & 1 == 1)
}

/// Distance of a pixel of the window from the left edge of an element.
pub(crate) fn offset_in(x: i32, node: &NodeRef) -> Option<f64> {
    let element: Element = node.cast()?;
    Some(f64::from(x) - element.get_bounding_client_rect().left())
}

/// Horizontal position of a pressed pointer, in pixels; `None` if no button is pressed.
pub(crate) fn pressed_at(event: &PointerEvent) -> Option<f64> {
    (event.buttons() & 1 == 1).then(|| f64::from(event.client_x()))
}

/// An attribute of the event's target or its nearest ancestor that has it.
pub(crate) fn nearest(event: &Event, attribute: &str) -> Option<String> {
    let element = event.target_dyn_into::<Element>()?;
    element.closest(&format!("[{attribute}]")).ok()??.get_attribute(attribute)
}

/// Sends all pointer events to the element until the pointer is released.
pub(crate) fn capture_pointer(event: &PointerEvent, node: &NodeRef) {
    if let Some(element) = node.cast::<Element>() {
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}

/// The value of the input that the event is from.
pub(crate) fn input_value(event: &InputEvent) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default()
}

/// The value of the text area that the event is from.
pub(crate) fn text_area_value(event: &InputEvent) -> String {
    event.target_dyn_into::<HtmlTextAreaElement>().map(|field| field.value()).unwrap_or_default()
}

/// Moves the cursor of a text area to a character, and shows it.
pub(crate) fn put_cursor(node: &NodeRef, at: u32) {
    if let Some(field) = node.cast::<HtmlTextAreaElement>() {
        let _ = field.focus();
        let _ = field.set_selection_range(at, at);
    }
}

/// The selected option of a list.
pub(crate) fn selected_option(event: &yew::Event) -> String {
    event.target_dyn_into::<HtmlSelectElement>().map(|list| list.value()).unwrap_or_default()
}

/// The selected option of a list, which is then reset, so that it can be chosen again.
pub(crate) fn take_selected(event: &yew::Event) -> String {
    let Some(list) = event.target_dyn_into::<HtmlSelectElement>() else { return String::new() };
    let chosen = list.value();
    list.set_selected_index(0);
    chosen
}

/// The value of an input that has lost the focus.
pub(crate) fn changed_value(event: &yew::Event) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::parse_colour;

    #[test]
    fn colours_of_the_style_sheet() {
        assert_eq!(parse_colour("#E69f00"), Some([0xe6, 0x9f, 0]));
        for text in ["", "#fff", "red", "#12345é"] {
            assert_eq!(parse_colour(text), None, "{text}");
        }
    }
}
