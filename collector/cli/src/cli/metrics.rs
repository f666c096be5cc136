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
    /// A collective operation's metrics instead of one message's
    #[arg(long, value_parser = operation(), conflicts_with_all = ["tier", "style", "set"])]
    pub(crate) op: Option<Operation>,
    /// Number of processes [default: the most that the form was fitted to]
    #[arg(long, value_name = "P", requires = "op")]
    pub(crate) procs: Option<Procs>,
    /// Model of one message [default: the richest possible]
    #[arg(long, value_parser = model(), conflicts_with = "op")]
    pub(crate) model: Option<Model>,
    #[command(flatten)]
    pub(crate) route: RouteArgs,
}
