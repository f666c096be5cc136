//! What readers of the tools' outputs share: the trait, and where they put their numbers.

use super::run::{Condition, Run};
use crate::error::ImportError;
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::{Bytes, Micros};
use serde::{Deserialize, Serialize};

/// Maximum number of conditions of an import; bounds memory.
const MOST_CONDITIONS: usize = 50_000;
const MOST_LEFT_OUT: usize = 1_000;

/// The result of reading a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineOutcome {
    /// Recognised.
    Yes,
    /// A row with numbers.
    Row,
    /// Not the tool's.
    No,
    /// A row that cannot be used, with the reason.
    Refused(String),
}

/// Reads the output of one tool, from the line that identified it.
pub(super) trait Reader {
    /// The first line of an output.
    fn begin(&mut self, _text: &str, _out: &mut Out) -> Result<LineOutcome, Error> {
        Ok(LineOutcome::Yes)
    }

    /// Whether it keeps the comments right before it, with their lines.
    fn takes_comments(&mut self, _comments: &[(u64, String)]) -> bool {
        false
    }

    /// Whether its last row may lack a line end. Else such a row may be cut off.
    fn ends_anywhere(&self) -> bool {
        false
    }

    /// Whether this line is still of it, although another output may begin so.
    fn goes_on(&self, _text: &str) -> bool {
        false
    }

    /// Takes the next line.
    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error>;

    /// There are no more lines of it.
    fn end(&mut self, _out: &mut Out) {}
}

/// Everything read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read {
    /// The files, by name.
    pub files: Vec<String>,
    /// Benchmarks with their numbers.
    pub runs: Vec<Run>,
    /// Lines that were left out, and why.
    pub left_out: Vec<LeftOut>,
}

impl Read {
    /// A fact that the file of a run states.
    pub(super) fn fact(&self, name: &str) -> Option<&str> {
        self.runs.iter().find_map(|run| run.fact(name))
    }
}

/// Lines that were left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    pub file: String,
    /// The first of them.
    pub line: u64,
    /// Number of lines with the same reason.
    pub count: u64,
    /// Why.
    pub why: String,
}

/// Collects the results of readers.
#[derive(Default)]
pub(super) struct Out {
    pub(super) file: String,
    pub(super) line: u64,
    pub(super) read: Read,
    /// The runs of the present output; those before are settled.
    open: Vec<Run>,
    /// Number of conditions so far, and of the unfinished runs.
    conditions: usize,
    open_conditions: usize,
    /// Index of the last left-out line.
    last_left_out: usize,
}

impl Out {
    /// Begins a benchmark at this line; returns its index.
    pub(super) fn run(&mut self, run: Run) -> usize {
        self.open.push(Run { file: self.file.clone(), line: self.line, ..run });
        self.open.len() - 1
    }

    /// The benchmark that began last.
    pub(super) fn current(&mut self) -> Option<&mut Run> {
        self.open.last_mut()
    }

    /// A run of the current output.
    pub(super) fn nth(&mut self, run: usize) -> Option<&mut Run> {
        self.open.get_mut(run)
    }

    /// A number of the benchmark that began last.
    pub(super) fn row(&mut self, bytes: Option<Bytes>, time: Micros, statistic: Statistic) {
        self.row_of(self.open.len().wrapping_sub(1), bytes, time, statistic);
    }

    /// A number of one of the benchmarks.
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

    /// Finishes runs: numbers of the same benchmark become one run.
    pub(super) fn settle(&mut self) {
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
    pub(super) fn leave_out(&mut self, why: &str) {
        self.leave_out_line(self.line, why);
    }

    pub(super) fn leave_out_line(&mut self, line: u64, why: &str) {
        let left_out = &mut self.read.left_out;
        let same = |known: &LeftOut| known.why == why && known.file == self.file;
        // Most often it is what was left out last.
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
            None if left_out.len() < MOST_LEFT_OUT => {
                self.last_left_out = left_out.len();
                left_out.push(LeftOut {
                    file: self.file.clone(),
                    line,
                    count: 1,
                    why: why.to_owned(),
                });
            }
            None => {}
        }
    }

    /// Reports columns that are not used.
    pub(super) fn no_place_for(&mut self, columns: &str) {
        self.leave_out(&format!("a signature has no place for the columns {columns}"));
    }

    /// Handles the result of a line.
    pub(super) fn came(&mut self, taken: LineOutcome) -> Result<(), Error> {
        match taken {
            LineOutcome::Yes | LineOutcome::Row => {}
            LineOutcome::No => self.leave_out("it is not this tool's"),
            LineOutcome::Refused(why) => self.leave_out(&why),
        }
        self.too_much().map_or(Ok(()), Err)
    }

    fn too_much(&self) -> Option<Error> {
        (self.open_conditions + self.conditions > MOST_CONDITIONS)
            .then(|| ImportError::TooManyConditions { most: MOST_CONDITIONS }.into())
    }
}
