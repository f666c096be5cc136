//! What is asked of a run beside its end, what is written of it, and where its ranks are: for
//! `loggia simulate` and `loggia replay`.

use clap::Args;
use loggia_model::Error;
use loggia_model::placement::Nodes;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Details {
    /// How much later it ends for each bit that L, o, O', g or G grows
    #[arg(long)]
    pub(crate) sensitivity: bool,
    /// What leads to the end, and what it is made of
    #[arg(long)]
    pub(crate) critical_path: bool,
    /// Where the time of each rank goes
    #[arg(long)]
    pub(crate) split: bool,
}

#[derive(Args)]
pub(crate) struct OutputFiles {
    /// Write what every processor does, when, in the Chrome trace format
    #[arg(long, value_name = "FILE")]
    pub(crate) timeline: Option<PathBuf>,
    /// Write the schedule as GOAL: binary if the name ends in .bin, else text
    #[arg(long, value_name = "FILE")]
    pub(crate) write_goal: Option<PathBuf>,
}

/// Where ranks are.
#[derive(Args)]
pub(crate) struct Placement {
    /// Which ranks share a node: block:8 (8 to a node), cyclic:4 (over 4 nodes), or 0,0,1,1
    #[arg(long, value_name = "WHERE")]
    nodes: Option<String>,
}

impl Placement {
    /// The node of each of so many ranks, if that is said.
    pub(crate) fn nodes(&self, ranks: u32) -> Result<Option<Nodes>, Error> {
        self.nodes.as_deref().map(|text| Nodes::parse(text, ranks)).transpose()
    }
}
