//! From a transport to a signature: rank 0 leads, the other ranks follow.
//!
//! | file | what it holds |
//! |---|---|
//! | `options` | what was asked for, and how much time it may take |
//! | `commands` | what a rank can be told to do, and doing it |
//! | `plan` | which measurements, in which command, with how much effort |
//! | `coordinator` | rank 0: gives orders, keeps samples, saves, says how far it is |
//! | `machine` | who is where: hosts, processors, pairs of each tier |
//! | `signature_file` | the signature as it grows; going on with one that was interrupted |
//! | `summary` | the plan and the summary, in words |
//! | `validate` | measuring again what the fit did not see |
//! | `stop` | SIGTERM, and a partner that is gone |

mod commands;
mod coordinator;
mod machine;
mod options;
mod plan;
mod signature_file;
mod stop;
mod summary;
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

/// The refusal of a single rank.
fn alone() -> Error {
    Error::new(
        "one rank alone has nobody to send to",
        "",
        "start two or more: mpirun -n 2 loggia …, or use --transport threads",
    )
}
