//! S, the largest eager message (Chen et al. 2009, Section 2.2), bracketed by bisection. Two
//! criteria:
//!
//! - The receiver computes outside the library. A send that completes meanwhile is eager (T).
//! - A handshake takes time: the protocol changes where the end-to-end time jumps by its time. A
//!   library may send eagerly and wait for an acknowledgement (TA); then S is at the jump, above
//!   the sizes that complete without the receiver.

use super::{Pair, bytes};
use crate::transport::Result;
use loggia_model::signature::{Mode, Quantity, Samples, Statistic};
use loggia_model::stats::change::changes;
use loggia_model::stats::quantile::median;
use loggia_model::units::{Bytes, Micros};

/// Tries per size, which must agree.
const TRIES: u32 = 5;
/// Tries per size if the first tries disagree.
const MORE_TRIES: u32 = 25;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SendProtocol {
    /// Sends complete without the receiver.
    Eager,
    /// Sends wait for the receiver.
    Rendezvous,
}

/// Brackets the limit between the first and the last size of `ends`, rough end-to-end times by
/// size. `away` is the time in µs for which the receiver computes outside the library, by message
/// size: long enough for an eager send to complete.
pub fn run(
    pair: &mut Pair,
    blocking: bool,
    ends: &[(usize, f64)],
    away: impl Fn(usize) -> f64,
) -> Result<Vec<Samples>> {
    let mut all = Vec::new();
    let (Some((smallest, _)), Some((largest, _))) = (ends.first(), ends.last()) else {
        return Ok(all);
    };
    let mut at =
        |pair: &mut Pair, size| observed_protocol(pair, blocking, size, away(size), &mut all);
    let mut limit = None;
    if at(pair, *smallest)? == SendProtocol::Eager {
        limit = Some(*largest);
        if at(pair, *largest)? == SendProtocol::Rendezvous {
            let low = bisect(pair, [*smallest, *largest], |pair, size| {
                Ok(at(pair, size)? == SendProtocol::Rendezvous)
            })?;
            limit = Some(low);
        }
    }
    for jump in Jump::all_above(ends, limit) {
        if let Some(bracket) = jump.bracketed(pair, blocking)? {
            all.extend(bracket.into_iter().filter(|_| pair.leads));
            break;
        }
    }
    Ok(all)
}

/// The largest size below a change between two sizes.
fn bisect(
    pair: &mut Pair,
    [mut low, mut high]: [usize; 2],
    mut is_above: impl FnMut(&mut Pair, usize) -> Result<bool>,
) -> Result<usize> {
    while high - low > 1 {
        // First the geometric mean, then the arithmetic mean.
        let geometric = ((low as f64) * (high as f64)).sqrt() as usize;
        let size = if high > 2 * low { geometric } else { low + (high - low) / 2 };
        let size = size.clamp(low + 1, high - 1);
        match is_above(pair, size)? {
            true => high = size,
            false => low = size,
        }
    }
    Ok(low)
}

/// A jump of the end-to-end time by at least the time of a handshake.
struct Jump {
    below: usize,
    above: usize,
    /// Lines on both sides: time and slope at the size on that side.
    lines: [(f64, f64); 2],
    /// Minimum time of a handshake.
    handshake: f64,
}

/// Maximum number of searches.
const ATTEMPTS: u32 = 3;

/// Round trips per check of a size; each attempt makes four times as many as the last attempt.
const ROUND_TRIPS: usize = 31;
/// Maximum time of a check, in µs.
const CHECK_TIME: f64 = 20_000.0;

/// Number of checks of both sides of a bracket.
const CHECKS: u32 = 5;
/// Minimum number of checks that must confirm a bracket.
const AGREEING: u32 = 4;

