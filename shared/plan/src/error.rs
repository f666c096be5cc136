//! Errors of plans, sweeps and measured runs; errors of sketches are in [`crate::sketch::error`].

use loggia_model::Error;
use loggia_model::error::{Input, Place, REPORT, Remedy};
use loggia_model::signature::Operation;
use loggia_model::stats::least_squares::MAX_TERMS;
use loggia_model::units::Procs;
use loggia_schedule::schedule::Flaw;
use std::fmt;

/// Why a program cannot be planned.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanError {
    /// A constant without a value.
    OpenConstant {
        name: String,
        place: Place,
    },
    /// The value of a formula is impossible in its place.
    ImpossibleValue {
        formula: Evaluated,
        expected: Quantity,
    },
    /// A message above 1 PiB.
    MessageTooLarge(Evaluated),
    /// A step, by its line, has too many operations even on a few ranks.
    StepTooLong {
        line: usize,
    },
    /// A time above the largest number; of the step in this line, if one step alone takes so long.
    TimeTooLarge {
        line: Option<usize>,
    },
    /// The machine has no point-to-point parameters.
    NoPointToPoint {
        machine: String,
    },
    /// A fitted model gives no time on this number of ranks.
    NoCollectiveTime {
        op: Operation,
        procs: Procs,
    },
    /// An algorithm was requested for a step without a collective operation.
    NotCollective,
    /// A simulation that deadlocks.
    Stuck,
    InvalidSchedule(Flaw),
    TooManyPlans {
        count: usize,
        most: usize,
    },
    /// Two sweeps of one input.
    SweptTwice(String),
    /// A sweep of an input that also has a single value.
    SweptAndSet(String),
    /// A study cannot be written as JSON.
    Unwritable(String),
}

/// A formula and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    pub formula: String,
    pub value: f64,
    /// Number of ranks.
    pub procs: Procs,
    pub place: Place,
}

/// The quantity that a formula must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    Finite,
    Count,
    Blocks,
    Time,
    Size,
}

impl Quantity {
    fn words(self) -> &'static str {
        match self {
            Quantity::Finite => "a number",
            Quantity::Count => "a number of repetitions",
            Quantity::Blocks => "a number of blocks",
            Quantity::Time => "a time",
            Quantity::Size => "a size",
        }
    }
}

impl From<PlanError> for Error {
    fn from(error: PlanError) -> Self {
        use PlanError::*;
        match error {
            OpenConstant { name, place } => Error::new(
                format!("`{name}` has no value in this sketch"),
                place,
                Remedy::from("fit it to runs by ")
                    .then((Input::Fit, "MEASURED.csv"))
                    .then(", or write a value instead of ?"),
            ),
            ImpossibleValue { formula: Evaluated { formula, value, procs, place }, expected } => {
                let message = match expected {
                    Quantity::Time if value < 0.0 => {
                        format!("`{formula}` is negative: {value} µs for p = {}", procs.0)
                    }
                    _ => format!(
                        "`{formula}` is {value} for p = {}, which is not {}",
                        procs.0,
                        expected.words()
                    ),
                };
                let is_constant = !formula
                    .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .any(|word| word.starts_with(char::is_alphabetic));
                let help = match is_constant {
                    true => "change the value",
                    false => "check the formula, or plan for other numbers of ranks",
                };
                Error::new(message, place, help)
            }
            MessageTooLarge(Evaluated { formula, value, procs, place }) => Error::new(
                format!("`{formula}` is {value:.3e} B for p = {}", procs.0),
                place,
                "use messages up to 1 PiB",
            ),
            StepTooLong { line } => Error::new(
                "this step is too long to be simulated on a few ranks",
                line.to_string(),
                "write it as fewer blocks, each with more work",
            ),
            TimeTooLarge { line } => Error::new(
                "the planned time is too large to be computed",
                line.map(|line| line.to_string()).unwrap_or_default(),
                "use shorter times, or fewer repetitions and iterations",
            ),
            NoPointToPoint { machine } => Error::new(
                format!("{machine} has no point-to-point parameters"),
                Input::Signature,
                "use only compute steps and collective operations, or choose another machine",
            ),
            NoCollectiveTime { op, procs } => Error::new(
                format!("the measurements of {} give no time on {}", op.name(), procs.ranks()),
                Input::Procs,
                "leave this number of ranks out, or name an algorithm in the step",
            ),
            NotCollective => Error::new(
                "an algorithm was requested for a step without a collective operation",
                "",
                REPORT,
            ),
            Stuck => Error::new("the simulation of this plan deadlocked", "", REPORT),
            InvalidSchedule(flaw) => flaw.into(),
            TooManyPlans { count, most } => Error::new(
                format!("{count} plans are too many at once"),
                Input::Sweep,
                format!("request at most {most} plans: fewer values, or fewer machines at a time"),
            ),
            SweptTwice(name) => Error::new(
                format!("{name} is swept twice"),
                Input::Sweep,
                "give all its values at once, such as n=512,1024",
            ),
            SweptAndSet(name) => Error::new(
                format!("{name} is both swept and set"),
                Input::Sweep,
                "remove one of them",
            ),
            Unwritable(reason) => Error::new(reason, "", REPORT),
        }
    }
}

