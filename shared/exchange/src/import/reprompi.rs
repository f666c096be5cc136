//! ReproMPI: `#@key=value`, then every repetition, or a summary of them, in seconds.
//!
//! A size is a number of elements, or of bytes according to the header. A time is that of the whole
//! operation, over all ranks. `max_sec`, the longest repetition, is not used.

use super::reader::{LineOutcome, Out, Reader};
use super::table::{Columns, NO_SIZE, NO_TIME, UNEVEN, number, seconds, size};
use super::{BenchmarkKind, Run, Tool};
use loggia_model::Error;
use loggia_model::signature::{BytesAre, Operation, Statistic};
use loggia_model::units::Procs;

/// Returns a reader if the line starts a ReproMPI output.
pub(super) fn detect(text: &str) -> Option<Box<dyn Reader>> {
    let text = text.trim_start();
    let is_banner = text.starts_with("#Command-Line Arguments:") || text.starts_with("#@");
    let words = || text.split_ascii_whitespace().take_while(|word| *word != "runtime_sec").count();
    let is_header = || text.starts_with("test ") && text.contains("_sec") && words() >= 3;
    (is_banner || is_header()).then(|| Box::<Reprompi>::default() as Box<dyn Reader>)
}

#[derive(Default)]
struct Reprompi {
    /// Properties of all runs.
    procs: Option<Procs>,
    facts: Vec<(&'static str, String)>,
    /// Bytes per element.
    extent: Option<f64>,
    table: Option<Table>,
    /// The tests of the rows so far.
    tests: Vec<Test>,
}

/// The meaning of rows with this name.
struct Test {
    name: String,
    /// Number of sequential messages in a time.
    trips: f64,
    /// Whether the printed size has no meaning.
    is_barrier: bool,
    /// Index of its run; `None` if a signature cannot hold it.
    run: Option<usize>,
}

/// Columns of a table.
struct Table {
    count: usize,
    test: usize,
    size: usize,
    in_bytes: bool,
    error: Option<usize>,
    times: Vec<(usize, Statistic)>,
}

/// Key-value lines that are kept, with their names.
const FACTS: [(&str, &str); 8] = [
    ("clock", "clock"),
    ("clocksync", "clocksync"),
    ("procsync", "procsync"),
    ("runtime_type", "runtime_type"),
    ("operation", "operation"),
    ("datatype", "datatype"),
    ("hostname", "host"),
    ("mpi_version", "mpi"),
];

/// The columns that are used.
const TIMES: [(&str, Statistic); 4] = [
    ("runtime_sec", Statistic::Raw),
    ("mean_sec", Statistic::Mean),
    ("median_sec", Statistic::Median),
    ("min_sec", Statistic::Minimum),
];

impl Table {
    fn of(header: &str) -> Option<Self> {
        let columns = Columns::words(header);
        let time =
            |(name, statistic): &(&str, Statistic)| Some((columns.find(&[name])?, *statistic));
        Some(Table {
            count: columns.len(),
            test: columns.find(&["test"])?,
            size: columns.find(&["count", "msize_bytes", "msize"])?,
            in_bytes: columns.find(&["count"]).is_none(),
            error: columns.find(&["errorcode"]),
            times: TIMES.iter().filter_map(time).collect(),
        })
    }
}

impl Reader for Reprompi {
    fn begin(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        self.line(text, out)
    }

    fn continues(&self, text: &str) -> bool {
        self.table.is_none() && !text.starts_with("#Command-Line") && detect(text).is_some()
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let text = text.trim_ascii();
        if let Some(comment) = text.strip_prefix('#') {
            self.remark(comment.trim(), out);
            return Ok(LineOutcome::Known);
        }
        if text.is_empty() {
            return Ok(LineOutcome::Known);
        }
        if text.starts_with("test ") || text.starts_with("process ") {
            self.table = Table::of(text);
            if text.contains(" max_sec") {
                out.unused_columns("max_sec");
            }
            return Ok(LineOutcome::Known);
        }
        let Some(table) = &self.table else { return Ok(LineOutcome::Foreign) };
        let mut words = [""; 12];
        let mut count = 0;
        for word in text.split_ascii_whitespace() {
            if let Some(slot) = words.get_mut(count) {
                *slot = word;
            }
            count += 1;
        }
        if count != table.count || count > words.len() {
            let is_row = words[table.test.min(11)].starts_with("MPI_");
            return Ok(if is_row {
                LineOutcome::Refused(UNEVEN.to_owned())
            } else {
                LineOutcome::Foreign
            });
        }
        if table.times.is_empty() {
            let reason =
                "it has the clock of each rank, not the time of the operation (run without -v)";
            return Ok(LineOutcome::Refused(reason.to_owned()));
        }
        if table.error.is_some_and(|at| words[at] != "0") {
            return Ok(LineOutcome::Refused(
                "the operation started too late, or exceeded its time window".to_owned(),
            ));
        }
        self.row(&words, out)
    }
}

impl Reprompi {
    fn remark(&mut self, comment: &str, out: &mut Out) {
        if let Some(date) = comment.strip_prefix("Benchmark started at ") {
            for run in self.tests.iter().filter_map(|test| test.run) {
                if let Some(run) = out.nth(run) {
                    run.facts.push(("date", date.to_owned()));
                }
            }
        }
        if let Some(command) = comment.strip_prefix("Command-Line Arguments:") {
            self.facts.push(("command", command.trim().to_owned()));
        }
        let Some((key, value)) =
            comment.strip_prefix('@').and_then(|comment| comment.split_once('='))
        else {
            return;
        };
        let value = value.trim();
        match key {
            "nprocs" => self.procs = value.parse().ok().map(Procs),
            "datatype_extent_bytes" => self.extent = value.parse().ok(),
            _ => {}
        }
        let known = FACTS.iter().find(|(fact, _)| *fact == key);
        self.facts.extend(known.map(|(_, fact)| (*fact, value.to_owned())));
    }

