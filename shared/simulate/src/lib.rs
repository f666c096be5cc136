//! Simulation of a schedule on a machine: completion time, shares of the parameters, sensitivity.
//!
//! | file | content |
//! |---|---|
//! | `simulated` | programs for a simulation: schedules in memory or streamed |
//! | [`costs`] | the cost of a message in each simulation model, in ticks |
//! | [`loggp_costs`] | the cost of a message in the closed forms of algorithms |
//! | `order` | the dependency of a rank's next operation |
//! | `setting` | the machine of a run: parameters, and placement of ranks |
//! | `ticks`, `time_builder` | units of time; times with their derivative or their parameters |
//! | [`assumed`] | assumed values for unknown costs of messages |
//! | [`algorithm`] | the time of a collective algorithm, and the fastest algorithm |
//! | [`collective`] | the schedules and closed forms of collective algorithms |
//! | `changed` | measured times and closed forms of a machine whose parameters were changed |
//! | [`request`] | prediction of a collective by closed forms, by an algorithm, or by the fastest method |
//! | [`error`] | mistakes in simulations and collective operations |
//! | [`record`] | every rank's timeline, and the critical path |
//! | [`program`] | the simulated program |
//! | [`result`] | the result of a run |

pub mod algorithm;
pub mod assumed;
mod changed;
pub mod collective;
pub mod costs;
pub mod error;
pub mod loggp_costs;
pub mod order;
pub mod program;
pub mod record;
pub mod request;
pub mod result;
mod setting;
mod simulated;
mod ticks;
mod time_builder;

pub use setting::{ParameterSource, RunSetting};
pub use simulated::{Simulated, Steps, Streams, Words};

use loggia_model::Error;
use loggia_model::model::Warning;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::Micros;
pub use ticks::Ticks;

use costs::CostTable;
use error::SimulationError;
use loggia_schedule::curve::{Curve, Watch};
use loggia_schedule::explain::{Part, Trace, Traced};
use loggia_schedule::observe::{NoObserver, Observer, Work};
use loggia_schedule::outcome::Outcome;
use loggia_schedule::schedule::Schedule;
use loggia_schedule::time::{Time, TimeWithSlope};
use loggia_schedule::timeline::{Recorder, Split, Splits, Streamed};
use loggia_schedule::{loggops, loggpo};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use time_builder::{ByPart, Plain, TimeBuilder, WithDerivative};

/// Maximum number of events of all runs of a curve, which take seconds; beyond it, the curve ends.
pub const MAX_EVENTS: u64 = 30_000_000;

/// A parameter over which the completion time is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Parameter {
    /// L, between nodes
    Latency,
    /// o: all overheads of messages except O'
    Overhead,
    /// O'
    Control,
    /// g
    Gap,
    /// G
    GapPerByte,
    /// 1/R_N
    NodeGapPerByte,
}

impl Parameter {
    fn part(self) -> Part {
        match self {
            Parameter::Latency => Part::Latency,
            Parameter::Overhead => Part::Overhead,
            Parameter::Control => Part::Control,
            Parameter::Gap => Part::Gap,
            Parameter::GapPerByte => Part::Bytes,
            Parameter::NodeGapPerByte => Part::Card,
        }
    }
}

/// Reports the progress of a run.
struct Progress<'a> {
    begun: u64,
    all: u64,
    report: &'a mut dyn FnMut(u64, u64),
}

impl<T: Time> Observer<T> for Progress<'_> {
    fn begins(&mut self, _: Work, now: T, _: T) -> T {
        self.begun += 1;
        if self.begun.is_multiple_of(1 << 16) {
            (self.report)(self.begun, self.all);
        }
        now
    }
}

/// A program, a machine and a simulation model, ready to run.
#[derive(Debug)]
pub struct Simulation<'a, R = Schedule> {
    simulated: &'a R,
    node_of: Option<&'a [u32]>,
    cost_table: CostTable<'a>,
    /// Describes an operation.
    describe: Words,
}

