//! From a transport to a signature: rank 0 leads, the other ranks follow.
//!
//! | file | contents |
//! |---|---|
//! | `options` | options, and the effort of each level |
//! | `commands` | commands to ranks, and their execution |
//! | `survey` | rough times of a pair, before its measurements |
//! | `plan` | which measurements, in which command, with how much effort |
//! | `coordinator` | rank 0: sends commands, collects samples, saves, shows progress |
//! | `machine` | hosts, processors, and a pair of ranks per tier |
//! | `signature_file` | the signature file, and resuming it |
//! | `tier_run` | a tier, its pair of ranks and its measurements |
//! | `summary` | the summary of the plan |
//! | `validate` | errors of the models at sizes not used in the fit |
//! | `stop` | termination by signals |

mod commands;
mod coordinator;
mod machine;
mod options;
mod plan;
mod signature_file;
mod stop;
mod summary;
mod survey;
mod tier_run;
mod validate;

pub use commands::follow;
pub use coordinator::lead;
pub use options::{Level, MeasurementKind, Options};
pub use stop::{ExitMessage, end_after_the_leader};
pub use validate::{Validation, validate};

use loggia_model::Error;

/// Why a run ends early.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong.
    Refused(Error),
    /// The input is good but the run failed.
    Failed(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Refused(error)
    }
}

fn too_few_ranks() -> Error {
    Error::new(
        "at least two ranks are needed",
        "",
        "start at least two, such as `mpirun -n 2 loggia …`, or use --transport threads",
    )
}
