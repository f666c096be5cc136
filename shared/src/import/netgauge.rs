//! Netgauge's LogGP: its console, and the file that it writes.
//!
//! What it prints as `GiB/s` is not that; G itself is taken, in µs a byte. Numbers that are none, or
//! below zero, are left out.

use super::reading::{Out, Reader, Taken};
use super::table::{Columns, number, numbers};
use super::{Run, Tool, What};
use crate::Error;
use crate::signature::Statistic;
use crate::units::{Bytes, Micros, Procs};

/// A reader, for what begins like its console or like its file.
pub(super) fn begins(text: &str) -> Option<Box<dyn Reader>> {
    let text = text.trim();
    let is_file = text.starts_with("# size n PRTT(");
    let said = text.split_once("Netgauge v");
    if !is_file && said.is_none() {
        return None;
    }
    let version = said.and_then(|(_, rest)| rest.split_whitespace().next()).map(str::to_owned);
    let procs = said.and_then(|(_, rest)| {
        let (_, count) = rest.split_once("(P=")?;
        count.split([',', ')']).next()?.parse().ok()
    });
    let columns = is_file.then(|| Columns::words(text.trim_start_matches('#')));
    Some(Box::new(Netgauge { version, procs, runs: Runs::default(), columns }))
}

/// The runs that one output is taken as.
#[derive(Clone, Copy, Default)]
struct Runs {
    message: usize,
    send: usize,
    recv: usize,
    gap: usize,
}

struct Netgauge {
    version: Option<String>,
    procs: Option<u32>,
    runs: Runs,
    columns: Option<Columns>,
}

impl Reader for Netgauge {
    fn begin(&mut self, out: &mut Out) {
        let mut begin = |what: What| {
            let run = Run::new(Tool::Netgauge, "loggp", what);
            out.run(Run { version: self.version.clone(), procs: self.procs.map(Procs), ..run })
        };
        self.runs = Runs {
            message: begin(What::Message),
            send: begin(What::SendCall),
            recv: begin(What::RecvCall),
            gap: begin(What::Gap),
        };
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<Taken, Error> {
        let text = text.trim();
        if let Some(columns) = &self.columns {
            return self.row(text, columns, out);
        }
        let text = text.trim_start_matches('.').trim();
        let is_known = text.is_empty()
            || text.starts_with(['#', '!', '*'])
            || text.starts_with("Testing ")
            || text.starts_with("we detected")
            || text.starts_with("+")
            || text.contains("protocol change");
        if is_known || !text.starts_with("L=") {
            return Ok(if is_known { Taken::Yes } else { Taken::No });
        }
        let said = |name: &str| -> Result<Option<f64>, Error> {
            let word = text.split_whitespace().find_map(|word| word.strip_prefix(name));
            word.map_or(Ok(None), number)
        };
        let Some(size) = said("s=")? else { return Ok(Taken::No) };
        let Runs { message, send, recv, .. } = self.runs;
        let bytes = Some(Bytes(size as u64));
        self.one(send, bytes, said("o_s=")?, out);
        self.one(recv, bytes, said("o_r=")?, out);
        if size == 1.0 {
            self.one(message, bytes, said("L=")?, out);
        }
        Ok(Taken::Row)
    }
}

impl Netgauge {
    fn one(&self, run: usize, bytes: Option<Bytes>, time: Option<f64>, out: &mut Out) {
        match time {
            Some(time) if time.is_finite() && time > 0.0 => {
                out.row_of(run, bytes, Micros(time), Statistic::Reported);
            }
            Some(_) => out.leave_out("Netgauge found no time there, or one below zero"),
            None => {}
        }
    }

    /// `size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)`
    fn row(&self, text: &str, columns: &Columns, out: &mut Out) -> Result<Taken, Error> {
        if text.is_empty() || text.starts_with('#') {
            return Ok(Taken::Yes);
        }
        let Some(row) = numbers(text)? else { return Ok(Taken::No) };
        if row.len() != columns.len() {
            return Ok(Taken::Refused(
                "it has not as many numbers as there are columns".to_owned(),
            ));
        }
        let at = |name: &str| columns.find(&[name]).map(|at| row[at]);
        let bytes = at("size").map(|size| Bytes(size as u64));
        let Runs { message, send, recv, gap } = self.runs;
        self.one(message, bytes, at("PRTT(1,0,s)").map(|trip| trip / 2.0), out);
        self.one(send, bytes, at("o_s"), out);
        self.one(recv, bytes, at("o_r"), out);
        // The time a message in a flood of n: the rest of PRTT(n,0,s) shared among them.
        let flood = at("PRTT(n,0,s)").zip(at("PRTT(1,0,s)")).zip(at("n"));
        let each = flood.filter(|(_, n)| *n > 1.0).map(|((all, one), n)| (all - one) / (n - 1.0));
        self.one(gap, bytes, each, out);
        Ok(Taken::Row)
    }
}
