//! `loggia validate`

use super::ranks::Ranks;
use clap::Args;

#[derive(Args)]
pub(crate) struct Validate {
    /// A signature of this machine: a file, a link, or - for standard input
    pub(crate) sig: String,
    #[command(flatten)]
    pub(crate) ranks: Ranks,
}
