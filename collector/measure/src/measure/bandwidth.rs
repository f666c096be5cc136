//! Streaming bandwidth test (Bell et al. 2003, Section 4.2): the sustained rate of messages.
//!
//! `depth` sends are in flight: the sender waits for half of them, then starts as many. At the end the
//! receiver replies once. Bell et al. 2003 amortise the reply over 10,000 messages. A test of one
//! message has the same reply, so here it is subtracted: (T(n) − T(1))/(n − 1). The minimum of
//! T(n)/n of Bell et al. 2003 is also kept.

use super::{Pair, bytes};
use crate::transport::{Request, Result, Transport};
use loggia_model::signature::{Mode, Quantity, Samples, Statistic};
use loggia_model::stats::quantile::median;
use std::collections::VecDeque;

/// Buffer for receives in flight, in bytes.
const RECV_BUFFER: usize = 16 << 20;

/// The largest queue depth for messages of this size.
pub fn deepest(size: usize) -> u32 {
    (RECV_BUFFER / size.max(1)).clamp(1, 64) as u32
}

/// Time per message, in `runs` runs of `messages` messages.
pub fn run(
    pair: &mut Pair,
    size: usize,
    depth: u32,
    runs: u32,
    messages: u32,
) -> Result<Vec<Samples>> {
    let (mut gaps, mut minimum) = (Vec::new(), f64::INFINITY);
    // Warm-up: fills caches and opens connections.
    stream(pair, size, depth, depth.min(messages))?;
    for _ in 0..runs {
        let mut singles = Vec::new();
        for _ in 0..SINGLE_TESTS.min(messages.div_ceil(8)) {
            singles.push(timed(pair, size, depth, 1)?);
        }
        let all = timed(pair, size, depth, messages)?;
        minimum = minimum.min(all / f64::from(messages));
        let reply = median(&singles).unwrap_or_default();
        gaps.push((all - reply).max(0.0) / f64::from(messages.max(2) - 1));
    }
    let with = |samples: Samples, source: &str| Samples {
        style: Some("isend".to_owned()),
        bytes: bytes(size),
        depth: Some(depth),
        source: format!("{source} of {messages} messages (Bell et al. 2003, Section 4.2)"),
        ..samples
    };
    let of_bell =
        Samples { statistic: Statistic::Minimum, ..pair.means(Quantity::Gap, &[minimum]) };
    Ok(vec![
        with(pair.means(Quantity::Gap, &gaps), "streaming bandwidth test, means"),
        with(of_bell, "streaming bandwidth test, minimum of the means with the reply"),
    ])
}

/// Number of tests of one message, for the time of the reply; fewer for a short test.
const SINGLE_TESTS: u32 = 5;

fn timed(pair: &mut Pair, size: usize, depth: u32, messages: u32) -> Result<f64> {
    pair.barrier(true)?;
    let begin = pair.now();
    stream(pair, size, depth, messages)?;
    Ok(pair.now() - begin)
}

pub(super) fn stream(pair: &mut Pair, size: usize, depth: u32, messages: u32) -> Result<()> {
    let peer = pair.peer;
    let transport = &mut *pair.transport;
    let begin = |transport: &mut dyn Transport| match pair.leads {
        true => transport.start_send(Mode::Standard, peer, size),
        false => transport.start_recv(peer, size),
    };
    // The receiver always has enough receives posted.
    let depth = if pair.leads { depth } else { deepest(size) };
    let mut in_flight: VecDeque<Request> = VecDeque::new();
    let mut remaining = messages;
    while remaining > 0 || !in_flight.is_empty() {
        while remaining > 0 && in_flight.len() < depth as usize {
            in_flight.push_back(begin(transport)?);
            remaining -= 1;
        }
        let waits = if remaining > 0 { (depth as usize / 2).max(1) } else { in_flight.len() };
        for request in in_flight.drain(..waits.min(in_flight.len())) {
            transport.wait(request)?;
        }
    }
    match pair.leads {
        true => transport.recv(peer, 0),
        false => transport.send(Mode::Standard, peer, 0),
    }
}
