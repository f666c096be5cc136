//! `loggia plan`

use super::signature::{Assume, RouteArgs};
use super::values;
use super::what_if::WhatIfArgs;
use clap::Args;
use loggia_model::Error;
use loggia_model::error::Input;
use loggia_model::ranks::{USUAL, ranks};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::Procs;
use loggia_plan::sweep::Sweep;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Plan {
    /// A sketch of the program, or - for standard input
    #[arg(required_unless_present = "schema")]
    pub(crate) sketch: Option<String>,
    /// The machines: built-in names, files, or links
    #[arg(required_unless_present = "schema", value_name = "SIG")]
    pub(crate) sigs: Vec<String>,
    /// Set the numbers of ranks: a list, or a doubling range such as 2..1M
    #[arg(long, value_name = "LIST", default_value = USUAL)]
    pub(crate) procs: String,
    /// Set the ranks per node [default: the sketch's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) ranks_per_node: Option<u32>,
    /// Set a constant of the sketch's `[let]`
    #[arg(long = "let", value_name = "NAME=FORMULA", value_parser = values::constant)]
    pub(crate) lets: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) assume: Assume,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
    /// Set the simulation model [default: the richest that the signature supports]
    #[arg(long, value_parser = values::rules())]
    pub(crate) rules: Option<SimulationModel>,
    /// Fit the sketch's open constants (`?`) to measured runs: a CSV with procs and time
    #[arg(long, value_name = "MEASURED.csv")]
    pub(crate) fit: Option<String>,
    /// Simulate up to P ranks; beyond, use the analytic sum of the steps [default: 64, or two nodes
    /// whose ranks share a network card]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) simulate: Option<u32>,
    #[command(flatten)]
    pub(crate) changed: WhatIfArgs,
    /// Show the time of each step
    #[arg(long, conflicts_with_all = ["sweep", "csv", "output"])]
    pub(crate) steps: bool,
    /// Print the JSON schema of sketches, for editors
    #[arg(long, exclusive = true)]
    pub(crate) schema: bool,
    #[command(flatten)]
    pub(crate) sweeps: SweepArgs,
}

#[derive(Args)]
#[command(next_help_heading = "Many plans at once")]
pub(crate) struct SweepArgs {
    /// Sweep a parameter, such as n=512,1024 or scale-latency=0.25..4; repeat for all combinations
    ///
    /// NAME is a constant of the sketch; scale-latency, scale-bandwidth, scale-overhead, progress,
    /// eager-limit, ranks-per-node; or a parameter as in --set. A..B doubles from A, and includes B.
    #[arg(long, value_name = "NAME=VALUES")]
    pub(crate) sweep: Vec<Sweep>,
    /// Set the number of threads [default: one per core; under mpirun or srun one per rank]
    #[arg(short, long, value_name = "N", value_parser = values::threads)]
    pub(crate) jobs: Option<usize>,
    /// Print comma-separated values, one row per plan and number of ranks
    #[arg(long, conflicts_with = "json")]
    pub(crate) csv: bool,
    /// Write all plans to a file; finished plans are saved next to it until all are done
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Continue an interrupted run
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,
    /// Replace the file if it exists
    #[arg(long, requires = "output")]
    pub(crate) overwrite: bool,
}

impl Plan {
    /// The numbers of ranks, in ascending order.
    pub(crate) fn procs(&self) -> Result<Vec<Procs>, Error> {
        ranks(&self.procs).map_err(|error| error.at(Input::Procs))
    }
}