impl<'a, R: Simulated> Simulation<'a, R> {
    /// Checks the parameters of the simulation model, and computes the cost of each message size.
    pub fn new(
        simulated: &'a R,
        rules: SimulationModel,
        setting: &RunSetting<'a>,
    ) -> Result<Self, Error> {
        if simulated.ranks() == 0 {
            return Err(SimulationError::NoRanks.into());
        }
        let node_of = setting.inside.map(|(_, node_of)| node_of);
        if let Some(nodes) = node_of
            && nodes.len() != simulated.ranks() as usize
        {
            let (nodes, ranks) = (nodes.len(), simulated.ranks());
            return Err(SimulationError::WrongPlacement { nodes, ranks }.into());
        }
        let cost_table = match simulated.steps() {
            Steps::InMemory(schedule) => CostTable::new(schedule, rules, setting)?,
            Steps::Streamed(_) => CostTable::on_demand(rules, setting)?,
        };
        Ok(Simulation { simulated, node_of, cost_table, describe: simulated.words() })
    }

    /// Warnings about the result; for a streamed schedule, up to where it ran.
    pub fn warnings(&self) -> Vec<Warning> {
        self.cost_table.warnings()
    }

    /// An error if the cost of a message of a streamed schedule was unknown.
    pub fn check(&self) -> Result<(), Error> {
        self.cost_table.check()
    }

    /// Sets the description of operations.
    #[must_use]
    pub fn described_by(self, describe: Words) -> Self {
        Simulation { describe, ..self }
    }

    /// Whether ranks share network cards with a known rate.
    pub fn has_cards(&self) -> bool {
        self.cost_table.has_cards
    }

    /// The unit of time.
    pub fn ticks(&self) -> Ticks {
        self.cost_table.ticks
    }

    /// The simulation model.
    pub fn rules(&self) -> SimulationModel {
        self.cost_table.rules
    }

    /// A run with an observer. The observer is `dyn`: the simulator takes long to compile, and is
    /// compiled once for each type of time.
    fn run_with<T: Time>(
        &self,
        builder: &impl TimeBuilder<T>,
        mut observer: &mut dyn Observer<T>,
    ) -> Outcome<T> {
        self.cost_table.run(self.simulated.steps(), self.node_of, builder, &mut observer)
    }

    pub fn run(&self) -> Outcome<u64> {
        self.cost_table.plain_run(self.simulated.steps(), self.node_of)
    }

    /// Runs with an observer.
    pub fn watched(&self, observer: &mut dyn Observer<u64>) -> Outcome<u64> {
        self.run_with(&Plain, observer)
    }

    /// Runs; returns the outcome and each rank's time by activity.
    pub fn split(&self) -> (Outcome<u64>, Vec<Split>) {
        let mut splits = Splits::new(self.simulated.ranks());
        let outcome = self.run_with(&Plain, &mut splits);
        (outcome, splits.of)
    }

    /// Runs; returns the completion time by parameter.
    pub fn made_of(&self) -> Traced {
        self.traced().end()
    }

    /// Runs; returns all times by parameter.
    pub fn traced(&self) -> Outcome<Traced> {
        self.run_with(&ByPart, &mut NoObserver)
    }

    /// Right derivative of the completion time by a parameter: dimensionless, or in bytes.
    pub fn derivative(&self, parameter: Parameter) -> i64 {
        let builder = WithDerivative { part: parameter.part(), at: None };
        self.run_with::<TimeWithSlope>(&builder, &mut NoObserver).end().slope()
    }

    /// A time of a run in µs.
    pub fn micros(&self, ticks: u64) -> Micros {
        self.cost_table.ticks.micros(ticks)
    }
}

