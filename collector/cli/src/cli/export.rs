//! `loggia export`

use super::overwrite::Overwrite;
use super::signature::{RouteArgs, SignatureArgs};
use super::values::target;
use clap::Args;
use loggia_exchange::export::Target;
use loggia_model::units::Procs;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) of: SignatureArgs,
    /// Set the format
    #[arg(long = "as", value_name = "FORMAT", value_parser = target())]
    pub(crate) target: Target,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
    /// Set the number of nodes of a SimGrid platform
    #[arg(long, value_name = "N", default_value = "2")]
    pub(crate) nodes: Procs,
}
