//! The samples of a tier, grouped by condition, with one estimate per group.

use super::states::States;
use loggia_model::signature::{Curve, Parameter, Point, Quality, Quantity, Samples, Statistic};
use loggia_model::stats::estimate::difference;
use loggia_model::stats::quality::{Judgement, Tolerances, judge};
use loggia_model::stats::rounds::combine;
use loggia_model::stats::series::outliers;
use loggia_model::stats::{CONFIDENCE, Estimate};
use loggia_model::units::{Bytes, Magnitude, Micros};
use std::collections::BTreeMap;

/// Minimum relative half-width of an interval: the difference between the mean of a run and the median
/// of single times, and between two starts of the same program.
const SYSTEMATIC: f64 = 0.003;

/// Samples, for example of one tier, and the states of the machine during the measurement.
pub(super) struct Evidence<'a> {
    pub(super) all: Vec<&'a Samples>,
    pub(super) states: States,
}

/// Samples of one quantity under one condition.
#[derive(Default)]
pub(super) struct Group<'a> {
    samples: Vec<&'a Samples>,
    /// The times of each round.
    rounds: Vec<&'a [Micros]>,
}

impl<'a> Evidence<'a> {
    /// Loggia's own measurements of one pair. `printed` reads those of other tools, `card` those of
    /// several pairs.
    pub(super) fn of_tier(name: &str, samples: &'a [Samples]) -> Self {
        let is_own = |samples: &&Samples| {
            samples.tier.as_deref() == Some(name) && samples.tool.is_none() && samples.pairs() == 1
        };
        Self::in_usual_state(samples.iter().filter(is_own).collect(), None).0
    }

    /// The samples taken in the usual state of the machine, in which a small message takes time
    /// `usual`; with a remark if there are none.
    pub(super) fn in_usual_state(
        all: Vec<&'a Samples>,
        usual: Option<Micros>,
    ) -> (Self, Option<String>) {
        let mut states = States::of(all.iter().copied());
        let remark = usual.and_then(|usual| states.choose_like(usual.0));
        (Evidence { all, states }, remark)
    }

    /// Groups a quantity by `key`, in the chosen state; samples without a key are left out.
    pub(super) fn by<K: Ord>(
        &self,
        quantity: Quantity,
        statistic: Statistic,
        key: impl Fn(&Samples) -> Option<K>,
    ) -> BTreeMap<K, Group<'a>> {
        let mut groups: BTreeMap<K, Group<'a>> = BTreeMap::new();
        for samples in &self.all {
            let is_selected = samples.quantity == quantity && samples.statistic == statistic;
            if let Some(key) = key(samples).filter(|_| is_selected) {
                let group = groups.entry(key).or_default();
                let rounds = samples.by_round().filter(|(round, _)| self.states.hold(*round));
                group.rounds.extend(rounds.map(|(_, times)| times));
                group.samples.push(samples);
            }
        }
        groups.retain(|_, group| !group.rounds.is_empty());
        groups
    }

    /// Groups by size, of one send mode.
    pub(super) fn by_size(&self, quantity: Quantity, style: &str) -> BTreeMap<u64, Group<'a>> {
        self.by(quantity, Statistic::Raw, |samples| {
            samples.bytes.filter(|_| samples.style.as_deref() == Some(style)).map(|b| b.0)
        })
    }

    /// The send modes, in the order of their first measurement.
    pub(super) fn styles(&self) -> Vec<&'a str> {
        let mut styles: Vec<&str> = Vec::new();
        for style in self.all.iter().filter_map(|samples| samples.style.as_deref()) {
            if !styles.contains(&style) {
                styles.push(style);
            }
        }
        styles
    }
}

