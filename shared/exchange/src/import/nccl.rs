//! nccl-tests and rccl-tests: a header over two halves, out of place and in place.
//!
//! | file | question |
//! |---|---|
//! | `test` | which test is that, and what do its sizes count |
//! | `table` | which number stands in which column |
//! | `json` | what does `-J` write |
//!
//! `time` is in µs. The average of the bus bandwidths over all sizes is no parameter, and never taken.

mod json;
mod table;
mod test;

use super::reader::{LineOutcome, Out, Reader};
use loggia_model::Error;
use loggia_model::signature::{BytesAre, Operation};
use loggia_model::units::Procs;
use table::{ParsedRow, Table};
use test::OutputHeader;

/// Why rows of `-C` are left out.
const OF_PROCESSOR: &str = "cputime is what the processor spent, not what the operation took";

/// A reader, for what begins like their output, or is the command that prints it.
pub(super) fn begins(text: &str) -> Option<Box<dyn Reader>> {
    let text = text.trim();
    if json::is_its(text) {
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

/// What the sizes of a test of this operation count.
pub(super) fn bytes_are(op: Operation) -> BytesAre {
    test::bytes_are(op)
}

/// The run of numbers of such data, in place or not.
struct DataColumns {
    data: String,
    in_place: bool,
    run: usize,
}

/// That run: the one that has begun, or a new one.
fn place(
    places: &mut Vec<DataColumns>,
    told: &OutputHeader,
    data: &str,
    in_place: bool,
    out: &mut Out,
) -> Result<usize, String> {
    let same = |place: &&DataColumns| place.data == data && place.in_place == in_place;
    if let Some(place) = places.iter().find(same) {
        return Ok(place.run);
    }
    let run = out.run(told.run(data.to_owned(), in_place)?);
    places.push(DataColumns { data: data.to_owned(), in_place, run });
    Ok(run)
}

#[derive(Default)]
struct Nccl {
    told: OutputHeader,
    /// The highest rank, of which group, on which hosts and devices.
    last_rank: Option<u32>,
    has_groups: bool,
    hosts: Vec<String>,
    device: Option<String>,
    table: Option<Table>,
    places: Vec<DataColumns>,
}

impl Reader for Nccl {
    fn begin(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        self.line(text, out)
    }

    fn goes_on(&self, text: &str) -> bool {
        self.table.is_none() && is_title(text.trim())
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        let text = text.trim_ascii();
        if text.is_empty() || is_log(text) {
            return Ok(LineOutcome::Yes);
        }
        if let Some(remark) = text.strip_prefix('#') {
            self.remark(remark.trim(), out);
            return Ok(LineOutcome::Yes);
        }
        let Some(table) = &self.table else {
            if is_command(text) {
                self.told.name = test::in_command(text);
                self.told.facts.push(("command", text.to_owned()));
                return Ok(LineOutcome::Yes);
            }
            return Ok(LineOutcome::No);
        };
        let row = match table.row(text)? {
            ParsedRow::Row(row) => row,
            ParsedRow::No => return Ok(LineOutcome::No),
            ParsedRow::Refused(why) => return Ok(LineOutcome::Refused(why.to_owned())),
        };
        if table.is_of_processor {
            return Ok(LineOutcome::Refused(OF_PROCESSOR.to_owned()));
        }
        if self.has_groups {
            return Ok(LineOutcome::Refused(
                "several groups of ranks ran at the same time".to_owned(),
            ));
        }
        let data = test::data(row.datatype, row.operation);
        for (times, in_place) in row.halves.iter().zip([false, true]) {
            if times.is_empty() {
                continue;
            }
            let run = match place(&mut self.places, &self.told, &data, in_place, out) {
                Ok(run) => run,
                Err(why) => return Ok(LineOutcome::Refused(why)),
            };
            for (of, time) in times {
                out.row_of(run, Some(row.bytes), *time, *of);
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
            self.told.name = test::in_command(program).or(self.told.name.take());
        } else if let Some(rest) = remark.split_once("-tests version").map(|(_, rest)| rest) {
            self.told.version = rest.split_whitespace().next().map(str::to_owned);
            let code = rest.split_whitespace().find_map(|word| word.split_once("-library="));
            if let Some(code) = code.and_then(|(_, code)| code.parse().ok()) {
                self.told.library(code);
            }
        } else if let Some(table) = Table::of(remark) {
            if table.has_each {
                out.no_place_for("i_max, i_cv%");
            }
            self.table = Some(table);
            self.told.procs = self.last_rank.and_then(|rank| rank.checked_add(1)).map(Procs);
            self.told.devices(&std::mem::take(&mut self.hosts), self.device.take().as_deref());
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
