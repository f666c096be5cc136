//! The browser: only this file and those in its folder call its interfaces. Where something is
//! missing, the page does without.

mod folder;
pub(crate) mod looks;
pub(crate) mod saving;
mod timeline;
mod watch;
mod worker;

pub(crate) use folder::files_in;
pub(crate) use timeline::{on_wheel, place_of};
pub(crate) use watch::{newer, watched};
pub(crate) use worker::{Files, Thread, WorkerEvent, head};

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
    HtmlDialogElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement, ImageData,
    InputEvent, KeyboardEvent, PointerEvent, ResizeObserver, Window,
};
use yew::{NodeRef, TargetCast};

fn window() -> Option<Window> {
    web_sys::window()
}

/// The part of the address from `#` on.
pub(crate) fn fragment() -> String {
    window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// The state that a page holds which is one file.
pub(crate) fn held() -> Option<String> {
    window()?.document()?.get_element_by_id("loggia-state")?.text_content()
}

/// The text of the first element of that kind.
pub(crate) fn heading(selector: &str) -> Option<String> {
    window()?.document()?.query_selector(selector).ok()??.text_content()
}

/// The address without its fragment.
pub(crate) fn base() -> String {
    let address = window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    address.split('#').next().unwrap_or_default().to_owned()
}

/// Puts an address into the bar; as a new entry in the history, to which the browser's button goes
/// back, or in place of the one before.
pub(crate) fn write_address(address: &str, is_new: bool) {
    let Some(history) = window().and_then(|window| window.history().ok()) else { return };
    let none = wasm_bindgen::JsValue::NULL;
    // A browser that limits this keeps the old address; the next change writes again.
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

/// Calls when the address gets another fragment, by hand or by the browser's buttons; with the
/// fragment that it got, whatever has been written there since.
pub(crate) fn on_hash_change(
    mut call: impl FnMut(String) + 'static,
) -> Option<EventListener<HashChangeEvent>> {
    let call = move |event: HashChangeEvent| {
        let address = event.new_url();
        call(address.find('#').map_or(String::new(), |at| address[at..].to_owned()));
    };
    Some(EventListener::at(window()?.into(), "hashchange", call))
}

/// A key that was pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) name: String,
    /// With Control, or the key that stands for it.
    pub(crate) command: bool,
    pub(crate) shift: bool,
    /// Into a field that takes text, which has uses of its own for keys.
    pub(crate) in_field: bool,
}

/// Calls when a key is pressed; if it was of use, the browser does nothing with it.
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

/// Something that the document tells as long as this is kept.
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

    /// Wherever in the document it happens.
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

/// Opens a box above the page; what is below it rests until it is closed.
pub(crate) fn show_above(node: &NodeRef) {
    if let Some(dialog) = node.cast::<HtmlDialogElement>() {
        let _ = dialog.show_modal();
    }
}

/// What a reader brings to the page.
pub(crate) enum Dropped {
    File(File),
    Folder(FileSystemDirectoryEntry),
    Text(String),
}

/// Listens for what is dropped on the page or pasted outside of its fields.
pub(crate) struct DropListener {
    _drag: EventListener<DragEvent>,
    _drop: EventListener<DragEvent>,
    _paste: EventListener<ClipboardEvent>,
}

/// Calls with the files or the text that is dropped or pasted.
pub(crate) fn on_drop(call: impl Fn(Vec<Dropped>) + Clone + 'static) -> Option<DropListener> {
    let pasted = call.clone();
    Some(DropListener {
        // Without this the browser would leave the page for the file.
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

/// The files that were picked in a field, which forgets them, so that one can be picked again.
pub(crate) fn picked(event: &yew::Event) -> Vec<File> {
    let Some(field) = event.target_dyn_into::<HtmlInputElement>() else { return Vec::new() };
    let files = field.files().map(files_of).unwrap_or_default();
    field.set_value("");
    files
}

/// A file's text, if it can be read.
pub(crate) async fn read(file: &File) -> Option<String> {
    JsFuture::from(file.text()).await.ok()?.as_string()
}

/// Calls when the reader turns dark or light, with which.
pub(crate) fn on_scheme(mut call: impl FnMut(bool) + 'static) -> Option<EventListener<Event>> {
    let media = window()?.match_media("(prefers-color-scheme: dark)").ok()??;
    call(media.matches());
    let now = media.clone();
    Some(EventListener::at(media.into(), "change", move |_: Event| call(now.matches())))
}

/// Watches an element's size as long as this is kept.
pub(crate) struct SizeWatcher {
    observer: ResizeObserver,
    _call: Closure<dyn FnMut()>,
}

impl Drop for SizeWatcher {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// How large an element and its type are, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The size of type.
    pub(crate) em: f64,
}

/// Calls with an element's size now and whenever it changes.
pub(crate) fn watch_size(node: &NodeRef, call: impl Fn(Size) + 'static) -> Option<SizeWatcher> {
    let element: Element = node.cast()?;
    let watched = element.clone();
    let tell = move || {
        let (width, height) = (watched.client_width(), watched.client_height());
        let em = type_size(&watched).unwrap_or(12.0);
        call(Size { width: width.into(), height: height.into(), em });
    };
    tell();
    let call = Closure::<dyn FnMut()>::new(tell);
    let observer = ResizeObserver::new(call.as_ref().unchecked_ref()).ok()?;
    observer.observe(&element);
    Some(SizeWatcher { observer, _call: call })
}

fn type_size(element: &Element) -> Option<f64> {
    let style = window()?.get_computed_style(element).ok()??;
    style.get_property_value("font-size").ok()?.strip_suffix("px")?.parse().ok()
}

/// Device pixels for each of ours, two at the least: thin lines look better so.
pub(crate) fn pixel_ratio() -> f64 {
    window().map_or(2.0, |window| window.device_pixel_ratio()).clamp(2.0, 4.0)
}

/// An empty canvas of that size, to paint on.
pub(crate) fn canvas(
    node: &NodeRef,
    Size { width, height, .. }: Size,
    ratio: f64,
) -> Option<DrawingArea<CanvasBackend, Shift>> {
    let canvas: HtmlCanvasElement = node.cast()?;
    let [width, height] = [width, height].map(|length| (length * ratio).round() as u32);
    if (canvas.width(), canvas.height()) == (width, height) {
        // Emptying it is cheaper than making it anew.
        let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        context.clear_rect(0.0, 0.0, width.into(), height.into());
    } else {
        canvas.set_width(width);
        canvas.set_height(height);
    }
    Some(CanvasBackend::with_canvas_object(canvas)?.into_drawing_area())
}

/// Milliseconds since some moment.
pub(crate) fn now() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// Puts pixels on a canvas: red, green, blue and opacity of each, row by row.
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

/// Where a pressed pointer is in an element: 0 to 1 from its left and from its lower edge.
pub(crate) fn pressed_in(event: &PointerEvent, node: &NodeRef) -> Option<(f64, f64)> {
    let element: Element = node.cast().filter(|_| event.buttons() & 1 == 1)?;
    let edges = element.get_bounding_client_rect();
    let share = |at: i32, from: f64, length: f64| ((f64::from(at) - from) / length).clamp(0.0, 1.0);
    let x = share(event.client_x(), edges.left(), edges.width());
    Some((x, 1.0 - share(event.client_y(), edges.top(), edges.height())))
}

/// Colours of the style sheet by their names; grey where it has none of that name.
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

/// How far right of an element's left edge a pressed pointer is, in pixels; none while it hovers.
pub(crate) fn dragged_to(event: &PointerEvent, node: &NodeRef) -> Option<f64> {
    let element: Element = node.cast().filter(|_| event.buttons() & 1 == 1)?;
    Some(f64::from(event.client_x()) - element.get_bounding_client_rect().left())
}

/// Where along the page a pressed pointer is, in pixels; none while it hovers.
pub(crate) fn pressed_at(event: &PointerEvent) -> Option<f64> {
    (event.buttons() & 1 == 1).then(|| f64::from(event.client_x()))
}

/// The value of an attribute of the element that an event comes from, or of the nearest around it.
pub(crate) fn nearest(event: &Event, attribute: &str) -> Option<String> {
    let element = event.target_dyn_into::<Element>()?;
    element.closest(&format!("[{attribute}]")).ok()??.get_attribute(attribute)
}

/// Sends the pointer's movements to the element until it is lifted, wherever it goes.
pub(crate) fn capture_pointer(event: &PointerEvent, node: &NodeRef) {
    if let Some(element) = node.cast::<Element>() {
        let _ = element.set_pointer_capture(event.pointer_id());
    }
}

/// What stands in the field that an event comes from.
pub(crate) fn typed(event: &InputEvent) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default()
}

/// What stands in the large field that an event comes from.
pub(crate) fn written(event: &InputEvent) -> String {
    event.target_dyn_into::<HtmlTextAreaElement>().map(|field| field.value()).unwrap_or_default()
}

/// Puts the cursor of a large field at a character of its text, and shows it.
pub(crate) fn put_cursor(node: &NodeRef, at: u32) {
    if let Some(field) = node.cast::<HtmlTextAreaElement>() {
        let _ = field.focus();
        let _ = field.set_selection_range(at, at);
    }
}

/// What was chosen in a list.
pub(crate) fn selected(event: &yew::Event) -> String {
    event.target_dyn_into::<HtmlSelectElement>().map(|list| list.value()).unwrap_or_default()
}

/// What was chosen in a list that forgets it, so that it can be chosen again.
pub(crate) fn chosen(event: &yew::Event) -> String {
    let Some(list) = event.target_dyn_into::<HtmlSelectElement>() else { return String::new() };
    let chosen = list.value();
    list.set_selected_index(0);
    chosen
}

/// What a field holds that was left.
pub(crate) fn changed(event: &yew::Event) -> String {
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
