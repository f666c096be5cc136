//! Saving files and pictures.

use super::looks::all;
use super::{put_on, window};
use gloo_timers::callback::Timeout;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_futures::js_sys::{Array, encode_uri_component};
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, Element, HtmlAnchorElement, HtmlCanvasElement,
    HtmlImageElement, HtmlInputElement, Response, Url,
};
use yew::NodeRef;

/// Time in ms until a browser has started a download.
const KEPT: u32 = 60_000;

/// Saves a text as a file.
pub(crate) fn text(name: &str, kind: &str, content: &str) -> Option<()> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = Array::of1(&JsValue::from_str(content));
    offer(name, &Blob::new_with_str_sequence_and_options(&parts, &options).ok()?)
}

fn offer(name: &str, content: &Blob) -> Option<()> {
    let address = Url::create_object_url_with_blob(content).ok()?;
    let anchor = window()?.document()?.create_element("a").ok()?;
    let anchor: HtmlAnchorElement = anchor.dyn_into().ok()?;
    anchor.set_href(&address);
    anchor.set_download(name);
    anchor.click();
    Timeout::new(KEPT, move || {
        let _ = Url::revoke_object_url(&address);
    })
    .forget();
    Some(())
}

/// Pixels as a data URL of an image.
pub(crate) fn image(width: u32, pixels: &[u8]) -> Option<String> {
    let canvas = new_canvas()?;
    put_on(&canvas, width, pixels)?;
    canvas.to_data_url().ok()
}

fn new_canvas() -> Option<HtmlCanvasElement> {
    window()?.document()?.create_element("canvas").ok()?.dyn_into().ok()
}

/// Saves a picture as a PNG, at two pixels per CSS pixel.
pub(crate) fn png(name: String, svg: &str, width: f64, height: f64) -> Option<()> {
    const FINE: f64 = 2.0;
    let image = HtmlImageElement::new().ok()?;
    let canvas = new_canvas()?;
    let (width, height) = (width * FINE, height * FINE);
    canvas.set_width(width as u32);
    canvas.set_height(height as u32);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    image.set_src(&format!("data:image/svg+xml,{}", encode_uri_component(svg)));
    yew::platform::spawn_local(async move {
        if JsFuture::from(image.decode()).await.is_err() {
            return;
        }
        let _ = context
            .draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height);
        let keep = Closure::once_into_js(move |content: Option<Blob>| {
            content.and_then(|content| offer(&name, &content));
        });
        let _ = canvas.to_blob(keep.unchecked_ref());
    });
    Some(())
}

/// The page as a single HTML file, without a state.
pub(crate) async fn one_file() -> Option<String> {
    let document = window()?.document()?;
    let address = document.query_selector("meta[name=loggia-page]").ok()??;
    let address = address.get_attribute("content")?;
    let answer = JsFuture::from(window()?.fetch_with_str(&address)).await.ok()?;
    let answer: Response = answer.dyn_into().ok().filter(Response::ok)?;
    JsFuture::from(answer.text().ok()?).await.ok()?.as_string()
}

/// The text content of the open view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    /// Titles of machine and view.
    pub(crate) machine: String,
    pub(crate) view: String,
    /// The question and its answers, one per line.
    pub(crate) lines: Vec<String>,
    /// Tables as lists of rows; the first row is the header.
    pub(crate) tables: Vec<Vec<Vec<String>>>,
}

/// The text content of the open view.
pub(crate) fn outline() -> Option<Outline> {
    let main = window()?.document()?.query_selector("main").ok()??;
    let texts = |element: &Element, selector: &str| {
        let found = all(element, selector).unwrap_or_default();
        found.iter().map(|e| e.text_content().unwrap_or_default()).collect::<Vec<_>>()
    };
    let first = |selector: &str| texts(&main, selector).into_iter().next().unwrap_or_default();
    let tables = all(&main, ".panel table")?;
    let rows = |table: &Element| {
        let rows = all(table, "tr").unwrap_or_default();
        rows.iter().map(|row| texts(row, "th, td")).collect()
    };
    Some(Outline {
        machine: first(".about h2"),
        view: first(".panel h2"),
        lines: texts(&main, ".panel .asked, .panel .answer"),
        tables: tables.iter().map(rows).collect(),
    })
}

/// Selects the text of a field, to be copied by hand.
pub(crate) fn select(node: &NodeRef) {
    if let Some(field) = node.cast::<HtmlInputElement>() {
        field.select();
    }
}
