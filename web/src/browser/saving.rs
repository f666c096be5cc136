//! What the browser keeps for its reader: files, and pictures as they look.

use super::window;
use crate::sharing::markdown::Outline;
use crate::sharing::picture::Shown;
use gloo_timers::callback::Timeout;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_futures::js_sys::{Array, encode_uri_component};
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, Element, HtmlAnchorElement, HtmlCanvasElement,
    HtmlImageElement, HtmlInputElement, NodeList, Response, Url, XmlSerializer,
};
use yew::NodeRef;

/// So long, in ms, a browser may take to begin with a file.
const KEPT: u32 = 60_000;

/// Keeps a text as a file.
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

/// Keeps a picture as a PNG, with two pixels for each of ours.
pub(crate) fn png(name: String, svg: &str, width: f64, height: f64) -> Option<()> {
    const FINE: f64 = 2.0;
    let image = HtmlImageElement::new().ok()?;
    let canvas = window()?.document()?.create_element("canvas").ok()?;
    let canvas: HtmlCanvasElement = canvas.dyn_into().ok()?;
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

/// Calls while the page has its light colours, which nobody sees before it has its own again.
pub(crate) fn in_light<T>(call: impl FnOnce() -> T) -> T {
    let root = window().and_then(|window| window.document()?.document_element());
    let classes = root.map(|root| root.class_list());
    let light = |is_on: bool| {
        let _ = classes.as_ref().map(|classes| classes.toggle_with_force("printed", is_on));
    };
    light(true);
    let result = call();
    light(false);
    result
}

/// What a style may say of words and shapes, and what they are without a word.
const STYLE: [(&str, &str); 16] = [
    ("fill", "rgb(0, 0, 0)"),
    ("fill-opacity", "1"),
    ("stroke", "none"),
    ("stroke-width", "1px"),
    ("stroke-dasharray", "none"),
    ("stroke-linecap", "butt"),
    ("stroke-linejoin", "miter"),
    ("opacity", "1"),
    ("paint-order", "normal"),
    ("font-family", ""),
    ("font-size", ""),
    ("font-style", "normal"),
    ("font-weight", "400"),
    ("text-anchor", "start"),
    ("dominant-baseline", "auto"),
    ("baseline-shift", "0px"),
];

/// The SVG in this area as it looks now, without its handles.
pub(crate) fn shown(area: &NodeRef) -> Option<Shown> {
    let area: Element = area.cast()?;
    let svg = area.query_selector("svg").ok()??;
    let copy: Element = svg.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
    let (parts, copies) = (all(&svg, "*")?, all(&copy, "*")?);
    let handles = all(&copy, "[role=slider]")?;
    for (part, copy) in parts.iter().zip(&copies) {
        style(part, copy)?;
    }
    handles.iter().for_each(Element::remove);
    let size = svg.get_bounding_client_rect();
    let (width, height) = (size.width(), size.height());
    let attributes = [
        ("width", width.to_string()),
        ("height", height.to_string()),
        ("overflow", "visible".to_owned()),
    ];
    for (name, value) in attributes {
        copy.set_attribute(name, &value).ok()?;
    }
    copy.remove_attribute("class").ok()?;
    let markup = XmlSerializer::new().ok()?.serialize_to_string(&copy).ok()?;
    Some(Shown { width, height, em: super::type_size(&area)?, markup })
}

/// Gives the copy the style that the part has, in place of what it has it from.
fn style(part: &Element, copy: &Element) -> Option<()> {
    const FROM: [&str; 7] =
        ["class", "role", "tabindex", "aria-label", "aria-hidden", "data-term", "data-before"];
    for name in FROM {
        copy.remove_attribute(name).ok()?;
    }
    let is_text = matches!(part.tag_name().as_str(), "text" | "tspan");
    let style = window()?.get_computed_style(part).ok()??;
    for (name, usual) in STYLE {
        let value = style.get_property_value(name).unwrap_or_default();
        let is_idle = !is_text && (name.starts_with("font") || name.contains("baseline"));
        if is_idle || value.is_empty() || value == usual {
            continue;
        }
        // Not every program knows colours with an opacity.
        let value = if value == "rgba(0, 0, 0, 0)" { "none" } else { &value };
        copy.set_attribute(name, value).ok()?;
    }
    Some(())
}

fn all(element: &Element, selector: &str) -> Option<Vec<Element>> {
    let found: NodeList = element.query_selector_all(selector).ok()?;
    Some((0..found.length()).filter_map(|i| found.get(i)?.dyn_into().ok()).collect())
}

/// The text of this page as one file, in which a state can be put.
pub(crate) async fn one_file() -> Option<String> {
    let document = window()?.document()?;
    let address = document.query_selector("meta[name=loggia-page]").ok()??;
    let address = address.get_attribute("content")?;
    let answer = JsFuture::from(window()?.fetch_with_str(&address)).await.ok()?;
    let answer: Response = answer.dyn_into().ok().filter(Response::ok)?;
    JsFuture::from(answer.text().ok()?).await.ok()?.as_string()
}

/// What the open view says.
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
        title: crate::text::sharing::titled(&first(".about h2"), &first(".panel h2")),
        lines: texts(&main, ".panel .asked, .panel .answer"),
        tables: tables.iter().map(rows).collect(),
    })
}

/// Marks the whole text of a field, so that it can be copied by hand.
pub(crate) fn select(node: &NodeRef) {
    if let Some(field) = node.cast::<HtmlInputElement>() {
        field.select();
    }
}
