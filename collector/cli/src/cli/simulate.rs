//! `loggia simulate`

use super::details::{Details, OutputFiles, Placement};
use super::signature::{Assume, RouteArgs};
use super::values::{operation, rules};
use clap::Args;
use loggia_model::rules::Rules;
use loggia_model::signature::Operation;
use loggia_model::units::{Bytes, Micros, MicrosPerByte, Procs};

#[derive(Args)]
pub(crate) struct Simulate {
    /// A GOAL file, unless --op is given; then a built-in name, a file, or a link
    #[arg(value_name = "SCHEDULE SIG", num_args = 0..=2)]
    pub(crate) what: Vec<String>,
    #[command(flatten)]
    pub(crate) generated: Generated,
    #[command(flatten)]
    pub(crate) numbers: Numbers,
    /// Rules [default: the richest possible; loggops with single numbers]
    #[arg(long, value_parser = rules())]
    pub(crate) rules: Option<Rules>,
    #[command(flatten)]
    pub(crate) placement: Placement,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
    #[command(flatten)]
    pub(crate) assume: Assume,
    #[command(flatten)]
    pub(crate) details: Details,
    /// The exact end over a range of L or G, such as L=0..20us
    #[arg(long, value_name = "RANGE")]
    pub(crate) curve: Option<String>,
    #[command(flatten)]
    pub(crate) files: OutputFiles,
}

/// A schedule from an algorithm.
#[derive(Args)]
pub(crate) struct Generated {
    /// A collective operation instead of a file
    #[arg(long, value_parser = operation(), requires_all = ["procs", "algorithm"])]
    pub(crate) op: Option<Operation>,
    /// Its algorithm
    #[arg(long, value_name = "NAME", requires = "op")]
    pub(crate) algorithm: Option<String>,
    /// Number of processes
    #[arg(long, value_name = "P", requires = "op")]
    pub(crate) procs: Option<Procs>,
    /// Size: of each pair's block, of each rank's, or of the vector, as the answer says
    #[arg(long, value_name = "SIZE", requires = "op", default_value = "1")]
    pub(crate) bytes: Bytes,
    /// The root of a broadcast, gather, scatter or reduction
    #[arg(long, value_name = "RANK", requires = "op", default_value_t = 0)]
    pub(crate) root: u32,
    /// Size of a pipeline's segments
    #[arg(long, value_name = "SIZE", requires = "op")]
    pub(crate) segment: Option<Bytes>,
    /// Time to combine a byte in a reduction (t_c) [default: as the signature reports, or none]
    #[arg(long, value_name = "TIME", requires = "op")]
    pub(crate) compute: Option<MicrosPerByte>,
}

/// A machine by single numbers.
#[derive(Args)]
pub(crate) struct Numbers {
    /// Latency
    #[arg(long = "L", value_name = "TIME")]
    pub(crate) latency: Option<Micros>,
    /// Overhead of a send and of a receive
    #[arg(long = "o", value_name = "TIME")]
    pub(crate) overhead: Option<Micros>,
    /// Gap between messages
    #[arg(long = "g", value_name = "TIME")]
    pub(crate) gap: Option<Micros>,
    /// Gap a byte
    #[arg(long = "G", value_name = "TIME")]
    pub(crate) gap_per_byte: Option<MicrosPerByte>,
    /// Overhead a byte
    #[arg(long = "O", value_name = "TIME")]
    pub(crate) overhead_per_byte: Option<MicrosPerByte>,
    /// Eager limit [default: everything is eager]
    #[arg(long = "S", value_name = "SIZE")]
    pub(crate) eager_limit: Option<Bytes>,
}
