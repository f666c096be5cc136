//! `loggia metrics`

use super::signature::{RouteArgs, SignatureArgs};
use super::values::{model, operation};
use clap::Args;
use loggia_model::model::Model;
use loggia_model::signature::Operation;
use loggia_model::units::Procs;

#[derive(Args)]
pub(crate) struct Metrics {
    #[command(flatten)]
    pub(crate) of: SignatureArgs,
    /// Print the metrics of a collective operation instead of a message
    #[arg(long, value_parser = operation(), conflicts_with_all = ["tier", "style", "set"])]
    pub(crate) op: Option<Operation>,
    /// Set the number of ranks [default: the largest in the fit]
    #[arg(long, value_name = "P", requires = "op")]
    pub(crate) procs: Option<Procs>,
    /// Set the model of a message [default: the richest possible]
    #[arg(long, value_parser = model(), conflicts_with = "op")]
    pub(crate) model: Option<Model>,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
}