impl Jump {
    /// Jumps above `limit`, the largest size whose send completes without the receiver. Empty if a
    /// jump coincides with the limit: then S is known.
    fn all_above(ends: &[(usize, f64)], limit: Option<usize>) -> Vec<Jump> {
        let curve: Vec<(Bytes, Micros)> =
            ends.iter().map(|(size, time)| (Bytes(*size as u64), Micros(*time))).collect();
        let Some(handshake) = curve.first().map(|(_, time)| time.0) else { return Vec::new() };
        let at = |size: u64| ends.iter().position(|(bytes, _)| *bytes as u64 == size);
        let jumps = changes(&curve, 0.15).into_iter().filter_map(|change| {
            let (i, j) = (at(change.below.0)?, at(change.above.0)?);
            let [before, below, above, after] =
                [ends.get(i.checked_sub(1)?)?, ends.get(i)?, ends.get(j)?, ends.get(j + 1)?];
            let slope =
                |a: &(usize, f64), b: &(usize, f64)| ((b.1 - a.1) / (b.0 - a.0) as f64).max(0.0);
            let lines = [(below.1, slope(before, below)), (above.1, slope(above, after))];
            let jump = Jump { below: below.0, above: above.0, lines, handshake };
            (jump.height(jump.lines) >= handshake).then_some(jump)
        });
        let jumps: Vec<Jump> =
            jumps.filter(|jump| limit.is_none_or(|limit| jump.above > limit)).collect();
        let is_limit = |jump: &Jump| limit.is_some_and(|limit| jump.below <= limit);
        if jumps.iter().any(is_limit) { Vec::new() } else { jumps }
    }

