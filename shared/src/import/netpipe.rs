//! NetPIPE: `  0:       1 bytes 307275 times -->     46.49 Mbps in       0.16 usec` on its console;
//! its file, `bytes Mbps seconds`, names nothing and is not told from other numbers.

use super::reading::{Out, Reader, Taken};
use super::table::number;
use super::{Run, Tool, What};
use crate::Error;
use crate::signature::Statistic;
use crate::units::{Bytes, Micros, Procs};

/// A reader, for what looks like a row of its console: it has no beginning of its own.
pub(super) fn begins(text: &str) -> Option<Box<dyn Reader>> {
    row(text)?;
    Some(Box::new(Netpipe { first: Some(text.to_owned()) }))
}

/// Bytes and µs.
fn row(text: &str) -> Option<(&str, &str)> {
    let (number, rest) = text.trim().split_once(':')?;
    number.trim().parse::<u32>().ok()?;
    let (bytes, rest) = rest.trim().split_once(" bytes ")?;
    let (_, rest) = rest.split_once("-->")?;
    let (_, rest) = rest.split_once("Mbps in")?;
    Some((bytes.trim(), rest.trim().strip_suffix("usec")?.trim()))
}

struct Netpipe {
    /// The row that it began with.
    first: Option<String>,
}

impl Reader for Netpipe {
    fn begin(&mut self, out: &mut Out) {
        let run = Run::new(Tool::Netpipe, "ping-pong", What::Message);
        out.run(Run { procs: Some(Procs(2)), ..run });
        if let Some(first) = self.first.take() {
            // A comma would have been no row of its.
            let _ = self.line(&first, out);
        }
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<Taken, Error> {
        let Some((bytes, time)) = row(text) else {
            let is_empty = text.trim().is_empty();
            return Ok(if is_empty { Taken::Yes } else { Taken::No });
        };
        let (Some(bytes), Some(time)) = (number(bytes)?, number(time)?) else {
            return Ok(Taken::No);
        };
        if !(time.is_finite() && time > 0.0) {
            return Ok(Taken::Refused("its time is no time".to_owned()));
        }
        out.row(Some(Bytes(bytes as u64)), Micros(time), Statistic::Reported);
        Ok(Taken::Row)
    }
}