impl Group<'_> {
    /// The median over all rounds, minus the cost of reading the clock. The interval covers the
    /// spread within and between rounds. The median excludes outliers: interruptions only increase
    /// times, so they would bias it. The file keeps them.
    pub(super) fn estimate(&self) -> Option<Estimate> {
        let first = self.samples.first()?;
        let tick = first.tick.map_or(0.0, |tick| tick.0);
        let without_outliers = |times: &&[Micros]| -> Vec<f64> {
            let times: Vec<f64> = times.iter().map(|time| time.0).collect();
            let outliers = outliers(&times, tick);
            times.into_iter().filter(|time| !outliers.is_outside(*time)).collect()
        };
        let times: Vec<Vec<f64>> = self.rounds.iter().map(without_outliers).collect();
        let rounds: Vec<&[f64]> = times.iter().map(Vec::as_slice).collect();
        let estimate = combine(&rounds, tick, CONFIDENCE)?;
        let estimate = estimate
            .widened_to(&Estimate::around(estimate.value, SYSTEMATIC * estimate.value.abs()));
        let timer = first.timer.map_or(0.0, |timer| timer.0);
        Some(difference(estimate, Estimate::exact(timer)))
    }

    /// The minimum of all times.
    pub(super) fn least(&self) -> Option<f64> {
        self.times().min_by(f64::total_cmp)
    }

    /// All times, including the cost of reading the clock.
    pub(super) fn times(&self) -> impl Iterator<Item = f64> {
        self.rounds.iter().flat_map(|times| times.iter().map(|time| time.0))
    }

    /// Number of samples.
    pub(super) fn count(&self) -> usize {
        self.rounds.iter().map(|times| times.len()).sum()
    }

    /// Source of the first sample.
    pub(super) fn source(&self) -> &str {
        self.samples.first().map_or("", |samples| samples.source.as_str())
    }
}

/// An estimate as a parameter; its interval gives the quality.
pub(super) fn parameter<U: Magnitude>(estimate: Estimate, source: String) -> Parameter<U> {
    let Judgement { quality, reason } = judge(&estimate, &Tolerances::default());
    let source = match quality {
        Quality::Good => source,
        _ => format!("{source}; {reason}"),
    };
    if quality == Quality::Unusable {
        return unusable(source);
    }
    Parameter {
        value: Some(U::from_magnitude(estimate.value)),
        low: Some(U::from_magnitude(estimate.low.max(0.0))),
        high: Some(U::from_magnitude(estimate.high)),
        quality,
        source,
    }
}

/// A parameter without a value; the reason is its source.
pub(super) fn unusable<U>(reason: String) -> Parameter<U> {
    Parameter { value: None, low: None, high: None, quality: Quality::Unusable, source: reason }
}

/// Estimates by size as a curve. A negative estimate whose interval includes positive times becomes 0.
/// Unusable points are left out and named in the source. Two thirds good points make a good curve.
pub(super) fn curve(points: &BTreeMap<u64, Estimate>, source: &str) -> Option<Curve> {
    let mut qualities = Vec::new();
    let mut kept = Vec::new();
    let mut left_out = Vec::new();
    for (bytes, estimate) in points {
        let is_zero = estimate.value <= 0.0 && estimate.high > 0.0 && estimate.high.is_finite();
        let quality = match is_zero {
            true => Quality::Uncertain,
            false => judge(estimate, &Tolerances::default()).quality,
        };
        if quality == Quality::Unusable {
            left_out.push(bytes.to_string());
            continue;
        }
        qualities.push(quality);
        kept.push(Point {
            bytes: Bytes(*bytes),
            value: Micros(estimate.value.max(0.0)),
            low: Some(Micros(estimate.low.max(0.0))),
            high: Some(Micros(estimate.high)),
        });
    }
    if points.is_empty() {
        return None;
    }
    let left_out = match left_out.as_slice() {
        [] => String::new(),
        left_out => format!("; left out as too noisy or impossible: {} bytes", left_out.join(", ")),
    };
    let good = qualities.iter().filter(|quality| **quality == Quality::Good).count();
    let quality = match good {
        _ if kept.is_empty() => Quality::Unusable,
        good if 3 * good >= 2 * points.len() => Quality::Good,
        _ => Quality::Uncertain,
    };
    Some(Curve {
        points: kept,
        fixed: None,
        per_byte: None,
        quality,
        source: format!("{source}{left_out}"),
    })
}
