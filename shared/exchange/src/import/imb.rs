//! Intel MPI Benchmarks: a banner, `# Benchmarking PingPong` with the number of processes, a header
//! without `#`, rows.
//!
//! Mbytes/s are not used: the megabyte differs between versions, and Sendrecv counts bytes twice,
//! Exchange four times. Times are used, or messages per second if only rates are printed.

mod benchmark;

use super::reader::{LineOutcome, Out, Reader};
use super::table::{Columns, INVALID_DATA, NO_SIZE, NO_TIME, UNEVEN, is_time, numbers, size};
use super::{BenchmarkKind, Run, Tool};
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::{Micros, Procs};

/// Returns a reader if the line starts an IMB output.
pub(super) fn detect(text: &str) -> Option<Box<dyn Reader>> {
    let title = text.trim().strip_prefix('#')?.trim();
    // A part of an output, without the banner.
    if title
        .strip_prefix("Benchmarking ")
        .is_some_and(|name| benchmark::kind_of(name.trim()).is_ok())
    {
        return Some(Box::<Imb>::default());
    }
    // The names of the suite, the oldest last.
    const NAMES: [&str; 3] =
        ["Intel(R) MPI Benchmarks", "Intel (R) MPI Benchmark", "PALLAS MPI Benchmark"];
    let rest = NAMES.iter().find_map(|name| title.strip_prefix(name))?;
    let is_version = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let mut words = rest.split([' ', ',']).map(|word| word.trim_start_matches('V'));
    let version = words.find(is_version).map(str::to_owned);
    Some(Box::new(Imb { version, ..Imb::default() }))
}

#[derive(Default)]
struct Imb {
    version: Option<String>,
    facts: Vec<(&'static str, String)>,
    /// Datatype of reductions.
    reductions: Option<String>,
    /// The command read so far; `None` outside the lines of the command.
    command: Option<String>,
    /// Why the current benchmark cannot be used.
    unused: Option<String>,
    columns: Option<ColumnLayout>,
}

/// Indexes of the columns.
struct ColumnLayout {
    count: usize,
    bytes: Option<usize>,
    times: Vec<(usize, Statistic)>,
    /// Messages per second
    messages: Option<usize>,
    defects: Option<usize>,
}

/// Lines of the banner that are kept, with the names of their facts.
const FACTS: [(&str, &str); 4] = [
    ("Date", "date"),
    ("Machine", "processors"),
    ("MPI Version", "mpi"),
    ("MPI_Datatype", "datatype"),
];

/// Texts in rows without numbers.
const NOT_RUN: [&str; 3] = ["out-of-mem", "int-overflow", "time-out"];

impl ColumnLayout {
    fn of(header: &str) -> Self {
        let columns = Columns::words(header);
        let find = |name| columns.find(&[name]);
        let mean = columns.find(&["t[usec]", "t_pure[usec]", "t_avg[usec]"]);
        // With overlap, the pure time is that of one rank.
        let extreme = |name| find(name).filter(|_| find("t_ovrl[usec]").is_none());
        let times = [
            (mean, Statistic::Mean),
            (extreme("t_min[usec]"), Statistic::MinimumOverRanks),
            (extreme("t_max[usec]"), Statistic::MaximumOverRanks),
        ];
        ColumnLayout {
            count: columns.len(),
            bytes: find("#bytes"),
            times: times
                .iter()
                .filter_map(|(column, statistic)| Some(((*column)?, *statistic)))
                .collect(),
            messages: find("Msg/sec"),
            defects: find("defects"),
        }
    }
}

impl Reader for Imb {
    fn begin(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        self.line(text, out)
    }

