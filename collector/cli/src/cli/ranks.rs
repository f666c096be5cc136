//! Who exchanges messages, and over what: for `loggia collect` and `loggia validate`.

use super::values;
use clap::Args;

/// Who exchanges messages, and over what.
#[derive(Args)]
pub(crate) struct Ranks {
    /// What carries the messages: mpi, tcp, threads, synthetic [default: mpi under a launcher,
    /// else threads]
    #[arg(long, value_parser = values::transport())]
    pub(crate) transport: Option<TransportKind>,
    #[command(flatten)]
    pub(crate) tcp: Tcp,
    #[command(flatten)]
    pub(crate) synthetic: Synthetic,
}

/// What `--transport` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TransportKind {
    Mpi,
    Tcp,
    Threads,
    Synthetic,
}

#[derive(Args)]
#[command(next_help_heading = "With --transport tcp")]
pub(crate) struct Tcp {
    /// Wait for the other process here, such as 0.0.0.0:7479; it writes the file
    #[arg(long, value_name = "ADDRESS", conflicts_with = "connect")]
    pub(crate) listen: Option<String>,
    /// Be the other process: connect to the one that listens there
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) connect: Option<String>,
}

#[derive(Args)]
#[command(next_help_heading = "With --transport synthetic")]
pub(crate) struct Synthetic {
    /// The signature that it obeys
    #[arg(long, value_name = "SIG")]
    pub(crate) from: Option<String>,
    /// How many ranks
    #[arg(long, value_name = "P", default_value = "2")]
    pub(crate) procs: u32,
    /// Noise on every cost, such as 5%
    #[arg(long, default_value = "5%", value_parser = values::share())]
    pub(crate) noise: f64,
    /// Costs that are up to ten times as high, such as 1%
    #[arg(long, default_value = "1%", value_parser = values::share())]
    pub(crate) outliers: f64,
    /// Where its random numbers begin
    #[arg(long, default_value = "1")]
    pub(crate) seed: u64,
}
