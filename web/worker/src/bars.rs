//! The time of each rank, as a limited number of bars.

use loggia_model::units::Micros;
use loggia_simulate::result::RankSplit;
use loggia_simulate::{Simulated, Simulation};
use serde::{Deserialize, Serialize};

/// A group of ranks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// The first rank.
    pub first: u32,
    /// Number of ranks.
    pub ranks: u32,
    /// Their mean times, and all their messages.
    pub mean: RankSplit,
}

pub(super) fn bars(simulation: &Simulation<impl Simulated>, most: u32) -> Vec<Bar> {
    let (outcome, splits) = simulation.split();
    let ranks = simulation.rank_splits(&splits, outcome.end());
    let each = ranks.len().div_ceil(most.max(1) as usize).max(1);
    let bar = |(i, some): (usize, &[RankSplit])| Bar {
        first: (i * each) as u32,
        ranks: some.len() as u32,
        mean: mean(some),
    };
    ranks.chunks(each).enumerate().map(bar).collect()
}

fn mean(splits: &[RankSplit]) -> RankSplit {
    let count = splits.len().max(1) as f64;
    let mean = |time: fn(&RankSplit) -> Micros| {
        Micros(splits.iter().map(|split| time(split).0).sum::<f64>() / count)
    };
    RankSplit {
        compute_us: mean(|split| split.compute_us),
        send_overhead_us: mean(|split| split.send_overhead_us),
        recv_overhead_us: mean(|split| split.recv_overhead_us),
        control_us: mean(|split| split.control_us),
        gap_us: mean(|split| split.gap_us),
        waiting_us: mean(|split| split.waiting_us),
        messages: splits.iter().map(|split| split.messages).sum(),
    }
}
