//! `loggia import`

use super::results::Facts;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Import {
    /// Outputs of other benchmarks: files, folders of them, ZIP archives; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// The signature to write, such as sig.json; without it, only the report
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long)]
    pub(crate) overwrite: bool,
    #[command(flatten)]
    pub(crate) facts: Facts,
    /// Add to this signature: what it knows stays, what it lacks is taken
    #[arg(long, value_name = "SIG")]
    pub(crate) merge: Option<String>,
    /// On how many nodes
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u32>,
    /// A short name for the signature [default: the first file's]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// A title for the signature
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The host or hosts it was measured on, where the file does not say it
    #[arg(long)]
    pub(crate) host: Option<String>,
    /// When it was measured, where the file does not say it
    #[arg(long)]
    pub(crate) date: Option<String>,
}
