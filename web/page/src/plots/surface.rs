//! The size of an element and the page's colours, as hooks.

use crate::browser::{self, Size};
use crate::colours::colours;
use crate::draw::paint::Colours;
use std::rc::Rc;
use yew::{NodeRef, hook, use_effect, use_effect_with, use_memo, use_mut_ref, use_state_eq};

/// Size of an element, updated on changes.
#[hook]
pub(crate) fn use_size(area: &NodeRef) -> Size {
    use_some_size(area, |now| now)
}

/// Size of an element whose height depends on its content: height is 0.
#[hook]
pub(crate) fn use_width(area: &NodeRef) -> Size {
    use_some_size(area, |now| Size { height: 0.0, ..now })
}

#[hook]
fn use_some_size(area: &NodeRef, of: fn(Size) -> Size) -> Size {
    let size = use_state_eq(Size::default);
    // If the element is replaced, the new one is watched.
    let watched = use_mut_ref(|| None);
    {
        let (area, size) = (area.clone(), size.setter());
        use_effect(move || {
            let mut watched = watched.borrow_mut();
            let node = area.get();
            if !matches!(&*watched, Some((known, _)) if *known == node) {
                let watcher = browser::watch_size(&area, move |now| size.set(of(now)));
                *watched = Some((node, watcher));
            }
        });
    }
    *size
}

/// The page's colours, updated when the colour scheme changes; `None` if the browser does not
/// expose them.
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
    use_memo(*is_dark, |_| colours())
}

/// A length in pixels as an SVG attribute.
pub(crate) fn px(pixels: f64) -> String {
    format!("{pixels:.1}")
}
