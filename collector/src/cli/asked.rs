//! What is asked of a run beside its end, and what is written of it: for `loggia simulate` and
//! `loggia replay`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Asked {
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
pub(crate) struct Written {
    /// Write what every processor does, when, in the Chrome trace format
    #[arg(long, value_name = "FILE")]
    pub(crate) timeline: Option<PathBuf>,
    /// Write the schedule as GOAL: binary if the name ends in .bin, else text
    #[arg(long, value_name = "FILE")]
    pub(crate) write_goal: Option<PathBuf>,
}
