//! ReproMPI: `#@key=value`, then every repetition, or a summary of them, in seconds.

use super::reading::{Out, Reader, Taken};
use super::table::{Columns, number};
use super::{Run, Tool, What};
use crate::Error;
use crate::signature::{Operation, Statistic};
use crate::units::{Bytes, Micros, Procs};

const SECOND: f64 = 1e6;

/// A reader, for what begins like its output.
pub(super) fn begins(text: &str) -> Option<Box<dyn Reader>> {
    let is_its = text.trim().starts_with("#Command-Line Arguments:");
    is_its.then(|| Box::new(Reprompi::default()) as Box<dyn Reader>)
}

#[derive(Default)]
struct Reprompi {
    procs: Option<Procs>,
    facts: Vec<(&'static str, String)>,
    columns: Option<Columns>,
    /// The operations that rows are of, and their runs.
    ops: Vec<(String, usize)>,
}

const FACTS: [&str; 6] =
    ["clock", "clocksync", "procsync", "runtime_type", "operation", "datatype"];

impl Reader for Reprompi {
    fn line(&mut self, text: &str, out: &mut Out) -> Result<Taken, Error> {
        let text = text.trim();
        if let Some(said) = text.strip_prefix("#@") {
            let Some((key, value)) = said.split_once('=') else { return Ok(Taken::Yes) };
            if key == "nprocs" {
                self.procs = value.trim().parse().ok().map(Procs);
            }
            let known = FACTS.iter().find(|fact| **fact == key);
            self.facts.extend(known.map(|fact| (*fact, value.trim().to_owned())));
            return Ok(Taken::Yes);
        }
        if text.is_empty() || text.starts_with('#') {
            return Ok(Taken::Yes);
        }
        if text.starts_with("test ") {
            self.columns = Some(Columns::words(text));
            return Ok(Taken::Yes);
        }
        let Some(columns) = &self.columns else { return Ok(Taken::No) };
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() != columns.len() {
            return Ok(Taken::Refused("it has not as many words as there are columns".to_owned()));
        }
        let (place, statistic) = match columns.find(&["runtime_sec"]) {
            Some(place) => (place, Statistic::Raw),
            None => match columns.find(&["median_sec"]) {
                Some(place) => (place, Statistic::Median),
                None => return Ok(Taken::No),
            },
        };
        let Some(count) = columns.find(&["count"]) else { return Ok(Taken::No) };
        let (Some(time), Some(bytes)) = (number(words[place])?, number(words[count])?) else {
            return Ok(Taken::No);
        };
        if !(time.is_finite() && time > 0.0) {
            return Ok(Taken::Refused("its time is no time".to_owned()));
        }
        let run = self.run(words[0], out);
        out.row_of(run, Some(Bytes(bytes as u64)), Micros(time * SECOND), statistic);
        Ok(Taken::Row)
    }
}

impl Reprompi {
    /// The run of an operation: the one that has begun, or a new one.
    fn run(&mut self, test: &str, out: &mut Out) -> usize {
        if let Some((_, run)) = self.ops.iter().find(|(op, _)| op == test) {
            return *run;
        }
        let op = test.strip_prefix("MPI_").unwrap_or(test).to_ascii_lowercase();
        let bytes_are = Operation::named(&op).ok().map(Operation::bytes_are);
        let what =
            What::Collective { op: Some(op), bytes_are, is_nonblocking: false, on_gpus: false };
        let run = Run::new(Tool::Reprompi, test, what);
        let run = out.run(Run { procs: self.procs, facts: self.facts.clone(), ..run });
        self.ops.push((test.to_owned(), run));
        run
    }
}
