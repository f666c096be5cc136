//! What a reader drops, pastes or picks: a signature's file or a link.

use crate::browser;
use crate::link;
use crate::state::Action;
use loggia_model::codec::{LARGEST_FILE, from_json, is_link};
use loggia_model::{Error, Signature};
use web_sys::File;

/// So much of a file shows what kind of file it is.
pub(crate) const HEAD: u32 = 4096;

/// Whether a file of that size can be one of ours.
fn fits(bytes: f64) -> bool {
    bytes <= LARGEST_FILE as f64
}

/// What a text asks for; `name` is the file's, or none where it was pasted.
pub(crate) async fn text(text: &str, name: Option<&str>) -> Action {
    if is_link(text) { link::open(text).await } else { signature(text, name) }
}

fn signature(text: &str, name: Option<&str>) -> Action {
    let opened = from_json(text).map_err(|error| named(error, name));
    Action::Bring(opened.map(Box::<Signature>::new))
}

/// What a file asks for.
pub(crate) async fn file(file: &File) -> Action {
    if !fits(file.size()) {
        return too_large(&file.name());
    }
    match browser::read(file).await {
        Some(content) => text(&content, Some(&file.name())).await,
        None => unreadable(&file.name()),
    }
}

/// A file that is too large to be one of ours.
fn too_large(name: &str) -> Action {
    let error = Error::new(
        format!("a signature has at most {} MiB", LARGEST_FILE >> 20),
        name,
        "open the file that `loggia collect` wrote",
    );
    Action::Bring(Err(error))
}

/// A file that the browser could not read.
fn unreadable(name: &str) -> Action {
    Action::Bring(Err(Error::new(
        "the browser cannot read it",
        name,
        "is it a file, and still there?",
    )))
}

/// The error with the file's name before its place.
fn named(error: Error, name: Option<&str>) -> Error {
    let place = match (name, error.place.as_str()) {
        (None, place) => place.to_owned(),
        (Some(name), "") => name.to_owned(),
        (Some(name), place) => format!("{name}: {place}"),
    };
    Error { place, ..error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::codec::to_json;
    use loggia_model::library;

    #[test]
    fn a_file_is_a_signature() {
        let t3d = library::load("cray-t3d").unwrap();
        let brought = signature(&to_json(&t3d), Some("t3d.json"));
        assert_eq!(brought, Action::Bring(Ok(Box::new(t3d))));
    }

    #[test]
    fn what_is_neither_is_refused_with_its_name() {
        for (content, name) in
            [("hello", "notes.txt"), ("{\"loggia\": 99}", "future.json"), ("", "x")]
        {
            let Action::Bring(Err(error)) = signature(content, Some(name)) else {
                panic!("{content}")
            };
            assert!(error.place.starts_with(name), "{error}");
        }
    }
}
