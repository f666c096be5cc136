//! A machine that `loggia serve --watch` is still measuring.

use crate::browser::{self, Dropped};
use crate::text;
use gloo_timers::callback::Interval;
use std::cell::RefCell;
use std::rc::Rc;
use yew::platform::spawn_local;
use yew::{Callback, Html, Properties, component, html, use_effect_with, use_state_eq};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// Gets the signature as text.
    pub(crate) on_drop: Callback<Vec<Dropped>>,
}

/// Polling period, in ms.
const PERIOD: u32 = 1000;

/// Announces a running measurement until its first signature is there.
#[component]
pub(crate) fn Watching(props: &Props) -> Html {
    let awaited = use_state_eq(|| browser::watched().is_some());
    // Whoever opens a link wants to see what it shows.
    let selects = use_state_eq(|| browser::fragment().is_empty());
    {
        let (awaited, on_drop, selects) = (awaited.clone(), props.on_drop.clone(), *selects);
        use_effect_with((), move |()| {
            let timer = browser::watched().map(|address| {
                let seen = Rc::new(RefCell::new(String::new()));
                Interval::new(PERIOD, move || {
                    let (address, seen) = (address.clone(), Rc::clone(&seen));
                    let (awaited, on_drop) = (awaited.clone(), on_drop.clone());
                    spawn_local(async move {
                        let before = seen.borrow().clone();
                        let Some((tag, file)) = browser::newer(&address, &before).await else {
                            return;
                        };
                        // A slow response may arrive twice.
                        if seen.replace(tag) == before {
                            awaited.set(false);
                            let is_first = before.is_empty();
                            on_drop.emit(vec![match selects && is_first {
                                true => Dropped::Text(file),
                                false => Dropped::Update(file),
                            }]);
                        }
                    });
                })
            });
            move || drop(timer)
        });
    }
    match *awaited {
        true => html! { <p class="watching" role="status">{ text::WATCHING }</p> },
        false => Html::default(),
    }
}
