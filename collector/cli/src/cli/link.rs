//! `loggia link`

use super::page_state::PageState;
use clap::Args;

#[derive(Args)]
pub(crate) struct Link {
    #[command(flatten)]
    pub(crate) state: PageState,
    /// Prepend the address of a hosted page
    #[arg(long, value_name = "URL")]
    pub(crate) page: Option<String>,
}
