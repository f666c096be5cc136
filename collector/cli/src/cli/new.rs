//! `loggia new`

use super::overwrite::Overwrite;
use super::signature::Assume;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct New {
    /// A short name: small letters, digits and hyphens
    pub(crate) name: String,
    /// Set the title [default: the short name]
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Describe the source of the numbers
    #[arg(long, value_name = "TEXT")]
    pub(crate) source: Option<String>,
    #[command(flatten)]
    pub(crate) numbers: Parameters,
    #[command(flatten)]
    pub(crate) assume: Assume,
    /// Write the signature to this file [default: standard output, with --json]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overwrite: Overwrite,
}

/// Values as typed; `None` stays unknown.
#[derive(Args)]
pub(crate) struct Parameters {
    /// Set the latency
    #[arg(long = "L", value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) latency: Option<String>,
    /// Set the overhead of a send and of a receive
    #[arg(long = "o", value_name = "TIME", allow_hyphen_values = true, conflicts_with_all = ["o_s", "o_r"])]
    pub(crate) overhead: Option<String>,
    /// Set the overhead of a send
    #[arg(long = "o_s", id = "o_s", value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) send_overhead: Option<String>,
    /// Set the overhead of a receive
    #[arg(long = "o_r", id = "o_r", value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) recv_overhead: Option<String>,
    /// Set the gap between messages
    #[arg(long = "g", value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) gap: Option<String>,
    /// Set the gap per byte
    #[arg(long = "G", value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) gap_per_byte: Option<String>,
    /// Set the rate of a node's network card, which its ranks share, such as 25GB/s
    #[arg(long = "R_N", value_name = "RATE", allow_hyphen_values = true)]
    pub(crate) card: Option<String>,
    /// Set the eager limit
    #[arg(long = "S", value_name = "SIZE")]
    pub(crate) eager_limit: Option<String>,
    /// Set the end-to-end latency of 8 bytes
    #[arg(long = "EEL", value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) end_to_end_latency: Option<String>,
}

impl Parameters {
    /// The given values, by symbol.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let all = [
            ("L", &self.latency),
            ("o", &self.overhead),
            ("o_s", &self.send_overhead),
            ("o_r", &self.recv_overhead),
            ("g", &self.gap),
            ("G", &self.gap_per_byte),
            ("R_N", &self.card),
            ("S", &self.eager_limit),
            ("EEL", &self.end_to_end_latency),
        ];
        all.into_iter().filter_map(|(symbol, value)| Some((symbol, value.as_deref()?)))
    }
}
