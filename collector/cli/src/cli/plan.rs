//! `loggia plan`

use super::signature::{Assume, RouteArgs};
use super::values;
use super::what_if::Changed;
use clap::Args;
use loggia_model::Error;
use loggia_model::ranks::{USUAL, ranks};
use loggia_model::rules::Rules;
use loggia_model::units::Procs;
use loggia_plan::sweep::Sweep;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Plan {
    /// A sketch of the program; - for standard input
    #[arg(required_unless_present = "schema")]
    pub(crate) sketch: Option<String>,
    /// The machines: as SIG everywhere
    #[arg(required_unless_present = "schema", value_name = "SIG")]
    pub(crate) sigs: Vec<String>,
    /// Numbers of ranks: a list, or a range in powers of two such as 2..1M
    #[arg(long, value_name = "LIST", default_value = USUAL)]
    pub(crate) procs: String,
    /// How many ranks share a node [default: what the sketch says]
    #[arg(long, value_name = "N")]
    pub(crate) ranks_per_node: Option<u32>,
    /// A constant of the sketch is something else: as `[let]` says it
    #[arg(long = "let", value_name = "NAME=FORMULA", value_parser = values::constant)]
    pub(crate) lets: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) assume: Assume,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
    /// Rules of messages [default: the richest that the signature allows]
    #[arg(long, value_parser = values::rules())]
    pub(crate) rules: Option<Rules>,
    /// Fit the sketch's open constants (`?`) to runs: a CSV of procs and time
    #[arg(long, value_name = "MEASURED.csv")]
    pub(crate) fit: Option<String>,
    /// Simulate the whole up to so many ranks; beyond, steps are added up
    #[arg(long, value_name = "P", default_value_t = loggia_plan::plan::SIMULATED)]
    pub(crate) simulate: u32,
    #[command(flatten)]
    pub(crate) changed: Changed,
    /// Show what each step takes
    #[arg(long, conflicts_with_all = ["sweep", "csv", "output"])]
    pub(crate) steps: bool,
    /// Print the JSON schema of sketches, for editors
    #[arg(long, exclusive = true)]
    pub(crate) schema: bool,
    #[command(flatten)]
    pub(crate) wide: Wide,
}

#[derive(Args)]
#[command(next_help_heading = "Many plans at once")]
pub(crate) struct Wide {
    /// Try several values, such as n=512,1024 or scale-latency=0.25..4; each with each other's
    ///
    /// NAME is a constant of the sketch; or scale-latency, scale-bandwidth, scale-overhead, progress,
    /// eager-limit, ranks-per-node; or a parameter, as --set has it. A..B goes in powers of two.
    #[arg(long, value_name = "NAME=VALUES")]
    pub(crate) sweep: Vec<Sweep>,
    /// How many threads plan [default: one a core; under mpirun or srun one a rank]
    #[arg(short, long, value_name = "N", value_parser = values::threads)]
    pub(crate) jobs: Option<usize>,
    /// Comma-separated values: a row for each number of ranks of each plan
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write it all to a file; plans that are done are kept beside it until all are
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Go on with a file that was interrupted
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,
    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    pub(crate) overwrite: bool,
}

impl Plan {
    /// The numbers of ranks, rising.
    pub(crate) fn procs(&self) -> Result<Vec<Procs>, Error> {
        ranks(&self.procs).map_err(|error| Error { place: "--procs".to_owned(), ..error })
    }
}
