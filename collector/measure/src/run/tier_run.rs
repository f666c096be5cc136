//! One tier of a run.

use super::machine::TierPair;
use super::plan::Measurement;
use super::survey::Survey;

/// A tier, its pair of ranks and its measurements.
pub(super) struct TierRun {
    pub(super) pair: TierPair,
    pub(super) path: String,
    pub(super) survey: Survey,
    /// Round trips of a pulse, which shows the state of the machine.
    pub(super) pulse: u32,
    pub(super) measurements: Vec<Measurement>,
}
