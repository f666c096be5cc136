//! The flood test (`003`, Section 4.2): how often messages can be sent in a sustained fashion.
//!
//! `depth` sends are under way at any time: half of them are waited for, then as many begun. At
//! the end the receiver replies once.

use super::{Pair, bytes};
use crate::transport::{Result, Ticket, Transport};
use loggia_model::signature::{Mode, Quantity, Samples};
use std::collections::VecDeque;

/// Receives under way: as deep as the deepest queue, as far as there is room.
const RECV_ROOM: usize = 16 << 20;

/// How deep a queue can be for messages of that size.
pub(crate) fn deepest(size: usize) -> u32 {
    (RECV_ROOM / size.max(1)).clamp(1, 64) as u32
}

/// The time a message, in so many runs of so many messages.
pub(crate) fn run(
    pair: &mut Pair,
    size: usize,
    depth: u32,
    runs: u32,
    messages: u32,
) -> Result<Vec<Samples>> {
    let mut means = Vec::new();
    // A short one first fills caches and opens connections.
    once(pair, size, depth, depth.min(messages))?;
    for _ in 0..runs {
        pair.barrier(true)?;
        let begin = pair.now();
        once(pair, size, depth, messages)?;
        means.push((pair.now() - begin) / f64::from(messages));
    }
    Ok(vec![Samples {
        style: Some("isend".to_owned()),
        bytes: bytes(size),
        depth: Some(depth),
        source: format!("flood, means of {messages} messages (003, Section 4.2)"),
        ..pair.means(Quantity::Gap, &means)
    }])
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
    let mut under_way: VecDeque<Ticket> = VecDeque::new();
    let mut left = messages;
    while left > 0 || !under_way.is_empty() {
        while left > 0 && under_way.len() < depth as usize {
            under_way.push_back(begin(transport)?);
            left -= 1;
        }
        let waited_for = if left > 0 { (depth as usize / 2).max(1) } else { under_way.len() };
        for ticket in under_way.drain(..waited_for.min(under_way.len())) {
            transport.wait(ticket)?;
        }
    }
    match pair.leads {
        true => transport.recv(peer, 0),
        false => transport.send(Mode::Standard, peer, 0),
    }
}
