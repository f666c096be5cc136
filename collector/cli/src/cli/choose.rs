//! `loggia choose`

use super::values::{bytes_are, operation};
use clap::Args;
use loggia_model::signature::{BytesAre, Operation};
use loggia_model::units::{Bytes, Procs};

#[derive(Args)]
pub(crate) struct Choose {
    /// A built-in name, a file, a link, or - for standard input
    pub(crate) sig: String,
    /// Set the collective operation
    #[arg(long, value_parser = operation())]
    pub(crate) op: Operation,
    /// Set the number of ranks
    #[arg(long, value_name = "P")]
    pub(crate) procs: Procs,
    /// Set the message size
    #[arg(long, value_name = "SIZE")]
    pub(crate) bytes: Bytes,
    /// Set what --bytes counts [default: as in the closed form of the machine]
    #[arg(long, value_name = "WHAT", value_parser = bytes_are())]
    pub(crate) bytes_are: Option<BytesAre>,
}
