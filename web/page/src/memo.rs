//! Parts of a view that are drawn again only if their data change.

use std::any::Any;
use std::ops::Deref;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

/// Draws `of`; draws it again only if it has changed.
pub(crate) fn memoized<T: PartialEq + 'static>(of: T, draw: fn(&T) -> Html) -> Html {
    let shown: Rc<dyn Content> = Rc::new(Memo { of, draw });
    html! { <Memoized {shown} /> }
}

/// The content of any type, so that one component serves all.
trait Content {
    fn draw(&self) -> Html;
    fn is(&self, other: &dyn Content) -> bool;
    fn any(&self) -> &dyn Any;
}

struct Memo<T> {
    of: T,
    draw: fn(&T) -> Html,
}

impl<T: PartialEq + 'static> Content for Memo<T> {
    fn draw(&self) -> Html {
        (self.draw)(&self.of)
    }

    fn is(&self, other: &dyn Content) -> bool {
        let other = other.any().downcast_ref::<Self>();
        other
            .is_some_and(|other| std::ptr::fn_addr_eq(self.draw, other.draw) && self.of == other.of)
    }

    fn any(&self) -> &dyn Any {
        self
    }
}

#[derive(Properties)]
struct Props {
    shown: Rc<dyn Content>,
}

impl PartialEq for Props {
    fn eq(&self, other: &Self) -> bool {
        self.shown.is(&*other.shown)
    }
}

#[component]
fn Memoized(props: &Props) -> Html {
    props.shown.draw()
}

/// A large immutable value. Two are equal if they share memory.
#[derive(Debug)]
pub(crate) struct Shared<T>(Rc<T>);

impl<T> Shared<T> {
    pub(crate) fn new(of: T) -> Self {
        Shared(Rc::new(of))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(self.0.clone())
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown<T: PartialEq + 'static>(of: T, draw: fn(&T) -> Html) -> impl Content {
        Memo { of, draw }
    }

    #[test]
    fn equal_content_is_not_drawn_again() {
        let number = |number: &u32| html! { { *number } };
        let word = |word: &&str| html! { { *word } };
        let one = shown(1, number);
        assert!(one.is(&shown(1, number)));
        assert!(!one.is(&shown(2, number)) && !one.is(&shown("1", word)));
        assert!(!one.is(&shown(1, |number| html! { { number + 1 } })));
    }

    #[test]
    fn equal_contents_in_different_memory_differ() {
        let same = Shared::new(vec![1, 2]);
        assert_eq!(same, same.clone());
        assert_ne!(same, Shared::new(vec![1, 2]));
        assert_eq!(same.len(), 2);
    }
}
