//! From a transport to a signature: rank 0 leads, the other ranks follow.
//!
//! | file | what it holds |
//! |---|---|
//! | `options` | what was asked for, and how much time it may take |
//! | `orders` | what a rank can be told to do, and doing it |
//! | `plan` | which measurements, in which order, with how much effort |
//! | `lead` | rank 0: gives orders, keeps samples, saves, says how far it is |
//! | `machine` | who is where: hosts, processors, pairs of each tier |
//! | `file` | the signature as it grows; going on with one that was interrupted |
//! | `say` | the plan and the summary, in words |
//! | `validate` | measuring again what the fit did not see |
//! | `stop` | SIGTERM, and a partner that is gone |

mod file;
mod lead;
mod machine;
mod options;
mod orders;
mod plan;
mod say;
mod stop;
mod validate;

pub use lead::lead;
pub use options::{Level, Options, What};
pub use orders::follow;
pub use stop::{LastWords, end_after_the_leader};
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
