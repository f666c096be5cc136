//! Loads modules on demand.

use crate::text;
use std::future::Future;
use wasm_split_helpers::SplitLoaderError;
use yew::platform::spawn_local;
use yew::{Html, hook, html, use_effect_with, use_state};

/// What a module offers, as soon as it is there; none within where it cannot be loaded.
#[hook]
pub(crate) fn use_loaded<T, F>(load: impl FnOnce() -> F + 'static) -> Option<Option<T>>
where
    T: Copy + 'static,
    F: Future<Output = Result<T, SplitLoaderError>> + 'static,
{
    let loaded = use_state(|| None::<Option<T>>);
    {
        let loaded = loaded.clone();
        use_effect_with((), move |()| {
            spawn_local(async move { loaded.set(Some(load().await.ok())) });
        });
    }
    *loaded
}

/// Shows what a module offers, or that it is being loaded, or that it could not be.
pub(crate) fn loaded<T>(module: Option<Option<T>>, show: impl FnOnce(T) -> Html) -> Html {
    match module {
        Some(Some(offer)) => show(offer),
        Some(None) => html! { <p role="alert">{ text::NOT_LOADED }</p> },
        None => html! { <p class="aside" role="status">{ text::LOADING }</p> },
    }
}
