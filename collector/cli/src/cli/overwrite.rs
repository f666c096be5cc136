//! Files that a verb writes.

use clap::Args;
use loggia_collect::atomic_file::must_be_free;
use loggia_model::Error;
use std::path::Path;

#[derive(Args)]
pub(crate) struct Overwrite {
    /// Replace the file if it exists
    #[arg(long)]
    overwrite: bool,
}

impl Overwrite {
    /// Refuses files that exist, unless they are to be replaced.
    pub(crate) fn check<'a>(&self, files: impl IntoIterator<Item = &'a Path>) -> Result<(), Error> {
        match self.overwrite {
            true => Ok(()),
            false => files.into_iter().try_for_each(must_be_free),
        }
    }
}
