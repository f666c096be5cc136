//! Lines, painted at the device's resolution.

use crate::browser::{self, Size};
use crate::draw::figure::Figure;
use crate::draw::paint::Painter;
use crate::plots::surface::use_colours;
use std::rc::Rc;
use yew::{AttrValue, Html, Properties, component, html, use_effect_with, use_node_ref};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) figure: Rc<Figure>,
    pub(super) size: Size,
    /// Description for screen readers.
    pub(super) label: AttrValue,
}

#[component]
pub(super) fn Canvas(props: &Props) -> Html {
    let canvas = use_node_ref();
    let colours = use_colours();
    {
        let canvas = canvas.clone();
        let shown = (props.figure.clone(), props.size, colours);
        use_effect_with(shown, move |(figure, size, colours)| {
            let ratio = browser::pixel_ratio();
            let painted = browser::canvas(&canvas, *size, ratio).zip((**colours).as_ref());
            if let Some((area, colours)) = painted {
                let frame = figure.frame(size.width, size.height, size.em);
                // Without a canvas, the text still has the numbers.
                let _ = Painter::new(&area, frame, ratio, colours).paint(figure);
            }
        });
    }
    html! { <canvas ref={canvas} role="img" aria-label={props.label.clone()} /> }
}
