//! SKaMPI: `begin result "NAME"`, rows `count= 4  4  0.5  0.0  16  0.5  0.5`, `end result`, in µs.
//!
//! A row has variables with values, then numbers: bytes, mean, standard error, repetitions, and the
//! mean of each rank, if there are few ranks. The time of a ping-pong is the whole round trip,
//! according to SKaMPI's sources.

use super::reader::{LineOutcome, Out, Reader};
use super::table::{NO_SIZE, NO_TIME, is_time, number, size};
use super::{BenchmarkKind, Run, Tool};
use loggia_model::Error;
use loggia_model::signature::{Operation, Statistic};
use loggia_model::units::{Micros, Procs};

/// Returns a reader if the line starts a SKaMPI output, or one of its results.
pub(super) fn detect(text: &str) -> Option<Box<dyn Reader>> {
    let text = text.trim();
    let remark = text.trim_start_matches('#').trim_start();
    if let Some(version) = remark.strip_prefix("SKaMPI Version ") {
        let version = version.split_whitespace().next().map(str::to_owned);
        return Some(Box::new(Skampi { version, ..Skampi::default() }));
    }
    is_result(text).then(|| Box::<Skampi>::default() as Box<dyn Reader>)
}

fn is_result(text: &str) -> bool {
    let remark = text.trim().trim_start_matches('#').trim_start();
    remark.starts_with("begin result \"") && remark.ends_with('"')
}

#[derive(Default)]
struct Skampi {
    version: Option<String>,
    date: Option<String>,
    /// The current result.
    current: Option<CurrentResult>,
}

/// The result whose rows are read.
struct CurrentResult {
    name: String,
    measurement: Result<Measurement, String>,
    /// The runs, by number of ranks.
    runs: Vec<(Option<Procs>, usize)>,
}

#[derive(Clone)]
struct Measurement {
    kind: BenchmarkKind,
    style: Option<String>,
    /// Number of sequential messages in a time.
    trips: f64,
}

/// The fields of a row.
#[derive(Default)]
struct Row {
    procs: Option<Procs>,
    numbers: Vec<f64>,
}

impl Row {
    /// # Errors
    /// If a number contains a comma.
    fn read(text: &str) -> Result<Option<Self>, Error> {
        let mut row = Row::default();
        let mut words = text.split_whitespace();
        let mut is_first = true;
        while let Some(word) = words.next() {
            if let Some(variable) = word.strip_suffix('=') {
                let Some(value) = words.next() else { return Ok(None) };
                if variable.starts_with("proc") || variable == "nodes" {
                    row.procs = value.parse().ok().map(Procs);
                }
            } else if word == "---" {
                row.numbers.push(f64::NAN);
            } else if is_first {
                return Ok(None);
            } else {
                let Some(number) = number(word)? else { return Ok(None) };
                row.numbers.push(number);
            }
            is_first = false;
        }
        Ok(Some(row))
    }
}

impl Reader for Skampi {
    fn begin(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        self.line(text, out)
    }

    fn continues(&self, text: &str) -> bool {
        is_result(text)
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let text = text.trim_ascii();
        let remark = text.trim_start_matches('#').trim();
        if let Some(name) = remark.strip_prefix("begin result") {
            let name = name.trim().trim_matches('"').to_owned();
            out.finish_runs();
            self.current =
                Some(CurrentResult { measurement: measurement(&name), name, runs: Vec::new() });
            return Ok(LineOutcome::Known);
        }
        if let Some(date) = remark.strip_prefix("Started at ") {
            self.date = Some(date.to_owned());
        }
        if remark.starts_with("end result") {
            self.current = None;
            return Ok(LineOutcome::Known);
        }
        if text.is_empty() || text.starts_with('#') {
            return Ok(LineOutcome::Known);
        }
        let Some(current) = &mut self.current else { return Ok(LineOutcome::Foreign) };
        let Some(row) = Row::read(text)? else { return Ok(LineOutcome::Foreign) };
        let measurement = match &current.measurement {
            Ok(measurement) => measurement.clone(),
            Err(reason) => return Ok(LineOutcome::Refused(reason.clone())),
        };
        let [bytes, mean, _, _, ref ranks @ ..] = row.numbers[..] else {
            return Ok(LineOutcome::Refused("it has too few numbers".to_owned()));
        };
        let Some(bytes) = size(bytes) else {
            return Ok(LineOutcome::Refused(NO_SIZE.to_owned()));
        };
        let time = mean / measurement.trips;
        if !is_time(time) {
            return Ok(LineOutcome::Refused(NO_TIME.to_owned()));
        }
        let ranks_with_means = Some(ranks.len() as u32).filter(|count| *count > 0).map(Procs);
        let procs = row.procs.or(ranks_with_means);
        let index = current.run(procs, measurement, out);
        if let Some(run) = out.nth(index)
            && run.numbers.is_empty()
        {
            run.version.clone_from(&self.version);
            run.facts = self.date.iter().map(|date| ("date", date.clone())).collect();
        }
        let is_barrier = matches!(
            out.nth(index).map(|run| &run.kind),
            Some(BenchmarkKind::Collective { op: Some(op), .. }) if op == "barrier"
        );
        let bytes = Some(bytes).filter(|_| !is_barrier);
        out.row_of(index, bytes, Micros(time), Statistic::Mean);
        Ok(LineOutcome::Row)
    }
}

impl CurrentResult {
    fn run(&mut self, procs: Option<Procs>, measurement: Measurement, out: &mut Out) -> usize {
        if let Some((_, run)) = self.runs.iter().find(|(known, _)| *known == procs) {
            return *run;
        }
        let run = Run::new(Tool::Skampi, self.name.clone(), measurement.kind);
        let run = out.run(Run { procs, style: measurement.style, ..run });
        self.runs.push((procs, run));
        run
    }
}

/// A measurement by its name, such as `Pingpong_Ssend_Recv` or `MPI_Allgather-procs-long`; or why
/// it cannot be used.
fn measurement(name: &str) -> Result<Measurement, String> {
    let spelled = name.to_ascii_lowercase().replace("mpi_", "");
    let no_place = || Err(format!("a signature cannot hold SKaMPI's {name}"));
    let is_ping_pong = spelled.contains("send") && spelled.contains("recv");
    if spelled.contains("_using_") || spelled.contains("iprobe") || spelled.contains("waiting") {
        return no_place();
    }
    if spelled.contains("sendrecv") {
        let kind = BenchmarkKind::Exchange { neighbours: 1 };
        return Ok(Measurement { kind, style: None, trips: 1.0 });
    }
    if is_ping_pong || spelled.contains("pingpong") || spelled.contains("ping_pong") {
        let words = spelled.split(|c: char| !c.is_ascii_alphanumeric());
        let style = words.into_iter().find(|word| word.ends_with("send")).map(str::to_owned);
        return Ok(Measurement { kind: BenchmarkKind::Message, style, trips: 2.0 });
    }
    let op = spelled.split(['-', ' ']).next().unwrap_or_default().to_owned();
    let Ok(known) = Operation::named(&op) else { return no_place() };
    let kind = BenchmarkKind::Collective {
        op: Some(known.name().to_owned()),
        bytes_are: Some(known.bytes_are()),
        is_nonblocking: false,
        on_gpus: false,
    };
    Ok(Measurement { kind, style: None, trips: 1.0 })
}
