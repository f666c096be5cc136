//! `loggia serve`

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Serve {
    /// Signatures to load; without any, the page's own choice
    pub(crate) sig: Vec<String>,
    /// Show this signature as soon as its file is there, and again whenever it is new
    #[arg(long, value_name = "FILE")]
    pub(crate) watch: Option<PathBuf>,
    /// Port on 127.0.0.1 [default: 7478, or a free one]
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// Open it in the browser
    #[arg(long)]
    pub(crate) open: bool,
}
