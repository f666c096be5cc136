//! CPU overlap test (Bell et al. 2003, Section 4.3): a streaming bandwidth test with one message in
//! flight and computation between start and completion of each send (or receive). Computation that
//! costs no time used a free processor; the rest of the gap is the overhead.

use super::{Pair, bytes};
use crate::transport::{Result, Transport};
use loggia_model::signature::{Mode, Quantity, Samples};
use loggia_model::units::Micros;

/// The side that computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ComputingSide {
    /// The sender: for o_s.
    Sender,
    /// The receiver: for o_r.
    Receiver,
}

/// Time per message with `compute` µs of computation, in `runs` runs of `messages` messages.
pub fn run(
    pair: &mut Pair,
    size: usize,
    side: ComputingSide,
    compute: f64,
    runs: u32,
    messages: u32,
) -> Result<Vec<Samples>> {
    let mut means = Vec::new();
    stream(pair, size, side, compute, messages.div_ceil(10))?;
    for _ in 0..runs {
        pair.barrier(true)?;
        let begin = pair.now();
        stream(pair, size, side, compute, messages)?;
        means.push((pair.now() - begin) / f64::from(messages));
    }
    let quantity = match side {
        ComputingSide::Sender => Quantity::GapSenderComputes,
        ComputingSide::Receiver => Quantity::GapReceiverComputes,
    };
    Ok(vec![Samples {
        style: Some("isend".to_owned()),
        bytes: bytes(size),
        depth: Some(1),
        compute: Some(Micros(compute)),
        source: format!(
            "CPU overlap test, means of {messages} messages (Bell et al. 2003, Section 4.3)"
        ),
        ..pair.means(quantity, &means)
    }])
}

fn stream(
    pair: &mut Pair,
    size: usize,
    side: ComputingSide,
    compute: f64,
    messages: u32,
) -> Result<()> {
    let (peer, leads) = (pair.peer, pair.leads);
    let transport: &mut dyn Transport = pair.transport;
    let computes = compute > 0.0 && leads == (side == ComputingSide::Sender);
    for _ in 0..messages {
        let request = match leads {
            true => transport.start_send(Mode::Standard, peer, size)?,
            false => transport.start_recv(peer, size)?,
        };
        if computes {
            transport.compute(compute);
        }
        transport.wait(request)?;
    }
    match leads {
        true => transport.recv(peer, 0),
        false => transport.send(Mode::Standard, peer, 0),
    }
}
