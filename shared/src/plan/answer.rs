//! What a plan says: times over the number of ranks, what they are made of, what would change them.

use super::cost::{self, Parts, Place, StepCost};
use super::machine::Machine;
use super::on::{Doing, Names};
use super::sketch::{GridOf, Sketch};
use crate::Error;
use crate::replay::what_if::WhatIf;
use crate::signature::{End, ProgressKind, Signature};
use crate::simulate::Rules;
use crate::units::words::number;
use crate::units::{Micros, Procs};
use serde::{Deserialize, Serialize};

/// Up to so many ranks the whole is simulated, if nobody says otherwise.
pub const SIMULATED: u32 = 64;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
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
}

/// What it would take.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// The machine's name.
    pub machine: String,
    /// By which rules messages go.
    pub rules: &'static str,
    /// How often the steps are done.
    pub iterations: u64,
    /// Whether more ranks share the same work, or each brings its own.
    pub scaling: Scaling,
    /// On each number of ranks.
    pub points: Vec<Point>,
    /// Where runs end and sums begin.
    pub meeting: Option<Meeting>,
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    pub by: By,
    /// What an iteration is made of.
    pub parts: Parts,
    /// What each step takes.
    pub steps: Vec<StepCost>,
    /// The block of each rank, if there is a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<Vec<u64>>,
    /// What an iteration would take on another machine.
    pub what_if: Vec<Buys>,
    /// Whether so many ranks were never measured there.
    pub extrapolates: bool,
}

/// How a time was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The whole was simulated.
    Simulated,
    /// Steps were added up.
    Sum,
}

/// Where runs end and sums begin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Meeting {
    /// The largest number of ranks that was simulated.
    pub procs: Procs,
    /// The run.
    pub simulated_us: Micros,
    /// The sum.
    pub sum_us: Micros,
}

/// What a better machine would give.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Buys {
    /// What would be better.
    pub change: &'static str,
    /// An iteration then.
    pub time_us: Micros,
}

/// What may be better.
const CHANGES: [(&str, WhatIf); 4] = {
    let same =
        WhatIf { latency: 1.0, bandwidth: 1.0, overhead: 1.0, progress: None, eager_limit: None };
    [
        ("half the latency", WhatIf { latency: 0.5, ..same }),
        ("twice the bandwidth", WhatIf { bandwidth: 2.0, ..same }),
        ("half the overhead", WhatIf { overhead: 0.5, ..same }),
        ("independent progress", WhatIf { progress: Some(ProgressKind::Independent), ..same }),
    ]
};

/// The sketch on so many ranks.
struct On<'a> {
    procs: Procs,
    names: Names<'a>,
    doings: Vec<Doing>,
}

/// One of the machines that are asked together: as it is, at its bounds, changed.
struct Asked<'a> {
    ask: &'a Ask<'a>,
    machine: Machine,
}

impl<'a> Ask<'a> {
    /// Of a sketch on a machine, where these decide everything else.
    #[must_use]
    pub fn of(sketch: &'a Sketch, machine: &'a Signature) -> Self {
        Ask {
            sketch,
            machine,
            tier: None,
            style: None,
            rules: None,
            ranks_per_node: None,
            open: &[],
            simulated: SIMULATED,
        }
    }

    /// The plan over these numbers of ranks.
    ///
    /// # Errors
    /// Where the sketch or the machine does not tell what it takes.
    pub fn over(&self, procs: &[Procs]) -> Result<Plan, Error> {
        self.asked(procs, true)
    }

    /// The times alone, without bounds and without what would change them.
    pub(super) fn times_over(&self, procs: &[Procs]) -> Result<Plan, Error> {
        self.asked(procs, false)
    }

