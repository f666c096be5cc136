//! The flood test (`003`, Section 4.2): how often messages can be sent in a sustained fashion.
//!
//! `depth` sends are under way at any time: half of them are waited for, then as many begun. At
//! the end the receiver replies once. `003` amortises that reply over 10,000 messages; a flood of
//! one message has it too, so here it is subtracted: (T(n) − T(1))/(n − 1). `003`'s own T(n)/n is
//! kept beside, the least of the runs.

use super::{Pair, bytes};
use crate::transport::{Request, Result, Transport};
use loggia_model::signature::{Mode, Quantity, Samples, Statistic};
use loggia_model::stats::quantile::median;
use std::collections::VecDeque;

/// Receives under way: as deep as the deepest queue, as far as there is room.
const RECV_ROOM: usize = 16 << 20;

/// How deep a queue can be for messages of that size.
pub fn deepest(size: usize) -> u32 {
    (RECV_ROOM / size.max(1)).clamp(1, 64) as u32
}

/// The time a message, in so many runs of so many messages.
pub fn run(
    pair: &mut Pair,
    size: usize,
    depth: u32,
    runs: u32,
    messages: u32,
) -> Result<Vec<Samples>> {
    let (mut gaps, mut least) = (Vec::new(), f64::INFINITY);
    // A short one first fills caches and opens connections.
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
        source: format!("{source} of {messages} messages (003, Section 4.2)"),
        ..samples
    };
    let theirs = Samples { statistic: Statistic::Minimum, ..pair.means(Quantity::Gap, &[least]) };
    Ok(vec![
        with(pair.means(Quantity::Gap, &gaps), "flood, means"),
        with(theirs, "flood, the least mean with its reply"),
    ])
}

/// So many floods of one message tell what the reply takes; fewer beside a short flood.
const LONE: u32 = 5;

fn timed(pair: &mut Pair, size: usize, depth: u32, messages: u32) -> Result<f64> {
    pair.barrier(true)?;
    let begin = pair.now();
    once(pair, size, depth, messages)?;
    Ok(pair.now() - begin)
}

fn once(pair: &mut Pair, size: usize, depth: u32, messages: u32) -> Result<()> {
    let peer = pair.peer;
    let transport = &mut *pair.transport;
    let begin = |transport: &mut dyn Transport| match pair.leads {
        true => transport.start_send(Mode::Standard, peer, size),
        false => transport.start_recv(peer, size),
    };
    // The receiver is never the one to be waited for.
    let depth = if pair.leads { depth } else { deepest(size) };
    let mut under_way: VecDeque<Request> = VecDeque::new();
    let mut left = messages;
    while left > 0 || !under_way.is_empty() {
        while left > 0 && under_way.len() < depth as usize {
            under_way.push_back(begin(transport)?);
            left -= 1;
        }
        let waited_for = if left > 0 { (depth as usize / 2).max(1) } else { under_way.len() };
        for request in under_way.drain(..waited_for.min(under_way.len())) {
            transport.wait(request)?;
        }
    }
    match pair.leads {
        true => transport.recv(peer, 0),
        false => transport.send(Mode::Standard, peer, 0),
    }
}
