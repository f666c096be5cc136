//! Recognises outputs of tools, and collects their numbers.

use super::lines::{Line, Lines};
use super::reader::{LineOutcome, Out, Read, Reader};
use super::{imb, logp_mpi, nccl, netgauge, netpipe, osu, plain, reprompi, skampi};
use loggia_model::Error;
use loggia_model::error::Place;

const MOST_COMMENTS: usize = 100;

/// Reason for lines before any recognised output.
pub(super) const BEFORE_ANYTHING: &str = "it stands before anything that is known";

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
