//! What is told of a run beside its end, and what is written of it: of schedules and of traced
//! programs alike.

pub(super) mod goal;
pub(super) mod text;
pub(super) mod timeline;

use crate::cli::Asked;
use loggia_model::simulate::Simulation;
use loggia_model::simulate::answer::{CriticalPath, RankSplit, Sensitivity};
use serde::Serialize;

/// What was asked for.
#[derive(Serialize)]
pub(super) struct Told {
    #[serde(flatten)]
    sensitivity: Option<Sensitivity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    critical_path: Option<CriticalPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<Vec<RankSplit>>,
}

impl Told {
    pub(super) fn of(simulation: &Simulation, asked: &Asked) -> Self {
        Told {
            sensitivity: asked.sensitivity.then(|| simulation.sensitivity()),
            critical_path: asked.critical_path.then(|| simulation.critical_path()),
            ranks: asked.split.then(|| {
                let (outcome, splits) = simulation.split();
                simulation.rank_splits(&splits, outcome.end())
            }),
        }
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
