//! OSU micro-benchmarks, 5 to 7: `# OSU MPI Latency Test v7.4`, a header that names columns, rows.
//!
//! They say neither how many ranks there were nor where. A bandwidth's window is 64 unless the file
//! says otherwise. `MB` is 10^6 bytes.

use super::reading::{Out, Reader, Taken};
use super::table::{Columns, number, numbers};
use super::{Run, Tool, What};
use crate::Error;
use crate::signature::{Operation, Statistic};
use crate::units::{Bytes, Micros};

/// Messages under way in a bandwidth test, where nothing else is said.
const WINDOW: u32 = 64;

/// A reader, for what begins like one of these benchmarks.
pub(super) fn begins(text: &str) -> Option<Box<dyn Reader>> {
    let title = text.trim().strip_prefix("# OSU ")?;
    let (library, rest) = title.split_once(' ')?;
    let (benchmark, version) = match rest.rsplit_once(" v") {
        Some((name, version)) => (name.trim(), Some(version.trim().to_owned())),
        None => (rest.trim(), None),
    };
    let run = Run::new(Tool::Osu, benchmark, what(benchmark));
    let run = Run { version, facts: vec![("library", library.to_owned())], ..run };
    Some(Box::new(Osu { run, columns: None }))
}

/// What a benchmark measures, by its title.
fn what(benchmark: &str) -> What {
    let name = benchmark.trim_end_matches("Test").trim();
    let flood = |directions, pairs| What::Flood { window: Some(WINDOW), directions, pairs };
    match name {
        "Latency" => return What::Message,
        "Multi Latency" => return What::MessageBeside { pairs: None },
        "Bandwidth" => return flood(1, 1),
        "Bi-Directional Bandwidth" => return flood(2, 1),
        "Multiple Bandwidth / Message Rate" => return flood(1, 1),
        _ => {}
    }
    let name = name.trim_end_matches("Latency").trim();
    let (is_nonblocking, name) = match name.strip_prefix("Non-blocking ") {
        Some(rest) => (true, rest),
        None => (false, name),
    };
    let op = match name {
        "All-to-All Personalized Exchange" | "All-to-All" => "alltoall".to_owned(),
        "Broadcast" => "bcast".to_owned(),
        other => other.to_ascii_lowercase().replace([' ', '-'], "_"),
    };
    let bytes_are = Operation::named(&op).ok().map(Operation::bytes_are);
    What::Collective { op: Some(op), bytes_are, is_nonblocking, on_gpus: false }
}

struct Osu {
    /// As the title tells it.
    run: Run,
    columns: Option<Known>,
}

/// Where what stands.
struct Known {
    columns: Columns,
    bytes: Option<usize>,
    time: Option<usize>,
    /// MB/s
    rate: Option<usize>,
}

impl Known {
    fn of(header: &str) -> Option<Self> {
        let columns = Columns::apart(header);
        let time =
            columns.find(&["Avg Latency(us)", "Latency (us)", "Latency(us)", "Pure Comm.(us)"]);
        let rate = columns.find(&["Bandwidth (MB/s)", "MB/s"]);
        let bytes = columns.find(&["Size"]);
        (time.is_some() || rate.is_some()).then_some(Known { columns, bytes, time, rate })
    }
}

impl Reader for Osu {
    fn begin(&mut self, out: &mut Out) {
        out.run(self.run.clone());
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<Taken, Error> {
        let text = text.trim();
        if let Some(remark) = text.strip_prefix('#') {
            self.remark(remark.trim(), out);
            return Ok(Taken::Yes);
        }
        if text.is_empty() {
            return Ok(Taken::Yes);
        }
        let Some(known) = &self.columns else { return Ok(Taken::No) };
        // What was validated says so in its last column.
        let words: Vec<&str> = text.split_whitespace().collect();
        let row = match words.split_last() {
            Some((&"Fail", _)) => return Ok(Taken::Refused("its data was wrong".to_owned())),
            Some((&"Pass", others)) => numbers(&others.join(" "))?,
            _ => numbers(text)?,
        };
        let Some(row) = row else { return Ok(Taken::No) };
        if words.len() != known.columns.len() {
            return Ok(Taken::Refused(
                "it has not as many numbers as there are columns".to_owned(),
            ));
        }
        let bytes = known.bytes.map(|at| row[at]);
        let time = match (known.time, known.rate, bytes) {
            (Some(at), ..) => row[at],
            // bytes / (MB/s) = µs
            (None, Some(at), Some(bytes)) => bytes / row[at],
            _ => return Ok(Taken::No),
        };
        if !(time.is_finite() && time > 0.0) {
            return Ok(Taken::Refused("its time is no time".to_owned()));
        }
        out.row(bytes.map(|bytes| Bytes(bytes as u64)), Micros(time), Statistic::Mean);
        Ok(Taken::Row)
    }
}

impl Osu {
    fn remark(&mut self, remark: &str, out: &mut Out) {
        if let Some(known) = Known::of(remark) {
            self.columns = Some(known);
            return;
        }
        let Some(run) = out.current() else { return };
        if let Some(datatype) = remark.strip_prefix("Datatype:") {
            run.facts.push(("datatype", datatype.trim().trim_end_matches('.').to_owned()));
        }
        // [ pairs: 2 ] [ window size: 64 ]
        let said = |name: &str| {
            let (_, rest) = remark.split_once(name)?;
            let word = rest.split([']', ' ']).find(|word| !word.is_empty())?;
            number(word).ok().flatten().map(|number| number as u32)
        };
        if let What::Flood { window, pairs, .. } = &mut run.what {
            *window = said("window size:").or(*window);
            *pairs = said("pairs:").unwrap_or(*pairs);
        }
    }
}
