//! `loggia figure`

use clap::Args;
use loggia_model::units::Bytes;

#[derive(Args)]
pub(crate) struct Figure {
    /// Its name; without one, all are listed
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Machines beside the paper's: built-in names, files, or links
    #[arg(value_name = "SIG", requires = "name")]
    pub(crate) sigs: Vec<String>,
    /// Where on the horizontal axis values are told [default: 1 KiB, or 8 processes]
    #[arg(long, value_name = "SIZE")]
    pub(crate) at: Option<Bytes>,
}
