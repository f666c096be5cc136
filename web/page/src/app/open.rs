//! Recognises dropped, pasted or picked files and texts: signature, link, program, sketch,
//! benchmark output.

use super::importing::words;
use crate::browser::{self, Dropped, Files};
use crate::state::Action;
use crate::{address_bar, text};
use loggia_link::is_link;
use loggia_link::state::{Inputs, State, View};
use loggia_model::json::{LARGEST_FILE, from_json};
use loggia_model::{Error, Signature};
use loggia_replay::trace::{is_loggia, may_be_trace};
use loggia_schedule::goal::is_goal;
use web_sys::File;

/// Bytes read to recognise the kind of a file.
const HEAD: u32 = 4096;

/// How to handle a dropped, pasted or picked file or text.
#[derive(Debug, PartialEq)]
pub(crate) enum FileRequest {
    /// An action of the page.
    Action(Action),
    /// Files for the import dialog, which recognises them.
    Import(Files),
}

/// The kind of a file, by its first bytes.
enum Kind {
    Known(Action),
    /// A file of a trace.
    Trace,
    Unknown,
}

/// Requests for all files: those of a trace make one program, outputs of benchmarks one import.
pub(crate) async fn requests(dropped: Vec<Dropped>) -> Vec<FileRequest> {
    let (mut requests, mut traced, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for (name, file) in files(dropped, &mut requests).await {
        match kind(&file).await {
            Kind::Known(action) => requests.push(FileRequest::Action(action)),
            Kind::Trace => traced.push(file),
            Kind::Unknown => unknown.push((name, file)),
        }
    }
    if !traced.is_empty() {
        // For example the file that lists a trace's files.
        traced.extend(unknown.drain(..).map(|(_, file)| file));
        requests.push(FileRequest::Action(Action::Trace(Files(traced))));
    }
    if !unknown.is_empty() {
        requests.push(FileRequest::Import(Files::named(&unknown)));
    }
    requests
}

/// The files by name; requests for texts are added to `requests` directly.
async fn files(dropped: Vec<Dropped>, requests: &mut Vec<FileRequest>) -> Vec<(String, File)> {
    let mut files = Vec::new();
    for item in dropped {
        match item {
            Dropped::Folder(folder) => files.extend(browser::files_in(folder).await),
            Dropped::File(file) => files.push((file.name(), file)),
            Dropped::Text(text) => requests.extend(pasted(&text).await),
            Dropped::Update(text) => requests.extend(updated(&text).await),
        }
    }
    files
}

/// The request of a pasted text.
async fn pasted(text: &str) -> Option<FileRequest> {
    if is_goal(text.as_bytes()) {
        return Some(FileRequest::Action(Action::Program(Files::of_text(text::PASTED, text))));
    }
    if is_lesson(text.as_bytes()) {
        return Some(FileRequest::Action(lesson(text)));
    }
    if is_sketch(text.as_bytes()) {
        return Some(FileRequest::Action(sketch(text)));
    }
    match link_or_signature(text, None).await {
        Some(action) => Some(FileRequest::Action(action)),
        None => Files::of_text(words::PASTED, text).map(FileRequest::Import),
    }
}

/// The request of a measured machine's newer signature.
async fn updated(text: &str) -> Option<FileRequest> {
    Some(FileRequest::Action(match link_or_signature(text, None).await? {
        Action::AddMachine(Ok(signature)) => Action::UpdateMachine(signature),
        other => other,
    }))
}

async fn kind(file: &File) -> Kind {
    let begin = browser::head(file, HEAD).await;
    if is_goal(&begin) {
        return Kind::Known(Action::Program(Some(Files(vec![file.clone()]))));
    }
    if is_lesson(&begin) {
        let read = browser::read(file).await;
        return Kind::Known(read.map_or_else(|| unreadable(&file.name()), |text| lesson(&text)));
    }
    if file.name().ends_with(SKETCH) || is_sketch(&begin) {
        let read = browser::read(file).await;
        return Kind::Known(read.map_or_else(|| unreadable(&file.name()), |text| sketch(&text)));
    }
    if is_loggia(&begin) {
        return Kind::Trace;
    }
    if may_be_trace(&begin) {
        return Kind::Unknown;
    }
    if !fits(file.size()) {
        return Kind::Known(too_large(&file.name()));
    }
    if !may_be_signature_or_link(&begin) {
        return Kind::Unknown;
    }
    match browser::read(file).await {
        Some(content) => {
            link_or_signature(&content, Some(&file.name())).await.map_or(Kind::Unknown, Kind::Known)
        }
        None => Kind::Known(unreadable(&file.name())),
    }
}

/// File extension of sketches.
const SKETCH: &str = ".toml";

/// Whether a text with these first bytes is a lesson: its version precedes its steps.
fn is_lesson(begin: &[u8]) -> bool {
    let begin = String::from_utf8_lossy(begin);
    begin.lines().any(|line| line.trim_start().starts_with("loggia-lesson"))
}

/// Opens a lesson as a student; its view shows errors.
fn lesson(text: &str) -> Action {
    let mut state = State { view: View::Lessons, ..State::default() };
    let set = state.set("lesson", &text.replace("\r\n", "\n"));
    Action::OpenLink(set.map(|()| Box::new(state)))
}

/// Whether a text with these first bytes is a sketch: no other format has steps.
fn is_sketch(begin: &[u8]) -> bool {
    let begin = String::from_utf8_lossy(begin);
    begin.lines().any(|line| line.trim_start().starts_with("[[step]]"))
}

/// Opens a sketch; its view shows errors.
fn sketch(text: &str) -> Action {
    let text = text.replace("\r\n", "\n");
    let mut inputs = Inputs::default();
    Action::OpenSketch(inputs.set("sketch", &text).map(|()| text))
}

/// Whether a file with these first bytes may be a signature or a link. Unreadable files count, too.
fn may_be_signature_or_link(begin: &[u8]) -> bool {
    let begin = begin.trim_ascii_start();
    begin.is_empty() || begin.starts_with(b"{") || is_link(&String::from_utf8_lossy(begin))
}

/// Whether a file is small enough for a signature or a link.
fn fits(bytes: f64) -> bool {
    bytes <= LARGEST_FILE as f64
}

/// The action for a link or a signature; `name` is that of the file, `None` if pasted.
async fn link_or_signature(text: &str, name: Option<&str>) -> Option<Action> {
    if is_link(text) { Some(address_bar::open(text).await) } else { signature(text, name) }
}

/// The action for a signature or its error; `None` for other texts.
fn signature(text: &str, name: Option<&str>) -> Option<Action> {
    // Other tools write JSON as well.
    let looks_like_signature = || text.trim().is_empty() || text.contains("\"loggia\"");
    match from_json(text) {
        Err(_) if !looks_like_signature() => None,
        opened => {
            let opened = opened.map_err(|error| with_file_name(error, name));
            Some(Action::AddMachine(opened.map(Box::<Signature>::new)))
        }
    }
}

/// The error for a file that is too large.
fn too_large(name: &str) -> Action {
    let error = Error::new(
        format!("a signature has at most {} MiB", LARGEST_FILE >> 20),
        name,
        "open the file that `loggia collect` wrote; `loggia import` reads longer outputs of \
         benchmarks",
    );
    Action::AddMachine(Err(error))
}

/// The error for a file that the browser cannot read.
fn unreadable(name: &str) -> Action {
    Action::AddMachine(Err(Error::new(
        "the browser cannot read this file",
        name,
        "check that the file still exists",
    )))
}

/// The error, with the file's name.
fn with_file_name(error: Error, name: Option<&str>) -> Error {
    match name {
        None => error,
        Some(name) => error.in_file(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::json::to_json;
    use loggia_model::library;

    #[test]
    fn a_file_is_a_signature() {
        let t3d = library::load("cray-t3d").unwrap();
        let action = signature(&to_json(&t3d), Some("t3d.json"));
        assert_eq!(action, Some(Action::AddMachine(Ok(Box::new(t3d)))));
    }

    #[test]
    fn a_bad_signature_is_refused_with_its_file_name() {
        for (content, name) in [("{\"loggia\": 99}", "future.json"), ("", "x")] {
            let Some(Action::AddMachine(Err(error))) = signature(content, Some(name)) else {
                panic!("{content}")
            };
            assert!(error.place.to_string().starts_with(name), "{error}");
        }
    }

    #[test]
    fn a_lesson_is_known_by_its_version_and_opens_as_a_student_sees_it() {
        let text = "loggia-lesson = 1\r\ntitle = \"Mine\"\n[[step]]\n";
        assert!(is_lesson(text.as_bytes()) && !is_lesson(b"[[step]]\ncompute = 1"));
        let Action::OpenLink(Ok(state)) = lesson(text) else { unreachable!("it opens") };
        assert_eq!(state.inputs.lesson.as_deref(), Some(text.replace('\r', "").trim_end()));
        let book = format!("loggia-lesson = 1{}", "#".repeat(1 << 17));
        assert!(matches!(lesson(&book), Action::OpenLink(Err(_))));
    }

    #[test]
    fn a_sketch_is_known_by_its_steps_and_may_be_wrong() {
        assert!(is_sketch(b"# a\n  [[step]] # b\n") && !is_sketch(b"step") && !is_sketch(b"{}"));
        let broken = "[[step]]\r\nno = 1\n";
        assert_eq!(sketch(broken), Action::OpenSketch(Ok("[[step]]\nno = 1\n".to_owned())));
        let book = "#".repeat(1 << 17);
        assert!(
            matches!(sketch(&book), Action::OpenSketch(Err(error)) if error.help.to_string().contains("bytes"))
        );
    }

    #[test]
    fn files_of_other_tools_are_left_to_the_import() {
        for content in ["hello", "# OSU MPI Latency Test v7.4\n", "{\"version\": 3}"] {
            assert_eq!(signature(content, None), None, "{content}");
        }
        assert!(
            may_be_signature_or_link(b"\n{\"a\"")
                && may_be_signature_or_link(b"#2.abc")
                && !may_be_signature_or_link(b"# OSU")
        );
    }
}
