//! The trait of output readers, and the collection of their results.

use super::run::{Condition, Run};
use crate::error::ImportError;
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::{Bytes, Micros};
use serde::{Deserialize, Serialize};

/// Maximum number of conditions of an import; bounds memory.
const MAX_CONDITIONS: usize = 50_000;
const MAX_LEFT_OUT: usize = 1_000;

/// The result of reading a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineOutcome {
    /// A line of the tool without numbers.
    Known,
    /// A row with numbers.
    Row,
    /// Not a line of the tool.
    Foreign,
    /// A row that cannot be used; the reason.
    Refused(String),
}

/// Reads the output of one tool, from its first line on.
pub(super) trait Reader {
    /// Reads the first line of an output.
    fn begin(&mut self, _text: &str, _out: &mut Out) -> Result<LineOutcome, Error> {
        Ok(LineOutcome::Known)
    }

    /// Takes the comments right before the output, with their line numbers; returns whether it did.
    fn takes_comments(&mut self, _comments: &[(u64, String)]) -> bool {
        false
    }

    /// Whether a last row without a line end is complete.
    fn ends_anywhere(&self) -> bool {
        false
    }

    /// Whether this line continues the current output, although it could start another.
    fn continues(&self, _text: &str) -> bool {
        false
    }

    /// Reads the next line.
    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error>;

    /// Ends the output.
    fn end(&mut self, _out: &mut Out) {}
}

/// The content of all files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// The files, by name.
    pub files: Vec<String>,
    /// Runs with their numbers.
    pub runs: Vec<Run>,
    /// Lines that were left out, with reasons.
    pub left_out: Vec<LeftOut>,
}

impl Read {
    /// The first fact of this name in any run.
    pub(super) fn fact(&self, name: &str) -> Option<&str> {
        self.runs.iter().find_map(|run| run.fact(name))
    }
}

/// Lines that were left out for the same reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    pub file: String,
    /// The first line.
    pub line: u64,
    /// Number of lines with the same reason.
    pub count: u64,
    /// The reason.
    pub why: String,
}

/// Collects the results of readers.
#[derive(Default)]
pub(super) struct Out {
    pub(super) file: String,
    pub(super) line: u64,
    pub(super) read: Read,
    /// The runs of the current output; earlier runs are finished.
    open: Vec<Run>,
    /// Number of conditions of finished runs.
    conditions: usize,
    open_conditions: usize,
    /// Index of the entry of `left_out` that was used last.
    last_left_out: usize,
}

impl Out {
    /// Starts a run at this line; returns its index.
    pub(super) fn run(&mut self, run: Run) -> usize {
        self.open.push(Run { file: self.file.clone(), line: self.line, ..run });
        self.open.len() - 1
    }

    /// The run that started last.
    pub(super) fn current(&mut self) -> Option<&mut Run> {
        self.open.last_mut()
    }

    /// The run with this index in the current output.
    pub(super) fn nth(&mut self, run: usize) -> Option<&mut Run> {
        self.open.get_mut(run)
    }

    /// Adds a number to the run that started last.
    pub(super) fn row(&mut self, bytes: Option<Bytes>, time: Micros, statistic: Statistic) {
        self.row_of(self.open.len().wrapping_sub(1), bytes, time, statistic);
    }

    /// Adds a number to a run.
    pub(super) fn row_of(
        &mut self,
        run: usize,
        bytes: Option<Bytes>,
        time: Micros,
        statistic: Statistic,
    ) {
        let line = self.line;
        if let Some(run) = self.open.get_mut(run)
            && run.push(line, Condition { bytes, statistic }, time)
        {
            self.open_conditions += 1;
        }
    }

    /// Finishes the runs of the current output; runs of the same benchmark are merged.
    pub(super) fn finish_runs(&mut self) {
        self.open_conditions = 0;
        for run in self.open.drain(..).filter(|run| !run.numbers.is_empty()) {
            match self.read.runs.iter_mut().rev().find(|known| known.is_same_benchmark(&run)) {
                Some(known) => {
                    self.conditions -= known.numbers.len();
                    known.extend(run);
                    self.conditions += known.numbers.len();
                }
                None => {
                    self.conditions += run.numbers.len();
                    self.read.runs.push(run);
                }
            }
        }
    }

    /// Leaves out the current line, or a part of it.
    pub(super) fn leave_out(&mut self, reason: &str) {
        self.leave_out_line(self.line, reason);
    }

    pub(super) fn leave_out_line(&mut self, line: u64, reason: &str) {
        let left_out = &mut self.read.left_out;
        let same = |known: &LeftOut| known.why == reason && known.file == self.file;
        // Usually the reason is the same as for the previous line.
        let known = match left_out.get(self.last_left_out) {
            Some(last) if same(last) => Some(self.last_left_out),
            _ => left_out.iter().rposition(same),
        };
        match known {
            Some(known) => {
                left_out[known].count += 1;
                left_out[known].line = left_out[known].line.min(line);
                self.last_left_out = known;
            }
            None if left_out.len() < MAX_LEFT_OUT => {
                self.last_left_out = left_out.len();
                left_out.push(LeftOut {
                    file: self.file.clone(),
                    line,
                    count: 1,
                    why: reason.to_owned(),
                });
            }
            None => {}
        }
    }

    /// Reports columns that are not used.
    pub(super) fn unused_columns(&mut self, columns: &str) {
        self.leave_out(&format!("a signature does not use the columns {columns}"));
    }

    /// Records the outcome of a line.
    pub(super) fn record(&mut self, outcome: LineOutcome) -> Result<(), Error> {
        match outcome {
            LineOutcome::Known | LineOutcome::Row => {}
            LineOutcome::Foreign => self.leave_out("not a line of this tool's output"),
            LineOutcome::Refused(reason) => self.leave_out(&reason),
        }
        self.limit_error().map_or(Ok(()), Err)
    }

    fn limit_error(&self) -> Option<Error> {
        (self.open_conditions + self.conditions > MAX_CONDITIONS)
            .then(|| ImportError::TooManyConditions { most: MAX_CONDITIONS }.into())
    }
}