    fn asked(&self, procs: &[Procs], is_whole: bool) -> Result<Plan, Error> {
        let machine = |signature: &Signature| {
            let machine = Machine::new(signature, self.tier, self.style, self.rules)?;
            Ok::<_, Error>(Asked { ask: self, machine })
        };
        let usual = machine(self.machine)?;
        let base = usual.machine.signature().clone();
        let ends = match is_whole {
            true => vec![machine(&base.at_end(End::Low))?, machine(&base.at_end(End::High))?],
            false => Vec::new(),
        };
        let changes = CHANGES.iter().filter(|_| is_whole);
        let changed: Vec<_> =
            changes.map(|(change, what_if)| (*change, machine(&what_if.applied(&base)))).collect();
        let scaling = self.scaling(procs)?;
        let alone = usual.sum(&self.on(Procs(1))?)?.0.total();
        let measured = measured(self.machine);
        let mut points = Vec::new();
        let mut meeting = None;
        let mut warnings = usual.machine.doubts.clone();
        for &procs in procs {
            let on = self.on(procs)?;
            let (sum, steps) = usual.sum(&on)?;
            let simulated = usual.simulated(&on)?;
            if let Some(simulated) = simulated {
                meeting = Some(Meeting {
                    procs,
                    simulated_us: Micros(simulated.total()),
                    sum_us: Micros(sum.total()),
                });
            }
            let (parts, by) = match simulated {
                Some(parts) => (parts, By::Simulated),
                None => (sum, By::Sum),
            };
            let time = parts.total();
            // What is off at the ends, and changes, is told by the same way.
            let other = |asked: &Asked| -> Result<f64, Error> {
                let simulated = match by {
                    By::Simulated => asked.simulated(&on)?,
                    By::Sum => None,
                };
                Ok(match simulated {
                    Some(parts) => parts.total(),
                    None => asked.sum(&on)?.0.total(),
                })
            };
            let mut bounds = (time, time);
            for end in &ends {
                let at_end = other(end)?;
                bounds = (bounds.0.min(at_end), bounds.1.max(at_end));
            }
            let mut what_if = Vec::new();
            for (change, asked) in &changed {
                let Ok(asked) = asked else { continue };
                what_if.push(Buys { change, time_us: Micros(other(asked)?) });
            }
            let of_all = match scaling {
                Scaling::Strong => procs.count(),
                Scaling::Weak => 1.0,
            };
            if let Some(division) = on.names.division().filter(|division| !division.is_even) {
                warnings.push(uneven(procs, &division.ranks, &division.block));
            }
            points.push(Point {
                procs,
                time_us: Micros(time),
                low_us: Micros(bounds.0),
                high_us: Micros(bounds.1),
                total_us: Micros(time * self.sketch.iterations as f64),
                efficiency: alone / (of_all * time),
                by,
                parts,
                steps,
                block: on.names.division().map(|division| division.block.clone()),
                what_if,
                extrapolates: procs > measured,
            });
        }
        let is_overtaken = |point: &&Point| point.parts.compute < point.time_us.0 / 2.0;
        let overtaken_from = points.iter().find(is_overtaken).map(|point| point.procs);
        if points.iter().any(|point| point.extrapolates) {
            warnings.push(format!(
                "nothing was measured there on more than {} ranks: how messages of many get into each \
                 other's way is not known",
                measured.0
            ));
        }
        if self.machine.collectives.is_empty() && self.sketch.has_collectives() {
            warnings.push(
                "no collective operation was measured there: they cost what their algorithms do"
                    .to_owned(),
            );
        }
        Ok(Plan {
            machine: self.machine.name.clone(),
            rules: usual.machine.rules().name(),
            iterations: self.sketch.iterations,
            scaling,
            points,
            meeting,
            overtaken_from,
            measured_procs: measured,
            warnings,
        })
    }

    /// Whether a rank has less to compute where there are more of them.
    fn scaling(&self, procs: &[Procs]) -> Result<Scaling, Error> {
        if let Some(grid) = &self.sketch.grid {
            return Ok(match grid.of {
                GridOf::All => Scaling::Strong,
                GridOf::Block => Scaling::Weak,
            });
        }
        let own = |procs: Procs| Ok::<_, Error>(cost::own(&self.on(procs)?.doings));
        let most = procs.iter().copied().max().unwrap_or(Procs(1));
        let is_less = own(most)? < own(Procs(1))? * 0.99;
        Ok(if is_less { Scaling::Strong } else { Scaling::Weak })
    }

    fn each(&self) -> Option<u32> {
        self.ranks_per_node.or(self.sketch.ranks_per_node)
    }

    /// What the sketch does on so many ranks, whatever the machine.
    fn on(&self, procs: Procs) -> Result<On<'a>, Error> {
        let names = Names::new(self.sketch, procs, self.each(), self.open)?;
        Ok(On { procs, doings: names.doings()?, names })
    }
}

impl Asked<'_> {
    fn sum(&self, on: &On) -> Result<(Parts, Vec<StepCost>), Error> {
        let costs = self.place(on).costs(&on.doings)?;
        let all = costs.iter().map(|cost| cost.parts);
        let sum = all.fold(Parts::default(), |all, parts| all.with(parts, |a, b| a + b));
        Ok((sum, costs))
    }

    /// The run of the whole, if it is short.
    fn simulated(&self, on: &On) -> Result<Option<Parts>, Error> {
        if on.procs.0 < 2 || on.procs.0 > self.ask.simulated {
            return Ok(None);
        }
        self.place(on).simulated(&on.doings)
    }

    fn place<'p>(&'p self, on: &'p On) -> Place<'p> {
        Place {
            machine: &self.machine,
            procs: on.procs,
            ranks_per_node: self.ask.each(),
            division: on.names.division(),
        }
    }
}

/// On how many ranks something was measured, at most.
fn measured(machine: &Signature) -> Procs {
    let forms = machine.collectives.iter().map(|form| form.procs.high.0);
    let samples = machine.samples.iter().filter_map(|samples| samples.procs).map(|procs| procs.0);
    let run = machine.collection.as_ref().map(|collection| collection.ranks);
    Procs(forms.chain(samples).chain(run).max().unwrap_or(2).max(2))
}

fn uneven(procs: Procs, ranks: &[u32], block: &[u64]) -> String {
    let by = |all: Vec<String>| all.join(" × ");
    let ranks = by(ranks.iter().map(u32::to_string).collect());
    let block = by(block.iter().map(|side| number(*side as f64, 9)).collect());
    format!(
        "{} ranks, {ranks}, do not divide the grid evenly: all wait for the largest block, {block}",
        procs.0
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::library;

    fn planned(text: &str, machine: &str, procs: &[u32]) -> Plan {
        let sketch = Sketch::read(text).unwrap();
        let machine = library::load(machine).unwrap();
        let procs: Vec<Procs> = procs.iter().copied().map(Procs).collect();
        let ask = Ask { simulated: 0, ..Ask::of(&sketch, &machine) };
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
