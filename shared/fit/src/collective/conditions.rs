//! The samples of one operation, by p and m, in parts taken at different times.

use crate::states::States;
use loggia_model::signature::{Operation, Quantity, Range, Samples, Statistic};
use loggia_model::stats::quantile::{Sample, median};
use loggia_model::units::{Bytes, Micros, Procs};
use std::collections::{BTreeMap, BTreeSet};

/// Minimum number of parts, if there are enough times. Samples of the same moment share noise.
const PARTS: usize = 6;

/// Procedure name, statistic, and tool of a measurement.
type Procedure<'a> = (Option<&'a str>, Statistic, Option<&'a str>);

/// Times at one p over m: a median per part, minus the cost of reading the clock.
pub type Curve = BTreeMap<Bytes, Vec<f64>>;

/// All times of one operation, measured by one procedure.
pub struct Conditions<'a> {
    /// Times of the complete operation.
    pub real: BTreeMap<Procs, Curve>,
    /// Times of a reduction without its arithmetic.
    pub empty: BTreeMap<Procs, Curve>,
    /// Name of the procedure.
    pub(crate) procedure: Option<&'a str>,
    /// The tool, if not Loggia: mostly one number per p and m.
    pub(crate) tool: Option<&'a str>,
    pub(crate) statistic: Statistic,
    /// Number of times.
    pub(crate) count: usize,
}

impl<'a> Conditions<'a> {
    /// Takes the procedure that covers the most sizes and numbers of ranks. Separate executions are
    /// preferred to blocks. A common start has the error of the ranks' clocks, which for short
    /// operations exceeds the error that it avoids.
    pub fn of(
        op: Operation,
        samples: impl IntoIterator<Item = &'a Samples>,
        states: &States,
    ) -> Option<Self> {
        let is_of_operation = |samples: &&Samples| {
            kind(samples.quantity).is_some()
                && samples.procs.is_some_and(|procs| procs.0 >= 2)
                && samples.op.as_deref() == Some(op.name())
        };
        let mut by_procedure: Vec<(Procedure, Vec<&Samples>)> = Vec::new();
        for samples in samples.into_iter().filter(is_of_operation) {
            let procedure = (samples.style.as_deref(), samples.statistic, samples.tool.as_deref());
            match by_procedure.iter_mut().find(|(known, _)| *known == procedure) {
                Some((_, all)) => all.push(samples),
                None => by_procedure.push((procedure, vec![samples])),
            }
        }
        let coverage = |all: &[&Samples]| {
            all.iter().map(|s| (s.procs, s.bytes)).collect::<BTreeSet<_>>().len()
        };
        let preference = |procedure: &Procedure| match procedure {
            (Some("separated"), ..) => 3,
            (Some("window"), ..) => 2,
            (Some("blocks"), ..) => 0,
            _ => 1,
        };
        // A non-blocking call is another operation.
        let is_blocking = |procedure: &Procedure| procedure.0 != Some("nonblocking");
        // Single times are preferred to statistics. Loggia uses the slowest rank (Hwang, Wang & Wang
        // 1997); for other tools, median and mean are preferred.
        let statistic_rank = |procedure: &Procedure| match procedure.1 {
            Statistic::Raw => 6,
            Statistic::MaximumOverRanks if procedure.2.is_none() => 5,
            Statistic::Median | Statistic::Percentile(50) => 4,
            Statistic::Mean => 3,
            Statistic::MaximumOverRanks => 2,
            Statistic::Reported => 1,
            _ => 0,
        };
        // On ties, the first procedure.
        let (procedure, all) = by_procedure.into_iter().rev().max_by_key(|(procedure, all)| {
            (
                is_blocking(procedure),
                statistic_rank(procedure) > 0,
                coverage(all),
                preference(procedure),
                statistic_rank(procedure),
            )
        })?;
        Some(Conditions {
            real: curves(&all, states, true),
            empty: curves(&all, states, false),
            procedure: procedure.0,
            tool: procedure.2,
            statistic: procedure.1,
            count: all.iter().map(|samples| samples.times.len()).sum(),
        })
        .filter(|conditions| !conditions.real.is_empty())
    }

    /// The procedure as text.
    pub(crate) fn words(&self) -> String {
        match (self.tool, self.procedure) {
            (Some(tool), _) => tool.to_owned(),
            (None, Some(procedure)) => format!("measured, {procedure}"),
            (None, None) => "measured".to_owned(),
        }
    }

    /// The numbers of processes.
    pub(crate) fn procs(&self) -> Option<Range<Procs>> {
        let (low, high) = (self.real.keys().next()?, self.real.keys().next_back()?);
        Some(Range { low: *low, high: *high })
    }

    /// The sizes.
    pub(crate) fn bytes(&self) -> Option<Range<Bytes>> {
        let sizes = || self.real.values().flat_map(BTreeMap::keys).copied();
        Some(Range { low: sizes().min()?, high: sizes().max()? })
    }

