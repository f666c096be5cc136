//! `loggia collect`

use super::ranks::Ranks;
use super::values;
use clap::Args;
use loggia_collect::run::MeasurementKind;
use loggia_model::units::{Bytes, list_of};
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Collect {
    /// Write to this file, such as sig.json
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Take ten seconds at most, with wider intervals
    #[arg(long, conflicts_with = "thorough")]
    pub(crate) quick: bool,
    /// Take some minutes, with narrower intervals
    #[arg(long)]
    pub(crate) thorough: bool,
    /// Make only these measurements
    #[arg(long, value_delimiter = ',', value_name = "LIST", value_parser = values::measurement())]
    pub(crate) only: Vec<MeasurementKind>,
    /// Set the message sizes: a list, or a doubling range such as 1..1MiB
    #[arg(long, value_name = "LIST")]
    pub(crate) sizes: Option<String>,
    /// Set the send modes, such as isend,send,ssend [default: all eight]
    #[arg(long = "style", value_delimiter = ',', value_name = "LIST")]
    pub(crate) styles: Vec<String>,
    /// Limit the total time, such as 30s or 5min, shared by the tiers; three rounds are made anyway
    #[arg(long, value_name = "TIME", value_parser = values::long_duration())]
    pub(crate) max_time: Option<f64>,
    /// Continue an interrupted run of the same plan on the same machine
    #[arg(long)]
    pub(crate) resume: bool,
    /// Replace the file if it exists
    #[arg(long, conflicts_with = "resume")]
    pub(crate) overwrite: bool,
    /// Set the short name of the signature [default: the host name]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Set the title of the signature
    #[arg(long)]
    pub(crate) title: Option<String>,
    #[command(flatten)]
    pub(crate) ranks: Ranks,
}

impl Collect {
    /// The message sizes, in ascending order; powers of two up to 1 MiB by default.
    pub(crate) fn sizes(&self) -> Result<Vec<usize>, loggia_model::Error> {
        let text = self.sizes.as_deref().unwrap_or("1..1MiB");
        let size = |word: &str| word.trim().parse::<Bytes>().map(|bytes| bytes.0);
        let sizes = list_of(text, size)?;
        match sizes.last() {
            None => Err(refused("the range contains no size")),
            Some(largest) if *largest > MAX_BYTES => Err(refused("a size is larger than 16 MiB")),
            Some(_) => Ok(sizes.into_iter().map(|size| size as usize).collect()),
        }
    }
}

/// Transports allocate buffers of this size.
const MAX_BYTES: u64 = 16 << 20;

fn refused(message: &str) -> loggia_model::Error {
    loggia_model::Error::new(message, "--sizes", "write, for example, 8,64KiB or 1..1MiB")
}
