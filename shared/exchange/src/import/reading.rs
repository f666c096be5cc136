//! Recognises outputs of tools, and collects their numbers.

use super::lines::{Line, Lines};
use super::run::{Condition, Run};
use super::{imb, logp_mpi, nccl, netgauge, netpipe, osu, plain, reprompi, skampi};
use crate::error::ImportError;
use loggia_model::Error;
use loggia_model::error::Place;
use loggia_model::signature::Statistic;
use loggia_model::units::{Bytes, Micros};
use serde::{Deserialize, Serialize};

/// Maximum number of conditions of an import; bounds memory.
const MOST_CONDITIONS: usize = 50_000;
const MOST_LEFT_OUT: usize = 1_000;
const MOST_COMMENTS: usize = 100;

/// Reason for lines before any recognised output.
pub(super) const BEFORE_ANYTHING: &str = "it stands before anything that is known";

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

/// A reader, for what begins so.
type Begins = fn(&str) -> Option<Box<dyn Reader>>;

const TOOLS: [Begins; 9] = [
    osu::begins,
    imb::begins,
    netgauge::begins,
    logp_mpi::begins,
    reprompi::begins,
    skampi::begins,
    nccl::begins,
    plain::begins,
    netpipe::begins,
];

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
    file: String,
    line: u64,
    read: Read,
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

    fn leave_out_line(&mut self, line: u64, why: &str) {
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
    fn came(&mut self, taken: LineOutcome) -> Result<(), Error> {
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

/// Reads files, piece by piece.
#[derive(Default)]
pub struct Importer {
    out: Out,
    lines: Lines,
    reader: Option<Box<dyn Reader>>,
    /// Comments before anything that is known, with their lines.
    comments: Vec<(u64, String)>,
    /// Length of the last row, and decimals of its last number.
    last_row: Option<(usize, Option<usize>)>,
}

impl Importer {
    /// A file begins.
    pub fn begin(&mut self, file: &str) {
        self.out.read.files.push(file.to_owned());
        (self.out.file, self.out.line) = (file.to_owned(), 0);
        (self.lines, self.reader, self.last_row) = (Lines::default(), None, None);
        self.comments.clear();
    }

    /// The next bytes of the file.
    ///
    /// # Errors
    /// Where a number has a decimal comma, or there is more than anybody has.
    pub fn tell(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let mut lines = std::mem::take(&mut self.lines);
        let told = lines.tell(bytes, |line| self.line(line));
        self.lines = lines;
        told
    }

    /// The file ends.
    ///
    /// # Errors
    /// As in [`Importer::tell`], of its last line.
    pub fn end(&mut self) -> Result<(), Error> {
        let lines = std::mem::take(&mut self.lines);
        lines.end(|line| self.line(line))?;
        self.leave_out_comments();
        if let Some(mut reader) = self.reader.take() {
            reader.end(&mut self.out);
        }
        self.out.settle();
        Ok(())
    }

    /// Reads a file that is in memory.
    ///
    /// # Errors
    /// As in [`Importer::tell`].
    pub fn file(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.begin(name);
        self.tell(bytes)?;
        self.end()
    }

    #[must_use]
    pub fn finish(self) -> Read {
        self.out.read
    }

    fn line(&mut self, line: Line<'_>) -> Result<(), Error> {
        self.out.line = line.number;
        self.take(&line).map_err(|error| {
            let place = match &error.place {
                Place::Nowhere => Place::line(line.number),
                within => format!("{}, {within}", line.number).into(),
            };
            error.at(place.in_file(&self.out.file))
        })
    }

    /// Comments that no table follows belong to nothing that is known.
    fn leave_out_comments(&mut self) {
        for (line, _) in self.comments.drain(..) {
            self.out.leave_out_line(line, BEFORE_ANYTHING);
        }
    }

    fn take(&mut self, line: &Line<'_>) -> Result<(), Error> {
        let out = &mut self.out;
        if line.is_too_long {
            out.leave_out("longer than any line that a benchmark prints");
            return Ok(());
        }
        let text = line.text;
        if let Some(next) = begins(text, self.reader.is_some())
            && !self.reader.as_ref().is_some_and(|reader| reader.goes_on(text))
        {
            return self.change(next, text);
        }
        let Some(reader) = &mut self.reader else {
            let is_comment = text.trim_start().starts_with('#');
            if is_rule(text) {
                return Ok(());
            }
            if is_comment && self.comments.len() < MOST_COMMENTS {
                self.comments.push((line.number, text.to_owned()));
                return Ok(());
            }
            self.leave_out_comments();
            self.out.leave_out(BEFORE_ANYTHING);
            return Ok(());
        };
        if !line.is_whole
            && !reader.ends_anywhere()
            && is_row(text)
            && self.last_row != Some(shape(text))
        {
            out.leave_out("the file ends within this line, which may be cut off");
            return Ok(());
        }
        let taken = reader.line(text, out)?;
        if matches!(taken, LineOutcome::No | LineOutcome::Refused(_))
            && let Some(next) = netpipe::begins(text)
        {
            return self.change(next, text);
        }
        if taken == LineOutcome::Row {
            self.last_row = Some(shape(text));
        }
        out.came(taken)
    }

    /// Another tool's output begins at this line.
    fn change(&mut self, mut next: Box<dyn Reader>, text: &str) -> Result<(), Error> {
        if next.takes_comments(&self.comments) {
            self.comments.clear();
        }
        self.leave_out_comments();
        let out = &mut self.out;
        if let Some(mut before) = self.reader.take() {
            before.end(out);
        }
        out.settle();
        let taken = next.begin(text, out)?;
        self.last_row = (taken == LineOutcome::Row).then(|| shape(text));
        self.reader = Some(next);
        out.came(taken)
    }
}

/// The reader of what begins at this line. Within an output, rows of another tool are looked for only
/// where a line is not that output's own.
fn begins(text: &str, is_within: bool) -> Option<Box<dyn Reader>> {
    let first = text.bytes().find(|byte| !byte.is_ascii_whitespace());
    // A remark, JSON, `Usage:`, `Sending output to`, `test nrep count`, `begin result`, or a command.
    let may_begin = matches!(first, Some(b'#' | b'{' | b'U' | b'S' | b't' | b'b' | b'm'));
    let is_digit = first.is_some_and(|byte| byte.is_ascii_digit() || byte == b'.');
    let may_begin = may_begin || text.contains("time_us");
    if is_within && !may_begin && (is_digit || !text.contains("_perf")) {
        return None;
    }
    TOOLS.iter().find_map(|begins| begins(text))
}

/// Whether a line is empty, or a rule.
fn is_rule(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace() || b"#-=*".contains(&byte))
}

/// Whether a text looks like the output of a benchmark.
#[must_use]
pub fn is_known(begin: &str) -> bool {
    let mut reading = Importer::default();
    reading.begin("");
    // Errors are reported when the file is read.
    let told = reading.tell(begin.as_bytes()).and_then(|()| reading.tell(b"\n"));
    told.is_err() || reading.reader.is_some()
}

/// Length, and figures behind the last number's point: rows of a table that is printed in columns
/// share both.
fn shape(text: &str) -> (usize, Option<usize>) {
    let bytes = text.trim_ascii_end().as_bytes();
    let back = bytes.iter().rev().take_while(|byte| !byte.is_ascii_whitespace());
    let figures = back.clone().position(|byte| *byte == b'.');
    (text.len(), figures)
}

/// Whether a line begins like a row of numbers.
fn is_row(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| c.is_ascii_digit())
        || text.split_whitespace().nth(1).is_some_and(|word| {
            word.starts_with(|c: char| c.is_ascii_digit()) && !text.trim_start().starts_with('#')
        })
}
