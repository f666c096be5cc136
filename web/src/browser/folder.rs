//! Folders that are dropped.

use js_sys::{Array, Promise};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransfer, File, FileSystemDirectoryEntry, FileSystemDirectoryReader, FileSystemEntry,
    FileSystemFileEntry,
};

/// More files than this are no trace, but somebody's home.
const MOST: usize = 1 << 17;

/// The folders among what was dropped, as long as the browser remembers it.
pub(super) fn folders(data: &DataTransfer) -> Vec<FileSystemDirectoryEntry> {
    let items = data.items();
    let entries = (0..items.length()).filter_map(|i| items.get(i)?.webkit_get_as_entry().ok()?);
    entries.filter_map(|entry| folder(entry).ok()).collect()
}

/// An entry as a folder. Not every browser has a name for its type, so it is asked what it is.
fn folder(entry: FileSystemEntry) -> Result<FileSystemDirectoryEntry, FileSystemEntry> {
    if entry.is_directory() { Ok(entry.unchecked_into()) } else { Err(entry) }
}

/// The files in a folder, and in those in it.
pub(crate) async fn files_in(outer: FileSystemDirectoryEntry) -> Vec<File> {
    let (mut files, mut folders) = (Vec::new(), vec![outer]);
    while let Some(next_one) = folders.pop() {
        let reader = next_one.create_reader();
        loop {
            // The browser tells some at a time, and none at the end.
            let some = next(&reader).await;
            if some.is_empty() || files.len() > MOST {
                break;
            }
            for entry in some {
                match folder(entry) {
                    Ok(folder) => folders.push(folder),
                    Err(entry) => files.extend(file(entry).await),
                }
            }
        }
    }
    files
}

async fn next(reader: &FileSystemDirectoryReader) -> Vec<FileSystemEntry> {
    let told = Promise::new(&mut |done, failed| {
        // What fails is told by the second function, too.
        let _ = reader.read_entries_with_callback_and_callback(&done, &failed);
    });
    let Ok(told) = JsFuture::from(told).await else { return Vec::new() };
    Array::from(&told).iter().map(JsCast::unchecked_into).collect()
}

async fn file(entry: FileSystemEntry) -> Option<File> {
    let entry: FileSystemFileEntry = entry.unchecked_into();
    let told = Promise::new(&mut |done, failed| {
        entry.file_with_callback_and_callback(&done, &failed);
    });
    JsFuture::from(told).await.ok()?.dyn_into().ok()
}
