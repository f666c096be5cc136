//! What messages cost by the rules of LogGOPSim, and whether that lets time go back.

use crate::schedule::{Kind, Schedule};
use crate::time::Time;

/// What a message costs.
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
    /// How long a send keeps the processor.
    #[inline]
    pub fn send(&self, bytes: u64) -> T {
        self.overhead.plus(self.overhead_per_byte.after_the_first(bytes))
    }

    /// How long a message keeps the receiving processor. `later` says which of two times is it.
    #[inline]
    pub fn recv(&self, bytes: u64, later: impl FnOnce(T, T) -> T) -> T {
        let own = self.overhead_per_byte.after_the_first(bytes);
        self.overhead.plus(later(own, self.gap_per_byte.after_the_first(bytes)))
    }

    /// How long a message keeps an interface.
    #[inline]
    pub fn interface(&self, bytes: u64) -> T {
        self.gap.plus(self.gap_per_byte.after_the_first(bytes))
    }

    /// How long after the begin of the send the message is at the other side.
    #[inline]
    pub fn flight(&self) -> T {
        self.overhead.plus(self.latency)
    }
}

/// What messages cost between two ranks.
pub trait Network<T> {
    /// Between these.
    fn costs(&self, from: u32, to: u32) -> &Costs<T>;
}

impl<T> Network<T> for Costs<T> {
    #[inline]
    fn costs(&self, _: u32, _: u32) -> &Costs<T> {
        self
    }
}

/// Ranks on nodes: within one, messages cost less than between two.
#[derive(Clone, Debug)]
pub struct Nodes<'a, T> {
    /// Of each rank.
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
}

/// Whether time can go back: ranks have several processors, or something costs less than nothing.
pub fn time_goes_back<T: Time>(schedule: &Schedule, network: &impl Network<T>, calc: u64) -> bool {
    schedule.cpus() > 1 || !nothing_is_free_earlier(schedule, network, calc)
}

/// Whether nothing that begins makes its processor or interface free earlier than they were: no
/// cost is below zero, and no sum of them wraps. Only then do the others wait in vain behind the
/// first.
pub(super) fn nothing_is_free_earlier<T: Time>(
    schedule: &Schedule,
    network: &impl Network<T>,
    calc: u64,
) -> bool {
    let mut sum = 0u128;
    for op in schedule.ops() {
        let spans = match op.kind {
            Kind::Calc => [T::computation(op.size, calc); 3],
            Kind::Recv => continue,
            Kind::Send | Kind::Ssend => {
                let costs = network.costs(op.rank, op.peer);
                [costs.send(op.size), costs.recv(op.size, T::max), costs.interface(op.size)]
            }
        };
        sum += spans.iter().map(|span| u128::from(span.ticks())).sum::<u128>();
    }
    sum < 1 << 63
}
