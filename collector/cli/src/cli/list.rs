//! `loggia list`

use clap::Args;

#[derive(Args)]
pub(crate) struct List {
    /// List only the machines that contain all of these words
    pub(crate) word: Vec<String>,
}
