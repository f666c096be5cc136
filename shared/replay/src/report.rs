//! The result of a replay.

use super::call_times::TimePerCall;
use super::options::{AlgorithmUse, scaled_machine};
use super::replay::Replay;
use super::summary::CallTotals;
use loggia_model::Error;
use loggia_model::units::Micros;
use loggia_model::what_if::WhatIf;
use loggia_simulate::result::SimulationResult as Run;
use loggia_simulate::{Simulated, Simulation};
use loggia_trace::call::KINDS;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The result of a replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplayReport {
    /// Predicted completion time; `None` if the run got stuck.
    pub predicted_us: Option<Micros>,
    /// Comparison with the real run.
    #[serde(flatten)]
    pub replayed: Comparison,
    /// Completion time of each rank in the real run.
    pub measured_rank_times_us: Vec<Micros>,
    /// The run, as `loggia simulate` reports it.
    #[serde(flatten)]
    pub run: Run,
}

/// Comparison of the prediction with the traced run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Duration of the real run, from the first start to the last end of a rank; `None` if the
    /// trace has no times.
    pub measured_us: Option<Micros>,
    /// (predicted − measured) / measured. `None` under a what-if, which sets `change` instead.
    pub error: Option<f64>,
    /// Predicted change by the what-if.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change: Option<f64>,
    /// The what-ifs, such as `latency × 0.5`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scaled: Vec<String>,
    /// Time by kind of call, summed over all ranks.
    pub operations: Vec<CallTime>,
    /// Algorithms of collective operations.
    pub algorithms: Vec<AlgorithmUse>,
    /// Calls in the trace.
    pub records: u64,
}

/// The time of all ranks in one kind of call, or between calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallTime {
    /// MPI's name, or `computation`.
    pub call: Cow<'static, str>,
    /// Number of calls.
    pub calls: u64,
    /// Time in the real run.
    pub measured_us: Option<Micros>,
    /// Time in the replay.
    pub predicted_us: Micros,
}

/// Name of the time between calls.
pub const COMPUTATION: &str = "computation";

impl ReplayReport {
    /// The report of a replay on a machine under a what-if.
    #[must_use]
    pub fn under(self, what_if: &WhatIf) -> Self {
        self.with_scaled(scaled_machine(what_if))
    }

    fn with_scaled(mut self, scaled: Vec<String>) -> Self {
        let of = &mut self.replayed;
        of.scaled.extend(scaled);
        if !of.scaled.is_empty() {
            of.change = of.change.or(of.error.take());
        }
        self
    }
}

impl Replay {
    /// Runs it and reports the result.
    pub fn answer(&self, simulation: &Simulation<impl Simulated>) -> Result<ReplayReport, Error> {
        let mut calls = self.calls(TimePerCall::default());
        let outcome = simulation.watched(&mut calls);
        self.check(&outcome)?;
        simulation.check()?;
        let TimePerCall { spent, computing } = calls.end(&outcome.ends);
        let run = simulation.answer(&outcome);
        let nanoseconds = |time: u64| Micros(time as f64 / 1e3);
        let timed = self.is_timed();
        let measured_us = self.measured();
        let predicted_us = run.time_us;
        let error = measured_us.zip(predicted_us).filter(|(measured, _)| measured.0 > 0.0);
        let measured_rank_times_us = match timed {
            true => self.summary.ranks.iter().map(|rank| nanoseconds(rank.end)).collect(),
            false => Vec::new(),
        };
        let error = error.map(|(measured, predicted)| (predicted.0 - measured.0) / measured.0);
        let replayed = Comparison {
            measured_us,
            error,
            change: None,
            scaled: Vec::new(),
            operations: self.spent(&spent, simulation, computing),
            algorithms: self.chosen(),
            records: self.summary.records,
        };
        let report = ReplayReport { predicted_us, replayed, measured_rank_times_us, run };
        Ok(report.with_scaled(self.scaled_computation()))
    }

    /// Times per kind of call, computation first, then the longest.
    fn spent(
        &self,
        spent: &[u64],
        simulation: &Simulation<impl Simulated>,
        computing: u64,
    ) -> Vec<CallTime> {
        let ranks = &self.summary.ranks;
        let measured = |time: u64| self.is_timed().then(|| Micros(time as f64 / 1e3));
        let mut operations = vec![CallTime {
            call: COMPUTATION.into(),
            calls: 0,
            measured_us: measured(ranks.iter().map(|rank| rank.computing).sum()),
            predicted_us: simulation.micros(computing),
        }];
        for (kind, (name, ticks)) in KINDS.iter().zip(spent).enumerate() {
            let of = |get: fn(&CallTotals) -> u64| ranks.iter().map(|r| get(&r.spent[kind])).sum();
            let (calls, time): (u64, u64) = (of(|spent| spent.calls), of(|spent| spent.time));
            if calls > 0 || *ticks > 0 {
                operations.push(CallTime {
                    call: (*name).into(),
                    calls,
                    measured_us: measured(time),
                    predicted_us: simulation.micros(*ticks),
                });
            }
        }
        let time = |op: &CallTime| op.measured_us.map_or(0.0, |time| time.0).max(op.predicted_us.0);
        operations[1..].sort_by(|a, b| time(b).total_cmp(&time(a)));
        operations
    }
}
