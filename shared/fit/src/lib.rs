//! Samples to parameters, with intervals, verdicts and reasons. Pure: the collector fits on the
//! machine, the page fits again to the same samples.
//!
//! | file | parameters |
//! |---|---|
//! | `states` | which samples were taken in the same state of the machine |
//! | `evidence` | the samples of a tier, grouped; one estimate a group |
//! | `end_to_end` | T(m), EEL, Hockney's line |
//! | `measured` | none: T(m) as it was measured, by us or by another tool |
//! | `overhead` | o_s(m) and o_r(m) by style |
//! | `gap` | g, g by queue depth, G |
//! | `latency` | L; g(m) of PLogP |
//! | `eager` | S by style |
//! | `progress` | DCP or ICP, T, RAT or RTA, O', O_i(m), O_c(m) |
//! | `tables` | none: measured times by size and ranks, from which predictions are read |
//! | [`printed`] | all of them that other benchmarks' numbers tell |
//! | [`anew()`] | all of them, in a signature that holds its samples |
//! | [`Again`] | none: what predictions are compared with |
//! | [`algorithm`] | by which algorithm a library seems to do an operation |
//! | [`pairs`] | the slow host, or the slow link |
//! | [`collective`] | closed forms over p and m |
//!
//! Estimates that are impossible, such as a negative time, are never written as values: the
//! parameter is `unusable` and its source says why.

mod again;
mod anew;
pub mod collective;
mod eager;
mod end_to_end;
mod evidence;
mod gap;
mod latency;
mod measured;
mod overhead;
pub mod pairs;
pub mod printed;
mod progress;
pub mod states;
mod tables;

pub use again::Again;
pub use anew::anew;
pub use eager::eager_limit;
pub use measured::measured;
pub use tables::tables;

use evidence::Evidence;
use loggia_model::signature::{Reach, Samples, Tier};

/// A tier, as far as the samples tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Its parameters.
    pub tier: Tier,
    /// What a reader must know before trusting them.
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
    let doubted = |remark: String| format!("{name}: {remark}");
    Fitted { tier, remarks: remarks.into_iter().map(doubted).collect() }
}
