//! NetPIPE: `  0:       1 bytes 307275 times -->     46.49 Mbps in       0.16 usec` on its console;
//! its file, `bytes Mbps seconds`, names nothing and is not told from other numbers.

use super::read::{Out, Reader, Taken};
use super::table::number;
use super::{Run, Tool, What};
use crate::Error;
use crate::signature::Statistic;
use crate::units::{Bytes, Micros, Procs};

/// Whether it looks like a row of its console: it has no beginning of its own.
pub(super) fn is_row(text: &str) -> bool {
    row(text).is_some()
}

/// A reader of its console.
pub(super) fn reader(out: &mut Out) -> Box<dyn Reader> {
    out.run(|file, line| Run {
        tool: Tool::Netpipe,
        version: None,
        benchmark: "ping-pong".to_owned(),
        file,
        line,
        procs: Some(Procs(2)),
        is_of_two: true,
        facts: Vec::new(),
        what: What::Message,
    });
    Box::new(Netpipe)
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

struct Netpipe;

impl Reader for Netpipe {
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
        Ok(Taken::Yes)
    }
}
