//! The simulator as a wasm module of its own, loaded on demand. It is compiled for speed; the page
//! is compiled for size.
//!
//! ```js
//! // The script that the page's meta element `loggia-simulator` names.
//! const { Prepared } = await import("./simulator/simulator-….js");
//! const ring = Prepared.of_algorithm("allreduce", "ring", 1024, 1 << 20);
//! const run = ring.run(2.5, 1.5, 1, 0.006, 0, 65535); // L, o, g, G, O, S: µs, µs per byte, bytes
//! run.events; run.end_us;
//! JSON.parse(run.answer()); // the same as `loggia simulate --json`
//! ```
//!
//! The page starts a [`Simulator`] in a worker, by the script that the meta element `loggia-worker`
//! names, and sends it messages: see [`loggia_worker`].
//!
//! A call blocks its thread until it returns, so pages should call it in a worker. Errors are
//! thrown as the JSON that the command prints for the same error. If memory ends, the module traps
//! (a `WebAssembly.RuntimeError`) and cannot be used again: the page ends that worker and starts
//! another. The memory of a module never shrinks; ending its worker frees it.

use loggia_model::Error;
use loggia_model::model::collective::check_procs;
use loggia_model::numbers::Numbers;
use loggia_model::signature::Operation;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Micros, MicrosPerByte, Procs};
use loggia_schedule::goal;
use loggia_schedule::outcome::Outcome;
use loggia_schedule::schedule::Schedule;
use loggia_simulate::ParameterSource;
use loggia_simulate::collective::{self, Shape};
use loggia_simulate::result::SimulationResult;
use loggia_simulate::{RunSetting, Simulation};
use loggia_worker as simulator;
use loggia_worker::Response;
use serde::Serialize;
use std::rc::Rc;
use wasm_bindgen::prelude::wasm_bindgen;

/// Empty: scripts call the exported functions.
fn main() {}

/// A schedule that can be run several times.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Prepared {
    schedule: Rc<Schedule>,
    /// Warnings of the reader.
    warnings: Rc<[String]>,
}

/// A run that has ended.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Run {
    schedule: Rc<Schedule>,
    warnings: Rc<[String]>,
    numbers: Numbers,
    outcome: Outcome<u64>,
    end: Micros,
}

#[wasm_bindgen]
impl Prepared {
    /// Reads a GOAL file, text or binary.
    pub fn from_goal(file: &[u8]) -> Result<Prepared, String> {
        let (schedule, warnings) = goal::read(file).map_err(thrown)?;
        Ok(Prepared { schedule: Rc::new(schedule), warnings: warnings.into() })
    }

    /// The schedule of an algorithm with root 0 and t_c = 0. The operation defines the meaning of
    /// its bytes.
    pub fn of_algorithm(
        op: &str,
        algorithm: &str,
        procs: u32,
        bytes: f64,
    ) -> Result<Prepared, String> {
        let schedule = Operation::named(op).and_then(|op| {
            check_procs(Procs(procs))?;
            let shape = Shape::new(Procs(procs), whole(bytes, "bytes")?);
            Ok(collective::named(op, algorithm)?.schedule(&shape, &|_| 0)?)
        });
        Ok(Prepared { schedule: Rc::new(schedule.map_err(thrown)?), warnings: Rc::default() })
    }

    /// Runs the schedule by the simulation model `loggops` with one number per parameter: L, o and
    /// g in µs, G and O in µs per byte, S in bytes; without S, every message is eager.
    pub fn run(
        &self,
        latency: f64,
        overhead: f64,
        gap: f64,
        gap_per_byte: f64,
        overhead_per_byte: f64,
        eager_limit: Option<f64>,
    ) -> Result<Run, String> {
        let eager_limit = eager_limit.map(|bytes| whole(bytes, "S")).transpose().map_err(thrown)?;
        let numbers = Numbers {
            latency: Micros(latency),
            overhead: Micros(overhead),
            gap: Micros(gap),
            gap_per_byte: MicrosPerByte(gap_per_byte),
            overhead_per_byte: MicrosPerByte(overhead_per_byte),
            eager_limit,
        };
        let simulation = simulation(&self.schedule, numbers).map_err(thrown)?;
        let outcome = simulation.run();
        let end = simulation.micros(outcome.end());
        let (schedule, warnings) = (Rc::clone(&self.schedule), Rc::clone(&self.warnings));
        Ok(Run { schedule, warnings, numbers, outcome, end })
    }
}

#[wasm_bindgen]
impl Run {
    /// Number of events, as the simulation model counts them.
    #[wasm_bindgen(getter)]
    pub fn events(&self) -> f64 {
        self.outcome.events as f64
    }

    /// The end of the last rank, or the time of the deadlock.
    #[wasm_bindgen(getter)]
    pub fn end_us(&self) -> f64 {
        self.end.0
    }

