//! What if the machine were another: for `loggia replay` and `loggia plan`.

use super::values::progress;
use clap::Args;
use loggia_model::signature::ProgressKind;
use loggia_model::units::Bytes;
use loggia_model::what_if::{WhatIf, divisor, factor};

#[derive(Args)]
pub(crate) struct Changed {
    /// What if latency were so many times as long
    #[arg(long, value_name = "TIMES", value_parser = factor)]
    scale_latency: Option<f64>,
    /// What if so many times as many bytes went through
    #[arg(long, value_name = "TIMES", value_parser = divisor)]
    scale_bandwidth: Option<f64>,
    /// What if all overheads were so many times as long
    #[arg(long, value_name = "TIMES", value_parser = factor)]
    scale_overhead: Option<f64>,
    /// What if progress were dependent on calls (dcp), or independent (icp)
    #[arg(long, value_parser = progress())]
    progress: Option<ProgressKind>,
    /// What if messages up to this size went eagerly
    #[arg(long, value_name = "SIZE")]
    eager_limit: Option<Bytes>,
}

impl Changed {
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