    /// The median over all parts, by p and m.
    pub(crate) fn medians(&self) -> impl Iterator<Item = (Procs, Vec<(Bytes, Micros)>)> {
        let medians = |curve: &Curve| {
            curve.iter().filter_map(|(size, parts)| Some((*size, Micros(median(parts)?)))).collect()
        };
        self.real.iter().map(move |(procs, curve)| (*procs, medians(curve)))
    }
}

/// Whether a collective operation includes its arithmetic; `None` for other quantities.
fn kind(quantity: Quantity) -> Option<bool> {
    match quantity {
        Quantity::Collective | Quantity::CollectiveStartup => Some(true),
        Quantity::CollectiveEmpty => Some(false),
        _ => None,
    }
}

fn curves(all: &[&Samples], states: &States, real: bool) -> BTreeMap<Procs, Curve> {
    let mut by: BTreeMap<(Procs, Bytes), Vec<&Samples>> = BTreeMap::new();
    for samples in all.iter().filter(|samples| kind(samples.quantity) == Some(real)) {
        if let Some(procs) = samples.procs {
            by.entry((procs, samples.bytes.unwrap_or_default())).or_default().push(samples);
        }
    }
    let mut curves: BTreeMap<Procs, Curve> = BTreeMap::new();
    for ((procs, bytes), all) in by {
        let parts = parts(&all, states);
        if !parts.is_empty() {
            curves.entry(procs).or_default().insert(bytes, parts);
        }
    }
    curves
}

/// One median per part: a round, or with few rounds, a part of a round.
fn parts(all: &[&Samples], states: &States) -> Vec<f64> {
    let rounds: Vec<(&Samples, &[Micros])> = all
        .iter()
        .flat_map(|samples| samples.by_round().map(move |round| (*samples, round)))
        .filter(|(_, (round, _))| states.hold(*round))
        .map(|(samples, (_, times))| (samples, times))
        .collect();
    let each = PARTS.div_ceil(rounds.len().max(1));
    let mut medians = Vec::new();
    for (samples, times) in rounds {
        let times: Vec<f64> = times.iter().map(|time| time.0).collect();
        let tick = samples.tick.map_or(0.0, |tick| tick.0);
        let timer = samples.timer.map_or(0.0, |timer| timer.0);
        let length = times.len().div_ceil(each).max(1);
        let part_median = |part: &[f64]| Some(Sample::new(part, tick).median()? - timer);
        medians.extend(times.chunks(length).filter_map(part_median));
    }
    medians
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::signature::Round;

    fn samples(style: &str, p: u32, m: u64, times: &[f64]) -> Samples {
        Samples {
            op: Some("bcast".to_owned()),
            style: Some(style.to_owned()),
            procs: Some(Procs(p)),
            bytes: Some(Bytes(m)),
            timer: Some(Micros(0.5)),
            times: times.iter().copied().map(Micros).collect(),
            ..Samples::raw(Quantity::Collective)
        }
    }

    #[test]
    fn rounds_are_parts_and_few_rounds_are_divided() {
        let times: Vec<f64> = (3..21).map(|i| f64::from(i / 3)).collect();
        let rounds = (0..6).map(|round| Round { round, count: 3, pulse: None }).collect();
        let six_rounds = [Samples { rounds, ..samples("window", 2, 0, &times) }];
        let conditions = Conditions::of(Operation::Bcast, &six_rounds, &States::default()).unwrap();
        assert_eq!(conditions.real[&Procs(2)][&Bytes(0)], [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]);
        let times: Vec<f64> = (0..12).map(f64::from).collect();
        let one_round = [samples("window", 2, 0, &times)];
        let conditions = Conditions::of(Operation::Bcast, &one_round, &States::default()).unwrap();
        assert_eq!(conditions.real[&Procs(2)][&Bytes(0)], [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(conditions.count, 12);
    }

    #[test]
    fn the_procedure_with_most_conditions_is_used_alone() {
        let all = [
            samples("blocks", 2, 0, &[1.0]),
            samples("window", 2, 0, &[3.0]),
            samples("separated", 2, 0, &[2.0]),
        ];
        fn of(all: &[Samples]) -> &str {
            Conditions::of(Operation::Bcast, all, &States::default()).unwrap().procedure.unwrap()
        }
        assert_eq!(of(&all), "separated");
        assert_eq!(of(&all[..2]), "window");
        let more = [&all[..], &[samples("blocks", 4, 0, &[1.0])]].concat();
        assert_eq!(of(&more), "blocks");
        assert!(Conditions::of(Operation::Gather, &all, &States::default()).is_none());
        assert!(
            Conditions::of(
                Operation::Bcast,
                &[samples("window", 1, 0, &[1.0])],
                &States::default()
            )
            .is_none()
        );
        assert!(
            Conditions::of(Operation::Bcast, &[samples("window", 2, 0, &[])], &States::default())
                .is_none()
        );
    }
}
