//! nccl-tests and rccl-tests: a header over two halves, out of place and in place, rows of either layout.
//!
//! `time` is in µs. The average of the bus bandwidths over all sizes is no parameter, and never taken.

use super::reading::{Out, Reader, Taken};
use super::table::{Columns, number};
use super::{Run, Tool, What};
use crate::Error;
use crate::signature::Statistic;
use crate::units::{Bytes, Micros, Procs};

/// A reader, for what begins like their output.
pub(super) fn begins(text: &str) -> Option<Box<dyn Reader>> {
    let text = text.trim();
    let is_its = text.starts_with("# nThread ") || text.starts_with("# nccl-tests version");
    is_its.then(|| Box::new(Nccl::default()) as Box<dyn Reader>)
}

#[derive(Default)]
struct Nccl {
    /// How many devices, each with a rank.
    ranks: u32,
    /// As the program says it, where it does.
    op: Option<String>,
    columns: Option<Columns>,
    run: Option<usize>,
}

impl Reader for Nccl {
    fn line(&mut self, text: &str, out: &mut Out) -> Result<Taken, Error> {
        let text = text.trim();
        if text.contains(" NCCL INFO ") || text.contains(" NCCL WARN ") || text.is_empty() {
            return Ok(Taken::Yes);
        }
        if let Some(remark) = text.strip_prefix('#') {
            self.remark(remark.trim());
            return Ok(Taken::Yes);
        }
        let Some(columns) = &self.columns else { return Ok(Taken::No) };
        let words: Vec<&str> = text.split_whitespace().collect();
        let (Some(size), Some(time)) =
            (columns.find(&["size"]), columns.find(&["time", "cputime"]))
        else {
            return Ok(Taken::No);
        };
        let [Some(size), Some(time)] = [size, time].map(|at| words.get(at)) else {
            return Ok(Taken::Refused("it has not as many words as there are columns".to_owned()));
        };
        let (Some(bytes), Some(time)) = (number(size)?, number(time)?) else {
            return Ok(Taken::No);
        };
        if words.len() < columns.len() || !(time.is_finite() && time > 0.0) {
            return Ok(Taken::Refused("it has not as many words as there are columns".to_owned()));
        }
        let run = match self.run {
            Some(run) => run,
            None => self.first_row(out),
        };
        out.row_of(run, Some(Bytes(bytes as u64)), Micros(time), Statistic::Mean);
        Ok(Taken::Row)
    }
}

impl Nccl {
    fn remark(&mut self, remark: &str) {
        if remark.starts_with("Rank ") {
            self.ranks += 1;
        } else if let Some(op) = remark.strip_prefix("Collective test starting:") {
            self.op = Some(op.trim().trim_end_matches("_perf").to_owned());
        } else if remark.starts_with("size ") {
            self.columns = Some(Columns::words(remark));
        }
    }

    fn first_row(&mut self, out: &mut Out) -> usize {
        let op = self.op.as_ref().map(|op| op.replace("all_reduce", "allreduce"));
        let name =
            format!("{}out of place", op.as_ref().map_or(String::new(), |op| format!("{op}, ")));
        let what = What::Collective { op, bytes_are: None, is_nonblocking: false, on_gpus: true };
        let procs = Some(self.ranks).filter(|ranks| *ranks > 0).map(Procs);
        let run = out.run(Run { procs, ..Run::new(Tool::Nccl, name, what) });
        self.run = Some(run);
        run
    }
}
