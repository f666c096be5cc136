//! ReproMPI: `#@key=value`, then every repetition, or a summary of them, in seconds.

use super::read::{Out, Reader, Taken};
use super::table::{Columns, number};
use super::{Run, Tool, What};
use crate::Error;
use crate::signature::Statistic;
use crate::units::{Bytes, Micros, Procs};

const SECOND: f64 = 1e6;

/// A reader, for what begins like its output.
pub(super) fn begins(text: &str, _: &mut Out) -> Option<Box<dyn Reader>> {
    let is_its = text.trim().starts_with("#Command-Line Arguments:");
    is_its.then(|| Box::new(Reprompi::default()) as Box<dyn Reader>)
}

#[derive(Default)]
struct Reprompi {
    procs: Option<Procs>,
    facts: Vec<(&'static str, String)>,
    columns: Option<Columns>,
    /// The operation that rows are of, and its run.
    op: Option<(String, u32)>,
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
        Ok(Taken::Yes)
    }
}

impl Reprompi {
    /// The run of an operation: the present one, or a new one.
    fn run(&mut self, test: &str, out: &mut Out) -> u32 {
        if let Some((op, run)) = &self.op
            && op == test
        {
            return *run;
        }
        let name = test.strip_prefix("MPI_").unwrap_or(test).to_ascii_lowercase();
        let (procs, facts) = (self.procs, self.facts.clone());
        let run = out.run(|file, line| Run {
            tool: Tool::Reprompi,
            version: None,
            benchmark: test.to_owned(),
            file,
            line,
            procs,
            is_of_two: false,
            facts,
            what: What::Collective { op: name, is_nonblocking: false, on_gpus: false },
        });
        self.op = Some((test.to_owned(), run));
        run
    }
}
