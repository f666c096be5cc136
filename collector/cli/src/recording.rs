//! The folder into which a trace is recorded. An old trace in the folder stays readable until the
//! program has ended; from then on the new trace is readable, also if the command is killed.
//!
//! The new trace is recorded in the subfolder `.part`. When the trace is complete, `.part` is
//! renamed to `.new`, and readers prefer `.new` to the old trace. Then the files of `.new` are
//! linked into the folder instead of the old files. At last `.new` is renamed to `.part`, which
//! readers ignore, and removed.

use loggia_collect::atomic_file::reason;
use loggia_model::Error;
use loggia_replay::trace::loggia::{INDEX, is_rank_file};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// File name of the preloaded library, in the trace folder that all ranks can read.
pub(crate) const NAME: &str = ".libloggia_tracer.so";
const PART: &str = ".part";
const NEW: &str = ".new";

/// The folder that holds the files of a trace: the folder itself, or `.new` in it.
pub(crate) fn trace_folder(folder: &Path) -> PathBuf {
    let new = folder.join(NEW);
    if new.is_dir() { new } else { folder.to_owned() }
}

pub(crate) struct Recording {
    folder: PathBuf,
    /// The folder itself, or `.part` in it if there is an old trace.
    pub(crate) into: PathBuf,
    /// Whether this recording created the folder.
    is_new: bool,
}

impl Recording {
    pub(crate) fn begin(folder: &Path, overwrite: bool) -> Result<Self, Error> {
        let failed = |error: io::Error| cannot_create(folder, &error);
        let is_new = !folder.exists();
        fs::create_dir_all(folder).map_err(failed)?;
        let folder = fs::canonicalize(folder).map_err(failed)?;
        // LD_PRELOAD lists paths, and has no way to quote one.
        if folder.to_string_lossy().contains([' ', ':']) {
            if is_new {
                let _ = fs::remove_dir(&folder);
            }
            return Err(Error::new(
                "the path has a space or a colon, and the tracer cannot be loaded from there",
                folder.display().to_string(),
                "choose another folder with -o",
            ));
        }
        let is_empty = fs::read_dir(&folder).map_err(failed)?.next().is_none();
        if !is_empty && !overwrite {
            return Err(Error::new(
                "the folder is not empty",
                folder.display().to_string(),
                "choose another folder with -o, or replace the trace with --overwrite",
            ));
        }
        let begin = || {
            if folder.join(NEW).is_dir() {
                replace_old_trace(&folder)?;
            }
            if files_of_a_trace(&folder)?.is_empty() {
                return Ok(folder.clone());
            }
            let part = folder.join(PART);
            fs::create_dir_all(&part)?;
            // Files of a killed run.
            remove_trace(&part)?;
            Ok(part)
        };
        let into = begin().map_err(failed)?;
        Ok(Recording { folder, into, is_new })
    }

    /// Whether a rank has recorded calls.
    pub(crate) fn has_calls(&self) -> bool {
        let is_of_rank = |path: &PathBuf| path.extension().is_some_and(|end| end == "trace");
        files_of_a_trace(&self.into).is_ok_and(|files| files.iter().any(is_of_rank))
    }

    /// Replaces the old trace by the new one.
    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.into == self.folder {
            return Ok(());
        }
        let place = || {
            fs::rename(&self.into, self.folder.join(NEW))?;
            replace_old_trace(&self.folder)
        };
        place().map_err(|error| cannot_create(&self.folder, &error))
    }

    /// Removes a recording without calls; the old trace stays. Errors are ignored.
    pub(crate) fn give_up(&self) {
        let _ = remove_trace(&self.into);
        if self.is_new || self.into != self.folder {
            let _ = fs::remove_dir(&self.into);
        }
    }
}

/// Replaces the old trace by the trace in `.new`; also completes an interrupted replacement.
fn replace_old_trace(folder: &Path) -> io::Result<()> {
    let [new, part] = [NEW, PART].map(|name| folder.join(name));
    remove_trace(folder)?;
    for path in files_of_a_trace(&new)? {
        let place = folder.join(path.file_name().unwrap_or_default());
        // Some file systems have no hard links.
        fs::hard_link(&path, &place).or_else(|_| fs::copy(&path, &place).map(drop))?;
    }
    fs::rename(&new, &part)?;
    remove_trace(&part)?;
    fs::remove_dir(&part)
}

fn cannot_create(folder: &Path, error: &io::Error) -> Error {
    Error::new(
        format!("the folder cannot be created: {}", reason(error)),
        folder.display().to_string(),
        "choose another folder with -o",
    )
}

/// The files of a trace; only these are ever deleted.
fn files_of_a_trace(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if is_rank_file(&file) || file == INDEX || file == NAME {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn remove_trace(folder: &Path) -> io::Result<()> {
    files_of_a_trace(folder)?.into_iter().try_for_each(fs::remove_file)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn write(folder: &Path, files: &[(&str, &str)]) {
        fs::create_dir_all(folder).unwrap();
        files.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
    }

    fn contents(folder: &Path) -> Vec<(String, String)> {
        let read = |entry: io::Result<fs::DirEntry>| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            fs::read_to_string(path).ok().map(|text| (name, text))
        };
        let mut files: Vec<_> = folder.read_dir().unwrap().filter_map(read).collect();
        files.sort();
        files
    }

    const OLD: [(&str, &str); 3] =
        [("rank-0.trace", "old"), ("rank-1.trace", "old"), ("trace.json", "old")];
    const NEW_FILES: [(&str, &str); 2] = [("rank-0.trace", "new"), ("trace.json", "new")];

    fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
        files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn the_old_trace_is_read_until_the_new_trace_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &OLD);
        let recording = Recording::begin(folder.path(), true).unwrap();
        write(&recording.into, &NEW_FILES);
        assert_eq!(contents(&trace_folder(folder.path())), owned(&OLD));
        recording.end().unwrap();
        assert_eq!(contents(&trace_folder(folder.path())), owned(&NEW_FILES));
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
    }

    /// A replacement killed with `left` old files not removed and `there` new files linked.
    #[test]
    fn an_interrupted_replacement_is_readable_and_completed() {
        for (left, there) in [(3, 0), (1, 0), (0, 0), (0, 1), (0, 2)] {
            let folder = tempfile::tempdir().unwrap();
            let new = folder.path().join(NEW);
            write(&new, &NEW_FILES);
            write(folder.path(), &OLD[..left]);
            write(folder.path(), &NEW_FILES[..there]);
            write(folder.path(), &[("notes.txt", "a person's own")]);
            assert_eq!(contents(&trace_folder(folder.path())), owned(&NEW_FILES));
            Recording::begin(folder.path(), true).unwrap().give_up();
            let expected = [("notes.txt", "a person's own"), NEW_FILES[0], NEW_FILES[1]];
            assert_eq!(contents(&trace_folder(folder.path())), owned(&expected), "{left} {there}");
        }
    }
}
