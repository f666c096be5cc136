//! Imports outputs of other benchmarks: they are read once; each addition of the reader makes a new
//! signature from them.

use loggia_exchange::import::merge::{Merged, merge};
use loggia_exchange::import::{ImportOptions, ImportResult, Importer, Read, Tool, is_known, make};
use loggia_files::{File, is_archive, unpacked};
use loggia_model::Error;
use loggia_model::json::{from_json, to_json};
use loggia_model::signature::Signature;
use loggia_replay::trace;
use loggia_schedule::goal::is_goal;
use serde::{Deserialize, Serialize};

/// A request about files sent with it or before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImportRequest {
    /// Information that the reader adds.
    pub options: ImportOptions,
    /// The signature to which the new parameters could be added, as in its file.
    pub onto: Option<String>,
}

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Imported {
    /// The report.
    pub made: ImportResult,
    /// The new signature, if the files hold any parameter.
    pub alone: Option<NewMachine>,
    /// The result of adding it to the other signature, if one was given.
    pub onto: Option<Result<Additions, Error>>,
}

/// The signature that the files make.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewMachine {
    pub name: String,
    pub title: String,
    /// Warnings.
    pub notes: Vec<String>,
    /// The JSON of its file.
    pub file: String,
}

/// The additions to a signature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Additions {
    /// The merged parameters, each with the result.
    pub merged: Vec<Merged>,
    /// The JSON of the merged signature.
    pub file: String,
}

/// The kind of files.
pub(super) enum FileKind {
    /// A trace or a schedule; they are opened by another request.
    Program,
    /// Outputs of benchmarks.
    Outputs(Read),
}

/// Reads files; `on_progress` receives the number of files begun and of all files.
pub(super) fn recognise(
    files: Vec<File>,
    on_progress: &mut dyn FnMut(u64, u64),
) -> Result<FileKind, Error> {
    let is_packed = files.iter().any(|file| is_archive(&file.bytes));
    let files = unpacked(files)?;
    let is_schedule = matches!(&files[..], [one] if is_packed && is_goal(one.head()));
    if is_schedule || files.iter().any(|file| trace::is_loggia(file.head())) {
        return Ok(FileKind::Program);
    }
    let mut reading = Importer::default();
    let mut names: Vec<String> = Vec::new();
    for (done, file) in (0..).zip(&files) {
        on_progress(done, files.len() as u64);
        let name = unique_name(&file.name, &names);
        reading.file(&name, &file.bytes)?;
        names.push(name);
    }
    let read = reading.finish();
    if !read.runs.is_empty() {
        return Ok(FileKind::Outputs(read));
    }
    match files.iter().any(|file| trace::is_known(file.head())) {
        true => Ok(FileKind::Program),
        false => Err(no_number_found(&files, &read)),
    }
}

/// A unique file name, so that answers about one file do not apply to another.
fn unique_name(name: &str, taken: &[String]) -> String {
    let is_free = |name: &String| !taken.contains(name);
    let others = (2..).map(|number| format!("{name} ({number})"));
    std::iter::once(name.to_owned()).chain(others).find(is_free).unwrap_or_default()
}

/// The reason why no number was found. A single file that is no known output is treated as a
/// signature.
fn no_number_found(files: &[File], read: &Read) -> Error {
    let tools: Vec<&str> = Tool::ALL.iter().map(|tool| tool.name()).collect();
    let help = format!("known are signatures, traces, and the outputs of {}", tools.join(", "));
    let is_output = |file: &File| is_known(&String::from_utf8_lossy(file.head()));
    let why = match files {
        [one] if !is_output(one) => match is_json(one) {
            true => from_json(&String::from_utf8_lossy(&one.bytes)).err(),
            false => Some(Error::new(kind_of_unreadable(one.head()), "", &help)),
        }
        .map(|why| why.in_file(&one.name)),
        _ => make(read, &ImportOptions::default())
            .complete(&ImportOptions::default())
            .err()
            .map(Error::from),
    };
    why.unwrap_or_else(|| Error::new("there is no file to read", "", help))
}

/// Whether a file is probably a signature.
fn is_json(file: &File) -> bool {
    file.name.ends_with(".json") || file.head().trim_ascii_start().starts_with(b"{")
}

/// The kind of a file without readable content.
fn kind_of_unreadable(head: &[u8]) -> &'static str {
    match head {
        _ if head.starts_with(b"%PDF") => {
            "this is a PDF document; copy its table and paste it as text"
        }
        _ if head.starts_with(b"\x89PNG") || head.starts_with(b"\xff\xd8\xff") => {
            "this is a picture; Loggia reads numbers only from text"
        }
        _ if head.contains(&0) => "this binary file has no trace format that Loggia reads",
        _ => "this text holds no measurement that Loggia recognises",
    }
}

/// Makes the signature and the report.
pub(super) fn import(read: &Read, request: &ImportRequest) -> Result<Imported, Error> {
    let made = make(read, &request.options);
    let onto = match (&made.signature, &request.onto) {
        (Some(found), Some(base)) => Some(additions(found, &from_json(base)?)),
        _ => None,
    };
    let alone = made.signature.as_ref().map(|found| NewMachine {
        name: found.name.clone(),
        title: found.title.clone(),
        notes: found.notes.clone(),
        file: to_json(found),
    });
    Ok(Imported { made, alone, onto })
}

fn additions(found: &Signature, base: &Signature) -> Result<Additions, Error> {
    let (signature, merged) = merge(base, found)?;
    Ok(Additions { merged, file: to_json(&signature) })
}
