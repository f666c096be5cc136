//! `loggia collect`

use super::ranks::Ranks;
use super::values;
use clap::Args;
use loggia_collect::run::MeasurementKind;
use loggia_model::units::{Bytes, doubling};
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct Collect {
    /// The file to write, such as sig.json
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Ten seconds at most, with wider intervals
    #[arg(long, conflicts_with = "thorough")]
    pub(crate) quick: bool,
    /// Some minutes, with narrower intervals
    #[arg(long)]
    pub(crate) thorough: bool,
    /// Only these measurements
    #[arg(long, value_delimiter = ',', value_name = "LIST", value_parser = values::measurement())]
    pub(crate) only: Vec<MeasurementKind>,
    /// Sizes of messages: a list, or a range in powers of two such as 1..1MiB
    #[arg(long, value_name = "LIST")]
    pub(crate) sizes: Option<String>,
    /// Styles of sending, such as isend,send,ssend [default: all eight]
    #[arg(long = "style", value_delimiter = ',', value_name = "LIST")]
    pub(crate) styles: Vec<String>,
    /// Take no longer, such as 30s or 5min, each tier its part
    #[arg(long, value_name = "TIME", value_parser = values::long_duration())]
    pub(crate) max_time: Option<f64>,
    /// Go on with an interrupted run of the same plan on the same machine
    #[arg(long)]
    pub(crate) resume: bool,
    /// Replace the file if it is there
    #[arg(long, conflicts_with = "resume")]
    pub(crate) overwrite: bool,
    /// A short name for the signature [default: the host's]
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// A title for the signature
    #[arg(long)]
    pub(crate) title: Option<String>,
    #[command(flatten)]
    pub(crate) ranks: Ranks,
}

impl Collect {
    /// The sizes asked for, rising; as many as there are powers of two up to 1 MiB without a word.
    pub(crate) fn sizes(&self) -> Result<Vec<usize>, loggia_model::Error> {
        let text = self.sizes.as_deref().unwrap_or("1..1MiB");
        let size = |word: &str| word.trim().parse::<Bytes>().map(|bytes| bytes.0);
        let sizes = doubling(text, size)?;
        match sizes.last() {
            None => Err(refused("no size is in that range")),
            Some(most) if *most > MOST_BYTES => Err(refused("sizes go up to 16 MiB")),
            Some(_) => Ok(sizes.into_iter().map(|size| size as usize).collect()),
        }
    }
}

/// Transports keep room for that much.
const MOST_BYTES: u64 = 16 << 20;

fn refused(message: &str) -> loggia_model::Error {
    loggia_model::Error::new(message, "--sizes", "write such as 8,64KiB or 1..1MiB")
}
