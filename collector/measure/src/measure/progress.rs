//! Progress of a protocol, and overlap (Chen et al. 2009, Section 2.2).
//!
//! The receive is posted before the send starts. Then one side computes outside the library before
//! its wait. If this does not delay the other side, the computing processor is not needed. If
//! neither is needed, progress is independent (ICP). If only the receiver's is needed, the receiver
//! pulls (RTA). If both are needed, the sender pushes (RAT).
//!
//! Ranks that share a processor take turns on it. Delays then show the scheduler, not the protocol,
//! so these times are left out.

use super::{Effort, Pair, bytes};
use crate::transport::Result;
use loggia_model::signature::{Mode, Quantity, Samples};
use loggia_model::units::Micros;

/// The times of one exchange on this side. The sender counts from its exit of the barrier. The
/// receiver counts from its signal in the barrier, one small message before the sender's exit, so
/// that it misses nothing.
struct ExchangeTimes {
    /// Time inside the calls of this side.
    calls: f64,
    /// Time until this side completes.
    done: f64,
}

/// Exchanges of one size: no side computes, the sender computes, the receiver computes. No samples if
/// both ranks shared a processor.
pub fn run(pair: &mut Pair, size: usize, compute: f64, effort: Effort) -> Result<Vec<Samples>> {
    let mut all = Vec::new();
    let mut shared = false;
    for [at_sender, at_receiver] in [[0.0, 0.0], [compute, 0.0], [0.0, compute]] {
        let mut receiver_times = Vec::new();
        let [calls, done] = pair.repeat(effort, |pair, repetition| {
            let times = exchange(pair, size, at_sender, at_receiver)?;
            if repetition.is_some() {
                receiver_times.push(times.done);
                receiver_times.push(times.calls);
            }
            Ok([times.calls, times.done])
        })?;
        shared |= pair.share_a_processor()?;
        let receiver_times = pair.gather(&receiver_times)?;
        let of_receiver = |offset: usize| -> Vec<f64> {
            receiver_times.iter().skip(offset).step_by(2).copied().collect()
        };
        let inserted = at_sender.max(at_receiver);
        let with = |samples: Samples| Samples {
            style: Some("isend".to_owned()),
            bytes: bytes(size),
            compute: Some(Micros(inserted)),
            source: "an exchange whose receive is posted early (Chen et al. 2009, Section 2.2)"
                .to_owned(),
            ..samples
        };
        if at_sender > 0.0 {
            let receiver_times = of_receiver(0);
            all.push(with(pair.samples(Quantity::ReceiverDoneSenderComputes, &receiver_times)));
            all.push(with(pair.samples(Quantity::SendCalls, &calls)));
        } else if at_receiver > 0.0 {
            all.push(with(pair.samples(Quantity::SenderDoneReceiverComputes, &done)));
            all.push(with(pair.samples(Quantity::RecvCalls, &of_receiver(1))));
        } else {
            all.push(with(pair.samples(Quantity::SenderDone, &done)));
            all.push(with(pair.samples(Quantity::ReceiverDone, &of_receiver(0))));
            all.push(with(pair.samples(Quantity::SendCalls, &calls)));
            all.push(with(pair.samples(Quantity::RecvCalls, &of_receiver(1))));
        }
    }
    Ok(if shared { Vec::new() } else { all })
}

fn exchange(
    pair: &mut Pair,
    size: usize,
    at_sender: f64,
    at_receiver: f64,
) -> Result<ExchangeTimes> {
    let peer = pair.peer;
    if pair.leads {
        pair.barrier(false)?;
        pair.barrier(true)?;
        let begin = pair.now();
        let request = pair.transport.start_send(Mode::Standard, peer, size)?;
        let called = pair.now();
        if at_sender > 0.0 {
            pair.transport.compute(at_sender);
        }
        let wait_begin = pair.now();
        pair.transport.wait(request)?;
        let end = pair.now();
        return Ok(ExchangeTimes { calls: called - begin + end - wait_begin, done: end - begin });
    }
    let before = pair.now();
    let request = pair.transport.start_recv(peer, size)?;
    let posted = pair.now();
    // The sender has completed the previous exchange; it waits at the barrier for this side's
    // signal.
    pair.barrier(false)?;
    let begin = pair.now();
    pair.barrier(true)?;
    if at_receiver > 0.0 {
        pair.transport.compute(at_receiver);
    }
    let wait_begin = pair.now();
    pair.transport.wait(request)?;
    let end = pair.now();
    Ok(ExchangeTimes { calls: posted - before + end - wait_begin, done: end - begin })
}
