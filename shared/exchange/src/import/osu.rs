//! OSU micro-benchmarks, 5 to 7: `# OSU MPI Latency Test v7.4`, a header that names columns, rows.
//!
//! | file | content |
//! |---|---|
//! | `title` | kind of a benchmark, from its title |
//! | `columns` | columns and rows of tables |
//!
//! Outputs lack the number of ranks and the hosts. The window of a bandwidth test is 64 by default.
//! `MB` is 10^6 bytes, summed over all pairs and directions.

mod columns;
mod title;

use super::reader::{LineOutcome, Out, Reader};
use super::table::{INVALID_DATA, NO_TIME, UNEVEN, is_time, number, numbers, size};
use super::{BenchmarkKind, Run};
use columns::{Columns, ParsedRow};
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::Micros;
use title::Title;

/// Returns a reader if the line starts an OSU output.
pub(super) fn detect(text: &str) -> Option<Box<dyn Reader>> {
    let title = Title::read(text).or_else(|| is_usage(text).then(usage))?;
    Some(Box::new(Osu { run: title.run, unused: title.unused, rows: Rows::None }))
}

/// `Usage: osu_latency [options]`
fn is_usage(text: &str) -> bool {
    let program = text.trim().strip_prefix("Usage:").map(str::trim);
    program.is_some_and(|program| {
        program.trim_start_matches("./").starts_with("osu_") && program.contains("[options]")
    })
}

/// The title for the help text of an OSU program.
fn usage() -> Title {
    let run = Run::new(super::Tool::Osu, "usage", BenchmarkKind::Message);
    let reason = "this is OSU's help text; the benchmark did not run";
    Title { run, unused: Some(reason.to_owned()) }
}

struct Osu {
    /// The run, from the title and the lines after it.
    run: Run,
    /// Why the rows cannot be used.
    unused: Option<String>,
    rows: Rows,
}

/// The meaning of rows.
enum Rows {
    /// No header was read yet.
    None,
    /// Rows with these columns.
    Of(Columns),
    /// Bandwidths for several windows; the runs of the windows.
    OfWindows(Vec<usize>),
    /// A repetition of earlier rows.
    Repeated,
}

impl Reader for Osu {
    fn begin(&mut self, _text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        out.run(self.run.clone());
        Ok(LineOutcome::Known)
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let text = text.trim_ascii();
        if text.is_empty() {
            return Ok(LineOutcome::Known);
        }
        if let Some(remark) = text.strip_prefix('#') {
            self.remark(remark.trim(), out);
            return Ok(LineOutcome::Known);
        }
        if let Some(reason) = &self.unused {
            return Ok(LineOutcome::Refused(reason.clone()));
        }
        if text.starts_with("DATA VALIDATION ERROR") {
            return Ok(LineOutcome::Refused(format!("the benchmark stopped: {INVALID_DATA}")));
        }
        match &self.rows {
            Rows::Of(columns) => self.row(columns, text, out),
            Rows::OfWindows(runs) => windows(runs, text, self.messages(), out),
            Rows::Repeated => {
                Ok(if numbers(text)?.is_some() { LineOutcome::Known } else { LineOutcome::Foreign })
            }
            Rows::None => Ok(LineOutcome::Foreign),
        }
    }
}

impl Osu {
    /// Messages that a rate counts per message of one pair in one direction.
    fn messages(&self) -> f64 {
        match self.run.kind {
            BenchmarkKind::Stream { directions, pairs, .. } => {
                f64::from(directions) * f64::from(pairs)
            }
            _ => 1.0,
        }
    }

    fn row(&self, columns: &Columns, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        Ok(match columns.row(&words, self.messages())? {
            ParsedRow::NotARow => LineOutcome::Foreign,
            ParsedRow::Refused(reason) => LineOutcome::Refused(reason.to_owned()),
            ParsedRow::Row(row) => {
                for (statistic, time) in row.times {
                    out.row(row.bytes, time, statistic);
                }
                LineOutcome::Row
            }
        })
    }

