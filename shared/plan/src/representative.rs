//! The time of a step on many ranks, from simulations of a few ranks.
//!
//! | step | simulated | reason |
//! |---|---|---|
//! | halo | 3 ranks along each dimension, or two nodes of up to 3; periodic, so that all have both neighbours | a rank waits only for its neighbours |
//! | halo, ranks share a card | two whole nodes along each dimension | all ranks of a node wait for its card |
//! | exchange | two ranks, once on one node and once on two; the mean over its rounds | in a round, all pairs take the same time |
//! | exchange, ranks share a card | two whole nodes | as above |
//! | exchange, p not a power of two | at most 48 ranks, all rounds | ranks without a partner delay the others |
//! | wavefront | a small grid, and grids with more ranks or blocks | the time is linear in the numbers of ranks and blocks |
//!
//! The times agree with simulations of the whole program to 5%, with shared cards to 10%; the tests
//! of `analytic_sum` check it. Each is the time of a step that all ranks begin together. The gain
//! from ranks that run ahead of each other is in `skew`.

use super::cache::RunKey;
use super::concrete::{ConcreteAction, ConcreteStep, ROUNDS, rounds_of_exchange};
use super::cost::Breakdown;
use super::decomposition::{ALONG, Decomposition};
use super::deployment::Deployment;
use super::error::PlanError;
use super::schedule::ScheduleWriter;
use loggia_model::Error;
use loggia_model::placement::Nodes;
use loggia_model::units::{Bytes, Procs};

/// Number of additional blocks in the simulation that gives the time per block.
const BLOCKS: u64 = 4;
/// Number of additional ranks along a dimension in the simulation that gives the time per rank.
const FURTHER: u32 = 3;
/// Maximum number of ranks of a node along a dimension that are simulated.
const ON_A_NODE: u32 = 16;

/// Maximum number of ranks for an exchange if p is not a power of two.
const UNEVEN: u32 = 48;

