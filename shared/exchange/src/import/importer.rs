//! Recognises outputs of tools, and collects their numbers.

use super::lines::{Line, Lines};
use super::reader::{LineOutcome, Out, Read, Reader};
use super::{imb, logp_mpi, nccl, netgauge, netpipe, osu, plain, reprompi, skampi};
use loggia_model::Error;
use loggia_model::error::Place;

const MAX_COMMENTS: usize = 100;

/// Reason for lines before the first recognised output.
pub(super) const BEFORE_FIRST_OUTPUT: &str = "no recognised output precedes it";

/// Magic numbers of compressed files.
const COMPRESSED: [(&[u8], &str); 5] = [
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zX", "xz"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"7z\xbc\xaf", "7-Zip"),
];

/// Returns a reader if a line starts an output of the tool.
type Detect = fn(&str) -> Option<Box<dyn Reader>>;

const TOOLS: [Detect; 9] = [
    osu::detect,
    imb::detect,
    netgauge::detect,
    logp_mpi::detect,
    reprompi::detect,
    skampi::detect,
    nccl::detect,
    plain::detect,
    netpipe::detect,
];

/// Reads files piece by piece.
#[derive(Default)]
pub struct Importer {
    out: Out,
    lines: Lines,
    reader: Option<Box<dyn Reader>>,
    /// Comments before the first recognised output, with their line numbers.
    comments: Vec<(u64, String)>,
    /// Shape of the last row: its length, and the decimals of its last number.
    last_row: Option<(usize, Option<usize>)>,
    content: Content,
}

/// The content of the current file.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Content {
    #[default]
    Unread,
    Text,
    Compressed,
}

impl Importer {
    /// Starts a file.
    pub fn begin(&mut self, file: &str) {
        self.out.read.files.push(file.to_owned());
        (self.out.file, self.out.line) = (file.to_owned(), 0);
        (self.lines, self.reader, self.last_row) = (Lines::default(), None, None);
        self.comments.clear();
        self.content = Content::Unread;
    }

