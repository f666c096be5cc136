//! `loggia calls`

use clap::Args;

#[derive(Args)]
pub(crate) struct Calls {
    /// A folder that `loggia trace` wrote, or a trace's files
    #[arg(required = true)]
    pub(crate) trace: Vec<String>,
    /// Of this rank only
    #[arg(long)]
    pub(crate) rank: Option<u32>,
}
