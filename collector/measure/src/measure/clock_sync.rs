//! A common clock of ranks whose own clocks begin at different moments and go at different speeds.
//!
//! Rank 0 asks every other rank for its time, again and again. The answer was given between
//! question and reply, so of the exchange with the shortest round trip
//!
//! offset = answer − (asked + replied)/2, off by at most (replied − asked)/2,
//!
//! however unequal the two ways are. Two such readings some time apart tell the drift too. Common
//! time is rank 0's.

use crate::transport::{Rank, Result, Transport};

/// A rank has been asked often enough when so many exchanges in a row were not the shortest …
const PATIENCE: u32 = 20;
/// … or after so many.
const MOST_EXCHANGES: u32 = 300;
/// Clocks that are good for anything do not drift apart faster: 100 µs a second.
const MOST_DRIFT: f64 = 1e-4;

/// Where this rank's clock was against rank 0's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Reading {
    /// When, by rank 0's clock.
    at: f64,
    /// So far ahead.
    offset: f64,
    /// Off by at most so much.
    error: f64,
}

/// What one rank knows of the common time.
#[derive(Clone, Copy, Debug, Default)]
pub struct CommonClock {
    first: Option<Reading>,
    last: Reading,
    /// At rank 0: how many ranks know the common time.
    ranks: Rank,
}

impl CommonClock {
    /// Asks each of the first `procs` ranks, which all call this.
    pub fn synchronise(&mut self, transport: &mut dyn Transport, procs: Rank) -> Result<()> {
        if transport.rank() > 0 {
            self.last = answer(transport)?;
            self.first.get_or_insert(self.last);
            return Ok(());
        }
        // Rank 0 itself is exact: it remembers how far off the others are at most.
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

    /// At rank 0: whether so many ranks must synchronise. Some do not know the common time, or may
    /// be twice as far off as when they were last asked.
    pub fn is_due(&self, procs: Rank, common: f64) -> bool {
        self.ranks < procs || self.error_at(common) > 2.0 * self.last.error
    }

    /// What this rank's clock shows at that common time.
    pub fn local(&self, common: f64) -> f64 {
        common + self.last.offset + self.drift().0 * (common - self.last.at)
    }

    /// The common time when this rank's clock shows that.
    pub fn common(&self, local: f64) -> f64 {
        let since = local - self.last.offset - self.last.at;
        self.last.at + since / (1.0 + self.drift().0)
    }

    /// How far off both may be about that common time; at rank 0, at any rank.
    pub fn error_at(&self, common: f64) -> f64 {
        self.last.error + self.drift().1 * (common - self.last.at).abs()
    }

    /// How much faster than rank 0's this clock goes, and by how much that may be off. Until two
    /// readings tell more, it is only known not to be much.
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

/// At rank 0: asks another rank, and tells it the result.
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

/// At another rank: answers as long as it is asked, and hears the result.
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

    /// Whatever the clocks do, and though one way takes three times the other, the common time is
    /// no further off than is said; and it gets better.
    #[test]
    fn the_error_is_bounded() {
        let nothing = Arc::new(|_, _, _, _, _, at| at);
        let found = fake::run(5, nothing, |transport| {
            let mut clock = CommonClock::default();
            let mut bounds = Vec::new();
            for pause in [0.0, 1e3, 1e5, 1e6, 1e7] {
                transport.compute(pause);
                clock.synchronise(transport, 5).unwrap();
                // Rank 0 begins and goes with the true time.
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
