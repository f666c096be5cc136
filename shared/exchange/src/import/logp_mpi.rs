//! logp_mpi: `# LogP network performance data: …`, L, a header, rows in seconds.
//!
//! Columns follow the header; logp_mpi's own loader assumes another order (os, os_cnfint, os_min).

use super::reader::{LineOutcome, Out, Reader};
use super::table::{Columns, NO_SIZE, UNEVEN, number, numbers, seconds, size};
use super::{BenchmarkKind, Run, Tool};
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::Procs;

/// Returns a reader if the line starts a logp_mpi file or console output.
pub(super) fn detect(text: &str) -> Option<Box<dyn Reader>> {
    let text = text.trim();
    if let Some(name) = text.strip_prefix("# LogP network performance data:") {
        let name = name.trim().to_owned();
        return Some(Box::new(LogpMpi {
            name,
            latency: 0,
            columns_of_runs: Vec::new(),
            columns: None,
        }));
    }
    // 0: measuring with peer 1
    let rest_of_line = text.split_once(": ").map_or(text, |(rank, rest)| {
        let is_rank = rank.bytes().all(|byte| byte.is_ascii_digit());
        if is_rank { rest } else { text }
    });
    let is_console = rest_of_line.starts_with("measuring with peer")
        || rest_of_line.starts_with("mirroring peer");
    is_console.then(|| Box::new(Console) as Box<dyn Reader>)
}

/// The progress output of logp_mpi.
struct Console;

impl Reader for Console {
    fn begin(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        self.line(text, out)
    }

    fn continues(&self, text: &str) -> bool {
        !text.starts_with('#') && detect(text).is_some()
    }

    fn line(&mut self, text: &str, _out: &mut Out) -> Result<LineOutcome, Error> {
        let reason =
            "this is logp_mpi's progress output; its results are in the file that it writes";
        let is_empty = text.trim().is_empty();
        Ok(if is_empty { LineOutcome::Known } else { LineOutcome::Refused(reason.to_owned()) })
    }
}

struct LogpMpi {
    /// The name in the file, such as `logp_test.Send.Recv`: program, send call, receive call.
    name: String,
    latency: usize,
    /// Column, run and statistic.
    columns_of_runs: Vec<(&'static str, usize, Statistic)>,
    columns: Option<Columns>,
}

impl Reader for LogpMpi {
    fn begin(&mut self, _text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let style = self.name.split('.').nth(1).map(str::to_ascii_lowercase);
        let mut begin = |kind: BenchmarkKind| {
            let run = Run::new(Tool::LogpMpi, self.name.as_str(), kind);
            out.run(Run { procs: Some(Procs(2)), style: style.clone(), ..run })
        };
        self.latency = begin(BenchmarkKind::Latency);
        let (send, recv, gap) = (
            begin(BenchmarkKind::SendCall),
            begin(BenchmarkKind::RecvCall),
            begin(BenchmarkKind::Gap),
        );
        self.columns_of_runs = vec![
            ("os", send, Statistic::Mean),
            ("os_min", send, Statistic::Minimum),
            ("or", recv, Statistic::Mean),
            ("or_min", recv, Statistic::Minimum),
            ("g", gap, Statistic::Mean),
        ];
        Ok(LineOutcome::Known)
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let text = text.trim_ascii();
        if let Some(remark) = text.strip_prefix('#') {
            let remark = remark.trim();
            if let Some(latency) = remark.strip_prefix("Latency =") {
                return self.latency(latency, out);
            }
            if remark.starts_with("time") {
                out.unused_columns("os_cnfint, or_cnfint");
                self.columns = Some(Columns::words(remark));
            }
            return Ok(LineOutcome::Known);
        }
        if text.is_empty() {
            return Ok(LineOutcome::Known);
        }
        let Some(columns) = &self.columns else { return Ok(LineOutcome::Foreign) };
        let Some(row) = numbers(text)? else { return Ok(LineOutcome::Foreign) };
        if row.len() != columns.len() {
            return Ok(LineOutcome::Refused(UNEVEN.to_owned()));
        }
        let Some(bytes) = columns.find(&["bytes"]).and_then(|at| size(row[at])) else {
            return Ok(LineOutcome::Refused(NO_SIZE.to_owned()));
        };
        for &(name, run, statistic) in &self.columns_of_runs {
            let Some(time) = columns.find(&[name]).map(|at| row[at]) else { continue };
            match seconds(time) {
                Some(time) => out.row_of(run, Some(bytes), time, statistic),
                None => out.leave_out("the time is below logp_mpi's resolution of 0.1 µs"),
            }
        }
        Ok(LineOutcome::Row)
    }
}

impl LogpMpi {
    fn latency(&self, word: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        match number(word.trim())?.and_then(seconds) {
            Some(time) => {
                out.row_of(self.latency, None, time, Statistic::Reported);
                Ok(LineOutcome::Known)
            }
            None => Ok(LineOutcome::Refused("its latency is not a positive number".to_owned())),
        }
    }
}
