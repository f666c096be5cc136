//! `loggia export`

use super::signature::{OfSignature, Way};
use super::words::target;
use clap::Args;
use loggia_exchange::export::Target;
use loggia_model::units::Procs;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) of: OfSignature,
    /// The format
    #[arg(long = "as", value_name = "FORMAT", value_parser = target())]
    pub(crate) target: Target,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) way: Way,
    /// Nodes of a SimGrid platform
    #[arg(long, value_name = "N", default_value = "2")]
    pub(crate) nodes: Procs,
}