    fn continues(&self, text: &str) -> bool {
        text.contains("# Benchmarking ")
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let text = text.trim_ascii();
        if text.is_empty() {
            if self.command.as_ref().is_some_and(|command| !command.is_empty()) {
                let command = self.command.take().unwrap_or_default();
                self.facts.push(("command", command));
            }
            return Ok(LineOutcome::Known);
        }
        let header = text.strip_prefix("Group").map_or(text, str::trim_start);
        if header.starts_with("#bytes") || header.starts_with("#repetitions") {
            self.columns = Some(ColumnLayout::of(text));
            if text.contains("overlap[%]") && self.unused.is_none() {
                out.unused_columns("t_ovrl[usec], t_CPU[usec], overlap[%]");
            }
            return Ok(LineOutcome::Known);
        }
        if let Some(remark) = text.strip_prefix('#') {
            self.remark(remark.trim(), out);
            return Ok(LineOutcome::Known);
        }
        let Some(columns) = &self.columns else { return Ok(LineOutcome::Foreign) };
        let Some(row) = numbers(text)? else {
            let is_not_run = NOT_RUN.iter().any(|reason| text.contains(reason));
            let refused = LineOutcome::Refused("IMB did not run this size".to_owned());
            return Ok(if is_not_run { refused } else { LineOutcome::Foreign });
        };
        match &self.unused {
            Some(reason) => Ok(LineOutcome::Refused(reason.clone())),
            None => Ok(columns.take(&row, out)),
        }
    }
}

impl ColumnLayout {
    fn take(&self, row: &[f64], out: &mut Out) -> LineOutcome {
        let refused = |reason: &str| LineOutcome::Refused(reason.to_owned());
        if row.len() != self.count {
            return refused(UNEVEN);
        }
        if self.defects.is_some_and(|at| row[at] != 0.0) {
            return refused(INVALID_DATA);
        }
        let bytes = match self.bytes.map(|at| size(row[at])) {
            Some(None) => return refused(NO_SIZE),
            bytes => bytes.flatten(),
        };
        let messages = match out.current().map(|run| &run.kind) {
            Some(BenchmarkKind::Stream { directions, pairs, .. }) => {
                f64::from(*directions) * f64::from(*pairs)
            }
            _ => 1.0,
        };
        let time_by_messages = self.messages.map(|at| (messages * 1e6 / row[at], Statistic::Mean));
        let times = self
            .times
            .iter()
            .map(|(column, statistic)| (row[*column], *statistic))
            .chain(time_by_messages);
        let mut is_taken = false;
        for (time, statistic) in times.filter(|(time, _)| is_time(*time)) {
            out.row(bytes, Micros(time), statistic);
            is_taken = true;
        }
        if is_taken { LineOutcome::Row } else { refused(NO_TIME) }
    }
}

/// The leading number of a text.
fn leading(text: &str) -> Option<u32> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

impl Imb {
    fn remark(&mut self, remark: &str, out: &mut Out) {
        if let Some(name) = remark.strip_prefix("Benchmarking ") {
            return self.benchmark(name.trim(), out);
        }
        if let Some(count) = remark.strip_prefix("#processes =").and_then(leading) {
            return processes(count, 1, out);
        }
        // ( 2 groups of 2 processes each running simultaneous )
        if let Some((groups, rest)) = remark.split_once(" groups of ")
            && let Some(groups) = leading(groups.trim_start_matches('('))
            && let Some(count) = leading(rest)
        {
            return processes(count, groups, out);
        }
        if let Some(command) = &mut self.command {
            let words: Vec<&str> = remark.split_whitespace().collect();
            if !command.is_empty() {
                command.push(' ');
            }
            command.push_str(&words.join(" "));
            return;
        }
        if remark.starts_with("Calling sequence was") {
            self.command = Some(String::new());
            return;
        }
        let Some((name, value)) = remark.split_once(':') else { return };
        let (name, value) = (name.trim(), value.trim());
        if name == "MPI_Datatype for reductions" {
            self.reductions = Some(value.to_owned());
        }
        let fact = FACTS.iter().find(|(known, _)| *known == name && !value.is_empty());
        self.facts.extend(fact.map(|(_, fact)| match *fact {
            "mpi" => ("mpi", format!("MPI {value}")),
            fact => (fact, value.to_owned()),
        }));
    }

    fn benchmark(&mut self, name: &str, out: &mut Out) {
        self.columns = None;
        out.finish_runs();
        match benchmark::kind_of(name) {
            Ok(kind) => {
                let mut facts = self.facts.clone();
                if let (true, Some(datatype)) = (benchmark::is_reduction(&kind), &self.reductions) {
                    facts.retain(|(name, _)| *name != "datatype");
                    facts.push(("datatype", datatype.clone()));
                }
                let run = Run::new(Tool::Imb, name, kind);
                out.run(Run { version: self.version.clone(), facts, ..run });
                self.unused = None;
            }
            Err(reason) => self.unused = Some(reason),
        }
    }
}

/// Numbers of processes and of concurrent groups.
fn processes(count: u32, groups: u32, out: &mut Out) {
    let Some(run) = out.current() else { return };
    run.procs = Some(Procs(count));
    match &mut run.kind {
        BenchmarkKind::Stream { pairs, .. } => *pairs = (count / 2).max(1),
        BenchmarkKind::ConcurrentMessage { pairs } => *pairs = Some(groups),
        _ => {}
    }
}
