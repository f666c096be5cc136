//! The state of the page: `loggia link` and `loggia page`.

use super::values::{assumption, view};
use clap::Args;
use loggia_link::state::View;

#[derive(Args)]
pub(crate) struct PageState {
    /// Signatures: built-in names, files, links, or - for standard input
    #[arg(required = true)]
    pub(crate) sig: Vec<String>,
    /// Open this view
    #[arg(long, value_parser = view())]
    pub(crate) view: Option<View>,
    /// Set an input of the view or a parameter of the first signature
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = assumption)]
    pub(crate) set: Vec<(String, String)>,
}
