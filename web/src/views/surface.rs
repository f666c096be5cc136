//! What pictures stand on: how large an element is, and which colours the page has.

use crate::browser::{self, Size};
use crate::draw::paint::Colours;
use std::rc::Rc;
use yew::{NodeRef, hook, use_effect_with, use_memo, use_state_eq};

/// An element's size, now and whenever it changes.
#[hook]
pub(crate) fn use_size(area: &NodeRef) -> Size {
    use_some_size(area, |now| now)
}

/// The same for what makes its own height, which is left out.
#[hook]
pub(crate) fn use_width(area: &NodeRef) -> Size {
    use_some_size(area, |now| Size { height: 0.0, ..now })
}

#[hook]
fn use_some_size(area: &NodeRef, of: fn(Size) -> Size) -> Size {
    let size = use_state_eq(Size::default);
    {
        let (area, size) = (area.clone(), size.setter());
        use_effect_with((), move |()| {
            let watcher = browser::watch_size(&area, move |now| size.set(of(now)));
            move || drop(watcher)
        });
    }
    *size
}

/// The page's colours, dark or light; none where the browser does not tell them.
#[hook]
pub(crate) fn use_colours() -> Rc<Option<Colours>> {
    let is_dark = use_state_eq(|| false);
    {
        let is_dark = is_dark.setter();
        use_effect_with((), move |()| {
            let listener = browser::on_scheme(move |dark| is_dark.set(dark));
            move || drop(listener)
        });
    }
    use_memo(*is_dark, |_| browser::colours())
}

/// A length in pixels, as SVG has it.
pub(crate) fn px(pixels: f64) -> String {
    format!("{pixels:.1}")
}
