//! The measurements: one file each, with its paper and section. Both ranks run the same function: the
//! leader times and decides when to stop, the partner follows.
//!
//! | file | measurement | paper |
//! |---|---|---|
//! | `ping_pong` | end-to-end time by size | Bell et al. 2003, 4.1 |
//! | `two_processor` | o_s(m), o_r(m) of every send mode | Al-Tawil & Moritz 2001, Figure 2 |
//! | `bandwidth` | g by queue depth, time per message by size | Bell et al. 2003, 4.2 |
//! | `cpu_overlap` | o_s and o_r by inserted computation | Bell et al. 2003, 4.3 |
//! | `one_sided` | put and get, o_r without receive calls | Bell et al. 2003, 4.3 |
//! | `eager_limit` | the largest eager message | Chen et al. 2009, 2.2 |
//! | `progress` | progress of a rendezvous; overlap | Chen et al. 2009, 2.2.2 |
//! | `path` | the path of messages | |
//! | `collective` | T(m, p) of the collective operations | Hwang et al. 1997, 2; Touriño & Doallo 2001, 2.2 |
//! | `shared_card` | streams of several pairs of two hosts, R_N | Gropp, Olson & Samfass 2016 |
//! | `pulse` | the state of the machine | |
//! | `clock_sync` | a clock common to all ranks, with its error | |

pub mod bandwidth;
pub mod clock_sync;
pub mod collective;
pub mod cpu_overlap;
pub mod eager_limit;
pub mod one_sided;
pub mod path;
pub mod ping_pong;
pub mod progress;
pub mod pulse;
pub mod shared_card;
pub mod two_processor;

use crate::transport::{Rank, Result, Transport};
use loggia_model::signature::{Clock, Quantity, Round, Samples, Statistic};
use loggia_model::stats::stop::{Goal, Need};
use loggia_model::stats::{self, CONFIDENCE};
use loggia_model::units::{Bytes, Micros};
use serde::{Deserialize, Serialize};

/// The size of a small message, as in Bell et al. 2003.
pub const SMALL: usize = 8;

/// The effort for one condition, such as one size in one send mode.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Effort {
    /// Discarded repetitions.
    pub warm_up: u32,
    /// Minimum of repetitions, time permitting.
    pub min: u32,
    /// Maximum of repetitions.
    pub max: u32,
    /// Relative half-width of the median's interval at which to stop.
    pub precision: f64,
    /// Maximum seconds.
    pub seconds: f64,
}

/// This rank's side of a pair of ranks that measure together.
pub struct Pair<'a> {
    pub transport: &'a mut dyn Transport,
    pub peer: Rank,
    pub leads: bool,
    pub clock: Clock,
    pub round: u32,
}

