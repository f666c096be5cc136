//! Loads modules on demand.

use crate::text;
use std::future::Future;
use wasm_split_helpers::SplitLoaderError;
use yew::platform::spawn_local;
use yew::{Html, hook, html, use_effect_with, use_state};

/// The content of a module: `None` while it is loading, `Some(None)` if loading failed.
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

/// Shows the content of a module, or that it is loading, or that it failed.
pub(crate) fn loaded<T>(module: Option<Option<T>>, show: impl FnOnce(T) -> Html) -> Html {
    match module {
        Some(Some(offer)) => show(offer),
        Some(None) => html! { <p role="alert">{ text::NOT_LOADED }</p> },
        None => html! { <p class="aside" role="status">{ text::LOADING }</p> },
    }
}
