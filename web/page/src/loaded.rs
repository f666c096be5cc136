//! Loads modules on demand.

use crate::text;
use std::future::Future;
use wasm_split_helpers::SplitLoaderError;
use yew::platform::spawn_local;
use yew::{Callback, Html, hook, html, use_effect_with, use_state};

/// The content of a module, or the state of its loading.
#[derive(Clone, PartialEq)]
pub(crate) enum Loading<T> {
    Waiting,
    Ready(T),
    /// It could not be loaded; the callback tries again.
    Failed(Callback<()>),
}

/// Loads a module.
#[hook]
pub(crate) fn use_loaded<T, F>(load: impl Fn() -> F + 'static) -> Loading<T>
where
    T: Copy + 'static,
    F: Future<Output = Result<T, SplitLoaderError>> + 'static,
{
    let tries = use_state(|| 0_u32);
    let loaded = use_state(|| None::<Option<T>>);
    {
        let loaded = loaded.clone();
        use_effect_with(*tries, move |_| {
            spawn_local(async move { loaded.set(Some(load().await.ok())) });
        });
    }
    match *loaded {
        None => Loading::Waiting,
        Some(Some(offer)) => Loading::Ready(offer),
        Some(None) => Loading::Failed(Callback::from(move |()| {
            loaded.set(None);
            tries.set(*tries + 1);
        })),
    }
}

/// Shows the content of a module, or that it is being loaded, or that loading failed.
pub(crate) fn loaded<T>(module: Loading<T>, show: impl FnOnce(T) -> Html) -> Html {
    match module {
        Loading::Ready(offer) => show(offer),
        Loading::Failed(again) => load_failure(&again),
        Loading::Waiting => html! { <p class="aside" role="status">{ text::LOADING }</p> },
    }
}

/// Shows a dialog once it is loaded, or that loading failed; nothing before that.
pub(crate) fn loaded_dialog<T>(module: Loading<T>, show: impl FnOnce(T) -> Html) -> Html {
    match module {
        Loading::Waiting => html! {},
        module => loaded(module, show),
    }
}

/// Reports that a module could not be loaded, with a button that tries again.
fn load_failure(again: &Callback<()>) -> Html {
    html! {
        <p role="alert">
            { text::NOT_LOADED }{ " " }
            <button type="button" onclick={again.reform(|_| ())}>{ text::TRY_AGAIN }</button>
        </p>
    }
}
