//! A clock common to ranks whose own clocks have an offset and a drift.
//!
//! Rank 0 repeatedly requests the time of every other rank. That rank reads its clock between
//! request and reply, so for the exchange with the shortest round trip
//!
//! offset = reading − (request + reply)/2, with an error of at most (reply − request)/2,
//!
//! even on asymmetric paths. Two readings some time apart give the drift. Common time is rank 0's
//! clock.

use crate::transport::{Rank, Result, Transport};
use std::collections::BTreeMap;

/// Stop after this many consecutive exchanges without a shorter round trip.
const PATIENCE: u32 = 20;
/// Maximum number of exchanges.
const MAX_EXCHANGES: u32 = 300;
/// Maximum drift of usable clocks: 100 µs/s.
const MAX_DRIFT: f64 = 1e-4;

/// The offset of this rank's clock from rank 0's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Reading {
    /// The time on rank 0's clock.
    at: f64,
    /// Positive if this clock is ahead.
    offset: f64,
    /// Maximum error.
    error: f64,
}

/// The first and the last offset; they determine the drift.
#[derive(Clone, Copy, Debug)]
struct Readings {
    first: Reading,
    last: Reading,
}

impl Readings {
    fn with(before: Option<Readings>, last: Reading) -> Self {
        Readings { first: before.map_or(last, |before| before.first), last }
    }

    /// Drift from rank 0's clock, and its maximum error. With one reading, only the bound of usable
    /// clocks is known.
    fn drift(&self) -> (f64, f64) {
        let apart = self.last.at - self.first.at;
        let drift = (self.last.offset - self.first.offset) / apart;
        let error = (self.last.error + self.first.error) / apart;
        match error < MAX_DRIFT {
            true => (drift, error),
            false => (0.0, MAX_DRIFT),
        }
    }

    /// Maximum error at a common time.
    fn error_at(&self, common: f64) -> f64 {
        self.last.error + self.drift().1 * (common - self.last.at).abs()
    }
}

/// A rank's estimate of the common time.
#[derive(Clone, Debug, Default)]
pub struct CommonClock {
    /// Readings of this rank; `None` on rank 0, whose clock is the common clock.
    own: Option<Readings>,
    /// On rank 0: readings of the other ranks.
    others: BTreeMap<Rank, Readings>,
}

impl CommonClock {
    /// Synchronises these ranks, rank 0 first. All of them must call this.
    pub fn synchronise(&mut self, transport: &mut dyn Transport, members: &[Rank]) -> Result<()> {
        if transport.rank() > 0 {
            self.own = Some(Readings::with(self.own, reply_with_time(transport)?));
            return Ok(());
        }
        for &rank in &members[1..] {
            let reading = measure_offset(transport, rank)?;
            let before = self.others.get(&rank).copied();
            self.others.insert(rank, Readings::with(before, reading));
        }
        Ok(())
    }

    /// On rank 0: whether these ranks, rank 0 first, must synchronise, because one never did or its
    /// error may have doubled.
    pub fn is_due(&self, members: &[Rank], common: f64) -> bool {
        members[1..].iter().any(|rank| {
            let readings = self.others.get(rank);
            readings.is_none_or(|readings| readings.error_at(common) > 2.0 * readings.last.error)
        })
    }

    /// This rank's clock at a common time.
    pub fn local(&self, common: f64) -> f64 {
        let Some(own) = self.own else { return common };
        common + own.last.offset + own.drift().0 * (common - own.last.at)
    }

    /// The common time at a time of this rank's clock.
    pub fn common(&self, local: f64) -> f64 {
        let Some(own) = self.own else { return local };
        let since = local - own.last.offset - own.last.at;
        own.last.at + since / (1.0 + own.drift().0)
    }

    /// Maximum error at a common time: on rank 0, of all these ranks; on another rank, of this rank.
    pub fn error_at(&self, members: &[Rank], common: f64) -> f64 {
        let others = members.iter().filter_map(|rank| self.others.get(rank));
        others.chain(&self.own).map(|readings| readings.error_at(common)).fold(0.0, f64::max)
    }
}

/// On rank 0: measures the offset of another rank's clock.
fn measure_offset(transport: &mut dyn Transport, rank: Rank) -> Result<Reading> {
    let mut best = Reading { error: f64::INFINITY, ..Reading::default() };
    let (mut without_gain, mut exchanges) = (0, 0);
    while without_gain < PATIENCE && exchanges < MAX_EXCHANGES {
        let requested = transport.now();
        transport.signal(rank, 1.0)?;
        let reading = transport.await_signal(rank)?;
        let replied = transport.now();
        let (at, error) = ((requested + replied) / 2.0, (replied - requested) / 2.0);
        without_gain += 1;
        exchanges += 1;
        if error < best.error {
            best = Reading { at, offset: reading - at, error };
            without_gain = 0;
        }
    }
    for number in [0.0, best.at, best.offset, best.error] {
        transport.signal(rank, number)?;
    }
    Ok(best)
}

/// On another rank: replies with the time until rank 0 sends the result.
fn reply_with_time(transport: &mut dyn Transport) -> Result<Reading> {
    while transport.await_signal(0)? > 0.0 {
        let now = transport.now();
        transport.signal(0, now)?;
    }
    let mut number = || transport.await_signal(0);
    Ok(Reading { at: number()?, offset: number()?, error: number()? })
}

#[cfg(test)]
mod tests {
    use super::super::collective::fake;
    use super::*;
    use std::sync::Arc;

    /// For any drift and asymmetric paths, the error stays within its bound, which decreases.
    #[test]
    fn the_error_is_bounded() {
        let instantaneous = Arc::new(|_, _, _, _, _, at| at);
        let found = fake::run(5, instantaneous, |transport| {
            let mut clock = CommonClock::default();
            let mut bounds = Vec::new();
            for pause in [0.0, 1e3, 1e5, 1e6, 1e7] {
                transport.compute(pause);
                clock.synchronise(transport, &[0, 1, 2, 3, 4]).unwrap();
                // Rank 0 has the true time.
                for later in [0.0, 1e3, 1e5, 1e6] {
                    let common = transport.time + later;
                    let local = clock.local(common);
                    let error = (transport.true_time(local) - common).abs();
                    let bound = clock.error_at(&[0, 1, 2, 3, 4], common);
                    assert!(error <= bound + 1e-6, "{later}: {error} > {bound}");
                    assert!((clock.common(local) - common).abs() < 1e-6);
                    if later == 1e6 {
                        bounds.push(bound);
                    }
                }
            }
            bounds
        });
        for bounds in found {
            assert!(bounds.last() < Some(&1.5), "{bounds:?}");
        }
    }

    #[test]
    fn synchronising_is_due_when_clocks_may_have_drifted() {
        let instantaneous = Arc::new(|_, _, _, _, _, at| at);
        let due = fake::run(3, instantaneous, |transport| {
            let mut clock = CommonClock::default();
            assert!(clock.is_due(&[0, 1, 2], 0.0));
            clock.synchronise(transport, &[0, 1, 2]).unwrap();
            let now = transport.time;
            let soon = clock.is_due(&[0, 1, 2], now + 10.0);
            let later = clock.is_due(&[0, 1, 2], now + 1e6);
            let more = clock.is_due(&[0, 1, 3], now);
            transport.compute(1e7);
            clock.synchronise(transport, &[0, 1, 2]).unwrap();
            let now = transport.time;
            [soon, later, more, clock.is_due(&[0, 1, 2], now + 1e6)]
        });
        assert_eq!(due[0], [false, true, true, false]);
    }
}
