//! SKaMPI: `begin result "NAME"`, rows `count= 4  4  0.5  0.0  16  0.5  0.5`, `end result`, in µs.
//!
//! The numbers are the variable, the bytes, the mean, its standard error, the repetitions, and one mean
//! for each rank.

use super::reading::{Out, Reader, Taken};
use super::table::numbers;
use super::{Run, Tool, What};
use crate::Error;
use crate::signature::{Operation, Statistic};
use crate::units::{Bytes, Micros, Procs};

/// A reader, for what begins like its output, or like one of its results.
pub(super) fn begins(text: &str) -> Option<Box<dyn Reader>> {
    let version = text.trim().strip_prefix("# SKaMPI Version ")?;
    let version = version.split_whitespace().next().map(str::to_owned);
    Some(Box::new(Skampi { version, run: None }))
}

struct Skampi {
    version: Option<String>,
    run: Option<usize>,
}

impl Reader for Skampi {
    fn line(&mut self, text: &str, out: &mut Out) -> Result<Taken, Error> {
        let text = text.trim();
        let remark = text.trim_start_matches('#').trim();
        if let Some(name) = remark.strip_prefix("begin result") {
            let name = name.trim().trim_matches('"').to_owned();
            out.settle();
            let run = Run::new(Tool::Skampi, name.clone(), what(&name));
            self.run = Some(out.run(Run { version: self.version.clone(), ..run }));
            return Ok(Taken::Yes);
        }
        if remark.starts_with("end result") {
            self.run = None;
            return Ok(Taken::Yes);
        }
        if text.is_empty() || text.starts_with('#') {
            return Ok(Taken::Yes);
        }
        let (Some(run), Some((_, row))) = (self.run, text.split_once('=')) else {
            return Ok(Taken::No);
        };
        let Some(row) = numbers(row)? else { return Ok(Taken::No) };
        let [_, bytes, mean, _, _, ref ranks @ ..] = row[..] else {
            return Ok(Taken::Refused("it has too few numbers".to_owned()));
        };
        if !(mean.is_finite() && mean > 0.0) {
            return Ok(Taken::Refused("its time is no time".to_owned()));
        }
        if let Some(run) = out.nth(run)
            && !ranks.is_empty()
        {
            run.procs = Some(Procs(ranks.len() as u32));
        }
        // Of a ping-pong, half of it: as other tools' times of the same messages show.
        out.row_of(run, Some(Bytes(bytes as u64)), Micros(mean), Statistic::Mean);
        Ok(Taken::Row)
    }
}

fn what(name: &str) -> What {
    let name = name.to_ascii_lowercase();
    let calls = name.contains("send") && name.contains("recv") || name.contains("pingpong");
    if calls {
        return What::Message;
    }
    let op = name.trim_start_matches("mpi_").to_owned();
    let bytes_are = Operation::named(&op).ok().map(Operation::bytes_are);
    What::Collective { op: Some(op), bytes_are, is_nonblocking: false, on_gpus: false }
}
