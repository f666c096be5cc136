//! What-if changes of the machine: `loggia replay` and `loggia plan`.

use super::values::progress;
use clap::Args;
use loggia_model::signature::ProgressKind;
use loggia_model::units::Bytes;
use loggia_model::what_if::{WhatIf, divisor, factor};

#[derive(Args)]
pub(crate) struct WhatIfArgs {
    /// Multiply latency by N
    #[arg(long, value_name = "N", value_parser = factor)]
    scale_latency: Option<f64>,
    /// Multiply bandwidth by N
    #[arg(long, value_name = "N", value_parser = divisor)]
    scale_bandwidth: Option<f64>,
    /// Multiply all overheads by N
    #[arg(long, value_name = "N", value_parser = factor)]
    scale_overhead: Option<f64>,
    /// Set progress: dependent on MPI calls (dcp) or independent (icp)
    #[arg(long, value_parser = progress())]
    progress: Option<ProgressKind>,
    /// Set the eager limit
    #[arg(long, value_name = "SIZE")]
    eager_limit: Option<Bytes>,
}

impl WhatIfArgs {
    /// The names of the given options.
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        let options = [
            ("scale-latency", self.scale_latency.is_some()),
            ("scale-bandwidth", self.scale_bandwidth.is_some()),
            ("scale-overhead", self.scale_overhead.is_some()),
            ("progress", self.progress.is_some()),
            ("eager-limit", self.eager_limit.is_some()),
        ];
        options.into_iter().filter_map(|(name, is_given)| is_given.then_some(name))
    }

    pub(crate) fn what_if(&self) -> WhatIf {
        WhatIf {
            latency: self.scale_latency.unwrap_or(1.0),
            bandwidth: self.scale_bandwidth.unwrap_or(1.0),
            overhead: self.scale_overhead.unwrap_or(1.0),
            progress: self.progress,
            eager_limit: self.eager_limit,
        }
    }
}
