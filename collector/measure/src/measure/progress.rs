//! Progress of a protocol, and overlap (Chen et al. 2009, Section 2.2).
//!
//! The receive is posted before the send starts. Then one side computes outside the library before
//! its wait. If this does not delay the other side, the computing processor is not needed. If
//! neither is needed, progress is independent (ICP). If only the receiver's is needed, the receiver
//! pulls (RTA). If both are needed, the sender pushes (RAT).

use super::{Effort, Pair, bytes};
use crate::transport::Result;
use loggia_model::signature::{Mode, Quantity, Samples};
use loggia_model::units::Micros;

/// What one exchange took: in the calls of this side, and until it was done. The sender counts from
/// the barrier, which it leaves first; the receiver from its own word, upon which the sender
/// leaves: that is one small message earlier, and it cannot miss what happens before it leaves the
/// barrier.
struct Took {
    calls: f64,
    done: f64,
}

/// Exchanges of one size: without computation, with the sender's, with the receiver's.
pub fn run(pair: &mut Pair, size: usize, compute: f64, effort: Effort) -> Result<Vec<Samples>> {
    let mut all = Vec::new();
    for [at_sender, at_receiver] in [[0.0, 0.0], [compute, 0.0], [0.0, compute]] {
        let mut theirs = Vec::new();
        let [calls, done] = pair.repeat(effort, |pair, repetition| {
            let took = exchange(pair, size, at_sender, at_receiver)?;
            if repetition.is_some() {
                theirs.push(took.done);
                theirs.push(took.calls);
            }
            Ok([took.calls, took.done])
        })?;
        let theirs = pair.gather(&theirs)?;
        let of_receiver =
            |which: usize| -> Vec<f64> { theirs.iter().skip(which).step_by(2).copied().collect() };
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
            let theirs = of_receiver(0);
            all.push(with(pair.samples(Quantity::ReceiverDoneSenderComputes, &theirs)));
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
    Ok(all)
}

fn exchange(pair: &mut Pair, size: usize, at_sender: f64, at_receiver: f64) -> Result<Took> {
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
        let waits = pair.now();
        pair.transport.wait(request)?;
        let end = pair.now();
        return Ok(Took { calls: called - begin + end - waits, done: end - begin });
    }
    let before = pair.now();
    let request = pair.transport.start_recv(peer, size)?;
    let posted = pair.now();
    // The sender has done with the exchange before; it is at the barrier when this side's word
    // comes.
    pair.barrier(false)?;
    let begin = pair.now();
    pair.barrier(true)?;
    if at_receiver > 0.0 {
        pair.transport.compute(at_receiver);
    }
    let waits = pair.now();
    pair.transport.wait(request)?;
    let end = pair.now();
    Ok(Took { calls: posted - before + end - waits, done: end - begin })
}
