//! `loggia plan`

use super::signature::{Assume, Way};
use super::what_if::Changed;
use super::words;
use clap::Args;
use loggia_model::Error;
use loggia_model::plan::ranks::{USUAL, ranks};
use loggia_model::simulate::Rules;
use loggia_model::units::Procs;

#[derive(Args)]
pub(crate) struct Plan {
    /// A sketch of the program; - for standard input
    pub(crate) sketch: String,
    /// The machines: as SIG everywhere
    #[arg(required = true, value_name = "SIG")]
    pub(crate) sigs: Vec<String>,
    /// Numbers of ranks: a list, or a range in powers of two such as 2..1M
    #[arg(long, value_name = "LIST", default_value = USUAL)]
    pub(crate) procs: String,
    /// How many ranks share a node [default: what the sketch says]
    #[arg(long, value_name = "N")]
    pub(crate) ranks_per_node: Option<u32>,
    /// A constant of the sketch is something else: as `[let]` says it
    #[arg(long = "let", value_name = "NAME=FORMULA", value_parser = words::constant)]
    pub(crate) lets: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) assume: Assume,
    #[command(flatten)]
    pub(crate) way: Way,
    /// Rules of messages [default: the richest that the signature allows]
    #[arg(long, value_parser = words::rules())]
    pub(crate) rules: Option<Rules>,
    /// Fit the sketch's open constants (`?`) to runs: a CSV of procs and time
    #[arg(long, value_name = "MEASURED.csv")]
    pub(crate) fit: Option<String>,
    /// Simulate the whole up to so many ranks; beyond, steps are added up
    #[arg(long, value_name = "P", default_value_t = loggia_model::plan::answer::SIMULATED)]
    pub(crate) simulate: u32,
    #[command(flatten)]
    pub(crate) changed: Changed,
    /// Show what each step takes
    #[arg(long)]
    pub(crate) steps: bool,
}

impl Plan {
    /// The numbers of ranks, rising.
    pub(crate) fn procs(&self) -> Result<Vec<Procs>, Error> {
        ranks(&self.procs).map_err(|error| Error { place: "--procs".to_owned(), ..error })
    }
}
