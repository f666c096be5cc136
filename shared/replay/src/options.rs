//! How a program is replayed, and by which algorithms that was done.

use crate::choice::Choices;
use loggia_model::signature::Operation;
use loggia_model::units::MicrosPerByte;
use serde::{Deserialize, Serialize};

/// How a program is replayed.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// By which algorithms collective operations are done.
    pub choices: Choices,
    /// By what all computation is multiplied …
    pub scale_compute: f64,
    /// … and that of some ranks once more.
    pub scale_ranks: Vec<(u32, f64)>,
    /// t_c: combining a byte in a reduction.
    pub combine: MicrosPerByte,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        ReplayOptions {
            choices: Choices::default(),
            scale_compute: 1.0,
            scale_ranks: Vec::new(),
            combine: MicrosPerByte(0.0),
        }
    }
}

impl ReplayOptions {
    pub(crate) fn compute_rate(&self, rank: u32) -> f64 {
        let own = self.scale_ranks.iter().filter(|(of, _)| *of == rank).map(|(_, scale)| *scale);
        self.scale_compute * own.product::<f64>()
    }

    /// How many picoseconds so many bytes take to combine.
    pub(crate) fn combining(&self, bytes: u64) -> u64 {
        loggia_simulate::loggp::combining(self.combine, bytes)
    }
}

/// By which algorithm an operation was replayed, so many times, with so many bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlgorithmUse {
    /// The operation.
    pub op: Operation,
    /// The algorithm's name.
    pub algorithm: std::borrow::Cow<'static, str>,
    /// Who has chosen it: `asked`, `signature` or `default`.
    pub chooser: std::borrow::Cow<'static, str>,
    /// Among so many ranks.
    pub procs: u32,
    /// So often, counted once a rank.
    pub calls: u64,
    /// The fewest bytes, as the operation counts them.
    pub smallest: u64,
    /// The most.
    pub largest: u64,
}

impl AlgorithmUse {
    /// With how many bytes, in words: `8–1024`, or the one size that there was.
    pub fn sizes(&self) -> String {
        match (self.smallest, self.largest) {
            (low, high) if low == high => low.to_string(),
            (low, high) => format!("{low}–{high}"),
        }
    }
}
