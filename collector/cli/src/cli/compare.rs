//! `loggia compare`

use super::values::{operation, share};
use clap::Args;
use loggia_model::compare::{Limit, Wanted};
use loggia_model::signature::Operation;
use loggia_model::units::{Bytes, Procs};

#[derive(Args)]
pub(crate) struct Compare {
    /// Built-in names, files, links, or - for standard input; ratios are to the first
    #[arg(value_name = "SIG", num_args = 2..=1000, required = true)]
    pub(crate) sigs: Vec<String>,
    /// Only this collective operation [default: all numbers that are known]
    #[arg(long, value_parser = operation(), requires = "procs")]
    pub(crate) op: Option<Operation>,
    /// Number of processes: for times of collective operations besides those of messages
    #[arg(long, value_name = "P")]
    pub(crate) procs: Option<Procs>,
    /// Size of the message
    #[arg(long, value_name = "SIZE", default_value = "1KiB")]
    pub(crate) bytes: Bytes,
    /// A change by no more than this part is none
    #[arg(long, value_name = "SHARE", value_parser = share(), default_value = "0%")]
    pub(crate) at_least: f64,
    /// Exit with 3 only on these conditions, such as 'L>+10%' or 'isend.o_s@8>3us'
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) fail_on: Vec<Limit>,
    /// Show every point of every curve, not only the one that differs most
    #[arg(long, conflicts_with = "history")]
    pub(crate) all: bool,
    /// Runs of one machine by date: what has changed since the first, and since the one before
    #[arg(long, conflicts_with_all = ["op", "procs"])]
    pub(crate) history: bool,
    /// The numbers of a history, such as L,isend.o_s@64KiB,bcast
    #[arg(long, value_name = "LIST", value_delimiter = ',', requires = "history")]
    pub(crate) columns: Vec<Wanted>,
    /// A history as comma-separated values
    #[arg(long, requires = "history", conflicts_with = "json")]
    pub(crate) csv: bool,
}
