//! Details to print, files to write and placement of ranks: `loggia simulate` and `loggia replay`.

use super::overwrite::Overwrite;
use clap::Args;
use loggia_model::Error;
use loggia_model::placement::Nodes;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Details {
    /// Print the sensitivity of the completion time to L, o, O', g and G
    #[arg(long)]
    pub(crate) sensitivity: bool,
    /// Print the critical path and its composition
    #[arg(long)]
    pub(crate) critical_path: bool,
    /// Print a breakdown of the time of each rank
    #[arg(long)]
    pub(crate) split: bool,
}

#[derive(Args)]
pub(crate) struct OutputFiles {
    /// Write the timeline in the Chrome trace format
    #[arg(long, value_name = "FILE")]
    pub(crate) timeline: Option<PathBuf>,
    /// Write the schedule as GOAL: binary if the name ends in .bin, otherwise text
    #[arg(long, value_name = "FILE")]
    pub(crate) write_goal: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
}

impl OutputFiles {
    /// Refuses files that exist, unless they are to be replaced.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.overwrite.check(self.timeline.as_deref().into_iter().chain(self.write_goal.as_deref()))
    }
}

#[derive(Args)]
pub(crate) struct Placement {
    /// Place ranks on nodes: block:8 (8 per node), cyclic:4 (over 4 nodes), or 0,0,1,1
    #[arg(long, value_name = "WHERE")]
    nodes: Option<String>,
}

impl Placement {
    /// The node of each rank, if --nodes is given.
    pub(crate) fn nodes(&self, ranks: u32) -> Result<Option<Nodes>, Error> {
        self.nodes.as_deref().map(|text| Nodes::parse(text, ranks)).transpose()
    }
}
