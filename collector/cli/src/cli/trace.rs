//! `loggia trace`

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Trace {
    /// The folder to write: one file a rank, and an index
    #[arg(short, long, value_name = "DIR", default_value = "loggia-trace")]
    pub(crate) output: PathBuf,
    /// Replace the trace that is there
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// The program and its words, launcher and all
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub(crate) program: Vec<String>,
}