impl Pair<'_> {
    pub fn now(&mut self) -> f64 {
        self.transport.now()
    }

    /// Waits until both ranks have arrived. The root leaves one message earlier; changing the root
    /// after half of the repetitions cancels this (Al-Tawil & Moritz 2001).
    pub fn barrier(&mut self, leader_is_root: bool) -> Result<()> {
        if self.leads == leader_is_root {
            self.transport.await_signal(self.peer)?;
            self.transport.signal(self.peer, 0.0)
        } else {
            self.transport.signal(self.peer, 0.0)?;
            self.transport.await_signal(self.peer).map(drop)
        }
    }

    /// Shares the leader's number with the partner.
    pub fn agree(&mut self, number: f64) -> Result<f64> {
        match self.leads {
            true => self.transport.signal(self.peer, number).map(|()| number),
            false => self.transport.await_signal(self.peer),
        }
    }

    /// Shares the leader's decision with the partner.
    pub fn agree_whether(&mut self, decision: bool) -> Result<bool> {
        Ok(self.agree(if decision { 1.0 } else { 0.0 })? > 0.5)
    }

    /// Shares the partner's number with the leader.
    pub fn share_from_partner(&mut self, number: f64) -> Result<f64> {
        match self.leads {
            true => self.transport.await_signal(self.peer),
            false => self.transport.signal(self.peer, number).map(|()| number),
        }
    }

    /// Repeats `body`, which gets the number of the repetition, or `None` during warm-up, and
    /// returns one time per series. Stops when each series of the leader is precise enough, or at
    /// the maximum of repetitions or time.
    pub fn repeat<const N: usize>(
        &mut self,
        effort: Effort,
        mut body: impl FnMut(&mut Self, Option<u32>) -> Result<[f64; N]>,
    ) -> Result<[Vec<f64>; N]> {
        let mut series = [const { Vec::new() }; N];
        // Warm-up takes at most a quarter of the time.
        let begin = self.now();
        let mut warm = 0;
        loop {
            let is_warm = self.is_warm(effort, begin, warm);
            if self.agree_whether(is_warm)? {
                break;
            }
            body(self, None)?;
            warm += 1;
        }
        let begin = self.now();
        let mut batch = effort.min.clamp(1, 5);
        loop {
            let more = self.agree(f64::from(batch))? as u32;
            if more == 0 {
                return Ok(series);
            }
            // The signal of `agree` disturbs the next repetition, so discard one.
            body(self, None)?;
            for _ in 0..more {
                let repetition = series[0].len() as u32;
                let times = body(self, Some(repetition))?;
                for (series, time) in series.iter_mut().zip(times) {
                    series.push(time);
                }
            }
            batch =
                if self.leads { self.further_repetitions(effort, begin, &series) } else { more };
        }
    }

    fn is_warm(&mut self, effort: Effort, begin: f64, done: u32) -> bool {
        let spent = (self.now() - begin) * 1e-6;
        done >= effort.warm_up || (done > 0 && spent > effort.seconds / 4.0)
    }

    /// Number of further repetitions.
    fn further_repetitions(&mut self, effort: Effort, begin: f64, series: &[Vec<f64>]) -> u32 {
        let done = series.first().map_or(0, Vec::len) as u32;
        let spent = (self.now() - begin) * 1e-6;
        let left = effort.seconds - spent;
        if left <= 0.0 || done >= effort.max {
            return 0;
        }
        let affordable = (left / spent.max(1e-9) * f64::from(done)) as u32;
        let needed = if done < effort.min {
            effort.min - done
        } else {
            let tick = self.clock.resolution.0;
            let goal = Goal {
                relative: effort.precision,
                confidence: CONFIDENCE,
                least: effort.min as usize,
                tick,
            };
            let more = |times: &Vec<f64>| match goal.need(times) {
                Need::More(more) => more,
                Need::Enough | Need::OutOfReach => 0,
            };
            series.iter().map(more).max().unwrap_or_default() as u32
        };
        needed.min(effort.max - done).min(affordable).min(done * 9)
    }

    /// Samples of this pair, in this round.
    pub fn samples(&self, quantity: Quantity, times: &[f64]) -> Samples {
        let me = self.transport.rank();
        let ranks = if self.leads { [me, self.peer] } else { [self.peer, me] };
        Samples {
            ranks: Some(ranks),
            tick: Some(self.clock.resolution),
            rounds: vec![Round { round: self.round, count: times.len() as u32, pulse: None }],
            times: times.iter().map(|time| Micros(rounded(*time))).collect(),
            ..Samples::raw(quantity)
        }
    }

    /// Samples of single calls, whose times include reading the clock.
    pub fn calls(&self, quantity: Quantity, times: &[f64]) -> Samples {
        Samples { timer: Some(self.clock.overhead), ..self.samples(quantity, times) }
    }

    /// Samples of runs of many messages: one mean per run.
    pub fn means(&self, quantity: Quantity, times: &[f64]) -> Samples {
        Samples { statistic: Statistic::Mean, tick: None, ..self.samples(quantity, times) }
    }

    /// Whether both ranks ran on the same processor last, at the leader. The partner gets `false`.
    pub fn share_a_processor(&mut self) -> Result<bool> {
        let mine = self.transport.last_processor();
        if self.leads {
            let of_partner = self.transport.recv_control(self.peer)?;
            return Ok(mine.is_some_and(|mine| mine.as_bytes() == of_partner));
        }
        let mine = mine.unwrap_or_default();
        self.transport.send_control(self.peer, mine.as_bytes()).map(|()| false)
    }

    /// Sends the partner's times to the leader.
    pub fn gather(&mut self, times: &[f64]) -> Result<Vec<f64>> {
        if self.leads {
            let bytes = self.transport.recv_control(self.peer)?;
            let number = |bytes: &[u8]| bytes.try_into().map(f64::from_le_bytes).ok();
            return Ok(bytes.chunks_exact(8).filter_map(number).collect());
        }
        let bytes: Vec<u8> = times.iter().flat_map(|time| time.to_le_bytes()).collect();
        self.transport.send_control(self.peer, &bytes).map(|()| Vec::new())
    }
}

/// Rounded to 0.1 ns: the clocks are not finer, and files stay small.
fn rounded(micros: f64) -> f64 {
    (micros * 1e4).round() / 1e4
}

/// Time to read this rank's clock, and its smallest step.
pub fn examine_clock(transport: &mut dyn Transport) -> Clock {
    let source = transport.rank_info().clock;
    let mut steps: Vec<f64> = (0..20_000)
        .map(|_| {
            let begin = transport.now();
            // Rounding makes equal steps equal: differences of large times have rounding errors.
            rounded(transport.now() - begin)
        })
        .collect();
    steps.sort_by(f64::total_cmp);
    let resolution = resolution(&steps);
    let overhead = stats::quantile::Sample::new(&steps, resolution).median().unwrap_or_default();
    Clock { source, resolution: Micros(rounded(resolution)), overhead: Micros(rounded(overhead)) }
}

/// The smallest step of a clock, from the steps between consecutive readings in ascending
/// order.
fn resolution(steps: &[f64]) -> f64 {
    let gaps = |steps: &[f64]| -> Vec<f64> {
        let gaps = steps.windows(2).map(|pair| pair[1] - pair[0]);
        gaps.filter(|gap| *gap > 0.0).collect()
    };
    // If the tick is longer than the last digit, the steps differ by at least one tick.
    let central = gaps(&steps[steps.len() / 20..steps.len() - steps.len() / 20]);
    if let Some(widest) = central.into_iter().reduce(f64::max) {
        return widest;
    }
    // Nearly all steps have the same number of ticks: the smallest difference is one tick.
    let smallest = gaps(steps).into_iter().reduce(f64::min);
    smallest.or_else(|| steps.first().copied()).unwrap_or_default()
}

/// A size in the type of samples.
pub fn bytes(size: usize) -> Option<Bytes> {
    Some(Bytes(size as u64))
}

#[cfg(test)]
mod tests {
    use super::resolution;

    #[test]
    fn the_resolution_is_known_even_if_nearly_all_steps_are_equal() {
        let mut steps = vec![0.04; 1000];
        assert_eq!(resolution(&steps), 0.04);
        steps[999] = 0.05;
        assert!((resolution(&steps) - 0.01).abs() < 1e-12);
        let coarse: Vec<f64> = (0..100).map(|i| if i < 50 { 0.0 } else { 1.0 }).collect();
        assert_eq!(resolution(&coarse), 1.0);
        assert_eq!(resolution(&[]), 0.0);
    }
}
