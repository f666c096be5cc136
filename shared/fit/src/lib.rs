//! From samples to parameters with intervals, quality and reasons. The collector fits on the machine,
//! and the page fits to the same samples again.
//!
//! | file | parameters |
//! |---|---|
//! | `states` | which samples were taken in the same state of the machine |
//! | `evidence` | the samples of a tier, grouped; one estimate per group |
//! | `end_to_end` | T(m), EEL, Hockney's line |
//! | `measured` | none: T(m) as it was measured, by us or by another tool |
//! | `overhead` | o_s(m) and o_r(m) by send mode |
//! | `gap` | g, g by queue depth, G |
//! | `latency` | L; g(m) of PLogP |
//! | `card` | R_N, from several pairs of two nodes |
//! | `eager` | S by send mode |
//! | `progress` | DCP or ICP, T, RAT or RTA, O', O_i(m), O_c(m) |
//! | `noise` | none: percentiles of a small message |
//! | `spread` | none: the interval that a file gives beside a time |
//! | `tables` | none: measured times by size and ranks, from which predictions are read |
//! | [`printed`] | all that follow from the output of other benchmarks |
//! | [`refit()`] | all, of a signature that holds its samples |
//! | [`Remeasured`] | none: new measurements that predictions are compared with |
//! | [`pairs`] | the slow host, or the slow link |
//! | [`collective`] | closed forms over p and m |
//!
//! An impossible estimate, such as a negative time, is never written as a value: the parameter is
//! `unusable` and its source says why.

mod card;
pub mod collective;
mod eager;
mod end_to_end;
mod evidence;
mod gap;
mod latency;
mod measured;
mod noise;
mod overhead;
pub mod pairs;
pub mod printed;
mod progress;
mod refit;
mod remeasured;
mod spread;
pub mod states;
mod tables;

pub use eager::eager_limit;
pub use measured::measured;
pub use refit::refit;
pub use remeasured::Remeasured;
pub use tables::tables;

use evidence::Evidence;
use loggia_model::signature::{Reach, Samples, Tier};

/// A tier, as far as the samples tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    pub tier: Tier,
    /// Doubts that a reader must know.
    pub remarks: Vec<String>,
}

/// Everything that the samples of one tier tell.
pub fn tier(name: &str, reach: Reach, samples: &[Samples]) -> Fitted {
    let evidence = Evidence::of_tier(name, samples);
    let mut tier = Tier { reach, ..Tier::unknown(name) };
    let mut remarks: Vec<String> = evidence.states.remark().into_iter().collect();
    let ends = end_to_end::by_size(&evidence);
    tier.styles = overhead::styles(&evidence);
    tier.end_to_end_latency = end_to_end::smallest(&evidence, &ends);
    gap::fit(&evidence, &ends, &mut tier);
    latency::fit(&evidence, &ends, &mut tier);
    end_to_end::hockney(&ends, &mut tier);
    let eager = eager::fit(&evidence, &mut tier, &mut remarks);
    progress::fit(&evidence, &ends, eager, &mut tier);
    printed::fill(samples, &mut tier);
    remarks.extend(card::fit(samples, &mut tier));
    tier.noise = noise::noise(name, samples);
    let doubted = |remark: String| format!("{name}: {remark}");
    Fitted { tier, remarks: remarks.into_iter().map(doubted).collect() }
}
