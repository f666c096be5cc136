//! Settings of a replay, and the algorithms that were used.

use crate::choice::Choices;
use crate::measured_time::MeasuredTimes;
use loggia_model::measured::Basis;
use loggia_model::signature::{Operation, ProgressKind};
use loggia_model::units::MicrosPerByte;
use loggia_model::units::words::{number, size};
use loggia_model::what_if::WhatIf;
use serde::{Deserialize, Serialize};

/// Settings of a replay.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// Algorithms of collective operations.
    pub choices: Choices,
    /// Measured times of operations whose algorithm is not set.
    pub measured: Option<MeasuredTimes>,
    /// Factor of the computation of all ranks.
    pub scale_compute: f64,
    /// Additional factors of single ranks.
    pub scale_ranks: Vec<(u32, f64)>,
    /// t_c: time per byte of the reduction operator.
    pub combine: MicrosPerByte,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        ReplayOptions {
            choices: Choices::default(),
            measured: None,
            scale_compute: 1.0,
            scale_ranks: Vec::new(),
            combine: MicrosPerByte(0.0),
        }
    }
}

impl ReplayOptions {
    /// The factors of computation as text.
    pub(crate) fn scaled(&self) -> Vec<String> {
        let all = times("computation", self.scale_compute);
        let of_ranks = self.scale_ranks.iter();
        let of_ranks =
            of_ranks.filter_map(|(rank, by)| times(&format!("computation of rank {rank}"), *by));
        all.into_iter().chain(of_ranks).collect()
    }

    pub(crate) fn compute_rate(&self, rank: u32) -> f64 {
        let own = self.scale_ranks.iter().filter(|(of, _)| *of == rank).map(|(_, scale)| *scale);
        self.scale_compute * own.product::<f64>()
    }

    /// Time of the reduction operator on these bytes, in ps.
    pub(crate) fn operator_time(&self, bytes: u64) -> u64 {
        loggia_simulate::loggp_costs::operator_time(self.combine, bytes)
    }
}

/// The changes of a machine as text.
pub(crate) fn scaled_machine(what_if: &WhatIf) -> Vec<String> {
    let WhatIf { latency, bandwidth, overhead, progress, eager_limit } = what_if;
    let factors = [("latency", latency), ("bandwidth", bandwidth), ("overhead", overhead)];
    let factors = factors.into_iter().filter_map(|(name, factor)| times(name, *factor));
    let progress = progress.map(|kind| match kind {
        ProgressKind::Dependent => "dependent progress".to_owned(),
        ProgressKind::Independent => "independent progress".to_owned(),
    });
    let eager_limit = eager_limit.map(|limit| format!("S = {}", size(limit)));
    factors.chain(progress).chain(eager_limit).collect()
}

fn times(quantity: &str, factor: f64) -> Option<String> {
    (factor != 1.0).then(|| format!("{quantity} × {}", number(factor, 4)))
}

/// The algorithm of a replayed operation, with its calls and bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlgorithmUse {
    /// The operation.
    pub op: Operation,
    /// The algorithm's name.
    pub algorithm: std::borrow::Cow<'static, str>,
    /// `asked`, `signature` or `default`.
    pub chooser: std::borrow::Cow<'static, str>,
    /// Source of the operation's time.
    pub basis: Basis,
    /// Number of ranks.
    pub procs: u32,
    /// Number of calls, counted once per rank.
    pub calls: u64,
    /// Minimum bytes, as the operation counts them.
    pub smallest: u64,
    /// Maximum bytes.
    pub largest: u64,
}

impl AlgorithmUse {
    /// The sizes as text: `8–1024`, or a single size.
    pub fn sizes(&self) -> String {
        match (self.smallest, self.largest) {
            (low, high) if low == high => low.to_string(),
            (low, high) => format!("{low}–{high}"),
        }
    }
}
