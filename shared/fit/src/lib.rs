//! Fits parameters with intervals, quality and reasons to samples. The collector and the page run the
//! same fits.
//!
//! | file | parameters |
//! |---|---|
//! | `states` | none: states of the machine during the measurement |
//! | `evidence` | none: groups of samples with one estimate each |
//! | `end_to_end` | T(m), EEL, Hockney's line |
//! | `measured` | none: measured T(m), of Loggia or another tool |
//! | `overhead` | o_s(m) and o_r(m) by send mode |
//! | `gap` | g, g by queue depth, G |
//! | `latency` | L; g(m) of PLogP |
//! | `card` | R_N, from concurrent pairs between two nodes |
//! | `eager` | S by send mode |
//! | `progress` | DCP or ICP, T, RAT or RTA, O', O_i(m), O_c(m) |
//! | `noise` | none: percentiles of a small message |
//! | `spread` | none: intervals that a file gives for times |
//! | `tables` | none: measured times by size and ranks, used for predictions |
//! | [`printed`] | all parameters that the output of other benchmarks gives |
//! | [`refit()`] | all parameters of a signature, from its own samples |
//! | [`Remeasured`] | none: new measurements for comparison with predictions |
//! | [`pairs`] | none: slow hosts and slow links |
//! | [`collective`] | closed forms over p and m |
//!
//! An impossible estimate, such as a negative time, is not written as a value: the parameter is
//! `unusable`, and its source gives the reason.

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

/// A fitted tier.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    pub tier: Tier,
    /// Warnings for the user.
    pub remarks: Vec<String>,
}

/// Fits all parameters of a tier.
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
    let with_name = |remark: String| format!("{name}: {remark}");
    Fitted { tier, remarks: remarks.into_iter().map(with_name).collect() }
}
