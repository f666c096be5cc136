//! Costs of messages in the model of LogGOPSim, and whether they let time go back.

use crate::schedule::Schedule;
use crate::time::Time;

/// The costs of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs<T> {
    /// L
    pub latency: T,
    /// o
    pub overhead: T,
    /// g
    pub gap: T,
    /// G
    pub gap_per_byte: T,
    /// O
    pub overhead_per_byte: T,
    /// S
    pub eager_limit: u64,
}

impl<T: Time> Costs<T> {
    /// Time of a send on the processor.
    #[inline]
    pub fn send(&self, bytes: u64) -> T {
        self.overhead.plus(self.overhead_per_byte.after_the_first(bytes))
    }

    /// Time of a receive on the processor; `later` is the maximum of two times.
    #[inline]
    pub fn recv(&self, bytes: u64, later: impl FnOnce(T, T) -> T) -> T {
        let own = self.overhead_per_byte.after_the_first(bytes);
        self.overhead.plus(later(own, self.gap_per_byte.after_the_first(bytes)))
    }

    /// Time of a message on an interface.
    #[inline]
    pub fn interface(&self, bytes: u64) -> T {
        self.gap.plus(self.gap_per_byte.after_the_first(bytes))
    }

    /// Time from the start of a send to the message's arrival.
    #[inline]
    pub fn flight(&self) -> T {
        self.overhead.plus(self.latency)
    }
}

/// The costs of messages between two ranks.
pub trait Network<T> {
    fn costs(&self, from: u32, to: u32) -> &Costs<T>;

    /// The costs of every tier.
    fn tiers(&self) -> Vec<&Costs<T>>;
}

impl<T> Network<T> for Costs<T> {
    #[inline]
    fn costs(&self, _: u32, _: u32) -> &Costs<T> {
        self
    }

    fn tiers(&self) -> Vec<&Costs<T>> {
        vec![self]
    }
}

/// Two tiers: inside nodes and between them.
#[derive(Clone, Debug)]
pub struct Nodes<'a, T> {
    /// Node of each rank.
    pub node_of: &'a [u32],
    /// Within a node.
    pub inside: Costs<T>,
    /// Between nodes.
    pub between: Costs<T>,
}

impl<T> Network<T> for Nodes<'_, T> {
    #[inline]
    fn costs(&self, from: u32, to: u32) -> &Costs<T> {
        match self.node_of[from as usize] == self.node_of[to as usize] {
            true => &self.inside,
            false => &self.between,
        }
    }

    fn tiers(&self) -> Vec<&Costs<T>> {
        vec![&self.inside, &self.between]
    }
}

/// Whether time can go back: ranks have several processors, or a cost is negative.
pub fn time_goes_back<T: Time>(schedule: &Schedule, network: &impl Network<T>, calc: u64) -> bool {
    schedule.cpus() > 1 || !times_only_grow(schedule, network, calc)
}

/// Whether no event makes a processor or interface free earlier: no cost is negative, and no sum
/// overflows, even if every message had the costs of every tier. Only then, parking is exact.
pub(super) fn times_only_grow<T: Time>(
    schedule: &Schedule,
    network: &impl Network<T>,
    calc: u64,
) -> bool {
    let counts = schedule.counts();
    let mut sum = counts.computation.saturating_mul(calc);
    for (size, number) in &counts.sends {
        for costs in network.tiers() {
            let spans = [costs.send(*size), costs.recv(*size, T::max), costs.interface(*size)];
            // A negative time is a huge number of ticks.
            for span in spans {
                sum = sum.saturating_add(span.ticks().saturating_mul(*number));
            }
        }
    }
    sum < 1 << 63
}