    fn remark(&mut self, remark: &str, out: &mut Out) {
        if self.unused.is_some() {
            return;
        }
        if let Some(columns) = Columns::of(remark) {
            let names = columns.unused_names().join(", ");
            if !names.is_empty() {
                out.unused_columns(&names);
            }
            self.rows = Rows::Of(columns);
            return;
        }
        if let Some(datatype) = remark.strip_prefix("Datatype:") {
            let datatype = datatype.trim().trim_end_matches('.').to_owned();
            self.run.facts.retain(|(name, _)| *name != "datatype");
            self.run.facts.push(("datatype", datatype));
            self.rows = Rows::None;
        } else if remark == "Message Rate Profile" {
            self.rows = Rows::Repeated;
            return;
        } else if let Ok(Some(sizes)) = numbers(remark) {
            if !matches!(self.rows, Rows::Repeated) {
                self.windows(&sizes, out);
            }
            return;
        } else if !self.fact(remark) {
            return;
        }
        // Remarks before the numbers apply to all; later ones apply to the following rows.
        match out.current() {
            Some(run) if run.numbers.is_empty() => {
                (run.facts, run.kind) = (self.run.facts.clone(), self.run.kind.clone());
                run.benchmark.clone_from(&self.run.benchmark);
            }
            _ => {
                out.run(self.run.clone());
            }
        }
    }

    /// Starts a run for each window of the following bandwidths.
    fn windows(&mut self, sizes: &[f64], out: &mut Out) {
        let BenchmarkKind::Stream { directions, pairs, .. } = self.run.kind else { return };
        let run = |window: &f64| {
            let kind = BenchmarkKind::Stream { window: Some(*window as u32), directions, pairs };
            out.run(Run { kind, ..self.run.clone() })
        };
        self.rows = Rows::OfWindows(sizes.iter().map(run).collect());
    }

    /// Reads a line with information about the run; returns whether it is one.
    fn fact(&mut self, remark: &str) -> bool {
        // [ pairs: 2 ] [ window size: 64 ]
        let number = |name: &str| {
            let (_, rest) = remark.split_once(name)?;
            let word = rest.split([']', ' ']).find(|word| !word.is_empty())?;
            number(word).ok().flatten().map(|number| number as u32)
        };
        let pair_count = number("pairs:").filter(|pairs| *pairs > 0);
        match &mut self.run.kind {
            BenchmarkKind::Stream { window, pairs, .. } => {
                *window = number("window size:").or(*window);
                *pairs = pair_count.unwrap_or(*pairs);
            }
            BenchmarkKind::ConcurrentMessage { pairs } => *pairs = pair_count.or(*pairs),
            _ => {}
        }
        if pair_count.is_some() {
            return true;
        }
        // Number of Sender threads: 1 / Number of forked processes in sender: 2
        if remark.starts_with("Number of") && number(":").is_some_and(|count| count > 1) {
            let reason = "several threads or processes took part at one end";
            self.unused = Some(reason.to_owned());
        }
        if let Some(call) = remark.strip_prefix("Synchronization:") {
            let call = call.trim();
            let is_one_sided = ["lock", "flush"].iter().any(|name| call.contains(name));
            if !is_one_sided || call.contains("local") {
                let reason = format!("{call} does not give the completion time of one side");
                self.unused = Some(reason);
            }
        }
        // Send Buffer on HOST (H) and Receive Buffer on DEVICE (D)
        let is_memory = remark.contains("Buffer on") || remark.contains("Memory on");
        if is_memory {
            self.run.benchmark = format!("{}, {remark}", self.run.benchmark);
        }
        is_memory
    }
}

/// `1    3.10    5.20`: a bandwidth for each window.
fn windows(runs: &[usize], text: &str, messages: f64, out: &mut Out) -> Result<LineOutcome, Error> {
    let Some(row) = numbers(text)? else { return Ok(LineOutcome::Foreign) };
    let [bytes, rates @ ..] = row.as_slice() else { return Ok(LineOutcome::Foreign) };
    let Some(bytes) = size(*bytes).filter(|_| rates.len() == runs.len()) else {
        return Ok(LineOutcome::Refused(UNEVEN.to_owned()));
    };
    let times = rates.iter().map(|rate| messages * bytes.count() / rate);
    let mut is_taken = false;
    for (run, time) in runs.iter().zip(times).filter(|(_, time)| is_time(*time)) {
        out.row_of(*run, Some(bytes), Micros(time), Statistic::Mean);
        is_taken = true;
    }
    Ok(if is_taken { LineOutcome::Row } else { LineOutcome::Refused(NO_TIME.to_owned()) })
}
