//! What a plan says: times over the number of ranks, what they are made of, what would change them.

use super::assumption::Assumption;
use super::cache::Cache;
use super::collective::Basis;
use super::cost::{Breakdown, StepCost};
use super::evaluation::Evaluation;
use super::sketch::Sketch;
use loggia_model::Error;
use loggia_model::rules::Rules;
use loggia_model::signature::{ProgressKind, Signature};
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_model::what_if::WhatIf;
use loggia_simulate::answer::{Word, one_of};
use serde::{Deserialize, Deserializer, Serialize};
use std::rc::Rc;

/// Up to so many ranks the whole is simulated, if nobody says otherwise.
pub const SIMULATED: u32 = 64;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Of which program.
    pub sketch: &'a Sketch,
    /// On which machine.
    pub machine: &'a Signature,
    /// By which of its tiers …
    pub tier: Option<&'a str>,
    /// … and styles.
    pub style: Option<&'a str>,
    /// By which rules; else by the richest.
    pub rules: Option<Rules>,
    /// How many ranks share a node; else what the sketch says.
    pub ranks_per_node: Option<u32>,
    /// The constants that the sketch leaves open.
    pub open: &'a [(String, f64)],
    /// Up to so many ranks the whole is simulated.
    pub simulated: u32,
    /// What if the machine were another.
    pub what_if: WhatIf,
    /// What was run already: plans that share it ask once.
    pub cache: Rc<Cache>,
}

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
    /// What the machine does not report, and what that would change.
    #[serde(default)]
    pub missing: Vec<Assumption>,
    /// From how many ranks on messages take more than computation.
    pub overtaken_from: Option<Procs>,
    /// Beyond how many ranks nothing was measured.
    pub measured_procs: Procs,
    /// What must be known before trusting it.
    pub warnings: Vec<String>,
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
    /// Steps were added up.
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
    one_of(from, CHANGES.map(|(change, _)| change).into_iter().chain([crate::machine::NO_RULES]))
}

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

impl<'a> Request<'a> {
    /// Of a sketch on a machine, where these decide everything else.
    #[must_use]
    pub fn of(sketch: &'a Sketch, machine: &'a Signature) -> Self {
        Request {
            sketch,
            machine,
            tier: None,
            style: None,
            rules: None,
            ranks_per_node: None,
            open: &[],
            simulated: SIMULATED,
            what_if: WhatIf::default(),
            cache: Rc::default(),
        }
    }

    /// The plan over these numbers of ranks.
    ///
    /// # Errors
    /// Where the sketch or the machine does not tell what it takes.
    pub fn over(&self, procs: &[Procs]) -> Result<Plan, Error> {
        Evaluation::new(self, true)?.plan(procs)
    }

    /// The times alone, without bounds and without what would change them.
    ///
    /// # Errors
    /// Where the sketch or the machine does not tell what it takes.
    pub fn times_over(&self, procs: &[Procs]) -> Result<Plan, Error> {
        Evaluation::new(self, false)?.plan(procs)
    }

    pub(super) fn each(&self) -> Option<u32> {
        self.ranks_per_node.or(self.sketch.ranks_per_node)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use loggia_model::library;

    fn planned(text: &str, machine: &str, procs: &[u32]) -> Plan {
        let sketch = Sketch::read(text).unwrap();
        let machine = library::load(machine).unwrap();
        let procs: Vec<Procs> = procs.iter().copied().map(Procs).collect();
        let ask = Request { simulated: 0, ..Request::of(&sketch, &machine) };
        ask.over(&procs).unwrap()
    }

    /// `004`, Table 5: what is estimated of the two ways of each stage, and which is better.
    #[test]
    fn the_case_study_on_the_ap3000() {
        let cases = [
            (
                "reduce_scatter = 480000",
                "reduce+scatter",
                [24414.0, 33957.0, 43500.0, 49082.0],
                [20927.0, 29440.0, 39291.0, 45355.0],
            ),
            (
                "allgather = 8",
                "gather+bcast",
                [166.43, 356.94, 738.07, 1119.25],
                [164.54, 271.69, 427.93, 601.14],
            ),
        ];
        for (step, better, by_formula, by_better) in cases {
            let best = planned(&format!("[[step]]\n{step}"), "ap3000-mpi", &[2, 4, 8, 12]);
            let formula = format!("[[step]]\n{step}\nalgorithm = \"formula\"");
            let formula = planned(&formula, "ap3000-mpi", &[2, 4, 8, 12]);
            for at in 0..4 {
                let [best, formula] = [&best, &formula].map(|plan| &plan.points[at]);
                assert_eq!(best.steps[0].by.as_deref(), Some(better), "{step}");
                let off = |point: &Point, printed: f64| (point.time_us.0 / printed - 1.0).abs();
                assert!(
                    off(best, by_better[at]) < 1e-3,
                    "{} for {}",
                    best.time_us.0,
                    by_better[at]
                );
                assert!(off(formula, by_formula[at]) < 1e-3, "{}", formula.time_us.0);
            }
        }
    }

    #[test]
    fn a_plan_says_where_it_knows_nothing() {
        let text = "[grid]\ncells = [1000, 1000]\n[[step]]\nhalo = \"8 * face\"\nduring = \"1ns * cells\"\n[[step]]\nallreduce = 8";
        let plan = planned(text, "now-sparc", &[1, 3, 1 << 20]);
        assert!(plan.warnings.iter().any(|warning| warning.contains("do not divide")));
        assert!(plan.warnings.iter().any(|warning| warning.contains("no collective operation")));
        let beyond: Vec<bool> = plan.points.iter().map(|point| point.extrapolates).collect();
        assert_eq!(beyond, [false, true, true]);
        assert!((plan.points[0].efficiency - 1.0).abs() < 1e-9);
        assert!(plan.overtaken_from.is_some());
    }
}
