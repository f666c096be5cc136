//! Times with their terms, and the costs from which they are computed.

use std::ops::Add;

/// Costs of messages and computation, in integer ps.
///
/// A message of k bytes costs its sender o_s(k). Then its first byte travels for L, and the other
/// bytes arrive within B(k). A network interface handles one message per g + B(k). The receiver
/// pays o_r(k).
pub trait Costs {
    /// o_s(k): processor time of sending k bytes.
    fn send(&self, bytes: u64) -> u64;
    /// o_r(k): processor time of receiving k bytes.
    fn recv(&self, bytes: u64) -> u64;
    /// L(k): latency of the first byte of a message of k bytes; the same for all k without
    /// measurements.
    fn latency(&self, bytes: u64) -> u64;
    /// g: minimum time between two messages at a network interface, in addition to their bytes.
    fn gap(&self) -> u64;
    /// B(k) = G·max(k − 1, 0): time of the bytes after the first.
    fn bytes(&self, bytes: u64) -> u64;
    /// c(k) = t_c·k: processor time of the reduction operator on k bytes.
    fn compute(&self, bytes: u64) -> u64;
}

/// The symbols, in their order along a message.
pub(crate) const SYMBOLS: [&str; 6] = ["o_s", "L", "G", "o_r", "t_c", "g"];

/// An amount of one parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub count: u64,
    pub ps: u64,
}

/// A time with the amount of each parameter. Times saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Time {
    pub ps: u64,
    pub parts: [Part; SYMBOLS.len()],
}

impl Time {
    fn one(symbol: usize, count: u64, ps: u64) -> Self {
        let mut time = Time { ps, ..Time::default() };
        time.parts[symbol] = Part { count, ps };
        time
    }

    /// The later of two times.
    pub(crate) fn max(self, other: Self) -> Self {
        if other.ps > self.ps { other } else { self }
    }

    /// The time of `count` repetitions.
    pub(crate) fn times(self, count: u64) -> Self {
        let many = |value: u64| value.saturating_mul(count);
        let parts = self.parts.map(|part| Part { count: many(part.count), ps: many(part.ps) });
        Time { ps: many(self.ps), parts }
    }
}

impl Add for Time {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self.ps = self.ps.saturating_add(other.ps);
        for (mine, other) in self.parts.iter_mut().zip(other.parts) {
            mine.count = mine.count.saturating_add(other.count);
            mine.ps = mine.ps.saturating_add(other.ps);
        }
        self
    }
}

impl dyn Costs + '_ {
    /// o_s(k)
    pub(crate) fn o_s(&self, k: u64) -> Time {
        Time::one(0, 1, self.send(k))
    }

    /// L(k)
    pub(crate) fn l(&self, k: u64) -> Time {
        Time::one(1, 1, self.latency(k))
    }

    /// B(k)
    pub(crate) fn b(&self, k: u64) -> Time {
        Time::one(2, k.saturating_sub(1), self.bytes(k))
    }

    /// o_r(k)
    pub(crate) fn o_r(&self, k: u64) -> Time {
        Time::one(3, 1, self.recv(k))
    }

    /// c(k)
    pub(crate) fn c(&self, k: u64) -> Time {
        Time::one(4, k, self.compute(k))
    }

    /// g
    pub(crate) fn g(&self) -> Time {
        Time::one(5, 1, self.gap())
    }

    /// E(k) = o_s(k) + L + B(k) + o_r(k): end-to-end time of a message.
    pub(crate) fn message(&self, k: u64) -> Time {
        self.o_s(k) + self.l(k) + self.b(k) + self.o_r(k)
    }

    /// H(k) = g + B(k): time for which a message occupies a network interface.
    pub(crate) fn hold(&self, k: u64) -> Time {
        self.g() + self.b(k)
    }

    /// M(k) = max(o_s(k), g + B(k)): interval between two consecutive sends.
    pub(crate) fn turn(&self, k: u64) -> Time {
        self.o_s(k).max(self.hold(k))
    }

    /// Whether waiting for the network interface, and receiving meanwhile, takes at most as long as
    /// a message of k bytes: H + o_r ≤ E, so g ≤ o_s + L.
    pub(crate) fn has_short_gap(&self, k: u64) -> bool {
        self.gap() <= self.send(k).saturating_add(self.latency(k))
    }
}

/// When the processor and the network interface of a rank are free.
#[derive(Clone, Copy)]
pub(crate) struct Clock<'a> {
    pub costs: &'a dyn Costs,
    /// When the processor is free.
    pub cpu: Time,
    /// When the interface is free for outgoing messages.
    pub out: Time,
    /// When the interface is free for incoming messages.
    pub into: Time,
}

impl<'a> Clock<'a> {
    /// A clock at time 0.
    pub(crate) fn new(costs: &'a dyn Costs) -> Self {
        let zero = Time::default();
        Clock { costs, cpu: zero, out: zero, into: zero }
    }

    /// Sends k bytes; returns when they leave.
    pub(crate) fn send(&mut self, k: u64) -> Time {
        let leaves = (self.cpu + self.costs.o_s(k)).max(self.out);
        self.cpu = leaves;
        self.out = leaves + self.costs.hold(k);
        leaves
    }

    /// Receives k bytes that left at `left`.
    pub(crate) fn recv(&mut self, left: Time, k: u64) {
        let accepted = (left + self.costs.l(k)).max(self.into);
        self.into = accepted + self.costs.hold(k);
        self.cpu = self.cpu.max(accepted + self.costs.b(k)) + self.costs.o_r(k);
    }

    /// Applies the reduction operator to k bytes.
    pub(crate) fn combine(&mut self, k: u64) {
        self.cpu = self.cpu + self.costs.c(k);
    }

    /// A round in which every rank sends k bytes to one rank and receives k bytes from one rank.
    pub(crate) fn exchange(&mut self, k: u64) {
        let left = self.send(k);
        self.recv(left, k);
    }

    /// Several equal rounds: after the first, one per max(E(k) + c(k), g + B(k)).
    pub(crate) fn rounds(&mut self, count: u64, k: u64, combined: bool) {
        let Some(more) = count.checked_sub(1) else { return };
        self.exchange(k);
        let mut period = self.costs.message(k);
        if combined {
            self.combine(k);
            period = period + self.costs.c(k);
        }
        let wait = period.max(self.costs.hold(k)).times(more);
        for time in [&mut self.cpu, &mut self.out, &mut self.into] {
            *time = *time + wait;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::Machine;
    use super::*;

    #[test]
    fn a_time_keeps_its_parts() {
        let machine = Machine { latency: 100, send: [7, 0], recv: [5, 0], ..Machine::default() };
        let costs: &dyn Costs = &machine;
        let two = costs.message(1).times(2);
        assert_eq!(two.ps, 224);
        assert_eq!(two.parts[1], Part { count: 2, ps: 200 });
        assert_eq!(two.times(u64::MAX).ps, u64::MAX);
    }

    #[test]
    fn equal_rounds_agree_with_single_rounds() {
        for gap in [0, 50, 500] {
            let machine =
                Machine { latency: 100, gap, per_byte: 3, compute: 2, ..Machine::default() };
            let (mut by_one, mut at_once) = (Clock::new(&machine), Clock::new(&machine));
            for _ in 0..5 {
                by_one.exchange(10);
                by_one.combine(10);
            }
            at_once.rounds(5, 10, true);
            assert_eq!(by_one.cpu.ps, at_once.cpu.ps);
            assert_eq!(by_one.out.ps, at_once.out.ps);
        }
    }
}
