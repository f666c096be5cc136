//! What is told of a run beside its end, and what is written of it: of schedules and of traced
//! programs alike.

pub(super) mod goal;
pub(super) mod text;
pub(super) mod timeline;

use crate::cli::Details;
use loggia_model::Error;
use loggia_simulate::answer::{CriticalPath, RankSplit, Sensitivity};
use loggia_simulate::{Runs, Simulation};
use serde::Serialize;

/// What was asked for.
#[derive(Serialize)]
pub(super) struct RunDetails {
    #[serde(flatten)]
    sensitivity: Option<Sensitivity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    critical_path: Option<CriticalPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<Vec<RankSplit>>,
}

impl RunDetails {
    /// The path is found only where it is asked for, by who has all of the program in memory.
    pub(super) fn of(
        simulation: &Simulation<impl Runs>,
        requested: &Details,
        path: impl FnOnce() -> Result<CriticalPath, Error>,
    ) -> Result<Self, Error> {
        Ok(RunDetails {
            sensitivity: requested.sensitivity.then(|| simulation.sensitivity()),
            critical_path: requested.critical_path.then(path).transpose()?,
            ranks: requested.split.then(|| {
                let (outcome, splits) = simulation.split();
                simulation.rank_splits(&splits, outcome.end())
            }),
        })
    }

    /// The same as text, a section each.
    pub(super) fn sections(&self) -> [Option<String>; 3] {
        [
            self.sensitivity.as_ref().map(text::sensitivity),
            self.critical_path.as_ref().map(text::path),
            self.ranks.as_deref().map(text::splits),
        ]
    }
}
