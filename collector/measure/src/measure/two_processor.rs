//! The two-processor benchmark of Al-Tawil & Moritz 2001, Figure 2: send and receive overheads of
//! every send mode, by size. The timers are named as in the paper.
//!
//! Each repetition: barrier; the leader sends (timer11), the partner receives at once (timer21);
//! barrier; the partner sends (timer22), the leader waits delta, until the message must have
//! arrived, and receives (timer12). The barrier's root changes after half of the repetitions.

use super::{Effort, Pair, bytes};
use crate::transport::Result;
use loggia_model::signature::{Mode, Quantity, Samples, StyleName};

/// A send mode; receives are blocking if sends are.
pub struct SendMode {
    pub mode: Mode,
    pub blocking: bool,
}

impl SendMode {
    /// The send mode of this MPI name.
    pub fn named(name: &str) -> Option<Self> {
        let (mode, blocking) = StyleName(name.to_owned()).mpi()?;
        Some(SendMode { mode, blocking })
    }
}

/// Overheads of one send mode at one size. `delta` is an upper bound of a message's time, in µs.
pub fn run(
    pair: &mut Pair,
    name: &str,
    size: usize,
    delta: f64,
    effort: Effort,
) -> Result<Vec<Samples>> {
    let Some(send_mode) = SendMode::named(name) else { return Ok(Vec::new()) };
    let half = effort.min.div_ceil(2);
    let mut waiting = Vec::new();
    let [sends, receives] = pair.repeat(effort, |pair, done| {
        let leader_is_root = done.unwrap_or_default() % (2 * half) < half;
        let first = one_way(pair, &send_mode, size, true, leader_is_root, 0.0)?;
        let second = one_way(pair, &send_mode, size, false, leader_is_root, delta)?;
        // timer11 and timer12 at the leader, timer21 and timer22 at its partner.
        if !pair.leads && done.is_some() {
            waiting.push(first);
        }
        Ok([first, second])
    })?;
    let waiting_times = pair.gather(&waiting)?;
    let source = |timer: &str| {
        format!("{timer} of the two-processor benchmark (Al-Tawil & Moritz 2001, Figure 2)")
    };
    let with = |samples: Samples, timer: &str| Samples {
        style: Some(name.to_owned()),
        bytes: bytes(size),
        source: source(timer),
        ..samples
    };
    Ok(vec![
        with(pair.calls(Quantity::SendOverhead, &sends), "timer11"),
        with(pair.calls(Quantity::RecvOverhead, &receives), "timer12"),
        with(pair.calls(Quantity::RecvWaiting, &waiting_times), "timer21"),
    ])
}

/// The time of this rank's call for one message after a barrier. The receiver waits `delta` first.
fn one_way(
    pair: &mut Pair,
    send_mode: &SendMode,
    size: usize,
    leader_sends: bool,
    leader_is_root: bool,
    delta: f64,
) -> Result<f64> {
    let peer = pair.peer;
    let sends = pair.leads == leader_sends;
    // A ready send needs a posted receive.
    let posted = match send_mode.mode {
        Mode::Ready if !sends => Some(pair.transport.start_recv(peer, size)?),
        _ => None,
    };
    pair.barrier(leader_is_root)?;
    if sends {
        let begin = pair.now();
        if send_mode.blocking {
            pair.transport.send(send_mode.mode, peer, size)?;
            return Ok(pair.now() - begin);
        }
        let request = pair.transport.start_send(send_mode.mode, peer, size)?;
        let time = pair.now() - begin;
        while !pair.transport.test(request)? {}
        return Ok(time);
    }
    if delta > 0.0 {
        pair.transport.compute(delta);
    }
    let begin = pair.now();
    match (posted, send_mode.blocking) {
        (Some(request), _) => pair.transport.wait(request)?,
        (None, true) => pair.transport.recv(peer, size)?,
        (None, false) => {
            let request = pair.transport.start_recv(peer, size)?;
            let time = pair.now() - begin;
            while !pair.transport.test(request)? {}
            return Ok(time);
        }
    }
    Ok(pair.now() - begin)
}

/// The time of the successful test of a receive that was posted before. This is the part of o_r on
/// the critical path; L is the end-to-end time without it and o_s.
pub fn completion(pair: &mut Pair, size: usize, effort: Effort) -> Result<Vec<Samples>> {
    let peer = pair.peer;
    let [times] = pair.repeat(effort, |pair, _| {
        // Both ranks receive once per turn, as in a ping-pong.
        if pair.leads {
            let request = pair.transport.start_recv(peer, size)?;
            pair.transport.send(Mode::Standard, peer, size)?;
            loop {
                let begin = pair.now();
                let found = pair.transport.test(request)?;
                let end = pair.now();
                if found {
                    return Ok([end - begin]);
                }
            }
        }
        pair.transport.recv(peer, size)?;
        pair.transport.send(Mode::Standard, peer, size)?;
        Ok([0.0])
    })?;
    Ok(vec![Samples {
        style: Some("isend".to_owned()),
        bytes: bytes(size),
        source:
            "the test that completes a receive posted before (Al-Tawil & Moritz 2001, Section 3.1)"
                .to_owned(),
        ..pair.calls(Quantity::RecvCompletion, &times)
    }])
}
