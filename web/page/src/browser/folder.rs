//! Dropped files and folders.

use super::Dropped;
use js_sys::{Array, Promise};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransfer, DataTransferItem, File, FileSystemDirectoryEntry, FileSystemDirectoryReader,
    FileSystemEntry, FileSystemFileEntry,
};

/// Maximum number of files in a trace.
const MAX: usize = 1 << 17;

/// The dropped files and folders; browsers keep them only during the event.
pub(super) fn dropped(data: &DataTransfer) -> Vec<Dropped> {
    let items = data.items();
    let item = |item: DataTransferItem| {
        let entry = item.webkit_get_as_entry().ok().flatten();
        match entry.and_then(|entry| folder(entry).ok()) {
            Some(folder) => Some(Dropped::Folder(folder)),
            None => item.get_as_file().ok()?.map(Dropped::File),
        }
    };
    (0..items.length()).filter_map(|i| item(items.get(i)?)).collect()
}

/// An entry as a folder. Not every browser exposes the type's name, so the entry's property
/// decides.
fn folder(entry: FileSystemEntry) -> Result<FileSystemDirectoryEntry, FileSystemEntry> {
    if entry.is_directory() { Ok(entry.unchecked_into()) } else { Err(entry) }
}

/// All files below a folder, with paths relative to it.
pub(crate) async fn files_in(outer: FileSystemDirectoryEntry) -> Vec<(String, File)> {
    let (mut files, mut folders) = (Vec::new(), vec![outer]);
    while let Some(next_one) = folders.pop() {
        let reader = next_one.create_reader();
        loop {
            // The browser returns entries in batches, the last one empty.
            let some = next_batch(&reader).await;
            if some.is_empty() || files.len() > MAX {
                break;
            }
            for entry in some {
                match folder(entry) {
                    Ok(folder) => folders.push(folder),
                    Err(entry) => {
                        let path = entry.full_path().trim_start_matches('/').to_owned();
                        files.extend(file(entry).await.map(|file| (path, file)));
                    }
                }
            }
        }
    }
    // Browsers return entries in any order.
    files.sort_by(|(one, _), (other, _)| one.cmp(other));
    files
}

async fn next_batch(reader: &FileSystemDirectoryReader) -> Vec<FileSystemEntry> {
    let entries = Promise::new(&mut |done, failed| {
        // Errors also arrive through the second callback.
        let _ = reader.read_entries_with_callback_and_callback(&done, &failed);
    });
    let Ok(entries) = JsFuture::from(entries).await else { return Vec::new() };
    Array::from(&entries).iter().map(JsCast::unchecked_into).collect()
}

async fn file(entry: FileSystemEntry) -> Option<File> {
    let entry: FileSystemFileEntry = entry.unchecked_into();
    let file = Promise::new(&mut |done, failed| {
        entry.file_with_callback_and_callback(&done, &failed);
    });
    JsFuture::from(file).await.ok()?.dyn_into().ok()
}
