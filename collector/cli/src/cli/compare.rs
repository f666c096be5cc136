//! `loggia compare`

use super::values::{bytes_are, operation, share};
use clap::Args;
use loggia_model::compare::{Limit, Selector};
use loggia_model::signature::{BytesAre, Operation};
use loggia_model::units::{Bytes, Procs};

#[derive(Args)]
pub(crate) struct Compare {
    /// Built-in names, files, links, or - for standard input; the first is the baseline
    #[arg(value_name = "SIG", num_args = 2..=1000, required = true)]
    pub(crate) sigs: Vec<String>,
    /// Compare only this collective operation [default: all known numbers]
    #[arg(long, value_parser = operation(), requires = "procs")]
    pub(crate) op: Option<Operation>,
    /// Set the number of ranks, to compare also the times of collective operations
    #[arg(long, value_name = "P")]
    pub(crate) procs: Option<Procs>,
    /// Set the message size
    #[arg(long, value_name = "SIZE", default_value = "1KiB")]
    pub(crate) bytes: Bytes,
    /// Set what --bytes counts [default: as in the closed form of the first machine]
    #[arg(long, value_name = "WHAT", value_parser = bytes_are(), requires = "procs")]
    pub(crate) bytes_are: Option<BytesAre>,
    /// Ignore changes up to this share
    #[arg(long, value_name = "SHARE", value_parser = share(), default_value = "0%")]
    pub(crate) at_least: f64,
    /// Exit with status 3 only on these conditions, such as 'L>+10%' or 'isend.o_s@8>3us'
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) fail_on: Vec<Limit>,
    /// Show all points of each curve, not only the one with the largest difference
    #[arg(long, conflicts_with = "history")]
    pub(crate) all: bool,
    /// List runs of one machine by date, with changes since the first and the previous run
    #[arg(long, conflicts_with_all = ["op", "procs"])]
    pub(crate) history: bool,
    /// Select the columns of a history, such as L,isend.o_s@64KiB,bcast
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "history")]
    pub(crate) columns: Vec<Selector>,
    /// Print a history as comma-separated values
    #[arg(long, requires = "history", conflicts_with = "json")]
    pub(crate) csv: bool,
}
