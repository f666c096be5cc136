//! What was found so far, in a file beside the one that will hold it all: a line for the question,
//! then one for each piece. A line that was cut off is of a piece that is not done.

use super::Found;
use crate::source::cannot_read;
use loggia_collect::whole_file::cannot_write;
use loggia_model::Error;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The file, open to add to.
pub(crate) struct Kept {
    path: PathBuf,
    file: File,
}

impl Kept {
    /// Beside `output`, of a question that has a word for itself; and what is in it already.
    ///
    /// # Errors
    /// Where something of that name is there and is not to be gone on with, or is of another
    /// question; and where nothing can be written.
    pub(crate) fn open(
        output: &Path,
        question: &str,
        resume: bool,
        overwrite: bool,
    ) -> Result<(Self, Vec<Found>), Error> {
        let path = Kept::path_of(output);
        let place = path.display().to_string();
        let header = format!("loggia plan, question {question}\n");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(overwrite && !resume);
        let mut file = options.open(&path).map_err(|error| cannot_write(&error, &path))?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)
            .map_err(|error| cannot_read(&error, &place, "is it a file of loggia's?"))?;
        // Of a first line that was cut off nothing was kept.
        if !text.contains(&b'\n') && header.as_bytes().starts_with(&text) {
            let mut kept = Kept { path, file };
            kept.cut_to(0)?;
            kept.write(&header)?;
            return Ok((kept, Vec::new()));
        }
        if !resume {
            return Err(Error::new(
                "a question that was interrupted has left this",
                place,
                "--resume to go on with it, or --overwrite to begin anew",
            ));
        }
        let good = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let lines = std::str::from_utf8(&text[..good]).ok();
        let lines = lines.and_then(|lines| lines.strip_prefix(&header));
        let found = lines.and_then(|lines| lines.lines().map(found).collect::<Option<Vec<_>>>());
        let Some(found) = found else {
            return Err(Error::new(
                "this is of another question, or of another version of loggia",
                place,
                "ask what was asked then, or --overwrite without --resume to begin anew",
            ));
        };
        let mut kept = Kept { path, file };
        kept.cut_to(good as u64)?;
        Ok((kept, found))
    }

    /// Where it stands.
    pub(crate) fn path_of(output: &Path) -> PathBuf {
        let mut name = output.as_os_str().to_owned();
        name.push(".part");
        PathBuf::from(name)
    }

    /// One more that is done.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub(crate) fn add(&mut self, found: &Found) -> Result<(), Error> {
        self.write(&format!("{} {}\n", found.piece, found.text))
    }

    /// All is done, and written elsewhere.
    pub(crate) fn remove(self) {
        // What stays is only in the way.
        let _ = std::fs::remove_file(&self.path);
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn write(&mut self, line: &str) -> Result<(), Error> {
        self.file.write_all(line.as_bytes()).map_err(|error| cannot_write(&error, &self.path))
    }

    /// What comes next stands after so many bytes.
    fn cut_to(&mut self, bytes: u64) -> Result<(), Error> {
        let cut = self.file.set_len(bytes).and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map(drop).map_err(|error| cannot_write(&error, &self.path))
    }
}

fn found(line: &str) -> Option<Found> {
    let (piece, text) = line.split_once(' ')?;
    Some(Found { piece: piece.parse().ok()?, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn what_was_found_is_found_again_but_for_a_line_that_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("all.json");
        let part = folder.path().join("all.json.part");
        let (mut kept, known) = Kept::open(&output, "q", false, false).unwrap();
        assert!(known.is_empty());
        for piece in [4, 0] {
            kept.add(&Found { piece, text: format!("{{\"of\": {piece}}}") }).unwrap();
        }
        drop(kept);
        let whole = std::fs::read(&part).unwrap();
        for (bytes, pieces) in [(whole.len(), &[4, 0][..]), (whole.len() - 1, &[4])] {
            std::fs::write(&part, &whole[..bytes]).unwrap();
            let (mut kept, known) = Kept::open(&output, "q", true, false).unwrap();
            assert_eq!(known.iter().map(|found| found.piece).collect::<Vec<_>>(), pieces);
            kept.add(&Found { piece: 7, text: "{}".to_owned() }).unwrap();
            let (_, known) = Kept::open(&output, "q", true, false).unwrap();
            assert_eq!(known.last().unwrap().piece, 7);
            assert_eq!(known[0].text, "{\"of\": 4}");
        }
        for (question, resume, words) in [("q", false, "interrupted"), ("r", true, "another")] {
            let error = Kept::open(&output, question, resume, false).err().unwrap();
            assert!(error.message.contains(words), "{error}");
        }
        let (kept, known) = Kept::open(&output, "r", false, true).unwrap();
        assert!(known.is_empty());
        kept.remove();
        assert!(!part.exists());
        let nowhere = folder.path().join("absent/all.json");
        assert!(Kept::open(&nowhere, "q", false, false).err().unwrap().message.contains("folder"));
    }
}
