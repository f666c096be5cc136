//! `loggia link`

use super::shown::Shown;
use clap::Args;

#[derive(Args)]
pub(crate) struct Link {
    #[command(flatten)]
    pub(crate) shown: Shown,
    /// The address of a hosted page, to make a whole link
    #[arg(long, value_name = "URL")]
    pub(crate) page: Option<String>,
}
