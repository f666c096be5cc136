//! Streaming bandwidth test (Bell et al. 2003, Section 4.2): the sustained rate of messages.
//!
//! `depth` sends are in flight: half of them are waited for, then as many started. At the end the
//! receiver replies once. Bell et al. 2003 amortise the reply over 10,000 messages. A test of one
//! message has the same reply, so here it is subtracted: (T(n) − T(1))/(n − 1). The minimum of
//! T(n)/n in Bell et al. 2003 is kept, too.

use super::{Pair, bytes};
use crate::transport::{Request, Result, Transport};
use loggia_model::signature::{Mode, Quantity, Samples, Statistic};
use loggia_model::stats::quantile::median;
use std::collections::VecDeque;

/// Buffer of receives in flight.
const RECV_ROOM: usize = 16 << 20;

/// The largest queue depth for messages of this size.
pub fn deepest(size: usize) -> u32 {
    (RECV_ROOM / size.max(1)).clamp(1, 64) as u32
}

/// Time per message, in `runs` runs of `messages` messages.
pub fn run(
    pair: &mut Pair,
    size: usize,
    depth: u32,
    runs: u32,
    messages: u32,
) -> Result<Vec<Samples>> {
    let (mut gaps, mut least) = (Vec::new(), f64::INFINITY);
    // Warm-up: fills caches and opens connections.
    once(pair, size, depth, depth.min(messages))?;
    for _ in 0..runs {
        let mut lone = Vec::new();
        for _ in 0..LONE.min(messages.div_ceil(8)) {
            lone.push(timed(pair, size, depth, 1)?);
        }
        let all = timed(pair, size, depth, messages)?;
        least = least.min(all / f64::from(messages));
        let reply = median(&lone).unwrap_or_default();
        gaps.push((all - reply).max(0.0) / f64::from(messages.max(2) - 1));
    }
    let with = |samples: Samples, source: &str| Samples {
        style: Some("isend".to_owned()),
        bytes: bytes(size),
        depth: Some(depth),
        source: format!("{source} of {messages} messages (Bell et al. 2003, Section 4.2)"),
        ..samples
    };
    let theirs = Samples { statistic: Statistic::Minimum, ..pair.means(Quantity::Gap, &[least]) };
    Ok(vec![
        with(pair.means(Quantity::Gap, &gaps), "streaming bandwidth test, means"),
        with(theirs, "streaming bandwidth test, minimum of the means with the reply"),
    ])
}

/// Tests of one message, for the time of the reply; fewer for a short test.
const LONE: u32 = 5;

fn timed(pair: &mut Pair, size: usize, depth: u32, messages: u32) -> Result<f64> {
    pair.barrier(true)?;
    let begin = pair.now();
    once(pair, size, depth, messages)?;
    Ok(pair.now() - begin)
}

pub(super) fn once(pair: &mut Pair, size: usize, depth: u32, messages: u32) -> Result<()> {
    let peer = pair.peer;
    let transport = &mut *pair.transport;
    let begin = |transport: &mut dyn Transport| match pair.leads {
        true => transport.start_send(Mode::Standard, peer, size),
        false => transport.start_recv(peer, size),
    };
    // The receiver always has enough receives posted.
    let depth = if pair.leads { depth } else { deepest(size) };
    let mut in_flight: VecDeque<Request> = VecDeque::new();
    let mut left = messages;
    while left > 0 || !in_flight.is_empty() {
        while left > 0 && in_flight.len() < depth as usize {
            in_flight.push_back(begin(transport)?);
            left -= 1;
        }
        let waited_for = if left > 0 { (depth as usize / 2).max(1) } else { in_flight.len() };
        for request in in_flight.drain(..waited_for.min(in_flight.len())) {
            transport.wait(request)?;
        }
    }
    match pair.leads {
        true => transport.recv(peer, 0),
        false => transport.send(Mode::Standard, peer, 0),
    }
}