/// Why a sweep cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SweepError {
    /// Not `NAME=VALUES`.
    NotASweep(String),
    /// A value of this name is empty.
    MissingValue(String),
    /// Not `LOW..HIGH` in one unit.
    NotARange(String),
    RepeatedValue {
        name: String,
        value: String,
    },
    TooManyValues(usize),
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use SweepError::*;
        match self {
            NotASweep(text) => write!(f, "`{text}` is not NAME=VALUES"),
            MissingValue(name) => write!(f, "a value of {name} is missing"),
            NotARange(text) => {
                write!(f, "`{text}` is not an ascending range of two numbers with the same unit")
            }
            RepeatedValue { name, value } => write!(f, "{name} has the value {value} twice"),
            TooManyValues(count) => write!(f, "a sweep of {count} values is too large"),
        }
    }
}

impl From<SweepError> for Error {
    fn from(error: SweepError) -> Self {
        let help = "write, for example, scale-latency=0.25..2 or n=512,1024,2048";
        Error::new(error.to_string(), Input::Sweep, help)
    }
}

/// Why a sketch cannot be fitted to measured runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FitError {
    /// A table that cannot be read, at this line.
    Table {
        mistake: TableMistake,
        line: u64,
    },
    /// The sketch has a value for every constant.
    NothingOpen,
    TooFewRuns {
        constants: usize,
        runs: usize,
    },
    /// Constants whose effects the runs do not separate.
    NotSeparated(Vec<String>),
}

/// A mistake in a table of measured runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableMistake {
    NoRun,
    /// No column of this name.
    MissingColumn {
        name: &'static str,
        found: Vec<String>,
    },
    MissingProcs,
    MissingTime,
}

impl From<FitError> for Error {
    fn from(error: FitError) -> Self {
        match error {
            FitError::Table { mistake, line } => {
                let message = match mistake {
                    TableMistake::NoRun => "there is no run in this file".to_owned(),
                    TableMistake::MissingColumn { name, found } => {
                        format!("there is no column {name}; found {}", found.join(", "))
                    }
                    TableMistake::MissingProcs => {
                        "there is no number of ranks in this row".to_owned()
                    }
                    TableMistake::MissingTime => "there is no time in this row".to_owned(),
                };
                let help = "write a header such as procs,time and rows such as 4,1.25s";
                Error::new(message, Place::line(line), help)
            }
            FitError::NothingOpen => Error::new(
                "this sketch has no constant to fit",
                Input::Fit,
                "write, for example, per_cell = \"?\" below [let]",
            ),
            FitError::TooFewRuns { constants, runs } => Error::new(
                format!("{constants} constants are to be fitted, but there are {runs} runs"),
                Input::Fit,
                format!("give as many runs as constants, and leave no more than {MAX_TERMS} open"),
            ),
            FitError::NotSeparated(names) => Error::new(
                format!("these runs do not separate the effects of {}", names.join(" and ")),
                Input::Fit,
                "give runs on other numbers of ranks, or leave fewer constants open",
            ),
        }
    }
}
