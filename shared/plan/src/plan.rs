//! What a plan says: times over the number of ranks, what they are made of, what would change them.

use super::assumption::Assumption;
use super::cost::{Basis, Breakdown, StepCost};
use loggia_model::signature::ProgressKind;
use loggia_model::units::words::{percent, rate};
use loggia_model::units::{Bytes, BytesPerMicro, Micros, Procs};
use loggia_model::what_if::WhatIf;
use loggia_simulate::result::{Word, one_of};
use serde::{Deserialize, Deserializer, Serialize};

/// What it would take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The machine's name.
    pub machine: String,
    /// By which rules messages go.
    #[serde(deserialize_with = "known")]
    pub rules: Word,
    /// How often the steps are done.
    pub iterations: u64,
    /// Whether more ranks share the same work, or each brings its own.
    pub scaling: Scaling,
    /// On each number of ranks.
    pub points: Vec<Point>,
    /// Where runs end and sums begin.
    pub meeting: Option<SumCheck>,
    /// By what its collective operations are done, from which number of ranks on.
    #[serde(default)]
    pub algorithms: Vec<AlgorithmChoice>,
    /// What the network card that ranks of a node share makes of it, where its rate is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<SharedCard>,
    /// What the machine does not report, and what that would change.
    #[serde(default)]
    pub missing: Vec<Assumption>,
    /// The smallest number of ranks on which the program is communication-bound.
    pub overtaken_from: Option<Procs>,
    /// Beyond how many ranks nothing was measured.
    pub measured_procs: Procs,
    /// What must be known before trusting it.
    pub warnings: Vec<String>,
}

/// What the network card that ranks of a node share makes of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedCard {
    /// So many share it.
    pub ranks_per_node: u32,
    /// R_N
    #[serde(rename = "card_bandwidth_bytes_per_us")]
    pub rate: BytesPerMicro,
    /// So many ranks that send at once fill it.
    #[serde(rename = "pairs_to_fill_card")]
    pub filled_by: Option<u32>,
    /// From how many ranks on a second card would save 1% or more.
    pub limits_from: Option<Procs>,
    /// On the most ranks that were asked …
    pub procs: Procs,
    /// … a second card would save this part of an iteration.
    pub second_card_saves: f64,
}

impl SharedCard {
    /// What it makes of the plan, and what is not in it.
    #[must_use]
    pub fn words(&self) -> String {
        let filled = match self.filled_by {
            Some(1) => "; one of them fills it".to_owned(),
            Some(ranks) if ranks <= self.ranks_per_node => format!("; {ranks} of them fill it"),
            Some(ranks) => format!("; only {ranks} would fill it"),
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
        format!("{limits}. {card}. Contention inside the fabric is not modelled.")
    }
}

/// What happens to the work when there are more ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// It is divided.
    Strong,
    /// Each has as much.
    Weak,
}

impl Scaling {
    /// What stays constant over the numbers of ranks.
    pub fn words(self) -> &'static str {
        match self {
            Scaling::Strong => "strong scaling: the total work is fixed",
            Scaling::Weak => "weak scaling: the work per rank is fixed",
        }
    }
}

/// What it takes on so many ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// How many.
    pub procs: Procs,
    /// An iteration.
    pub time_us: Micros,
    /// It is no shorter, as far as the machine is known.
    pub low_us: Micros,
    /// It is no longer, as far as the machine is known.
    pub high_us: Micros,
    /// All iterations.
    pub total_us: Micros,
    /// How much of what so many ranks could do is done.
    pub efficiency: f64,
    /// How the time was found.
    pub by: Method,
    /// What an iteration is made of.
    pub parts: Breakdown,
    /// What each step takes.
    pub steps: Vec<StepCost>,
    /// The block of each rank, if there is a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<Vec<u64>>,
    /// How many ranks stand along each of its dimensions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<Vec<u32>>,
    /// What an iteration would take on another machine.
    pub what_if: Vec<Improvement>,
    /// Whether so many ranks were never measured there.
    pub extrapolates: bool,
    /// Which of its messages between two ranks are of sizes that were never measured there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<Bytes>,
}

/// How a time was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// The whole was simulated.
    Simulated,
    /// Analytic sum.
    Sum,
}

/// Where runs end and sums begin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SumCheck {
    /// The largest number of ranks that was simulated.
    pub procs: Procs,
    /// The run.
    pub simulated_us: Micros,
    /// The sum.
    pub sum_us: Micros,
}

/// What a better machine would give.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Improvement {
    /// What would be better.
    #[serde(deserialize_with = "known")]
    pub change: Word,
    /// An iteration then.
    pub time_us: Micros,
}

/// By what a collective operation is done, from a number of ranks on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlgorithmChoice {
    /// In which line of the sketch it stands.
    pub line: usize,
    /// Which operation, on how many bytes.
    pub what: String,
    /// From this number of ranks on, of those that were asked.
    pub from_procs: Procs,
    /// The form or the algorithm.
    pub by: String,
    /// How its time is known.
    pub from: Basis,
}

fn known<'de, D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
    let others = [SECOND_CARD, crate::machine::NO_RULES];
    one_of(from, CHANGES.map(|(change, _)| change).into_iter().chain(others))
}

/// What may be better where ranks share a network card.
pub(crate) const SECOND_CARD: Word = "a second network card";

/// What may be better.
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
    /// Which share of the time this is; none of no time.
    #[must_use]
    pub fn share(&self, part: f64) -> f64 {
        if self.time_us.0 > 0.0 { part / self.time_us.0 } else { 0.0 }
    }
}
