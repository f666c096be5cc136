//! End-to-end time by size: RTT/2 (Bell et al. 2003, Section 4.1, EEL).

use super::{Effort, Pair, bytes};
use crate::transport::Result;
use loggia_model::signature::{Mode, Quantity, Samples};

/// RTT/2 of single round trips, for the median.
pub fn single(pair: &mut Pair, size: usize, effort: Effort) -> Result<Vec<Samples>> {
    let [halves] = pair.repeat(effort, |pair, _| Ok([half_round_trip(pair, size)?]))?;
    let mut samples = pair.calls(Quantity::EndToEnd, &halves);
    // RTT/2 contains half of a clock reading, and its resolution is half a tick.
    samples.timer = samples.timer.map(|timer| timer * 0.5);
    samples.tick = samples.tick.map(|tick| tick * 0.5);
    Ok(vec![Samples {
        style: Some("send".to_owned()),
        bytes: bytes(size),
        source: "ping-pong, RTT/2 of each (Bell et al. 2003, Section 4.1)".to_owned(),
        ..samples
    }])
}

/// Means of many round trips, as in Bell et al. 2003, which takes the minimum of ten.
pub fn runs(pair: &mut Pair, size: usize, runs: u32, messages: u32) -> Result<Vec<Samples>> {
    let mut means = Vec::new();
    for _ in 0..runs {
        pair.barrier(true)?;
        let begin = pair.now();
        for _ in 0..messages {
            round_trip(pair, size)?;
        }
        means.push((pair.now() - begin) / 2.0 / f64::from(messages));
    }
    Ok(vec![Samples {
        style: Some("send".to_owned()),
        bytes: bytes(size),
        source: format!(
            "ping-pong, means of {messages} round trips (Bell et al. 2003, Section 4.1)"
        ),
        ..pair.means(Quantity::EndToEnd, &means)
    }])
}

/// RTT/2 of one message.
pub(super) fn half_round_trip(pair: &mut Pair, size: usize) -> Result<f64> {
    let begin = pair.now();
    round_trip(pair, size)?;
    Ok((pair.now() - begin) / 2.0)
}

fn round_trip(pair: &mut Pair, size: usize) -> Result<()> {
    let peer = pair.peer;
    if pair.leads {
        pair.transport.send(Mode::Standard, peer, size)?;
        pair.transport.recv(peer, size)
    } else {
        pair.transport.recv(peer, size)?;
        pair.transport.send(Mode::Standard, peer, size)
    }
}
