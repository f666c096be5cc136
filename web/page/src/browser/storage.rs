//! What the browser keeps for this page, and only if the reader wants that.

use super::window;
use web_sys::Storage;

/// None where the browser keeps nothing, as for a page from a file.
fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

pub(crate) fn read(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

pub(crate) fn write(key: &str, text: &str) {
    // Where it is full or forbidden, the address still holds everything.
    let _ = storage().map(|storage| storage.set_item(key, text));
}

pub(crate) fn remove(key: &str) {
    let _ = storage().map(|storage| storage.remove_item(key));
}
