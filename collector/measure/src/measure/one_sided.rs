//! Put and get (the lower-level interfaces of Bell et al. 2003): the call, the completion, and the
//! load of the target's processor (Section 4.3: computation in isolation, then "quiet").

use super::{Effort, Pair, bytes};
use crate::transport::{OneSided, Result, Transport};
use loggia_model::signature::{Quantity, Samples};
use loggia_model::units::Micros;

fn access(transport: &mut dyn Transport) -> Result<&mut dyn OneSided> {
    transport.one_sided().ok_or_else(|| {
        loggia_model::Error::new(
            "this transport has no one-sided operations",
            "",
            "omit `one-sided` from --only",
        )
    })
}

/// Exposes memory at both ranks, if both support it.
fn open(pair: &mut Pair, size: usize) -> Result<bool> {
    let is_open = access(pair.transport)?.open(pair.peer, size).is_ok();
    let number = if is_open { 1.0 } else { 0.0 };
    let leaders = pair.agree(number)?;
    let partners = pair.share_from_partner(number)?;
    Ok(leaders + partners > 1.5)
}

/// Put and get of one size; no samples if the library does not support them.
pub fn run(pair: &mut Pair, size: usize, effort: Effort) -> Result<Vec<Samples>> {
    let peer = pair.peer;
    let leads = pair.leads;
    if !open(pair, size)? {
        return Ok(Vec::new());
    }
    let [calls, puts, gets] = pair.repeat(effort, |pair, _| {
        let begin = pair.now();
        if leads {
            access(pair.transport)?.put(peer, size)?;
        }
        let called = pair.now();
        if leads {
            access(pair.transport)?.quiet(peer)?;
        }
        let put = pair.now();
        if leads {
            let access = access(pair.transport)?;
            access.get(peer, size)?;
            access.quiet(peer)?;
        }
        Ok([called - begin, put - begin, pair.now() - put])
    })?;
    access(pair.transport)?.close(peer)?;
    let with = |samples: Samples, style: &str| Samples {
        style: Some(style.to_owned()),
        bytes: bytes(size),
        source: "one-sided access, completed by a flush (Bell et al. 2003, Section 4)".to_owned(),
        ..samples
    };
    Ok(vec![
        with(pair.calls(Quantity::PutOverhead, &calls), "put"),
        with(pair.calls(Quantity::Put, &puts), "put"),
        with(pair.calls(Quantity::Get, &gets), "get"),
    ])
}

/// Time per message of a stream of puts, while the target computes `compute` µs per message and
/// then waits for all messages.
pub fn isolated(
    pair: &mut Pair,
    size: usize,
    compute: f64,
    runs: u32,
    messages: u32,
) -> Result<Vec<Samples>> {
    let peer = pair.peer;
    if !open(pair, size)? {
        return Ok(Vec::new());
    }
    let mut means = Vec::new();
    for run in 0..=runs {
        pair.barrier(true)?;
        let begin = pair.now();
        if pair.leads {
            for _ in 0..messages {
                access(pair.transport)?.put(peer, size)?;
            }
            access(pair.transport)?.quiet(peer)?;
            pair.transport.signal(peer, 0.0)?;
            pair.transport.await_signal(peer)?;
        } else {
            if compute > 0.0 {
                pair.transport.compute(compute * f64::from(messages));
            }
            pair.transport.await_signal(peer)?;
            pair.transport.signal(peer, 0.0)?;
        }
        if run > 0 {
            means.push((pair.now() - begin) / f64::from(messages));
        }
    }
    access(pair.transport)?.close(peer)?;
    Ok(vec![Samples {
        style: Some("put".to_owned()),
        bytes: bytes(size),
        compute: Some(Micros(compute)),
        source: format!(
            "{messages} puts, the target computes in isolation (Bell et al. 2003, Section 4.3)"
        ),
        ..pair.means(Quantity::GapReceiverComputes, &means)
    }])
}
