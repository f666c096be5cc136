//! logp_mpi: `# LogP network performance data: …`, L, a header, rows in seconds.
//!
//! Its own loader reads os, os_cnfint, os_min; the file has them in the order of its header, which is
//! believed.

use super::read::{Out, Reader, Taken};
use super::table::{Columns, number, numbers};
use super::{Run, Tool, What};
use crate::Error;
use crate::signature::Statistic;
use crate::units::{Bytes, Micros, Procs};

const SECOND: f64 = 1e6;

/// A reader, for what begins like one of its files.
pub(super) fn begins(text: &str, out: &mut Out) -> Option<Box<dyn Reader>> {
    let name = text.trim().strip_prefix("# LogP network performance data:")?.trim().to_owned();
    // logp_test.Send.Recv: the calls by which messages went.
    let style = name.split_once('.').map(|(_, style)| style.to_owned());
    let begin = |what: What, what_of: &str, out: &mut Out| {
        let facts = style.iter().map(|style| ("style", style.clone())).collect();
        out.run(|file, line| Run {
            tool: Tool::LogpMpi,
            version: None,
            benchmark: format!("{name}, {what_of}"),
            file,
            line,
            procs: Some(Procs(2)),
            is_of_two: true,
            facts,
            what,
        })
    };
    let latency = begin(What::Latency, "L", out);
    let send = begin(What::SendCall, "os", out);
    let recv = begin(What::RecvCall, "or", out);
    let gap = begin(What::Gap, "g", out);
    Some(Box::new(LogpMpi { latency, of: [("os", send), ("or", recv), ("g", gap)], columns: None }))
}

struct LogpMpi {
    latency: u32,
    /// Columns, and the runs that they are taken as.
    of: [(&'static str, u32); 3],
    columns: Option<Columns>,
}

impl Reader for LogpMpi {
    fn line(&mut self, text: &str, out: &mut Out) -> Result<Taken, Error> {
        let text = text.trim();
        if let Some(remark) = text.strip_prefix('#') {
            let remark = remark.trim();
            if let Some(latency) = remark.strip_prefix("Latency =")
                && let Some(latency) = number(latency.trim())?
            {
                out.row_of(self.latency, None, Micros(latency * SECOND), Statistic::Reported);
            } else if remark.starts_with("time") {
                self.columns = Some(Columns::words(remark));
            }
            return Ok(Taken::Yes);
        }
        if text.is_empty() {
            return Ok(Taken::Yes);
        }
        let Some(columns) = &self.columns else { return Ok(Taken::No) };
        let Some(row) = numbers(text)? else { return Ok(Taken::No) };
        if row.len() != columns.len() {
            return Ok(Taken::Refused(
                "it has not as many numbers as there are columns".to_owned(),
            ));
        }
        let bytes = columns.find(&["bytes"]).map(|at| Bytes(row[at] as u64));
        for (name, run) in self.of {
            if let Some(time) = columns.find(&[name]).map(|at| row[at])
                && time.is_finite()
                && time > 0.0
            {
                out.row_of(run, bytes, Micros(time * SECOND), Statistic::Mean);
            }
        }
        Ok(Taken::Yes)
    }
}
