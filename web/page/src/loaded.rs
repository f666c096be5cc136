//! Parts of the page that are modules of their own.

use std::future::Future;
use wasm_split_helpers::SplitLoaderError;
use yew::platform::spawn_local;
use yew::{hook, use_effect_with, use_state};

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
