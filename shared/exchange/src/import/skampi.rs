//! SKaMPI: `begin result "NAME"`, rows `count= 4  4  0.5  0.0  16  0.5  0.5`, `end result`, in µs.
//!
//! Before the numbers stand variables with their values; the numbers are the bytes, the mean, its
//! standard error, the repetitions, and one mean for each rank, if there are not too many. A
//! ping-pong's time is of the whole round trip, as the sources of its measurements say.

use super::reader::{LineOutcome, Out, Reader};
use super::table::{NO_TIME, is_time, number, size};
use super::{BenchmarkKind, Run, Tool};
use loggia_model::Error;
use loggia_model::signature::{Operation, Statistic};
use loggia_model::units::{Micros, Procs};

/// A reader, for what begins like its output, or like one of its results.
pub(super) fn begins(text: &str) -> Option<Box<dyn Reader>> {
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
    /// The result that has begun.
    of: Option<Of>,
}

/// The meaning of rows.
struct Of {
    name: String,
    kind: Result<Kind, String>,
    /// The runs, by number of ranks.
    runs: Vec<(Option<Procs>, usize)>,
}

#[derive(Clone)]
struct Kind {
    what: BenchmarkKind,
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
    /// Where a number has a comma.
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

    fn goes_on(&self, text: &str) -> bool {
        is_result(text)
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let text = text.trim_ascii();
        let remark = text.trim_start_matches('#').trim();
        if let Some(name) = remark.strip_prefix("begin result") {
            let name = name.trim().trim_matches('"').to_owned();
            out.settle();
            self.of = Some(Of { kind: kind(&name), name, runs: Vec::new() });
            return Ok(LineOutcome::Yes);
        }
        if let Some(date) = remark.strip_prefix("Started at ") {
            self.date = Some(date.to_owned());
        }
        if remark.starts_with("end result") {
            self.of = None;
            return Ok(LineOutcome::Yes);
        }
        if text.is_empty() || text.starts_with('#') {
            return Ok(LineOutcome::Yes);
        }
        let Some(of) = &mut self.of else { return Ok(LineOutcome::No) };
        let Some(row) = Row::read(text)? else { return Ok(LineOutcome::No) };
        let kind = match &of.kind {
            Ok(kind) => kind.clone(),
            Err(why) => return Ok(LineOutcome::Refused(why.clone())),
        };
        let [bytes, mean, _, _, ref ranks @ ..] = row.numbers[..] else {
            return Ok(LineOutcome::Refused("it has too few numbers".to_owned()));
        };
        let Some(bytes) = size(bytes) else {
            return Ok(LineOutcome::Refused("its size is none".to_owned()));
        };
        let time = mean / kind.trips;
        if !is_time(time) {
            return Ok(LineOutcome::Refused(NO_TIME.to_owned()));
        }
        let of_ranks = Some(ranks.len() as u32).filter(|count| *count > 0).map(Procs);
        let procs = row.procs.or(of_ranks);
        let run = of.run(procs, kind, out);
        if let Some(begun) = out.nth(run)
            && begun.numbers.is_empty()
        {
            begun.version.clone_from(&self.version);
            begun.facts = self.date.iter().map(|date| ("date", date.clone())).collect();
        }
        let is_barrier = matches!(
            out.nth(run).map(|run| &run.what),
            Some(BenchmarkKind::Collective { op: Some(op), .. }) if op == "barrier"
        );
        let bytes = Some(bytes).filter(|_| !is_barrier);
        out.row_of(run, bytes, Micros(time), Statistic::Mean);
        Ok(LineOutcome::Row)
    }
}

impl Of {
    fn run(&mut self, procs: Option<Procs>, kind: Kind, out: &mut Out) -> usize {
        if let Some((_, run)) = self.runs.iter().find(|(known, _)| *known == procs) {
            return *run;
        }
        let run = Run::new(Tool::Skampi, self.name.clone(), kind.what);
        let run = out.run(Run { procs, style: kind.style, ..run });
        self.runs.push((procs, run));
        run
    }
}

/// The kind of a measurement, by its name, such as `Pingpong_Ssend_Recv` or
/// `MPI_Allgather-procs-long`; or why it cannot be used.
fn kind(name: &str) -> Result<Kind, String> {
    let spelled = name.to_ascii_lowercase().replace("mpi_", "");
    let no_place = || Err(format!("a signature has no place for SKaMPI's {name}"));
    let is_two = spelled.contains("send") && spelled.contains("recv");
    if spelled.contains("_using_") || spelled.contains("iprobe") || spelled.contains("waiting") {
        return no_place();
    }
    if spelled.contains("sendrecv") {
        let what = BenchmarkKind::Exchange { neighbours: 1 };
        return Ok(Kind { what, style: None, trips: 1.0 });
    }
    if is_two || spelled.contains("pingpong") || spelled.contains("ping_pong") {
        let words = spelled.split(|c: char| !c.is_ascii_alphanumeric());
        let style = words.into_iter().find(|word| word.ends_with("send")).map(str::to_owned);
        return Ok(Kind { what: BenchmarkKind::Message, style, trips: 2.0 });
    }
    let op = spelled.split(['-', ' ']).next().unwrap_or_default().to_owned();
    let Ok(known) = Operation::named(&op) else { return no_place() };
    let what = BenchmarkKind::Collective {
        op: Some(known.name().to_owned()),
        bytes_are: Some(known.bytes_are()),
        is_nonblocking: false,
        on_gpus: false,
    };
    Ok(Kind { what, style: None, trips: 1.0 })
}
