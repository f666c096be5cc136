//! `loggia calls`

use clap::Args;

#[derive(Args)]
pub(crate) struct Calls {
    /// A folder written by `loggia trace`, or the files of a trace
    #[arg(required = true)]
    pub(crate) trace: Vec<String>,
    /// List only the calls of this rank
    #[arg(long)]
    pub(crate) rank: Option<u32>,
}
