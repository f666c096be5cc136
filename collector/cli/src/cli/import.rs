//! `loggia import`

use super::values;
use clap::Args;
use loggia_exchange::import::TierName;
use loggia_exchange::import::said::Of;
use loggia_model::signature::Operation;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Import {
    /// Outputs of other benchmarks: files, folders of them, ZIP archives; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// The signature to write, such as sig.json; without it, only the report
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// On how many ranks it ran, where the file does not say it (OSU's do not)
    #[arg(long, value_name = "[FILE=]N", value_parser = values::of_file(values::ranks))]
    pub(crate) ranks: Vec<Of<u32>>,
    /// Which way messages went: network, node, NAME:inter or NAME:intra [default: network, with a
    /// note that nobody said so]
    #[arg(long, value_name = "[FILE=]TIER", value_parser = values::of_file(TierName::parse))]
    pub(crate) tier: Vec<Of<TierName>>,
    /// Which operation was timed, where the file does not say it (older nccl-tests do not)
    #[arg(long, value_name = "[FILE=]OP", value_parser = values::of_file(Operation::named))]
    pub(crate) op: Vec<Of<Operation>>,
    /// Leave out what needs something that nobody has said
    #[arg(long)]
    pub(crate) leave_out: bool,
    /// Add to this signature: what it knows stays, what it lacks is taken
    #[arg(long, value_name = "SIG")]
    pub(crate) merge: Option<String>,
    /// On how many nodes
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<u32>,
    /// A short name for the signature [default: the first file's]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// A title for the signature
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// The host or hosts it was measured on, where the file does not say it
    #[arg(long)]
    pub(crate) host: Option<String>,
    /// When it was measured, where the file does not say it
    #[arg(long)]
    pub(crate) date: Option<String>,
}
