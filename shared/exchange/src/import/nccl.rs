//! nccl-tests and rccl-tests: a header over two halves, out of place and in place.
//!
//! | file | content |
//! |---|---|
//! | `test` | names of tests, and the meaning of their sizes |
//! | `table` | columns and rows of the table |
//! | `json` | the output of `-J` |
//!
//! `time` is in µs. The average bus bandwidth over all sizes is not a parameter and not used.

mod json;
mod table;
mod test;

use super::reader::{LineOutcome, Out, Reader};
use loggia_model::Error;
use loggia_model::signature::{BytesAre, Operation};
use loggia_model::units::Procs;
use table::{ParsedRow, Table};
use test::OutputHeader;

/// Why rows with CPU times (`-C`) are left out.
const CPU_TIME: &str = "cputime is the CPU's time, not the time of the operation";

/// Returns a reader if the line starts an output of nccl-tests, or is its command.
pub(super) fn detect(text: &str) -> Option<Box<dyn Reader>> {
    let text = text.trim();
    if json::is_json_output(text) {
        return Some(Box::new(json::Json));
    }
    (is_title(text) || is_command(text)).then(|| Box::<Nccl>::default() as Box<dyn Reader>)
}

fn is_title(text: &str) -> bool {
    const TITLES: [&str; 4] = [
        "# nThread ",
        "# nccl-tests version",
        "# rccl-tests version",
        "# Collective test starting:",
    ];
    TITLES.iter().any(|title| text.starts_with(title))
}

fn is_command(text: &str) -> bool {
    text.contains("_perf")
        && !text.starts_with('#')
        && !is_log(text)
        && test::in_command(text).is_some()
}

/// Whether the line is a message of NCCL itself.
fn is_log(text: &str) -> bool {
    [" NCCL INFO ", " NCCL WARN ", " NCCL TRACE ", " NCCL CALL "]
        .iter()
        .any(|log| text.contains(log))
}

/// The meaning of the sizes in a test of this operation.
pub(super) fn bytes_are(op: Operation) -> BytesAre {
    test::bytes_are(op)
}

/// The run for a datatype, in place or out of place.
struct DataColumns {
    data: String,
    in_place: bool,
    run: usize,
}

/// The run for a datatype; starts it if it is new.
fn run_of(
    runs: &mut Vec<DataColumns>,
    header: &OutputHeader,
    data: &str,
    in_place: bool,
    out: &mut Out,
) -> Result<usize, String> {
    let same = |known: &&DataColumns| known.data == data && known.in_place == in_place;
    if let Some(known) = runs.iter().find(same) {
        return Ok(known.run);
    }
    let run = out.run(header.run(data.to_owned(), in_place)?);
    runs.push(DataColumns { data: data.to_owned(), in_place, run });
    Ok(run)
}

#[derive(Default)]
struct Nccl {
    header: OutputHeader,
    /// The highest rank so far.
    last_rank: Option<u32>,
    has_groups: bool,
    hosts: Vec<String>,
    device: Option<String>,
    table: Option<Table>,
    runs: Vec<DataColumns>,
}

impl Reader for Nccl {
    fn begin(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        self.line(text, out)
    }

    fn continues(&self, text: &str) -> bool {
        self.table.is_none() && is_title(text.trim())
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let text = text.trim_ascii();
        if text.is_empty() || is_log(text) {
            return Ok(LineOutcome::Known);
        }
        if let Some(remark) = text.strip_prefix('#') {
            self.remark(remark.trim(), out);
            return Ok(LineOutcome::Known);
        }
        let Some(table) = &self.table else {
            if is_command(text) {
                self.header.name = test::in_command(text);
                self.header.facts.push(("command", text.to_owned()));
                return Ok(LineOutcome::Known);
            }
            return Ok(LineOutcome::Foreign);
        };
        let row = match table.row(text)? {
            ParsedRow::Row(row) => row,
            ParsedRow::NotARow => return Ok(LineOutcome::Foreign),
            ParsedRow::Refused(reason) => return Ok(LineOutcome::Refused(reason.to_owned())),
        };
        if table.is_cpu_time {
            return Ok(LineOutcome::Refused(CPU_TIME.to_owned()));
        }
        if self.has_groups {
            return Ok(LineOutcome::Refused("several groups of ranks ran concurrently".to_owned()));
        }
        let data = test::data(row.datatype, row.operation);
        for (times, in_place) in row.halves.iter().zip([false, true]) {
            if times.is_empty() {
                continue;
            }
            let run = match run_of(&mut self.runs, &self.header, &data, in_place, out) {
                Ok(run) => run,
                Err(reason) => return Ok(LineOutcome::Refused(reason)),
            };
            for (statistic, time) in times {
                out.row_of(run, Some(row.bytes), *time, *statistic);
            }
        }
        Ok(LineOutcome::Row)
    }
}

impl Nccl {
    fn remark(&mut self, remark: &str, out: &mut Out) {
        if let Some(device) = remark.strip_prefix("Rank ") {
            self.rank(device);
        } else if let Some(program) = remark.strip_prefix("Collective test starting:") {
            self.header.name = test::in_command(program).or(self.header.name.take());
        } else if let Some(rest) = remark.split_once("-tests version").map(|(_, rest)| rest) {
            self.header.version = rest.split_whitespace().next().map(str::to_owned);
            let code = rest.split_whitespace().find_map(|word| word.split_once("-library="));
            if let Some(code) = code.and_then(|(_, code)| code.parse().ok()) {
                self.header.library(code);
            }
        } else if let Some(table) = Table::of(remark) {
            if table.has_repetitions {
                out.unused_columns("i_max, i_cv%");
            }
            self.table = Some(table);
            self.header.procs = self.last_rank.and_then(|rank| rank.checked_add(1)).map(Procs);
            self.header.devices(&std::mem::take(&mut self.hosts), self.device.take().as_deref());
        }
    }

    /// `0 Group  0 Pid   6899 on node7 device  0 [0000:04:00] NVIDIA H100 80GB HBM3`
    fn rank(&mut self, text: &str) {
        let mut words = text.split_whitespace();
        let Some(rank) = words.next().and_then(|word| word.parse::<u32>().ok()) else { return };
        self.last_rank = self.last_rank.max(Some(rank));
        let after = |name: &str| {
            let mut words = text.split_whitespace();
            words.find(|word| *word == name)?;
            words.next()
        };
        self.has_groups |= after("Group").is_some_and(|group| group != "0");
        if let Some(host) = after("on")
            && !self.hosts.iter().any(|known| known == host)
        {
            self.hosts.push(host.to_owned());
        }
        if self.device.is_none() {
            self.device = text.split_once("] ").map(|(_, device)| device.trim().to_owned());
        }
    }
}