    /// Reads the next bytes of the file.
    ///
    /// # Errors
    /// If a number contains a comma, a row of a plain table is wrong, or there are too many
    /// conditions.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if self.content == Content::Unread && !bytes.is_empty() {
            self.content = Content::Text;
            let format = COMPRESSED.iter().find(|(magic, _)| bytes.starts_with(magic));
            if let Some((_, format)) = format {
                self.content = Content::Compressed;
                self.out.leave_out_line(
                    1,
                    &format!("{format} files are not supported: unpack it, and import its content"),
                );
            }
        }
        if self.content == Content::Compressed {
            return Ok(());
        }
        let mut lines = std::mem::take(&mut self.lines);
        let result = lines.push(bytes, |line| self.line(line));
        self.lines = lines;
        result
    }

    /// Ends the file.
    ///
    /// # Errors
    /// As in [`Importer::tell`], for the last line.
    pub fn end(&mut self) -> Result<(), Error> {
        let lines = std::mem::take(&mut self.lines);
        lines.end(|line| self.line(line))?;
        self.leave_out_comments();
        if let Some(mut reader) = self.reader.take() {
            reader.end(&mut self.out);
        }
        self.out.finish_runs();
        Ok(())
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// As in [`Importer::tell`].
    pub fn file(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.begin(name);
        self.push(bytes)?;
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

    /// Leaves out the kept comments; they do not belong to an output.
    fn leave_out_comments(&mut self) {
        for (line, _) in self.comments.drain(..) {
            self.out.leave_out_line(line, BEFORE_FIRST_OUTPUT);
        }
    }

    fn take(&mut self, line: &Line<'_>) -> Result<(), Error> {
        let out = &mut self.out;
        if line.is_too_long {
            out.leave_out("longer than any line of a known benchmark");
            return Ok(());
        }
        let text = line.text;
        if let Some(next) = detect(text, self.reader.is_some())
            && !self.reader.as_ref().is_some_and(|reader| reader.continues(text))
        {
            return self.change(next, text);
        }
        let Some(reader) = &mut self.reader else {
            let is_comment = text.trim_start().starts_with('#');
            if is_separator(text) {
                return Ok(());
            }
            if is_comment && self.comments.len() < MAX_COMMENTS {
                self.comments.push((line.number, text.to_owned()));
                return Ok(());
            }
            self.leave_out_comments();
            match plain::unknown_header(text) {
                Some(reason) => self.out.leave_out(&reason),
                None => self.out.leave_out(BEFORE_FIRST_OUTPUT),
            }
            return Ok(());
        };
        if !line.is_whole
            && !reader.ends_anywhere()
            && is_row(text)
            && self.last_row != Some(shape(text))
        {
            out.leave_out("the line has no line end and may be truncated");
            return Ok(());
        }
        let outcome = reader.line(text, out)?;
        if matches!(outcome, LineOutcome::Foreign | LineOutcome::Refused(_))
            && let Some(next) = netpipe::detect(text)
        {
            return self.change(next, text);
        }
        if outcome == LineOutcome::Row {
            self.last_row = Some(shape(text));
        }
        out.record(outcome)
    }

    /// Switches to the reader of the output that starts at this line.
    fn change(&mut self, mut next: Box<dyn Reader>, text: &str) -> Result<(), Error> {
        if next.takes_comments(&self.comments) {
            self.comments.clear();
        }
        self.leave_out_comments();
        let out = &mut self.out;
        if let Some(mut before) = self.reader.take() {
            before.end(out);
        }
        out.finish_runs();
        let outcome = next.begin(text, out)?;
        self.last_row = (outcome == LineOutcome::Row).then(|| shape(text));
        self.reader = Some(next);
        out.record(outcome)
    }
}

/// The reader of an output that starts at this line. Inside an output, lines that cannot be a title
/// are skipped quickly.
fn detect(text: &str, is_inside: bool) -> Option<Box<dyn Reader>> {
    let first = text.bytes().find(|byte| !byte.is_ascii_whitespace());
    // `#`, JSON, `Usage:`, `Sending output to`, `test nrep count`, `begin result`, or a command.
    let may_begin = matches!(first, Some(b'#' | b'{' | b'U' | b'S' | b't' | b'b' | b'm'));
    let is_digit = first.is_some_and(|byte| byte.is_ascii_digit() || byte == b'.');
    let may_begin = may_begin || text.contains("time_us");
    if is_inside && !may_begin && (is_digit || !text.contains("_perf")) {
        return None;
    }
    TOOLS.iter().find_map(|detect| detect(text))
}

/// Whether a line is empty or a separator.
fn is_separator(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_whitespace() || b"#-=*".contains(&byte))
}

/// Whether a text looks like the output of a benchmark.
#[must_use]
pub fn is_known(begin: &str) -> bool {
    let mut importer = Importer::default();
    importer.begin("");
    // Errors are reported when the file is read.
    let result = importer.push(begin.as_bytes()).and_then(|()| importer.push(b"\n"));
    result.is_err() || importer.reader.is_some()
}

/// Length, and decimals of the last number: equal for all rows of a table with aligned columns.
fn shape(text: &str) -> (usize, Option<usize>) {
    let bytes = text.trim_ascii_end().as_bytes();
    let last_word = bytes.iter().rev().take_while(|byte| !byte.is_ascii_whitespace());
    let decimals = last_word.clone().position(|byte| *byte == b'.');
    (text.len(), decimals)
}

/// Whether a line begins like a row of numbers.
fn is_row(text: &str) -> bool {
    text.trim_start().starts_with(|c: char| c.is_ascii_digit())
        || text.split_whitespace().nth(1).is_some_and(|word| {
            word.starts_with(|c: char| c.is_ascii_digit()) && !text.trim_start().starts_with('#')
        })
}
