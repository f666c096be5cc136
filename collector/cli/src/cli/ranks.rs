//! The ranks and their transport: `loggia collect` and `loggia validate`.

use super::values;
use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use loggia_model::Error;

#[derive(Args)]
pub(crate) struct Ranks {
    /// Set the transport: mpi, tcp, threads, synthetic [default: mpi under a launcher, otherwise
    /// threads]
    #[arg(long, value_parser = transport())]
    pub(crate) transport: Option<TransportKind>,
    #[command(flatten)]
    pub(crate) tcp: Tcp,
    #[command(flatten)]
    pub(crate) synthetic: Synthetic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransportKind {
    Mpi,
    Tcp,
    Threads,
    Synthetic,
}

fn transport() -> impl TypedValueParser<Value = TransportKind> {
    const NAMES: [&str; 4] = ["mpi", "tcp", "threads", "synthetic"];
    values::one_of(NAMES.map(PossibleValue::new), |word| match word {
        "mpi" => Ok(TransportKind::Mpi),
        "tcp" => Ok(TransportKind::Tcp),
        "threads" => Ok(TransportKind::Threads),
        "synthetic" => Ok(TransportKind::Synthetic),
        _ => Err(Error::unknown("transport", word, "--transport", NAMES)),
    })
}

#[derive(Args)]
#[command(next_help_heading = "With --transport tcp")]
pub(crate) struct Tcp {
    /// Wait for the other process at this address, such as 0.0.0.0:7479, and write the file
    #[arg(long, value_name = "ADDRESS", conflicts_with = "connect")]
    pub(crate) listen: Option<String>,
    /// Connect to the process that listens at this address
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) connect: Option<String>,
}

#[derive(Args)]
#[command(next_help_heading = "With --transport synthetic")]
pub(crate) struct Synthetic {
    /// Simulate the machine of this signature
    #[arg(long, value_name = "SIG")]
    pub(crate) from: Option<String>,
    /// Set the number of ranks
    #[arg(long, value_name = "P", default_value = "2")]
    pub(crate) procs: u32,
    /// Set the relative noise of all costs, such as 5%
    #[arg(long, default_value = "5%", value_parser = values::share())]
    pub(crate) noise: f64,
    /// Set the share of outliers, up to ten times as high, such as 1%
    #[arg(long, default_value = "1%", value_parser = values::share())]
    pub(crate) outliers: f64,
    /// Set the seed of the random numbers
    #[arg(long, default_value = "1")]
    pub(crate) seed: u64,
}