    /// The times at the two sizes between which the time jumps. The search is repeated if the
    /// checks contradict it, as on a busy machine. `None` if there is no jump: the machine changed
    /// its state between two sizes.
    fn bracketed(&self, pair: &mut Pair, blocking: bool) -> Result<Option<[Samples; 2]>> {
        for attempt in 0..ATTEMPTS {
            let affordable = CHECK_TIME / (6.0 * self.lines[1].0.max(1e-3));
            let trips = (ROUND_TRIPS << (2 * attempt)).min(affordable as usize).max(ROUND_TRIPS);
            let low = bisect(pair, [self.below, self.above], |pair, size| {
                self.is_above(pair, blocking, size, trips)
            })?;
            let mut agreeing = 0;
            let mut found = None;
            for _ in 0..CHECKS {
                let [at_low, at_high] = interleaved(pair, blocking, [low, low + 1], trips)?;
                // A smooth increase is not a jump between two neighbouring sizes.
                let jumps = at_high - at_low >= self.height(self.lines) / 3.0;
                agreeing += u32::from(pair.agree_whether(jumps)?);
                let sample = |size, time| Jump::sample(pair, blocking, size, time, trips);
                found = Some([sample(low, at_low), sample(low + 1, at_high)]);
            }
            if agreeing >= AGREEING {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The jump of the time, midway between the two sizes.
    fn height(&self, lines: [(f64, f64); 2]) -> f64 {
        let [low, high] = self.expected(lines, (self.below + self.above) / 2);
        high - low
    }

    /// Expected time of a size below and above the limit.
    fn expected(&self, [(low, up), (high, down)]: [(f64, f64); 2], size: usize) -> [f64; 2] {
        let from_below = size.saturating_sub(self.below) as f64;
        let to_above = self.above.saturating_sub(size) as f64;
        [low + up * from_below, high - down * to_above]
    }

    /// Whether a message of this size takes as long as messages above the jump. Measurements of the
    /// size and of both sides are interleaved, so that all see the same state of the machine.
    fn is_above(&self, pair: &mut Pair, blocking: bool, size: usize, trips: usize) -> Result<bool> {
        let sizes = [self.below, size, self.above];
        let [below, time, above] = interleaved(pair, blocking, sizes, trips)?;
        let [(_, up), (_, down)] = self.lines;
        let lines = [(below, up), (above, down)];
        let [low, high] = self.expected(lines, size);
        let is_above = self.height(lines) >= self.handshake / 2.0 && time * time > low * high;
        pair.agree_whether(is_above)
    }

    /// The samples of a measured size.
    fn sample(pair: &Pair, blocking: bool, size: usize, time: f64, trips: usize) -> Samples {
        Samples {
            style: Some(send_mode(blocking)),
            bytes: bytes(size),
            statistic: Statistic::Median,
            source: format!("median RTT/2 of {trips} round trips, bisecting a jump"),
            ..pair.samples(Quantity::EndToEnd, &[time])
        }
    }
}

/// The send mode of the test.
fn send_mode(blocking: bool) -> String {
    if blocking { "send" } else { "isend" }.to_owned()
}

/// Median RTT/2 of several sizes, with interleaved round trips.
fn interleaved<const N: usize>(
    pair: &mut Pair,
    blocking: bool,
    sizes: [usize; N],
    trips: usize,
) -> Result<[f64; N]> {
    let mut halves = [const { Vec::new() }; N];
    for _ in 0..trips {
        for (size, halves) in sizes.into_iter().zip(&mut halves) {
            let begin = pair.now();
            round_trip(pair, blocking, size)?;
            halves.push((pair.now() - begin) / 2.0);
        }
    }
    Ok(halves.map(|halves| median(&halves).unwrap_or_default()))
}

fn round_trip(pair: &mut Pair, blocking: bool, size: usize) -> Result<()> {
    let peer = pair.peer;
    let transport = &mut *pair.transport;
    if blocking {
        if pair.leads {
            transport.send(Mode::Standard, peer, size)?;
            return transport.recv(peer, size);
        }
        transport.recv(peer, size)?;
        return transport.send(Mode::Standard, peer, size);
    }
    let receive = transport.start_recv(peer, size)?;
    if !pair.leads {
        transport.wait(receive)?;
    }
    let send = transport.start_send(Mode::Standard, peer, size)?;
    transport.wait(send)?;
    if pair.leads {
        transport.wait(receive)?;
    }
    Ok(())
}

/// Whether sends of this size complete before the receiver calls; keeps the times.
fn observed_protocol(
    pair: &mut Pair,
    blocking: bool,
    size: usize,
    away: f64,
    all: &mut Vec<Samples>,
) -> Result<SendProtocol> {
    let mut times = Vec::new();
    let mut tries_needed = TRIES;
    let mut eager = 0;
    while (times.len() as u32) < tries_needed {
        let time = send_without_receiver(pair, blocking, size, away)?;
        times.push(time);
        eager += u32::from(time < away / 2.0);
        let tries = times.len() as u32;
        if tries == TRIES && eager > 0 && eager < tries {
            tries_needed = MORE_TRIES;
        }
        tries_needed = pair.agree(f64::from(tries_needed))? as u32;
    }
    let is_eager = 2 * eager > times.len() as u32;
    if pair.leads {
        all.push(Samples {
            style: Some(send_mode(blocking)),
            bytes: bytes(size),
            compute: Some(Micros(away)),
            statistic: Statistic::Raw,
            source: "a send while the receiver computes (Chen et al. 2009, Section 2.2)".to_owned(),
            ..pair.calls(Quantity::SendAlone, &times)
        });
    }
    Ok(if pair.agree_whether(is_eager)? { SendProtocol::Eager } else { SendProtocol::Rendezvous })
}

/// Time from the send call until the send completes, while the receiver computes.
fn send_without_receiver(pair: &mut Pair, blocking: bool, size: usize, away: f64) -> Result<f64> {
    let peer = pair.peer;
    // The receiver leaves the barrier first: inside the barrier it could take the message.
    pair.barrier(false)?;
    let time = if pair.leads {
        let begin = pair.now();
        if blocking {
            pair.transport.send(Mode::Standard, peer, size)?;
        } else {
            let request = pair.transport.start_send(Mode::Standard, peer, size)?;
            while !pair.transport.test(request)? {}
        }
        pair.now() - begin
    } else {
        pair.transport.compute(away);
        pair.transport.recv(peer, size)?;
        0.0
    };
    // The barrier keeps this attempt from disturbing the next.
    pair.barrier(true)?;
    Ok(time)
}
