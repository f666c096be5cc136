//! `loggia figure`

use clap::Args;
use loggia_model::units::Bytes;

#[derive(Args)]
pub(crate) struct Figure {
    /// The figure [default: list all figures]
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Further machines: built-in names, files, or links
    #[arg(value_name = "SIG", requires = "name")]
    pub(crate) sigs: Vec<String>,
    /// Select the position on the horizontal axis [default: 1 KiB, or 8 ranks]
    #[arg(long, value_name = "SIZE")]
    pub(crate) at: Option<Bytes>,
}
