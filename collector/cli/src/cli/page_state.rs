//! What the page is to show: for `loggia link` and `loggia page`.

use super::values::{assumption, view};
use clap::Args;
use loggia_link::state::View;

/// What the page is to show.
#[derive(Args)]
pub(crate) struct PageState {
    /// Signatures: built-in names, files, links, or - for standard input
    #[arg(required = true)]
    pub(crate) sig: Vec<String>,
    /// The view to open
    #[arg(long, value_parser = view())]
    pub(crate) view: Option<View>,
    /// Set an input of the view or a parameter of the first signature
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assumption)]
    pub(crate) set: Vec<(String, String)>,
}
