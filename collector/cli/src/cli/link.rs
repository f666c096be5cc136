//! `loggia link`

use super::page_state::PageState;
use clap::Args;

#[derive(Args)]
pub(crate) struct Link {
    #[command(flatten)]
    pub(crate) state: PageState,
    /// The address of a hosted page, to make a whole link
    #[arg(long, value_name = "URL")]
    pub(crate) page: Option<String>,
}
