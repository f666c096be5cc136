//! Whose output is that, and what was taken of it?

use super::lines::{self, Line};
use super::{Row, Run, imb, logp_mpi, nccl, netgauge, netpipe, osu, reprompi, skampi};
use crate::Error;
use crate::signature::Statistic;
use crate::units::{Bytes, Micros};
use serde::Serialize;

/// What a reader makes of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is known.
    Yes,
    /// It is not the tool's.
    No,
    /// It would be a row, but cannot be used.
    Refused(String),
}

/// Reads what one tool prints, from the line that told who it is.
pub(super) trait Reader {
    /// Takes the next line.
    fn line(&mut self, text: &str, out: &mut Out) -> Result<Taken, Error>;
}

/// A reader, for what begins so.
type Begins = fn(&str, &mut Out) -> Option<Box<dyn Reader>>;

const TOOLS: [Begins; 7] = [
    osu::begins,
    imb::begins,
    netgauge::begins,
    logp_mpi::begins,
    reprompi::begins,
    skampi::begins,
    nccl::begins,
];

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Read {
    /// Which benchmarks.
    pub runs: Vec<Run>,
    /// Their numbers.
    pub rows: Vec<Row>,
    /// Lines that were left out, and why.
    pub left_out: Vec<LeftOut>,
}

/// Lines that were left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// In which file.
    pub file: String,
    /// The first of them.
    pub line: u64,
    /// How many follow each other, or have the same reason.
    pub count: u64,
    /// Why.
    pub why: String,
}

/// Where readers put what they find.
pub(super) struct Out<'a> {
    file: &'a str,
    line: u64,
    read: &'a mut Read,
}

impl Out<'_> {
    /// A benchmark begins at this line; says its number.
    pub(super) fn run(&mut self, run: impl FnOnce(String, u64) -> Run) -> u32 {
        self.read.runs.push(run(self.file.to_owned(), self.line));
        (self.read.runs.len() - 1) as u32
    }

    /// The benchmark that began last.
    pub(super) fn current(&mut self) -> Option<&mut Run> {
        self.read.runs.last_mut()
    }

    /// One of the benchmarks.
    pub(super) fn nth(&mut self, run: u32) -> Option<&mut Run> {
        self.read.runs.get_mut(run as usize)
    }

    /// A number of the benchmark that began last.
    pub(super) fn row(&mut self, bytes: Option<Bytes>, time: Micros, statistic: Statistic) {
        let run = self.read.runs.len().saturating_sub(1) as u32;
        self.row_of(run, bytes, time, statistic);
    }

    /// A number of one of the benchmarks.
    pub(super) fn row_of(
        &mut self,
        run: u32,
        bytes: Option<Bytes>,
        time: Micros,
        statistic: Statistic,
    ) {
        self.read.rows.push(Row { run, line: self.line, bytes, time, statistic });
    }

    /// This line is left out.
    pub(super) fn leave_out(&mut self, why: &str) {
        match self.read.left_out.last_mut() {
            Some(last) if last.why == why && last.file == self.file => last.count += 1,
            _ => self.read.left_out.push(LeftOut {
                file: self.file.to_owned(),
                line: self.line,
                count: 1,
                why: why.to_owned(),
            }),
        }
    }
}

/// Reads a file, which may hold outputs of several tools.
pub fn read(name: &str, text: &str, read: &mut Read) -> Result<(), Error> {
    let mut reader: Option<Box<dyn Reader>> = None;
    let mut out = Out { file: name, line: 0, read };
    lines::each(text, |Line { number, text, is_whole }| {
        out.line = number;
        let place = |error: Error| Error { place: format!("{name}:{number}"), ..error };
        if let Some(next) = TOOLS.iter().find_map(|begins| begins(text, &mut out)) {
            reader = Some(next);
            return Ok(());
        }
        if reader.is_none() && netpipe::is_row(text) {
            reader = Some(netpipe::reader(&mut out));
        }
        let Some(reader) = &mut reader else {
            if !text.trim().is_empty() {
                out.leave_out("it stands before anything that is known");
            }
            return Ok(());
        };
        if !is_whole && text.trim().starts_with(|c: char| c.is_ascii_digit()) {
            out.leave_out("the file ends within it: its last number may be cut off");
            return Ok(());
        }
        match reader.line(text, &mut out).map_err(place)? {
            Taken::Yes => {}
            Taken::No => out.leave_out("it is not this tool's"),
            Taken::Refused(why) => out.leave_out(&why),
        }
        Ok(())
    })
}
