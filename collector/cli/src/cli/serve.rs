//! `loggia serve`

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Serve {
    /// Signatures to load [default: the page's own]
    pub(crate) sig: Vec<String>,
    /// Show this signature once the file exists, and again after each change
    #[arg(long, value_name = "FILE")]
    pub(crate) watch: Option<PathBuf>,
    /// Set the port on 127.0.0.1 [default: 7478, or a free one]
    #[arg(long)]
    pub(crate) port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,
}
