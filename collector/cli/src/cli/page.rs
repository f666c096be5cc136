//! `loggia page`

use super::shown::Shown;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct OneFile {
    #[command(flatten)]
    pub(crate) shown: Shown,
    /// The file to write, such as t3d.html
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}
