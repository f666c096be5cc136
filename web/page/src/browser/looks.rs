//! Pictures as standalone SVG markup with inline styles, in light colours.

use super::window;
use wasm_bindgen::JsCast;
use web_sys::{DomRect, Element, NodeList, XmlSerializer};
use yew::NodeRef;

/// A picture as displayed.
pub(crate) struct Snapshot {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Font size.
    pub(crate) em: f64,
    /// Its canvas, if any: left, top, width, height.
    pub(crate) canvas: Option<[f64; 4]>,
    /// Texts and shapes, with styles.
    pub(crate) markup: String,
}

/// Calls with the page in light colours. The browser does not repaint in between.
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

/// Copied style properties, with their defaults.
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

/// The picture in an area, without handles and read-out: its SVGs and the texts next to them.
pub(crate) fn shown(area: &NodeRef) -> Option<Snapshot> {
    let area: Element = area.cast()?;
    let edges = area.get_bounding_client_rect();
    let mut markup = String::new();
    for svg in all(&area, "svg")? {
        markup += &drawn(&svg, place(&svg.get_bounding_client_rect(), &edges))?;
    }
    words(&area, &edges, &mut markup)?;
    let canvas = area.query_selector("canvas").ok()?;
    let canvas = canvas.map(|canvas| place(&canvas.get_bounding_client_rect(), &edges));
    let (width, height) = (edges.width(), edges.height());
    Some(Snapshot { width, height, em: super::type_size(&area)?, canvas, markup })
}

/// Position of an element in an area: left, top, width, height.
fn place(edges: &DomRect, area: &DomRect) -> [f64; 4] {
    [edges.left() - area.left(), edges.top() - area.top(), edges.width(), edges.height()]
}

fn drawn(svg: &Element, [x, y, width, height]: [f64; 4]) -> Option<String> {
    let copy: Element = svg.clone_node_with_deep(true).ok()?.dyn_into().ok()?;
    let (parts, copies) = (all(svg, "*")?, all(&copy, "*")?);
    let handles = all(&copy, "[role=slider], .reading")?;
    for (part, copy) in parts.iter().zip(&copies) {
        style(part, copy)?;
    }
    handles.iter().for_each(Element::remove);
    let lengths = [("x", x), ("y", y), ("width", width), ("height", height)];
    for (name, value) in lengths {
        copy.set_attribute(name, &value.to_string()).ok()?;
    }
    let overflow = window()?.get_computed_style(svg).ok()??.get_property_value("overflow").ok()?;
    copy.set_attribute("overflow", &overflow).ok()?;
    copy.remove_attribute("class").ok()?;
    XmlSerializer::new().ok()?.serialize_to_string(&copy).ok()
}

/// Appends visible texts outside of SVGs, at their positions.
fn words(element: &Element, edges: &DomRect, markup: &mut String) -> Option<()> {
    let children = element.child_nodes();
    for child in (0..children.length()).filter_map(|i| children.get(i)) {
        if let Some(child) = child.dyn_ref::<Element>() {
            if !child.matches("svg, canvas, .unseen").ok()? {
                words(child, edges, markup)?;
            }
            continue;
        }
        let text = child.text_content().unwrap_or_default();
        if text.trim().is_empty() {
            continue;
        }
        let range = window()?.document()?.create_range().ok()?;
        range.select_node_contents(&child).ok()?;
        let [x, y, width, height] = place(&range.get_bounding_client_rect(), edges);
        let style = window()?.get_computed_style(element).ok()??;
        let of = |name: &str| style.get_property_value(name).unwrap_or_default();
        let text = (width > 0.0).then(|| {
            format!(
                "<text x=\"{x:.1}\" y=\"{:.1}\" dominant-baseline=\"central\" \
                 font-size=\"{}\" font-weight=\"{}\" fill=\"{}\">{}</text>",
                y + height / 2.0,
                of("font-size"),
                of("font-weight"),
                of("color"),
                escaped(text.trim())
            )
        });
        markup.extend(text);
    }
    Some(())
}

/// Copies the computed style.
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
        // Some programs do not support colours with opacity.
        let value = if value == "rgba(0, 0, 0, 0)" { "none" } else { &value };
        copy.set_attribute(name, value).ok()?;
    }
    Some(())
}

pub(super) fn all(element: &Element, selector: &str) -> Option<Vec<Element>> {
    let found: NodeList = element.query_selector_all(selector).ok()?;
    Some((0..found.length()).filter_map(|i| found.get(i)?.dyn_into().ok()).collect())
}

/// Escapes text for XML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
