//! NetPIPE 3 to 5: console output and output file.
//!
//! Neither contains the tool's name, so it is recognised by its rows or the first line of the console.
//! If only the first line follows, the report states that there are no numbers.

mod rows;

use super::reader::{LineOutcome, Out, Reader};
use super::table::{NO_TIME, is_time};
use super::{BenchmarkKind, Run, Tool};
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::Procs;

/// Returns a reader if the line is a NetPIPE row, or its first console line.
pub(super) fn detect(text: &str) -> Option<Box<dyn Reader>> {
    let is_first = text.trim_start().starts_with("Sending output to ");
    let is_row = text.contains("times -->") && rows::is_console(text) || rows::is_file(text);
    (is_first || is_row).then(|| Box::new(Netpipe { is_empty: true }) as Box<dyn Reader>)
}

struct Netpipe {
    /// Whether no row was read yet.
    is_empty: bool,
}

impl Reader for Netpipe {
    fn begin(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let run = Run::new(Tool::Netpipe, "ping-pong", BenchmarkKind::Message);
        out.run(Run { procs: Some(Procs(2)), ..run });
        self.line(text, out)
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let row = match rows::console(text)? {
            None => rows::file(text)?,
            row => row,
        };
        let Some((bytes, time)) = row else { return Ok(self.text_line(text.trim(), out)) };
        if !is_time(time.0) {
            return Ok(LineOutcome::Refused(NO_TIME.to_owned()));
        }
        self.is_empty = false;
        out.row(Some(bytes), time, Statistic::Reported);
        Ok(LineOutcome::Row)
    }

    fn continues(&self, text: &str) -> bool {
        self.is_empty && detect(text).is_some()
    }

    fn end(&mut self, out: &mut Out) {
        if self.is_empty {
            out.leave_out("NetPIPE's output starts here, but contains no numbers");
        }
    }
}

impl Netpipe {
    /// A line between rows.
    fn text_line(&self, text: &str, out: &mut Out) -> LineOutcome {
        let lower = text.to_ascii_lowercase();
        let set_run = |kind: BenchmarkKind, style: Option<&str>, out: &mut Out| {
            if let Some(run) = out.current() {
                (run.kind, run.style) = (kind, style.map(str::to_owned));
            }
            LineOutcome::Known
        };
        if lower.starts_with("streaming in one direction") {
            return set_run(
                BenchmarkKind::Stream { window: None, directions: 1, pairs: 1 },
                None,
                out,
            );
        }
        let both = ["both directions", "bi-directional", "bidirectional mode"];
        if both.iter().any(|words| lower.contains(words)) {
            return set_run(BenchmarkKind::Exchange { neighbours: 1 }, None, out);
        }
        if lower.contains("synchronous sends") && !lower.contains("asynchronous") {
            return set_run(BenchmarkKind::Message, Some("ssend"), out);
        }
        // 0: vm (rank and host)
        let is_host = text.split_once(':').is_some_and(|(rank, host)| {
            rank.bytes().all(|byte| byte.is_ascii_digit()) && !host.trim().contains(' ')
        });
        let begins = ["sending output", "now starting", "clock resolution", "start testing"];
        let is_known = is_host
            || text.is_empty()
            || self.is_empty && !text.contains(' ')
            || begins.iter().any(|begin| lower.starts_with(begin))
            || lower.starts_with("completed with");
        if is_known { LineOutcome::Known } else { LineOutcome::Foreign }
    }
}
