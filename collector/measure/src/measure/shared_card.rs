//! Concurrent streams of several pairs of ranks on two hosts: the rate of a host's network card, R_N
//! (Gropp, Olson & Samfass 2016).
//!
//! Each pair runs the streaming bandwidth test of [`bandwidth`]. All leaders begin at a signal of the
//! first leader. The maximum of their times counts: the card is busy until then. The time of the reply
//! is subtracted as in [`bandwidth`]: (T(m) − T(1))/(m − 1).

use super::{Pair, bandwidth, bytes};
use crate::transport::{Rank, Result, Transport};
use loggia_model::signature::{Clock, Quantity, Samples};
use loggia_model::units::Procs;

/// Pairs of ranks, leader first; this rank is in one of them.
pub struct ConcurrentPairs<'a> {
    pub transport: &'a mut dyn Transport,
    pub pairs: &'a [[Rank; 2]],
    pub clock: Clock,
    pub round: u32,
}

/// The streams of one condition.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Streams {
    pub size: usize,
    pub depth: u32,
    pub runs: u32,
    pub messages: u32,
}

impl ConcurrentPairs<'_> {
    /// Time per message of each pair, one mean per run; returned by the first leader.
    pub fn run(&mut self, streams: Streams) -> Result<Vec<Samples>> {
        let me = self.transport.rank();
        let Some(own_pair) = self.pairs.iter().find(|pair| pair.contains(&me)) else {
            return Ok(Vec::new());
        };
        let leads = own_pair[0] == me;
        let peer = if leads { own_pair[1] } else { own_pair[0] };
        let leaders: Vec<Rank> = self.pairs.iter().map(|pair| pair[0]).collect();
        let (clock, round) = (self.clock.clone(), self.round);
        let mut pair = Pair { transport: &mut *self.transport, peer, leads, clock, round };
        let Streams { size, depth, runs, messages } = streams;
        let mut gaps = Vec::new();
        // The first run is a warm-up.
        for run in 0..=runs {
            let single = timed(&mut pair, &leaders, streams, 1)?;
            let all = timed(&mut pair, &leaders, streams, messages)?;
            if run > 0 {
                gaps.push((all - single).max(0.0) / f64::from(messages.max(2) - 1));
            }
        }
        if leaders.first() != Some(&me) {
            return Ok(Vec::new());
        }
        let count = self.pairs.len() as u32;
        let source = format!("streams of {count} pairs at once, means of {messages} messages");
        Ok(vec![Samples {
            style: Some("isend".to_owned()),
            procs: Some(Procs(2 * count)),
            bytes: bytes(size),
            depth: Some(depth),
            source,
            ranks: None,
            ..pair.means(Quantity::Gap, &gaps)
        }])
    }
}

/// Time of all pairs for this number of messages each; returned by the first leader.
fn timed(pair: &mut Pair, leaders: &[Rank], streams: Streams, messages: u32) -> Result<f64> {
    pair.barrier(true)?;
    let me = pair.transport.rank();
    let (first, others) = match leaders {
        [first, others @ ..] if pair.leads => (*first, others),
        _ => {
            bandwidth::stream(pair, streams.size, streams.depth, messages)?;
            return Ok(0.0);
        }
    };
    if me == first {
        others.iter().try_for_each(|other| pair.transport.await_signal(*other).map(drop))?;
        others.iter().try_for_each(|other| pair.transport.signal(*other, 0.0))?;
    } else {
        pair.transport.signal(first, 0.0)?;
        pair.transport.await_signal(first)?;
    }
    let begin = pair.now();
    bandwidth::stream(pair, streams.size, streams.depth, messages)?;
    let mut time = pair.now() - begin;
    if me != first {
        pair.transport.signal(first, time)?;
        return Ok(time);
    }
    for other in others {
        time = time.max(pair.transport.await_signal(*other)?);
    }
    Ok(time)
}
