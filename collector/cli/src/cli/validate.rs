//! `loggia validate`

use super::ranks::Ranks;
use super::values;
use clap::Args;

#[derive(Args)]
pub(crate) struct Validate {
    /// A signature of this machine: a file, a link, or - for standard input
    pub(crate) sig: String,
    /// Limit the total time, such as 30s or 5min; three rounds are made anyway
    #[arg(long, value_name = "TIME", value_parser = values::long_duration())]
    pub(crate) max_time: Option<f64>,
    #[command(flatten)]
    pub(crate) ranks: Ranks,
}
