//! OSU micro-benchmarks, 5 to 7: `# OSU MPI Latency Test v7.4`, a header that names columns, rows.
//!
//! | file | question |
//! |---|---|
//! | `title` | which benchmark is that |
//! | `columns` | which number stands in which column |
//!
//! They say neither how many ranks there were nor where. A bandwidth's window is 64 unless the file
//! says otherwise. `MB` is 10^6 bytes, of all pairs, and of both directions where there are two.

mod columns;
mod title;

use super::reader::{LineOutcome, Out, Reader};
use super::table::{NO_TIME, UNEVEN, is_time, number, numbers, size};
use super::{BenchmarkKind, Run};
use columns::{Columns, ParsedRow};
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::Micros;
use title::Title;

/// A reader, for what begins like one of these benchmarks.
pub(super) fn begins(text: &str) -> Option<Box<dyn Reader>> {
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

/// The program's help on its own options.
fn usage() -> Title {
    let run = Run::new(super::Tool::Osu, "usage", BenchmarkKind::Message);
    let why = "it is OSU's help on its options; the benchmark has not run";
    Title { run, unused: Some(why.to_owned()) }
}

struct Osu {
    /// The run, from the title and the lines after it.
    run: Run,
    /// Why its rows are of no use.
    unused: Option<String>,
    rows: Rows,
}

/// The meaning of rows.
enum Rows {
    /// There was no header yet.
    None,
    /// With these columns.
    Of(Columns),
    /// A bandwidth for each of several windows, which are these runs.
    OfWindows(Vec<usize>),
    /// As in the rows before.
    Again,
}

impl Reader for Osu {
    fn begin(&mut self, _text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        out.run(self.run.clone());
        Ok(LineOutcome::Yes)
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let text = text.trim_ascii();
        if text.is_empty() {
            return Ok(LineOutcome::Yes);
        }
        if let Some(remark) = text.strip_prefix('#') {
            self.remark(remark.trim(), out);
            return Ok(LineOutcome::Yes);
        }
        if let Some(why) = &self.unused {
            return Ok(LineOutcome::Refused(why.clone()));
        }
        if text.starts_with("DATA VALIDATION ERROR") {
            return Ok(LineOutcome::Refused(
                "the benchmark has stopped: its data was wrong".to_owned(),
            ));
        }
        match &self.rows {
            Rows::Of(columns) => self.row(columns, text, out),
            Rows::OfWindows(runs) => windows(runs, text, self.messages(), out),
            Rows::Again => {
                Ok(if numbers(text)?.is_some() { LineOutcome::Yes } else { LineOutcome::No })
            }
            Rows::None => Ok(LineOutcome::No),
        }
    }
}

impl Osu {
    /// Messages counted by a rate while one pair sends one in one direction.
    fn messages(&self) -> f64 {
        match self.run.what {
            BenchmarkKind::Stream { directions, pairs, .. } => {
                f64::from(directions) * f64::from(pairs)
            }
            _ => 1.0,
        }
    }

    fn row(&self, columns: &Columns, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        Ok(match columns.row(&words, self.messages())? {
            ParsedRow::No => LineOutcome::No,
            ParsedRow::Refused(why) => LineOutcome::Refused(why.to_owned()),
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
            let others = columns.others().join(", ");
            if !others.is_empty() {
                out.no_place_for(&others);
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
            self.rows = Rows::Again;
            return;
        } else if let Ok(Some(sizes)) = numbers(remark) {
            if !matches!(self.rows, Rows::Again) {
                self.windows(&sizes, out);
            }
            return;
        } else if !self.fact(remark) {
            return;
        }
        // Remarks before the numbers apply to all; later ones apply to the following rows.
        match out.current() {
            Some(run) if run.numbers.is_empty() => {
                (run.facts, run.what) = (self.run.facts.clone(), self.run.what.clone());
                run.benchmark.clone_from(&self.run.benchmark);
            }
            _ => {
                out.run(self.run.clone());
            }
        }
    }

    /// A bandwidth for each of these windows follows.
    fn windows(&mut self, sizes: &[f64], out: &mut Out) {
        let BenchmarkKind::Stream { directions, pairs, .. } = self.run.what else { return };
        let run = |window: &f64| {
            let what = BenchmarkKind::Stream { window: Some(*window as u32), directions, pairs };
            out.run(Run { what, ..self.run.clone() })
        };
        self.rows = Rows::OfWindows(sizes.iter().map(run).collect());
    }

    /// Whether a line describes the run.
    fn fact(&mut self, remark: &str) -> bool {
        // [ pairs: 2 ] [ window size: 64 ]
        let number = |name: &str| {
            let (_, rest) = remark.split_once(name)?;
            let word = rest.split([']', ' ']).find(|word| !word.is_empty())?;
            number(word).ok().flatten().map(|number| number as u32)
        };
        let of_pairs = number("pairs:").filter(|pairs| *pairs > 0);
        match &mut self.run.what {
            BenchmarkKind::Stream { window, pairs, .. } => {
                *window = number("window size:").or(*window);
                *pairs = of_pairs.unwrap_or(*pairs);
            }
            BenchmarkKind::ConcurrentMessage { pairs } => *pairs = of_pairs.or(*pairs),
            _ => {}
        }
        if of_pairs.is_some() {
            return true;
        }
        // Number of Sender threads: 1 / Number of forked processes in sender: 2
        if remark.starts_with("Number of") && number(":").is_some_and(|count| count > 1) {
            let why = "several threads or processes took part at one end";
            self.unused = Some(why.to_owned());
        }
        if let Some(call) = remark.strip_prefix("Synchronization:") {
            let call = call.trim();
            let is_of_one = ["lock", "flush"].iter().any(|name| call.contains(name));
            if !is_of_one || call.contains("local") {
                let why = format!("{call} does not tell when one side alone is complete");
                self.unused = Some(why);
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
    let Some(row) = numbers(text)? else { return Ok(LineOutcome::No) };
    let [bytes, rates @ ..] = row.as_slice() else { return Ok(LineOutcome::No) };
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
