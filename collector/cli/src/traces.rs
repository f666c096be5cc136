//! Loads a trace: a folder, or files.

use crate::recording::trace_folder;
use crate::source::{cannot_read, entries};
use loggia_files::{Bytes, File};
use loggia_model::Error;
use loggia_replay::trace::loggia::{INDEX, Index};
use loggia_replay::trace::{self, OpenedTrace};
use memmap2::Mmap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Opens these files and folders as one trace. `speed` is in floating-point operations per µs, for
/// traces that count them.
pub(crate) fn open(names: &[&str], speed: f64) -> Result<OpenedTrace, Error> {
    let mut files = Vec::new();
    for name in names {
        let path = Path::new(name);
        match *name != "-" && path.is_dir() {
            true => files.extend(of_folder(path)?),
            false => files.push(file(name)?),
        }
    }
    trace::open(names.first().copied().unwrap_or_default(), files, speed)
}

/// The index of a folder written by `loggia trace`.
fn index(folder: &Path) -> Option<Index> {
    serde_json::from_slice(&fs::read(folder.join(INDEX)).ok()?).ok()
}

/// The error of a folder without a trace, with the reason if the program ended without a call.
pub(crate) fn no_trace(folder: String, index: Option<&Index>) -> Error {
    let help = match index.map(|index| (index.seconds, index.exit_code)) {
        Some((Some(_), Some(0))) => {
            "the traced program never called MPI_Init, or it loads MPI with dlopen; check that it \
             is an MPI program"
                .into()
        }
        Some((Some(_), code)) => {
            let code = code.map(|code| format!(" with exit code {code}")).unwrap_or_default();
            format!("the program ended{code} before it called MPI_Init; see its output")
        }
        _ => "name a folder written by `loggia trace`".to_owned(),
    };
    Error::new("the folder contains no trace", folder, help)
}

/// The files of a trace in a folder, sorted by name, without the index.
fn of_folder(folder: &Path) -> Result<Vec<File>, Error> {
    let name = folder.display().to_string();
    let folder = &trace_folder(folder);
    let is_index = |path: &Path| path.file_name().is_some_and(|name| name == INDEX);
    let mut paths = entries(folder, NAMES)?;
    paths.retain(|path| path.is_file() && !is_index(path));
    let traces: Vec<PathBuf> = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "trace"))
        .cloned()
        .collect();
    // If there are Loggia's own files, other files are ignored.
    let paths = if traces.is_empty() { paths } else { traces };
    if paths.is_empty() {
        return Err(no_trace(name, index(folder).as_ref()));
    }
    paths.iter().map(|path| file(&path.display().to_string())).collect()
}

#[expect(unsafe_code, reason = "a trace may be larger than memory")]
fn file(name: &str) -> Result<File, Error> {
    if name == "-" {
        let mut bytes = Vec::new();
        io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(|error| cannot_read(&error, name, NAMES))?;
        return Ok(File { name: "standard input".to_owned(), bytes: Bytes::new(bytes) });
    }
    let open = || {
        let file = fs::File::open(name)?;
        if file.metadata()?.len() == 0 {
            return Ok(Bytes::new(Vec::new()));
        }
        // SAFETY: no other process truncates the file while it is mapped.
        Ok(Bytes::new(unsafe { Mmap::map(&file)? }))
    };
    let bytes = open().map_err(|error: io::Error| cannot_read(&error, name, NAMES))?;
    Ok(File { name: name.to_owned(), bytes })
}

const NAMES: &str = "check the path; TRACE is a folder written by `loggia trace`, or a file";
