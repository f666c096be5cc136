//! The states of a machine during a measurement.
//!
//! The host of a virtual machine may move its CPUs: for some seconds they share a cache, later they
//! are on two chips, and messages take twice as long. Other machines change their clock rate when
//! they get warm. Times of different states must not be mixed, since the mixture differs between
//! runs. So the collector takes a pulse between two measurements: a few round trips of a small
//! message. Two states are distinguished by a gap between their pulses that exceeds the spread on
//! both sides.

use loggia_model::signature::{Round, Samples};
use loggia_model::units::words::{number, share};

/// Minimum ratio of the times of two states.
const MIN_RATIO: f64 = 1.3;

/// Minimum share of pulses for a state; a smaller group is a disturbance.
const MIN_SHARE: f64 = 0.05;

/// Minimum share of pulses for a state that parameters are fitted to.
const COMMON_SHARE: f64 = 0.2;

/// Minimum gap between two states, as a multiple of the interquartile range (both as logarithms).
const MIN_GAP: f64 = 0.5;

/// Pulses of one state.
#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    low: f64,
    median: f64,
    high: f64,
    share: f64,
}

/// The states of a measurement, and the state chosen for parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct States {
    all: Vec<State>,
    chosen: usize,
}

impl States {
    /// Finds the states of samples. Chooses the fastest common state, which the next run most
    /// likely has, too.
    pub fn of<'a>(samples: impl Iterator<Item = &'a Samples>) -> Self {
        let mut pulses: Vec<f64> = samples
            .flat_map(|s| &s.rounds)
            .filter_map(|r| r.pulse)
            .flatten()
            .map(|p| p.0)
            .collect();
        pulses.retain(|pulse| *pulse > 0.0);
        pulses.sort_unstable_by(f64::total_cmp);
        let mut all = Vec::new();
        split(&pulses, pulses.len(), &mut all);
        let common = all.iter().position(|state| state.share >= COMMON_SHARE);
        States { chosen: common.unwrap_or_default(), all }
    }

    /// Chooses the state in which a small message takes about this time; returns a remark if there
    /// is none.
    pub(super) fn choose_like(&mut self, usual: f64) -> Option<String> {
        let distance = |state: &State| libm::fabs(libm::log(state.median / usual));
        let nearest =
            self.all.iter().enumerate().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)))?;
        self.chosen = nearest.0;
        let state = nearest.1;
        (distance(state) > libm::log(MIN_RATIO)).then(|| {
            format!(
                "the machine is in another state than during the first measurement: a small \
                 message takes {} µs instead of {} µs",
                number(state.median, 3),
                number(usual, 3)
            )
        })
    }

    /// Whether a whole round was in the chosen state.
    pub(super) fn hold(&self, round: Option<&Round>) -> bool {
        let pulse = round.and_then(|round| round.pulse);
        let (Some(pulse), Some(state)) = (pulse, self.all.get(self.chosen)) else {
            return true;
        };
        let first = self.chosen == 0;
        let last = self.chosen + 1 == self.all.len();
        // The slowest state has no upper limit: outliers are removed elsewhere.
        pulse.iter().all(|p| (first || p.0 >= state.low) && (last || p.0 <= state.high))
    }

    /// A remark if there was more than one state.
    pub(super) fn remark(&self) -> Option<String> {
        let chosen = self.all.get(self.chosen).filter(|_| self.all.len() > 1)?;
        let words =
            |state: &State| format!("{} µs ({})", number(state.median, 3), share(state.share));
        let all: Vec<String> = self.all.iter().map(words).collect();
        Some(format!(
            "the machine changed its state during the measurement (for example, CPUs were moved): \
             a small message took {}; parameters are fitted to the state with {} µs, samples of \
             other states are kept but not used",
            all.join(" or "),
            number(chosen.median, 3)
        ))
    }
}

/// Divides sorted pulses recursively at the widest gap.
fn split(pulses: &[f64], total: usize, into: &mut Vec<State>) {
    let minimum = ((total as f64 * MIN_SHARE) as usize).max(3);
    let at = |q: f64| pulses[((pulses.len() - 1) as f64 * q) as usize];
    if pulses.is_empty() {
        return;
    }
    // A gap spans several pulses, so that a stray pulse does not hide it.
    let stride = (minimum / 4).max(1);
    let inner = minimum..pulses.len().saturating_sub(minimum);
    let gap = |i: usize| pulses[(i + stride).min(pulses.len() - 1)] / pulses[i - 1];
    let widest = inner.max_by(|a, b| gap(*a).total_cmp(&gap(*b)));
    if let Some(i) = widest {
        let middle = |part: &[f64]| part[part.len() / 2];
        let (below, above) = pulses.split_at(i);
        let spread = |part: &[f64]| part[part.len() * 3 / 4] / part[part.len() / 4];
        let ratio = middle(above) / middle(below);
        let is_clear = libm::log(gap(i)) >= MIN_GAP * libm::log(spread(below).max(spread(above)));
        if ratio >= MIN_RATIO && is_clear {
            split(below, total, into);
            split(above, total, into);
            return;
        }
    }
    into.push(State {
        low: pulses[0],
        median: at(0.5),
        high: pulses[pulses.len() - 1],
        share: pulses.len() as f64 / total as f64,
    });
}
