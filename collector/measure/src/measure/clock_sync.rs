//! A clock common to ranks whose own clocks have an offset and a drift.
//!
//! Rank 0 asks every other rank for its time, repeatedly. The answer was read between request and
//! reply, so for the exchange with the shortest round trip
//!
//! offset = answer − (request + reply)/2, with an error of at most (reply − request)/2,
//!
//! even on asymmetric paths. Two readings some time apart give the drift. Common time is rank 0's
//! clock.

use crate::transport::{Rank, Result, Transport};

/// Stop after this many exchanges in a row that were not the shortest.
const PATIENCE: u32 = 20;
/// Maximum number of exchanges.
const MOST_EXCHANGES: u32 = 300;
/// Maximum drift of usable clocks: 100 µs/s.
const MOST_DRIFT: f64 = 1e-4;

/// The offset of this rank's clock from rank 0's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Reading {
    /// Rank 0's time.
    at: f64,
    /// Positive if this clock is ahead.
    offset: f64,
    /// Maximum error.
    error: f64,
}

/// A rank's estimate of the common time.
#[derive(Clone, Copy, Debug, Default)]
pub struct CommonClock {
    first: Option<Reading>,
    last: Reading,
    /// At rank 0: number of synchronised ranks.
    ranks: Rank,
}

impl CommonClock {
    /// Synchronises the first `procs` ranks, which all call this.
    pub fn synchronise(&mut self, transport: &mut dyn Transport, procs: Rank) -> Result<()> {
        if transport.rank() > 0 {
            self.last = answer(transport)?;
            self.first.get_or_insert(self.last);
            return Ok(());
        }
        // Rank 0 is exact; it keeps the maximum error of the others.
        let mut all = Reading { at: transport.now(), ..Reading::default() };
        for rank in 1..procs {
            let reading = ask(transport, rank)?;
            all.error = all.error.max(reading.error);
        }
        if self.ranks < procs {
            (self.first, self.ranks) = (Some(all), procs);
        }
        self.last = all;
        Ok(())
    }

    /// At rank 0: whether `procs` ranks must synchronise, as some never did or the error may have
    /// doubled.
    pub fn is_due(&self, procs: Rank, common: f64) -> bool {
        self.ranks < procs || self.error_at(common) > 2.0 * self.last.error
    }

    /// This rank's clock at a common time.
    pub fn local(&self, common: f64) -> f64 {
        common + self.last.offset + self.drift().0 * (common - self.last.at)
    }

    /// The common time at a time of this rank's clock.
    pub fn common(&self, local: f64) -> f64 {
        let since = local - self.last.offset - self.last.at;
        self.last.at + since / (1.0 + self.drift().0)
    }

    /// Maximum error at a common time; at rank 0, over all ranks.
    pub fn error_at(&self, common: f64) -> f64 {
        self.last.error + self.drift().1 * (common - self.last.at).abs()
    }

    /// Drift from rank 0's clock, and its maximum error. With one reading, only the bound of usable
    /// clocks is known.
    fn drift(&self) -> (f64, f64) {
        let Some(first) = self.first else { return (0.0, 0.0) };
        let apart = self.last.at - first.at;
        let drift = (self.last.offset - first.offset) / apart;
        let error = (self.last.error + first.error) / apart;
        match error < MOST_DRIFT {
            true => (drift, error),
            false => (0.0, MOST_DRIFT),
        }
    }
}

/// At rank 0: synchronises another rank.
fn ask(transport: &mut dyn Transport, rank: Rank) -> Result<Reading> {
    let mut best = Reading { error: f64::INFINITY, ..Reading::default() };
    let (mut in_vain, mut exchanges) = (0, 0);
    while in_vain < PATIENCE && exchanges < MOST_EXCHANGES {
        let asked = transport.now();
        transport.signal(rank, 1.0)?;
        let answer = transport.await_signal(rank)?;
        let replied = transport.now();
        let (at, error) = ((asked + replied) / 2.0, (replied - asked) / 2.0);
        in_vain += 1;
        exchanges += 1;
        if error < best.error {
            best = Reading { at, offset: answer - at, error };
            in_vain = 0;
        }
    }
    for number in [0.0, best.at, best.offset, best.error] {
        transport.signal(rank, number)?;
    }
    Ok(best)
}

/// At another rank: answers until rank 0 sends the result.
fn answer(transport: &mut dyn Transport) -> Result<Reading> {
    while transport.await_signal(0)? > 0.0 {
        let now = transport.now();
        transport.signal(0, now)?;
    }
    let mut hear = || transport.await_signal(0);
    Ok(Reading { at: hear()?, offset: hear()?, error: hear()? })
}

#[cfg(test)]
mod tests {
    use super::super::collective::fake;
    use super::*;
    use std::sync::Arc;

    /// For any drift and asymmetric paths, the error stays within its bound, which decreases.
    #[test]
    fn the_error_is_bounded() {
        let nothing = Arc::new(|_, _, _, _, _, at| at);
        let found = fake::run(5, nothing, |transport| {
            let mut clock = CommonClock::default();
            let mut bounds = Vec::new();
            for pause in [0.0, 1e3, 1e5, 1e6, 1e7] {
                transport.compute(pause);
                clock.synchronise(transport, 5).unwrap();
                // Rank 0 has the true time.
                for later in [0.0, 1e3, 1e5, 1e6] {
                    let common = transport.time + later;
                    let local = clock.local(common);
                    let error = (transport.truly(local) - common).abs();
                    let bound = clock.error_at(common);
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
        let nothing = Arc::new(|_, _, _, _, _, at| at);
        let due = fake::run(3, nothing, |transport| {
            let mut clock = CommonClock::default();
            assert!(clock.is_due(3, 0.0));
            clock.synchronise(transport, 3).unwrap();
            let now = transport.time;
            let soon = clock.is_due(3, now + 10.0);
            let later = clock.is_due(3, now + 1e6);
            let more = clock.is_due(4, now);
            transport.compute(1e7);
            clock.synchronise(transport, 3).unwrap();
            let now = transport.time;
            [soon, later, more, clock.is_due(3, now + 1e6)]
        });
        assert_eq!(due[0], [false, true, true, false]);
    }
}