impl CostTable<'_> {
    /// A run without observer. It is not generic: the page compiles this crate for speed, but not the
    /// crates that use it.
    fn plain_run(&self, steps: Steps<'_>, node_of: Option<&[u32]>) -> Outcome<u64> {
        self.run(steps, node_of, &Plain, &mut NoObserver)
    }

    fn run<T: Time, O: Observer<T>>(
        &self,
        steps: Steps<'_>,
        node_of: Option<&[u32]>,
        builder: &impl TimeBuilder<T>,
        observer: &mut O,
    ) -> Outcome<T> {
        let machine = || self.machine(builder, node_of);
        match (steps, self.rules, node_of) {
            (Steps::Streamed(streams), ..) => {
                loggpo::run_stream(streams.source().as_mut(), &machine(), self.calc, observer)
            }
            (Steps::InMemory(schedule), SimulationModel::LogGops, None) => {
                loggops::run(schedule, &self.loggops(builder, false), self.calc, observer)
            }
            (Steps::InMemory(schedule), SimulationModel::LogGops, Some(node_of)) => {
                let (inside, between) = (self.loggops(builder, true), self.loggops(builder, false));
                let nodes = loggops::Nodes { node_of, inside, between };
                loggops::run(schedule, &nodes, self.calc, observer)
            }
            (Steps::InMemory(schedule), ..) => {
                loggpo::run(schedule, &machine(), self.calc, observer)
            }
        }
    }
}

/// Results that refer to operations by number.
impl<'a> Simulation<'a> {
    pub fn schedule(&self) -> &'a Schedule {
        self.simulated
    }

    /// Runs; reports the numbers of begun and of all operations.
    pub fn run_with_progress(&self, report: &mut dyn FnMut(u64, u64)) -> Outcome<u64> {
        let counts = self.simulated.counts();
        let sends: u64 = counts.sends.iter().map(|(_, number)| number).sum();
        let all = counts.computations + 2 * sends;
        self.run_with(&Plain, &mut Progress { begun: 0, all, report })
    }

    /// Runs; passes the timeline to `recorder`.
    pub fn timeline(&self, recorder: &mut impl Recorder) -> Outcome<u64> {
        self.run_with(&Plain, &mut Streamed(recorder))
    }

    /// Runs; returns the outcome and the recorded events for critical paths.
    pub fn explain(&self) -> (Outcome<Traced>, Trace) {
        let mut trace = Trace::default();
        let outcome = self.run_with(&ByPart, &mut trace);
        (outcome, trace)
    }

    /// Completion time over L or G, from runs with a limited total of events.
    pub fn curve(&self, parameter: Parameter, between: (u64, u64), most_events: u64) -> Curve {
        let work = Cell::new(0u64);
        let part = parameter.part();
        let builder = |value| WithDerivative { part, at: Some(value) };
        let least = self.cost_table.least(part).min(between.1);
        let between = (between.0.max(least), between.1);
        // Costs are monotonic in a parameter: if a cost is negative, it is so at one end of the
        // range.
        let back = [between.0, between.1].into_iter().any(|end| self.time_goes_back(&builder(end)));
        // Most of a curve's time: its runs have no `dyn` observer.
        let at = |value| {
            let (steps, builder) = (self.simulated.steps(), builder(value));
            let outcome: Outcome<u64> =
                self.cost_table.run(steps, self.node_of, &builder, &mut NoObserver);
            outcome.end()
        };
        let beyond = |value| {
            let mut watch = Watch::new(self.simulated.ranks(), back);
            let outcome: Outcome<TimeWithSlope> = self.run_with(&builder(value), &mut watch);
            let ends = outcome.ends.iter().copied();
            let end = ends.reduce(|a, b| watch.later(a, b)).unwrap_or_default();
            work.set(work.get().saturating_add(watch.work()));
            (end, watch.last_in_order())
        };
        Curve::trace(between, || work.get() < most_events, at, beyond)
    }

    /// Whether time can go back, which is possible only in LogGOPSim's model.
    fn time_goes_back(&self, builder: &impl TimeBuilder<u64>) -> bool {
        let back = |inside| {
            let costs = self.cost_table.loggops(builder, inside);
            loggops::time_goes_back(self.simulated, &costs, self.cost_table.calc)
        };
        self.rules() == SimulationModel::LogGops
            && (back(false) || self.node_of.is_some() && back(true))
    }
}
