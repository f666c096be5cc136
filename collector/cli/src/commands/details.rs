//! Details of a simulation, as JSON, text or files: for `simulate` and `replay`.

pub(super) mod goal;
pub(super) mod text;
pub(super) mod timeline;

use crate::cli::Details;
use loggia_model::Error;
use loggia_simulate::result::{CriticalPath, RankSplit, Sensitivity};
use loggia_simulate::{Runs, Simulation};
use serde::Serialize;

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
    /// `path` is called only if the critical path is requested, as it needs the whole program in memory.
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

    /// One section of text per detail.
    pub(super) fn sections(&self) -> [Option<String>; 3] {
        [
            self.sensitivity.as_ref().map(text::sensitivity),
            self.critical_path.as_ref().map(text::path),
            self.ranks.as_deref().map(text::splits),
        ]
    }
}