    /// The result as JSON.
    pub fn answer(&self) -> Result<String, String> {
        let simulation = simulation(&self.schedule, self.numbers).map_err(thrown)?;
        let warnings = simulation.warnings();
        let answer = SimulationAnswer {
            answer: simulation.answer(&self.outcome),
            warnings: self
                .warnings
                .iter()
                .cloned()
                .chain(warnings.iter().map(ToString::to_string))
                .collect(),
        };
        serde_json::to_string(&answer).map_err(|error| error.to_string())
    }
}

#[wasm_bindgen]
extern "C" {
    /// Posts a message to the page.
    #[wasm_bindgen(js_name = postMessage)]
    fn post(share: f64);
}

/// The simulator of the page, in a worker.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Simulator {
    simulator: simulator::Simulator,
    shares: Vec<u8>,
}

#[wasm_bindgen]
impl Simulator {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Simulator {
        Simulator::default()
    }

    /// Adds a file to those of the next request.
    pub fn add(&mut self, name: &str, file: Vec<u8>) {
        self.simulator.add(name, file);
    }

    /// Handles a [`simulator::Request`], and posts its progress.
    pub fn answer(&mut self, request: &str) -> String {
        let response = match serde_json::from_str(request) {
            Ok(request) => self.simulator.answer(&request, &mut |begun, all| {
                post(begun as f64 / all.max(1) as f64);
            }),
            Err(error) => Response::Refused(Error::new(error.to_string(), "request", "")),
        };
        let text = text_of(&response);
        self.shares = match response {
            Response::TimelineSection(section) => section.shares,
            Response::Calls(was, is) => {
                let was = was.map(|section| section.shares).unwrap_or_default();
                [was, is.shares].concat()
            }
            _ => Vec::new(),
        };
        text
    }

    /// The cells of the last response, sent as binary data.
    pub fn shares(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.shares)
    }
}

fn text_of(response: &Response) -> String {
    // A response always serialises.
    serde_json::to_string(response).unwrap_or_default()
}

/// The same keys as in the command's answer.
#[derive(Serialize)]
struct SimulationAnswer {
    #[serde(flatten)]
    answer: SimulationResult,
    warnings: Vec<String>,
}

fn simulation(schedule: &Schedule, numbers: Numbers) -> Result<Simulation<'_>, Error> {
    Simulation::new(
        schedule,
        SimulationModel::LogGops,
        &RunSetting::flat(ParameterSource::Numbers(numbers)),
    )
}

/// All numbers of JavaScript are floating-point.
fn whole(bytes: f64, place: &str) -> Result<Bytes, Error> {
    /// The largest number up to which all whole numbers are exact.
    const MAX: f64 = 9_007_199_254_740_991.0;
    if bytes.fract() == 0.0 && (0.0..=MAX).contains(&bytes) {
        return Ok(Bytes(bytes as u64));
    }
    Err(Error::new(format!("{bytes} is no number of bytes"), place, "use a whole number"))
}

/// Errors are thrown as the command's error object.
fn thrown(error: Error) -> String {
    #[derive(Serialize)]
    struct Thrown {
        error: Error,
    }
    // An error always serialises.
    serde_json::to_string(&Thrown { error }).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_run() {
        let file = b"num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n";
        let prepared = Prepared::from_goal(file).expect("a schedule");
        let run = prepared.run(2.5, 1.5, 1.0, 0.006, 0.0, None).expect("a run");
        assert_eq!((run.events(), run.end_us()), (3.0, 5.5));
        let answer: serde_json::Value =
            serde_json::from_str(&run.answer().expect("an answer")).expect("JSON");
        assert_eq!(answer["rank_times_us"], serde_json::json!([1.5, 5.5]));
        assert_eq!(answer["warnings"], serde_json::json!([]));
    }

    #[test]
    fn errors_are_thrown_as_the_command_s_json() {
        let error = Prepared::of_algorithm("bcast", "binomal", 4, 8.0).expect_err("no such name");
        assert!(error.starts_with(r#"{"error":{"message":"unknown algorithm of bcast `binomal`""#));
        for bytes in [-1.0, 0.5, f64::NAN, f64::INFINITY, 1e300] {
            let error = Prepared::of_algorithm("bcast", "binomial", 4, bytes).expect_err("bytes");
            assert!(error.contains("is no number of bytes"), "{error}");
        }
        let prepared = Prepared::of_algorithm("bcast", "binomial", 4, 8.0).expect("a schedule");
        for latency in [-1.0, f64::NAN, 1e300] {
            assert!(prepared.run(latency, 1.0, 1.0, 0.0, 0.0, None).is_err(), "{latency}");
        }
        let empty = Prepared::from_goal(b"num_ranks 0\n").expect("a schedule");
        let error = empty.run(1.0, 1.0, 1.0, 0.0, 0.0, None).expect_err("no ranks");
        assert!(error.contains("no ranks"), "{error}");
    }
}