impl Deployment<'_> {
    /// Mean time of an exchange over its rounds. In the first rounds, partners share a node.
    pub(super) fn exchange(
        &self,
        step: &ConcreteStep,
        bytes: Bytes,
        apart: u32,
    ) -> Result<Breakdown, Error> {
        let bits = rounds_of_exchange(self.procs, apart);
        let time = |is_inside: bool| {
            let each = self.ranks_per_node.unwrap_or(1).max(1);
            if !is_inside && each > 1 && self.machine.card().is_some() {
                return self.exchange_of_nodes(step, bytes, each);
            }
            let action = ConcreteAction::Exchange { bytes, apart: 1 };
            let once = ConcreteStep { action, times: 1.0, every: 1, ..step.clone() };
            self.simulate_few(&once, &ring(2), &[if is_inside { vec![0, 0] } else { vec![0, 1] }])
        };
        if !self.procs.0.is_power_of_two() {
            return self.uneven_exchange(step);
        }
        let Some(each) = self.ranks_per_node.filter(|each| *each < self.procs.0) else {
            return time(self.ranks_per_node.is_some());
        };
        // Whether all pairs of ranks that differ only in this bit share a node.
        let is_inside = |round: u64| {
            let both = (2 * u64::from(apart)).checked_shl((round % bits) as u32);
            both.is_some_and(|both| both > 0 && u64::from(each).is_multiple_of(both))
        };
        let rounds = (step.times.ceil() as u64).clamp(1, bits * 64);
        let inside = (0..rounds).filter(|round| is_inside(*round)).count() as f64 / rounds as f64;
        Ok(match inside {
            0.0 => time(false)?,
            1.0 => time(true)?,
            _ => time(true)?.times(inside).with(time(false)?.times(1.0 - inside), |a, b| a + b),
        })
    }

    /// An exchange between two nodes by all ranks at once; ranks per node are rounded down to a
    /// power of two.
    fn exchange_of_nodes(
        &self,
        step: &ConcreteStep,
        bytes: Bytes,
        each: u32,
    ) -> Result<Breakdown, Error> {
        let apart = 1 << each.ilog2();
        let action = ConcreteAction::Exchange { bytes, apart };
        let once = ConcreteStep { action, times: 1.0, every: 1, ..step.clone() };
        let nodes = (0..2 * apart).map(|rank| rank / apart).collect();
        self.simulate_few(&once, &ring(2 * apart), &[nodes])
    }

    /// An exchange in which some ranks have no partner in some rounds, which delays the others;
    /// simulated on fewer ranks.
    fn uneven_exchange(&self, step: &ConcreteStep) -> Result<Breakdown, Error> {
        let procs = self.procs.0.min(UNEVEN);
        let rounds = step.times.round().clamp(1.0, rounds_of_exchange(Procs(procs), 1) as f64);
        let repeated = ConcreteStep { times: rounds, every: 1, ..step.clone() };
        let on_node = self.ranks_per_node.unwrap_or(1);
        let nodes = (0..procs).map(|rank| rank / on_node).collect();
        Ok(self.simulate_few(&repeated, &ring(procs), &[nodes])?.times(1.0 / rounds))
    }

    /// One execution of a step on a ring of ranks.
    pub(super) fn ring_shift(&self, step: &ConcreteStep) -> Result<Breakdown, Error> {
        self.halo(step, &ring(self.procs.0))
    }

    /// One execution of a step on a small grid of ranks that have all neighbours, as most of many
    /// ranks do. Some are at the end of a node, others inside it.
    pub(super) fn halo(
        &self,
        step: &ConcreteStep,
        decomposition: &Decomposition,
    ) -> Result<Breakdown, Error> {
        let shape = self.on_a_node(decomposition);
        let mut small = decomposition.clone();
        let mut nodes = Vec::new();
        for (at, on_node) in shape.iter().enumerate() {
            let n = decomposition.ranks[at];
            let mut on_nodes = match self.machine.card() {
                // All ranks of a node pass its network card.
                Some(_) => whole_nodes(n, *on_node),
                None => few_nodes(n, *on_node),
            };
            if !decomposition.wraps[at] && n as usize > on_nodes.len() {
                // The last rank has only one neighbour.
                on_nodes.retain(|node| *node < 2 || *on_node == 1);
            }
            let ranks = on_nodes.len() as u32;
            // Neighbours of the simulated ranks have neighbours on both sides, too.
            small.wraps[at] |= n > ranks && n > ALONG;
            small.ranks[at] = ranks;
            nodes.push(on_nodes);
        }
        self.simulate_few(&step.alone(), &small, &nodes)
    }

    /// Ranks of a node along each dimension; neighbouring ranks share it.
    fn on_a_node(&self, decomposition: &Decomposition) -> Vec<u32> {
        let mut left = self.ranks_per_node.unwrap_or(1);
        let mut shape: Vec<u32> = Vec::new();
        for n in decomposition.ranks.iter().rev() {
            shape.push(left.min(*n));
            left = (left / n).max(1);
        }
        shape.reverse();
        shape
    }

    /// Simulates a step on a small grid; `on` has the nodes of the ranks along each dimension.
    fn simulate_few(
        &self,
        step: &ConcreteStep,
        decomposition: &Decomposition,
        on: &[Vec<u32>],
    ) -> Result<Breakdown, Error> {
        let procs = Procs(decomposition.ranks.iter().product());
        let node = |rank| {
            let (mut rest, mut node, mut radix) = (rank, 0, 1);
            for (n, nodes) in decomposition.ranks.iter().zip(on).rev() {
                node += nodes.get((rest % n) as usize).copied().unwrap_or_default() * radix;
                radix *= nodes.last().map_or(1, |last| last + 1);
                rest /= n;
            }
            node
        };
        let node_of = || (0..procs.0).map(node).collect::<Vec<_>>();
        let nodes =
            self.machine.has_nodes(self.ranks_per_node).then(|| Nodes::explicit(&node_of()));
        let no_chooser = |_: &ConcreteAction| Err(PlanError::NotCollective.into());
        let writer = ScheduleWriter {
            procs,
            decomposition: Some(decomposition),
            nodes: nodes.as_ref(),
            operator_time: &|_, _| 0,
            left: &|_| Ok(None),
            chooser: &no_chooser,
        };
        let steps = std::slice::from_ref(step);
        let placement = nodes.as_ref().map_or(&[][..], Nodes::of_all);
        let key = RunKey::new(procs, placement, 1).with_grid(Some(decomposition)).with_steps(steps);
        let time = self.machine.run(key, nodes.as_ref(), || writer.write(steps, 1))?;
        time.ok_or_else(|| PlanError::StepTooLong { line: step.line }.into())
    }

    /// Time of a round of a wavefront, extrapolated from small grids.
    pub(super) fn wavefront(&self, step: &ConcreteStep, blocks: u64) -> Result<Breakdown, Error> {
        let Some(decomposition) = self.decomposition else { return Ok(Breakdown::default()) };
        let rounds = step.times.clamp(1.0, ROUNDS).round();
        let mut shape = self.on_a_node(decomposition);
        shape.iter_mut().skip(2).for_each(|on_node| *on_node = 1);
        let time = |ranks: [u32; 2], blocks: u64| {
            let small = decomposition.with_ranks(ranks);
            let action = step.action.with_blocks(blocks);
            let repeated = ConcreteStep { action, times: rounds, every: 1, ..step.clone() };
            let on = |(n, on_node): (&u32, &u32)| (0..*n).map(|at| at / on_node).collect();
            let nodes: Vec<Vec<u32>> = small.ranks.iter().zip(&shape).map(on).collect();
            Ok::<_, Error>(self.simulate_few(&repeated, &small, &nodes)?.times(1.0 / rounds))
        };
        let all = [0, 1].map(|at| decomposition.ranks.get(at).copied().unwrap_or(1));
        // The small grid includes the end of a node, since the slowest ranks determine the time.
        let small = [0, 1].map(|at| match shape.get(at).copied().unwrap_or(1) {
            1 => all[at].min(ALONG),
            on_node => all[at].min(on_node.min(ON_A_NODE) + 2),
        });
        let few_blocks = blocks.min(2 * BLOCKS);
        let start = time(small, few_blocks)?;
        let mut total = start;
        // Adds the time of further ranks along a dimension, and of further blocks.
        let mut add = |count: f64, larger: Breakdown, simulated: f64| {
            total = total.with(start.difference(larger).times(count / simulated), |a, b| a + b);
        };
        for at in [0, 1] {
            let left = all[at] - small[at];
            if left > 0 {
                let on_node = shape.get(at).copied().unwrap_or(1);
                let further = if on_node > FURTHER { on_node.min(ON_A_NODE) } else { FURTHER };
                let further = left.min(further);
                let mut ranks = small;
                ranks[at] += further;
                add(f64::from(left), time(ranks, few_blocks)?, f64::from(further));
            }
        }
        if blocks > few_blocks {
            add((blocks - few_blocks) as f64, time(small, few_blocks + BLOCKS)?, BLOCKS as f64);
        }
        Ok(total)
    }
}

