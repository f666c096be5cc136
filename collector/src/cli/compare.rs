//! `loggia compare`

use super::words::operation;
use clap::Args;
use loggia_model::signature::Operation;
use loggia_model::units::{Bytes, Procs};

#[derive(Args)]
pub(crate) struct Compare {
    /// Built-in names, files, links, or - for standard input; ratios are to the first
    #[arg(value_name = "SIG", num_args = 2..=64, required = true)]
    pub(crate) sigs: Vec<String>,
    /// A collective operation [default: all that any of them reports]
    #[arg(long, value_parser = operation(), requires = "procs")]
    pub(crate) op: Option<Operation>,
    /// Number of processes; without it only messages are compared
    #[arg(long, value_name = "P")]
    pub(crate) procs: Option<Procs>,
    /// Size of the message
    #[arg(long, value_name = "SIZE", default_value = "1KiB")]
    pub(crate) bytes: Bytes,
}
