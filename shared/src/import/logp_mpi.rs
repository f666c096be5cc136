//! logp_mpi: `# LogP network performance data: …`, L, a header, rows in seconds.
//!
//! Its own loader reads os, os_cnfint, os_min; the file has them in the order of its header, which is
//! believed.

use super::reading::{Out, Reader, Taken};
use super::table::{Columns, number, numbers};
use super::{Run, Tool, What};
use crate::Error;
use crate::signature::Statistic;
use crate::units::{Bytes, Micros, Procs};

const SECOND: f64 = 1e6;

/// A reader, for what begins like one of its files.
pub(super) fn begins(text: &str) -> Option<Box<dyn Reader>> {
    let name = text.trim().strip_prefix("# LogP network performance data:")?.trim().to_owned();
    Some(Box::new(LogpMpi { name, latency: 0, of: Vec::new(), columns: None }))
}

struct LogpMpi {
    /// As the file says it, such as `logp_test.Send.Recv`: program, and the calls by which messages
    /// went.
    name: String,
    latency: usize,
    /// Columns, and the runs that they are taken as.
    of: Vec<(&'static str, usize)>,
    columns: Option<Columns>,
}

impl Reader for LogpMpi {
    fn begin(&mut self, out: &mut Out) {
        let style = self.name.split('.').nth(1).map(str::to_ascii_lowercase);
        let mut begin = |what: What| {
            let run = Run::new(Tool::LogpMpi, self.name.as_str(), what);
            out.run(Run { procs: Some(Procs(2)), style: style.clone(), ..run })
        };
        self.latency = begin(What::Latency);
        self.of = [("os", What::SendCall), ("or", What::RecvCall), ("g", What::Gap)]
            .map(|(column, what)| (column, begin(what)))
            .to_vec();
    }

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
        for &(name, run) in &self.of {
            if let Some(time) = columns.find(&[name]).map(|at| row[at])
                && time.is_finite()
                && time > 0.0
            {
                out.row_of(run, bytes, Micros(time * SECOND), Statistic::Mean);
            }
        }
        Ok(Taken::Row)
    }
}