fn ring(procs: u32) -> Decomposition {
    Decomposition {
        ranks: vec![procs],
        block: vec![1],
        is_even: true,
        has_idle: false,
        wraps: vec![true],
    }
}

/// Node of each of a few ranks in a row that represent n ranks: two nodes of up to three ranks, and
/// the last node if it has fewer.
fn few_nodes(n: u32, on_node: u32) -> Vec<u32> {
    if on_node >= n {
        return vec![0; n.min(ALONG) as usize];
    }
    if on_node == 1 || n <= 2 * ALONG {
        let few = if on_node == 1 { n.min(ALONG) } else { n };
        return (0..few).map(|at| at / on_node).collect();
    }
    let (each, rest) = (on_node.min(ALONG), n % on_node);
    let mut nodes = Vec::new();
    for (node, ranks) in [each, each, rest.min(ALONG)].into_iter().enumerate() {
        // With two nodes, the second is the last one.
        if node != 1 || rest == 0 || n / on_node > 1 {
            nodes.extend(vec![nodes.last().map_or(0, |last| last + 1); ranks as usize]);
        }
    }
    nodes
}

/// As [`few_nodes`], with all ranks of these nodes.
fn whole_nodes(n: u32, on_node: u32) -> Vec<u32> {
    let few = match on_node {
        1 => n.min(ALONG),
        on_node => n.min(on_node.saturating_mul(2).saturating_add(n % on_node)),
    };
    (0..few).map(|at| at / on_node).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_nodes_represent_many_ranks() {
        for (n, on_node, nodes) in [
            (100, 1, &[0, 1, 2][..]),
            (64, 3, &[0, 0, 0, 1, 1, 1, 2]),
            (64, 2, &[0, 0, 1, 1]),
            (4, 8, &[0, 0, 0, 0]),
        ] {
            assert_eq!(whole_nodes(n, on_node), nodes, "{n} ranks, {on_node} per node");
        }
    }

    #[test]
    fn few_ranks_represent_many() {
        for (n, on_node, nodes) in [
            (100, 1, &[0, 1, 2][..]),
            (2, 1, &[0, 1]),
            (100, 100, &[0, 0, 0]),
            (5, 4, &[0, 0, 0, 0, 1]),
            (64, 2, &[0, 0, 1, 1]),
            (64, 8, &[0, 0, 0, 1, 1, 1]),
            (65, 8, &[0, 0, 0, 1, 1, 1, 2]),
            (15, 8, &[0, 0, 0, 1, 1, 1]),
        ] {
            assert_eq!(few_nodes(n, on_node), nodes, "{n} ranks, {on_node} per node");
        }
    }
}
