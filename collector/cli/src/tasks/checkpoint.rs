//! The finished tasks in a file next to the output: one line with the fingerprint of the request,
//! then one line per finished task. A truncated last line is a task that is not finished.

use super::Outcome;
use crate::source::cannot_read;
use loggia_collect::atomic_file::cannot_write;
use loggia_model::Error;
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The file, open for appending.
pub(crate) struct Checkpoint {
    path: PathBuf,
    file: File,
}

impl Checkpoint {
    /// Opens or creates the file next to `output`; returns the outcomes in it.
    ///
    /// # Errors
    /// The file exists without `resume`, belongs to another request, or cannot be written.
    pub(crate) fn open(
        output: &Path,
        fingerprint: &str,
        resume: bool,
        overwrite: bool,
    ) -> Result<(Self, Vec<Outcome>), Error> {
        if output.is_dir() {
            return Err(cannot_write(&ErrorKind::IsADirectory.into(), output));
        }
        let path = Checkpoint::path_of(output);
        let place = path.display().to_string();
        let header = format!("loggia plan, question {fingerprint}\n");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(overwrite && !resume);
        let mut file = options.open(&path).map_err(|error| cannot_write(&error, &path))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(|error| {
            cannot_read(&error, &place, "delete this file if loggia did not write it")
        })?;
        // A truncated first line: no task was saved.
        if !text.contains(&b'\n') && header.as_bytes().starts_with(&text) {
            let mut checkpoint = Checkpoint { path, file };
            checkpoint.cut_to(0)?;
            if let Err(error) = checkpoint.write(&header) {
                checkpoint.remove();
                return Err(error);
            }
            return Ok((checkpoint, Vec::new()));
        }
        if !resume {
            return Err(Error::new(
                "an interrupted run left this file",
                place,
                "resume with --resume, or start anew with --overwrite",
            ));
        }
        let good = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let lines = std::str::from_utf8(&text[..good]).ok();
        let lines = lines.and_then(|lines| lines.strip_prefix(&header));
        let outcomes =
            lines.and_then(|lines| lines.lines().map(parsed).collect::<Option<Vec<_>>>());
        let Some(outcomes) = outcomes else {
            return Err(Error::new(
                "this file belongs to another plan or another version of loggia",
                place,
                "repeat the command that wrote it, or start anew with --overwrite and without --resume",
            ));
        };
        let mut checkpoint = Checkpoint { path, file };
        checkpoint.cut_to(good as u64)?;
        Ok((checkpoint, outcomes))
    }

    pub(crate) fn path_of(output: &Path) -> PathBuf {
        let mut name = output.as_os_str().to_owned();
        name.push(".part");
        PathBuf::from(name)
    }

    /// # Errors
    /// The file cannot be written.
    pub(crate) fn add(&mut self, outcome: &Outcome) -> Result<(), Error> {
        self.write(&format!("{} {}\n", outcome.task, outcome.text))
    }

    /// Deletes the file: the output is complete, or the header cannot be written.
    pub(crate) fn remove(self) {
        // A remaining file does no harm.
        let _ = std::fs::remove_file(&self.path);
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn write(&mut self, line: &str) -> Result<(), Error> {
        self.file.write_all(line.as_bytes()).map_err(|error| cannot_write(&error, &self.path))
    }

    /// Truncates the file and appends from there.
    fn cut_to(&mut self, bytes: u64) -> Result<(), Error> {
        let cut = self.file.set_len(bytes).and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map(drop).map_err(|error| cannot_write(&error, &self.path))
    }
}

fn parsed(line: &str) -> Option<Outcome> {
    let (task, text) = line.split_once(' ')?;
    Some(Outcome { task: task.parse().ok()?, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn finished_tasks_are_read_back_except_a_truncated_line() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("all.json");
        let part = folder.path().join("all.json.part");
        let (mut checkpoint, known) = Checkpoint::open(&output, "q", false, false).unwrap();
        assert!(known.is_empty());
        for task in [4, 0] {
            checkpoint.add(&Outcome { task, text: format!("{{\"of\": {task}}}") }).unwrap();
        }
        drop(checkpoint);
        let whole = std::fs::read(&part).unwrap();
        for (bytes, tasks) in [(whole.len(), &[4, 0][..]), (whole.len() - 1, &[4])] {
            std::fs::write(&part, &whole[..bytes]).unwrap();
            let (mut checkpoint, known) = Checkpoint::open(&output, "q", true, false).unwrap();
            assert_eq!(known.iter().map(|outcomes| outcomes.task).collect::<Vec<_>>(), tasks);
            checkpoint.add(&Outcome { task: 7, text: "{}".to_owned() }).unwrap();
            let (_, known) = Checkpoint::open(&output, "q", true, false).unwrap();
            assert_eq!(known.last().unwrap().task, 7);
            assert_eq!(known[0].text, "{\"of\": 4}");
        }
        for (fingerprint, resume, expected) in [("q", false, "interrupted"), ("r", true, "another")]
        {
            let error = Checkpoint::open(&output, fingerprint, resume, false).err().unwrap();
            assert!(error.message.contains(expected), "{error}");
        }
        let (checkpoint, known) = Checkpoint::open(&output, "r", false, true).unwrap();
        assert!(known.is_empty());
        checkpoint.remove();
        assert!(!part.exists());
        let nowhere = folder.path().join("absent/all.json");
        assert!(
            Checkpoint::open(&nowhere, "q", false, false).err().unwrap().message.contains("folder")
        );
    }
}
