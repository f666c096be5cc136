//! A schedule as a GOAL file.

use crate::report::{Failure, remark};
use loggia_collect::atomic_file;
use loggia_schedule::goal;
use loggia_schedule::schedule::{Kind, Schedule};
use std::io::{self, Write};
use std::path::Path;

/// Writes the file, and prints a remark on each operation that GOAL cannot express.
pub(in crate::commands) fn write(schedule: &Schedule, path: &Path) -> Result<(), Failure> {
    let is_binary = path.extension().is_some_and(|extension| extension == "bin");
    let notes = atomic_file::write_whole(path, |file| {
        if is_binary {
            return goal::binary::write(schedule, file);
        }
        let mut lines = Lines { file, failed: None };
        let notes = goal::text::write(schedule, &mut lines);
        match lines.failed {
            Some(error) => Err(error),
            None => notes.map_err(io::Error::other),
        }
    })?;
    for note in notes {
        remark(&format!("loggia: {note}"));
    }
    let waiting = schedule.ops().iter().filter(|op| op.kind == Kind::Ssend).count();
    if waiting > 0 {
        remark(&format!(
            "loggia: {waiting} synchronous sends (MPI_Ssend) are written as standard sends: GOAL has no \
             synchronous sends"
        ));
    }
    Ok(())
}

/// Adapts a file to `fmt::Write` and keeps its error.
struct Lines<W> {
    file: W,
    failed: Option<io::Error>,
}

impl<W: Write> std::fmt::Write for Lines<W> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.file.write_all(text.as_bytes()).map_err(|error| {
            self.failed = Some(error);
            std::fmt::Error
        })
    }
}
