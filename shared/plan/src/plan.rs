//! The result of a plan: times over p, their parts, and what-ifs.

use super::assumption::Assumption;
use super::cost::{Breakdown, CostBasis, StepCost};
use loggia_model::signature::ProgressKind;
use loggia_model::units::words::{percent, rate};
use loggia_model::units::{Bytes, BytesPerMicro, Micros, Procs};
use loggia_model::what_if::WhatIf;
use loggia_simulate::result::{Word, one_of};
use serde::{Deserialize, Deserializer, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The machine's name.
    pub machine: String,
    /// Simulation model.
    #[serde(deserialize_with = "known")]
    pub rules: Word,
    /// Number of iterations.
    pub iterations: u64,
    /// Strong or weak scaling.
    pub scaling: Scaling,
    pub points: Vec<Point>,
    /// Simulation and analytic sum at the largest simulated p.
    #[serde(rename = "meeting")]
    pub sum_check: Option<SumCheck>,
    /// Algorithms of collective operations, by the p from which they are used.
    #[serde(default)]
    pub algorithms: Vec<AlgorithmChoice>,
    /// Effect of a shared network card, if its rate is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<SharedCard>,
    /// Unknown parameters, and their effect.
    #[serde(default)]
    pub missing: Vec<Assumption>,
    /// The smallest number of ranks on which the program is communication-bound.
    #[serde(rename = "overtaken_from")]
    pub communication_bound_from: Option<Procs>,
    /// Largest measured number of ranks.
    pub measured_procs: Procs,
    pub warnings: Vec<String>,
}

/// Effect of a network card that ranks of a node share.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedCard {
    /// Ranks per node, which share it.
    pub ranks_per_node: u32,
    /// R_N
    #[serde(rename = "card_bandwidth_bytes_per_us")]
    pub rate: BytesPerMicro,
    /// Number of ranks whose concurrent messages fill the card.
    #[serde(rename = "pairs_to_fill_card")]
    pub filled_by: Option<u32>,
    /// Smallest p at which a second card would save 1% or more.
    pub limits_from: Option<Procs>,
    /// Largest number of ranks of the plan.
    pub procs: Procs,
    /// Part of an iteration that a second card would save on `procs` ranks.
    pub second_card_saves: f64,
}

impl SharedCard {
    /// Describes the card's effect on the plan, and the limits of the model.
    #[must_use]
    pub fn words(&self) -> String {
        let filled = match self.filled_by {
            Some(1) => "; one of them fills it".to_owned(),
            Some(ranks) if ranks <= self.ranks_per_node => format!("; {ranks} of them fill it"),
            Some(ranks) => format!("; {ranks} are needed to fill it"),
            None => String::new(),
        };
        let card = format!(
            "{} ranks share a network card of {}{filled}",
            self.ranks_per_node,
            rate(self.rate)
        );
        let limits = match self.limits_from {
            Some(procs) => format!(
                "The network card limits from p = {}: a second one would save {} at p = {}",
                procs.0,
                percent(self.second_card_saves).trim_start_matches('+'),
                self.procs.0
            ),
            None => "The network card does not limit".to_owned(),
        };
        format!("{limits}. {card}. Contention inside the network is not modelled.")
    }
}

/// How the work grows with p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// The total is fixed.
    Strong,
    /// The work per rank is fixed.
    Weak,
}

impl Scaling {
    /// Describes what is fixed.
    pub fn words(self) -> &'static str {
        match self {
            Scaling::Strong => "strong scaling: the total work is fixed",
            Scaling::Weak => "weak scaling: the work per rank is fixed",
        }
    }
}

/// The time on a number of ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub procs: Procs,
    /// Time of an iteration.
    pub time_us: Micros,
    /// Lower bound.
    pub low_us: Micros,
    /// Upper bound.
    pub high_us: Micros,
    /// Time of all iterations.
    pub total_us: Micros,
    /// Parallel efficiency.
    pub efficiency: f64,
    pub by: Method,
    /// Parts of an iteration.
    pub parts: Breakdown,
    /// Cost of each step.
    pub steps: Vec<StepCost>,
    /// Cells of the largest block along each dimension, if there is a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<Vec<u64>>,
    /// Ranks along each dimension of the grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<Vec<u32>>,
    /// Times of an iteration with what-ifs.
    pub what_if: Vec<Improvement>,
    /// Whether p is beyond the measured range.
    pub extrapolates: bool,
    /// Sizes of point-to-point messages outside the measured range.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<Bytes>,
}

impl Point {
    /// Whether p, a message or a collective operation is outside the measurements.
    #[must_use]
    pub fn is_extrapolated(&self) -> bool {
        self.extrapolates || !self.beyond.is_empty() || self.extrapolated().next().is_some()
    }

    /// Steps that are outside the measurements of their operation.
    pub(super) fn extrapolated(&self) -> impl Iterator<Item = &StepCost> {
        self.steps.iter().filter(|step| step.from == Some(CostBasis::Extrapolated))
    }
}

/// The method of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Simulation of the whole program.
    Simulated,
    /// Analytic sum.
    Sum,
}

/// Comparison of simulation and analytic sum.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SumCheck {
    /// The largest number of ranks that was simulated.
    pub procs: Procs,
    /// Simulated time of an iteration.
    pub simulated_us: Micros,
    /// Analytic sum of an iteration.
    pub sum_us: Micros,
}

/// The effect of a what-if.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Improvement {
    #[serde(deserialize_with = "known")]
    pub change: Word,
    /// Time of an iteration with the what-if.
    pub time_us: Micros,
}

/// The algorithm of a collective operation from some p on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlgorithmChoice {
    /// Line of the sketch.
    pub line: usize,
    /// Operation and bytes.
    pub what: String,
    /// The smallest requested p.
    pub from_procs: Procs,
    /// Closed form or algorithm.
    pub by: String,
    pub from: CostBasis,
}

fn known<'de, D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
    let others = [SECOND_CARD, crate::machine::NO_RULES];
    one_of(from, CHANGES.map(|(change, _)| change).into_iter().chain(others))
}

/// The what-if for ranks that share a network card.
pub(crate) const SECOND_CARD: Word = "a second network card";

/// The what-ifs of every plan.
pub(crate) const CHANGES: [(Word, WhatIf); 4] = {
    let same =
        WhatIf { latency: 1.0, bandwidth: 1.0, overhead: 1.0, progress: None, eager_limit: None };
    [
        ("half the latency", WhatIf { latency: 0.5, ..same }),
        ("twice the bandwidth", WhatIf { bandwidth: 2.0, ..same }),
        ("half the overhead", WhatIf { overhead: 0.5, ..same }),
        ("independent progress", WhatIf { progress: Some(ProgressKind::Independent), ..same }),
    ]
};

impl Point {
    /// A share of the time; 0 if the time is 0.
    #[must_use]
    pub fn share(&self, part: f64) -> f64 {
        if self.time_us.0 > 0.0 { part / self.time_us.0 } else { 0.0 }
    }
}
