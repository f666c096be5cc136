//! The states that a machine was in while it was measured.
//!
//! The host of a virtual machine moves its CPUs: for some seconds they share a cache, then they are
//! on two chips, and messages between them take twice as long. Another machine changes its clock
//! rate when it gets warm. Times of different states must not be mixed, since the next run has
//! another mixture. So the collector takes a pulse between two measurements: a few round trips of a
//! small message. Two states are told apart by a gap between their pulses that the spread on
//! neither side explains.

use loggia_model::signature::{Round, Samples};
use loggia_model::units::words::number;

/// States differ if their times differ at least by this factor.
const APART: f64 = 1.3;

/// A rarer group of pulses is a disturbance, not a state.
const RARE: f64 = 0.05;

/// Parameters are taken from a state that lasts at least this part of the run.
const COMMON: f64 = 0.2;

/// Two pulses are of different states if their gap is this multiple of the distance of quartiles.
const CLEAR: f64 = 0.5;

/// Pulses of one state.
#[derive(Clone, Copy, Debug, PartialEq)]
struct State {
    low: f64,
    median: f64,
    high: f64,
    share: f64,
}

/// The state that parameters are taken from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct States {
    all: Vec<State>,
    chosen: usize,
}

impl States {
    /// The states in which these samples were taken. Parameters come from the fastest common one:
    /// the next run will most likely have it, too.
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
        let common = all.iter().position(|state| state.share >= COMMON);
        States { chosen: common.unwrap_or_default(), all }
    }

    /// Takes the state in which a small message takes about this time; a remark if there is none.
    pub(super) fn choose_like(&mut self, usual: f64) -> Option<String> {
        let off = |state: &State| libm::fabs(libm::log(state.median / usual));
        let nearest = self.all.iter().enumerate().min_by(|a, b| off(a.1).total_cmp(&off(b.1)))?;
        self.chosen = nearest.0;
        let state = nearest.1;
        (off(state) > libm::log(APART)).then(|| {
            format!(
                "the machine is in another state than when it was measured: a small message takes \
                 {} µs, and took {}",
                number(state.median, 3),
                number(usual, 3)
            )
        })
    }

    /// Whether a round was in that state from its beginning to its end.
    pub(super) fn hold(&self, round: Option<&Round>) -> bool {
        let pulse = round.and_then(|round| round.pulse);
        let (Some(pulse), Some(state)) = (pulse, self.all.get(self.chosen)) else {
            return true;
        };
        let first = self.chosen == 0;
        let last = self.chosen + 1 == self.all.len();
        // With one state nothing is too slow: disturbances are detected elsewhere.
        pulse.iter().all(|p| (first || p.0 >= state.low) && (last || p.0 <= state.high))
    }

    /// A remark, if there was more than one state.
    pub(super) fn remark(&self) -> Option<String> {
        let chosen = self.all.get(self.chosen).filter(|_| self.all.len() > 1)?;
        let words =
            |state: &State| format!("{} µs ({:.0}%)", number(state.median, 3), state.share * 100.0);
        let all: Vec<String> = self.all.iter().map(words).collect();
        Some(format!(
            "the machine changed its state while it was measured, as when processors are moved: \
             a small message took {}; parameters are those of the state with {} µs, samples of the \
             others are kept and not used",
            all.join(" or "),
            number(chosen.median, 3)
        ))
    }
}

/// Divides sorted pulses at their widest gap, again and again.
fn split(pulses: &[f64], total: usize, into: &mut Vec<State>) {
    let least = ((total as f64 * RARE) as usize).max(3);
    let at = |q: f64| pulses[((pulses.len() - 1) as f64 * q) as usize];
    if pulses.is_empty() {
        return;
    }
    // Counted in pairs that are a twentieth of the rare apart, so that no stray pulse fills a gap.
    let stride = (least / 4).max(1);
    let inner = least..pulses.len().saturating_sub(least);
    let gap = |i: usize| pulses[(i + stride).min(pulses.len() - 1)] / pulses[i - 1];
    let widest = inner.max_by(|a, b| gap(*a).total_cmp(&gap(*b)));
    if let Some(i) = widest {
        let middle = |part: &[f64]| part[part.len() / 2];
        let (below, above) = pulses.split_at(i);
        let spread = |part: &[f64]| part[part.len() * 3 / 4] / part[part.len() / 4];
        let apart = middle(above) / middle(below);
        let clear = libm::log(gap(i)) >= CLEAR * libm::log(spread(below).max(spread(above)));
        if apart >= APART && clear {
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
