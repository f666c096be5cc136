//! `loggia trace`

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Trace {
    /// Write to this folder: one file per rank, and an index
    #[arg(short, long, value_name = "DIR", default_value = "loggia-trace")]
    pub(crate) output: PathBuf,
    /// Replace an existing trace
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// The program with its arguments, including the launcher
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub(crate) program: Vec<String>,
}
