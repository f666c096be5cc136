//! Details of a simulation, as JSON, text or files: for `simulate` and `replay`.

pub(super) mod goal;
pub(super) mod text;
pub(super) mod timeline;

use crate::cli::Details;
use crate::report::{Failure, Output};
use loggia_model::Error;
use loggia_report::run::RunDetails;
use loggia_simulate::result::CriticalPath;
use loggia_simulate::{Simulated, Simulation};

/// `path` is called only if the critical path is requested, as it needs the whole program in memory.
pub(super) fn requested(
    simulation: &Simulation<impl Simulated>,
    requested: &Details,
    path: impl FnOnce() -> Result<CriticalPath, Error>,
) -> Result<RunDetails, Error> {
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
pub(super) fn sections(details: &RunDetails) -> [Option<String>; 3] {
    [
        details.sensitivity.as_ref().map(text::sensitivity),
        details.critical_path.as_ref().map(text::path),
        details.ranks.as_deref().map(text::splits),
    ]
}

/// Ends with the exit status of a program that cannot complete.
pub(super) fn stuck(output: &mut Output) -> Result<(), Failure> {
    output.finish()?;
    Err(Failure::Ended(STUCK))
}

const STUCK: u8 = 1;
