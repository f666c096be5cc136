//! The browser's storage for this page, used only with the reader's consent.

use super::window;
use web_sys::Storage;

/// `None` if the browser stores nothing, as for a page from disk.
fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

pub(crate) fn read(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

pub(crate) fn write(key: &str, text: &str) {
    // If the storage is full or forbidden, the address still holds the whole state.
    let _ = storage().map(|storage| storage.set_item(key, text));
}

pub(crate) fn remove(key: &str) {
    let _ = storage().map(|storage| storage.remove_item(key));
}
