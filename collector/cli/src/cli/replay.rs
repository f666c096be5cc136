//! `loggia replay`

use super::details::{Details, OutputFiles, Placement};
use super::signature::{Assume, RouteArgs};
use super::values::rules;
use super::what_if::WhatIfArgs;
use clap::Args;
use loggia_model::Error;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::MicrosPerByte;
use loggia_model::what_if::{divisor, factor};

#[derive(Args)]
pub(crate) struct Replay {
    /// Traces (folders written by `loggia trace`, rank files, traces of other tools), then the
    /// machine (a built-in name, a file, a link)
    #[arg(value_name = "TRACE SIG", num_args = 1.., required = true)]
    pub(crate) what: Vec<String>,
    /// Set the simulation model [default: the richest possible]
    #[arg(long, value_parser = rules(), conflicts_with = "compare")]
    pub(crate) rules: Option<SimulationModel>,
    /// Print a table of the errors of these simulation models over numbers of ranks
    #[arg(long, value_name = "RULES,…", value_delimiter = ',', value_parser = rules())]
    pub(crate) compare: Vec<SimulationModel>,
    #[command(flatten)]
    pub(crate) placement: Placement,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
    #[command(flatten)]
    pub(crate) assume: Assume,
    /// Multiply computation time by N, of all ranks or of one: 3=1.5
    #[arg(long, value_name = "[RANK=]N", value_parser = scaling)]
    pub(crate) scale_compute: Vec<(Option<u32>, f64)>,
    #[command(flatten)]
    pub(crate) changed: WhatIfArgs,
    /// Set the algorithm of a collective operation, such as allreduce=ring [default: as identified
    /// for the signature's library, otherwise the default of that library, of the traced one, or of
    /// MPICH]
    #[arg(long, value_name = "OP=NAME")]
    pub(crate) algorithm: Vec<String>,
    /// Set the reduction operator's time per byte (t_c) [default: 0]
    #[arg(long, value_name = "TIME")]
    pub(crate) compute: Option<MicrosPerByte>,
    /// Set the floating-point operations per µs, for traces that count them (SimGrid)
    #[arg(long, value_name = "FLOPS", default_value = "1000", value_parser = divisor)]
    pub(crate) speed: f64,
    #[command(flatten)]
    pub(crate) details: Details,
    #[command(flatten)]
    pub(crate) files: OutputFiles,
}

fn scaling(text: &str) -> Result<(Option<u32>, f64), Error> {
    let Some((rank, times)) = text.split_once('=') else { return Ok((None, factor(text)?)) };
    let no_rank =
        |_| Error::new(format!("`{rank}` is not a rank"), "", "write, for example, 3=1.5");
    let rank = rank.trim().parse().map_err(no_rank)?;
    Ok((Some(rank), factor(times)?))
}