    /// Bytes per element.
    fn extent(&self) -> Option<f64> {
        let named = || {
            let (_, datatype) = self.facts.iter().rev().find(|(name, _)| *name == "datatype")?;
            match datatype.as_str() {
                "MPI_BYTE" | "MPI_CHAR" => Some(1.0),
                "MPI_INT" | "MPI_FLOAT" => Some(4.0),
                "MPI_DOUBLE" => Some(8.0),
                _ => None,
            }
        };
        self.extent.or_else(named)
    }

    fn row(&mut self, words: &[&str], out: &mut Out) -> Result<LineOutcome, Error> {
        let Some(table) = &self.table else { return Ok(LineOutcome::Foreign) };
        let Some(count) = number(words[table.size])? else { return Ok(LineOutcome::Foreign) };
        let extent = if table.in_bytes { Some(1.0) } else { self.extent() };
        let Some(extent) = extent else {
            let reason = "its size is in elements of unknown length";
            return Ok(LineOutcome::Refused(reason.to_owned()));
        };
        let Some(bytes) = size(count * extent) else {
            return Ok(LineOutcome::Refused(NO_SIZE.to_owned()));
        };
        let mut times = [None; TIMES.len()];
        for (slot, (at, statistic)) in times.iter_mut().zip(&table.times) {
            let Some(time) = number(words[*at])? else { return Ok(LineOutcome::Foreign) };
            *slot = Some((time, *statistic));
        }
        let name = words[table.test];
        let at = match self.tests.iter().position(|known| known.name == name) {
            Some(at) => at,
            None => self.begin_test(name, out),
        };
        let Test { trips, is_barrier, run, .. } = self.tests[at];
        let Some(run) = run else {
            return Ok(LineOutcome::Refused(format!("a signature cannot hold ReproMPI's {name}")));
        };
        let bytes = Some(bytes).filter(|_| !is_barrier);
        let mut is_taken = false;
        for (time, statistic) in times.into_iter().flatten() {
            if let Some(time) = seconds(time / trips) {
                out.row_of(run, bytes, time, statistic);
                is_taken = true;
            }
        }
        Ok(if is_taken { LineOutcome::Row } else { LineOutcome::Refused(NO_TIME.to_owned()) })
    }

    /// Adds a test that had no row yet; returns its index.
    fn begin_test(&mut self, name: &str, out: &mut Out) -> usize {
        let test = Test { name: name.to_owned(), trips: 1.0, is_barrier: false, run: None };
        let mut run = |kind, procs, style| {
            let run = Run { procs, style, ..Run::new(Tool::Reprompi, name, kind) };
            Some(out.run(Run { facts: self.facts.clone(), ..run }))
        };
        let two = Some(Procs(2));
        self.tests.push(match name {
            // A round trip; in the next tests, both ranks send at the same time.
            "Send_Recv" => {
                let run = run(BenchmarkKind::Message, two, Some("send".to_owned()));
                Test { trips: 2.0, run, ..test }
            }
            "Sendrecv" | "Isend_Recv" | "Isend_Irecv" | "Send_Irecv" => {
                Test { run: run(BenchmarkKind::Exchange { neighbours: 1 }, two, None), ..test }
            }
            _ => match name.strip_prefix("MPI_").map(str::to_ascii_lowercase) {
                None => test,
                Some(op) => {
                    let bytes_are = Operation::named(&op).ok().map(|op| match op {
                        // Bytes are the block of each rank.
                        Operation::ReduceScatter => BytesAre::PerRank,
                        op => op.bytes_are(),
                    });
                    let is_barrier = op == "barrier";
                    let (op, on_gpus) = (Some(op), false);
                    let kind =
                        BenchmarkKind::Collective { op, bytes_are, is_nonblocking: false, on_gpus };
                    Test { is_barrier, run: run(kind, self.procs, None), ..test }
                }
            },
        });
        self.tests.len() - 1
    }
}
