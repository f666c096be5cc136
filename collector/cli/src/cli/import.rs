//! `loggia import`

use super::overwrite::Overwrite;
use super::results::ResultFacts;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Import {
    /// Outputs of other benchmarks: files, folders of them, ZIP archives; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Write the signature to this file, such as sig.json; without it, only print the report
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) facts: ResultFacts,
    /// Add to this signature: known values stay; missing ones come from the import
    #[arg(long, value_name = "SIG")]
    pub(crate) merge: Option<String>,
    /// Set the number of nodes
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u32>,
    /// Set the short name of the signature [default: the first file's]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Set the title of the signature
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Set the host or hosts of files that do not state them
    #[arg(long)]
    pub(crate) host: Option<String>,
    /// Set the date of files that do not state it
    #[arg(long)]
    pub(crate) date: Option<String>,
}
