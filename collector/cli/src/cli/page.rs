//! `loggia page`

use super::overwrite::Overwrite;
use super::page_state::PageState;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Page {
    #[command(flatten)]
    pub(crate) state: PageState,
    /// Write to this file, such as t3d.html
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
}
