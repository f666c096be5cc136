//! Code that the example programs share: options, additional work, checks and output of results.

#![allow(dead_code, reason = "each program uses a part of this module")]

use mpi::collective::SystemOperation;
use mpi::topology::{CartesianCommunicator, SimpleCommunicator};
use mpi::traits::{Communicator, CommunicatorCollectives};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The result of a program.
pub(crate) struct Outcome {
    pub(crate) size: usize,
    pub(crate) iterations: usize,
    pub(crate) seconds: f64,
    pub(crate) checksum: f64,
}

/// The reason why a program has no result.
pub(crate) enum Failure {
    /// The options or the number of ranks are wrong.
    Usage(String),
    /// A check failed.
    Wrong(String),
}

/// Runs a program between the start and the end of MPI; rank 0 prints the result.
pub(crate) fn run(
    name: &str,
    program: fn(&SimpleCommunicator, Arguments) -> Result<Outcome, Failure>,
) -> ExitCode {
    let Some(universe) = mpi::initialize() else {
        eprintln!("{name}: MPI cannot be initialized");
        return ExitCode::FAILURE;
    };
    let world = universe.world();
    let outcome = program(&world, Arguments::given());
    if world.rank() != 0 {
        return ExitCode::SUCCESS;
    }
    match outcome {
        Ok(outcome) => {
            let Outcome { size, iterations, seconds, checksum } = outcome;
            let ranks = world.size();
            println!(
                "{name}: ranks {ranks}, size {size}, iterations {iterations}, \
                 seconds {seconds:.6}, checksum {checksum:.15e}"
            );
            ExitCode::SUCCESS
        }
        Err(Failure::Usage(message)) => {
            eprintln!("{name}: {message}");
            ExitCode::from(2)
        }
        Err(Failure::Wrong(message)) => {
            eprintln!("{name}: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The arguments of the command line that are not parsed yet.
pub(crate) struct Arguments {
    words: Vec<String>,
    known: Vec<String>,
    problem: Option<String>,
}

impl Arguments {
    fn given() -> Self {
        Arguments { words: std::env::args().skip(1).collect(), known: vec![], problem: None }
    }

    /// The value of `--name`, a whole number from 1; `default` if it is absent.
    pub(crate) fn number(&mut self, name: &str, default: usize) -> usize {
        self.known.push(format!("--{name} {default}"));
        let Some(word) = self.value(name) else { return default };
        match word.parse() {
            Ok(number) if number > 0 => number,
            _ => {
                self.problem.get_or_insert(format!("--{name} {word:?}: not a whole number from 1"));
                default
            }
        }
    }

    /// The work set by `--compute`, in µs, and `--sleep`.
    pub(crate) fn work(&mut self) -> Work {
        self.known.extend(["--compute 0us".to_string(), "[--sleep]".to_string()]);
        let word = self.value("compute").unwrap_or_else(|| "0".to_string());
        let micros: Option<f64> = word.trim_end_matches("us").parse().ok();
        let time = micros.and_then(|micros| Duration::try_from_secs_f64(micros * 1e-6).ok());
        if time.is_none() {
            self.problem.get_or_insert(format!("--compute {word:?}: not a time in microseconds"));
        }
        Work { time: time.unwrap_or_default(), sleep: self.flag("--sleep") }
    }

    /// An error if an argument is invalid or unknown.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let unknown = self.words.first().map(|word| format!("{word}: unknown"));
        match self.problem.or(unknown) {
            None => Ok(()),
            Some(problem) => {
                Err(Failure::Usage(format!("{problem}; options: {}", self.known.join(" "))))
            }
        }
    }

    /// Removes `--name value` or `--name=value`, and returns the value.
    fn value(&mut self, name: &str) -> Option<String> {
        let name = format!("--{name}");
        let is_option = |word: &String| word.split('=').next() == Some(&name);
        let place = self.words.iter().position(is_option)?;
        let word = self.words.remove(place);
        if let Some((_, value)) = word.split_once('=') {
            return Some(value.to_string());
        }
        Some(if place < self.words.len() { self.words.remove(place) } else { String::new() })
    }

    fn flag(&mut self, name: &str) -> bool {
        let before = self.words.len();
        self.words.retain(|word| word != name);
        self.words.len() < before
    }
}

/// Additional computation, of a given duration.
#[derive(Clone, Copy)]
pub(crate) struct Work {
    time: Duration,
    sleep: bool,
}

impl Work {
    /// No additional work.
    pub(crate) fn none() -> Self {
        Work { time: Duration::ZERO, sleep: false }
    }

    /// Computes on the program's numbers without changing them, or sleeps.
    pub(crate) fn run(&self, numbers: &[f64]) {
        if self.time.is_zero() {
            return;
        }
        let end = Instant::now() + self.time;
        if self.sleep { sleep_until(end) } else { compute_until(end, numbers) }
    }
}

fn compute_until(end: Instant, numbers: &[f64]) {
    for part in numbers.chunks(64).cycle() {
        black_box(part.iter().map(|number| number * number).sum::<f64>());
        if Instant::now() >= end {
            return;
        }
    }
}

/// Sleeps for most of the time, then yields: the system wakes a thread about 60 µs late.
fn sleep_until(end: Instant) {
    const LATE: Duration = Duration::from_micros(100);
    loop {
        let remaining = end.saturating_duration_since(Instant::now());
        if remaining.is_zero() {
            return;
        }
        match remaining.checked_sub(LATE) {
            Some(time) if !time.is_zero() => std::thread::sleep(time),
            _ => std::thread::yield_now(),
        }
    }
}

/// The seconds of the slowest rank for a task that all ranks begin together.
pub(crate) fn timed(world: &SimpleCommunicator, task: impl FnOnce()) -> f64 {
    world.barrier();
    let start = Instant::now();
    task();
    let seconds = start.elapsed().as_secs_f64();
    reduced(world, seconds, SystemOperation::max())
}

/// The sum over all ranks.
pub(crate) fn sum(world: &SimpleCommunicator, numbers: impl Iterator<Item = f64>) -> f64 {
    reduced(world, numbers.sum(), SystemOperation::sum())
}

/// The maximum over all ranks, at least 0.
pub(crate) fn largest(world: &SimpleCommunicator, numbers: impl Iterator<Item = f64>) -> f64 {
    reduced(world, numbers.fold(0.0, f64::max), SystemOperation::max())
}

/// Fails on all ranks if an error on a rank is larger than allowed, or is not a number.
pub(crate) fn check(
    world: &SimpleCommunicator,
    quantity: &str,
    errors: impl Iterator<Item = f64>,
    allowed: f64,
) -> Result<(), Failure> {
    let size = |error: f64| if error.is_nan() { f64::INFINITY } else { error.abs() };
    let worst = largest(world, errors.map(size));
    if worst <= allowed {
        return Ok(());
    }
    Err(Failure::Wrong(format!("error of {quantity}: {worst:e}; {allowed:e} is allowed")))
}

fn reduced(world: &SimpleCommunicator, own: f64, operation: SystemOperation) -> f64 {
    let mut all = 0.0;
    world.all_reduce_into(&own, &mut all, operation);
    all
}

/// The ranks in a grid of rows and columns, as near to a square as possible.
pub(crate) fn grid(world: &SimpleCommunicator) -> Result<CartesianCommunicator, Failure> {
    let ranks = world.size();
    let fits = |rows: &i32| ranks % rows == 0 && rows * rows <= ranks;
    let rows = (1..=ranks).rev().find(fits).unwrap_or(1);
    world
        .create_cartesian_communicator(&[rows, ranks / rows], &[false, false], false)
        .ok_or_else(|| Failure::Usage("MPI cannot arrange these ranks in a grid".to_string()))
}
