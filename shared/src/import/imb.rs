//! Intel MPI Benchmarks: a banner, `# Benchmarking PingPong` with the number of processes, a header
//! that is no remark, rows.
//!
//! Their Mbytes/s are not believed: what a megabyte is has changed, and Sendrecv counts the bytes twice,
//! Exchange four times. Times are taken.

use super::reading::{Out, Reader, Taken};
use super::table::{Columns, numbers};
use super::{Run, Tool, What};
use crate::Error;
use crate::signature::{Operation, Statistic};
use crate::units::{Bytes, Micros, Procs};

/// A reader, for what begins like their banner or like one of the benchmarks.
pub(super) fn begins(text: &str) -> Option<Box<dyn Reader>> {
    let title = text.trim().strip_prefix('#')?.trim();
    let is_banner = title.starts_with("Intel(R) MPI Benchmarks");
    is_banner.then(|| {
        let version = title.split_whitespace().nth(3).map(|word| word.trim_end_matches(','));
        let reader = Imb { version: version.map(str::to_owned), ..Imb::default() };
        Box::new(reader) as Box<dyn Reader>
    })
}

#[derive(Default)]
struct Imb {
    version: Option<String>,
    facts: Vec<(&'static str, String)>,
    /// Whether a benchmark has begun that can be used.
    is_known: bool,
    columns: Option<Columns>,
}

/// Lines of the banner that are kept.
const FACTS: [(&str, &str); 5] = [
    ("Date", "date"),
    ("Machine", "machine"),
    ("System", "system"),
    ("MPI Version", "mpi"),
    ("MPI_Datatype", "datatype"),
];

/// What a benchmark measures, by its name.
fn what(benchmark: &str) -> Option<What> {
    let name = benchmark.strip_prefix("Multi-").unwrap_or(benchmark);
    Some(match name {
        "PingPong" if name == benchmark => What::Message,
        "PingPong" => What::MessageBeside { pairs: None },
        "PingPing" => What::Exchange { neighbours: 1 },
        "Sendrecv" => What::Exchange { neighbours: 1 },
        "Exchange" => What::Exchange { neighbours: 2 },
        "Uniband" => What::Flood { window: Some(64), directions: 1, pairs: 1 },
        "Biband" => What::Flood { window: Some(64), directions: 2, pairs: 1 },
        other => {
            let (is_nonblocking, op) = match other.strip_prefix('I') {
                Some(rest) if rest.starts_with(|c: char| c.is_ascii_lowercase()) => (true, rest),
                _ => (false, other),
            };
            let op = op.trim_end_matches("_pure").to_ascii_lowercase();
            let bytes_are = Operation::named(&op).ok().map(Operation::bytes_are);
            What::Collective { op: Some(op), bytes_are, is_nonblocking, on_gpus: false }
        }
    })
}

impl Reader for Imb {
    fn line(&mut self, text: &str, out: &mut Out) -> Result<Taken, Error> {
        let text = text.trim();
        if text.starts_with("#bytes") || text.starts_with("#repetitions") {
            self.columns = Some(Columns::words(text));
            return Ok(Taken::Yes);
        }
        if let Some(remark) = text.strip_prefix('#') {
            self.remark(remark.trim(), out);
            return Ok(Taken::Yes);
        }
        if text.is_empty() {
            return Ok(Taken::Yes);
        }
        let Some(columns) = &self.columns else { return Ok(Taken::No) };
        let Some(row) = numbers(text)? else { return Ok(Taken::No) };
        if !self.is_known || row.len() != columns.len() {
            return Ok(Taken::Refused(
                "it has not as many numbers as there are columns".to_owned(),
            ));
        }
        let bytes = columns.find(&["#bytes"]).map(|at| Bytes(row[at] as u64));
        let (place, statistic) = match columns.find(&["t[usec]", "t_pure[usec]", "t_avg[usec]"]) {
            Some(place) => (place, Statistic::Mean),
            None => return Ok(Taken::No),
        };
        // The last rank to be done is what others wait for.
        let (place, statistic) = match columns.find(&["t_max[usec]"]) {
            Some(place) => (place, Statistic::MaximumOverRanks),
            None => (place, statistic),
        };
        let time = row[place];
        if !(time.is_finite() && time > 0.0) {
            return Ok(Taken::Refused("its time is no time".to_owned()));
        }
        out.row(bytes, Micros(time), statistic);
        Ok(Taken::Row)
    }
}

impl Imb {
    fn remark(&mut self, remark: &str, out: &mut Out) {
        if let Some(benchmark) = remark.strip_prefix("Benchmarking ") {
            self.columns = None;
            let benchmark = benchmark.trim();
            let Some(what) = what(benchmark) else { return };
            self.is_known = true;
            out.settle();
            let run = Run::new(Tool::Imb, benchmark, what);
            out.run(Run { version: self.version.clone(), facts: self.facts.clone(), ..run });
            return;
        }
        if let Some(count) = remark.strip_prefix("#processes =")
            && let Ok(count) = count.trim().parse::<u32>()
        {
            if let Some(run) = out.current() {
                run.procs = Some(Procs(count));
            }
            return;
        }
        let fact = FACTS.iter().find_map(|(name, fact)| {
            let value = remark.strip_prefix(name)?.trim_start().strip_prefix(':')?;
            Some((*fact, value.trim().to_owned()))
        });
        self.facts.extend(fact.filter(|(_, value)| !value.is_empty()));
    }
}
