//! The time of a step on many ranks, from simulations of a few.
//!
//! | step | what is simulated | why that is enough |
//! |---|---|---|
//! | halo | 3 ranks along each dimension, or two nodes of up to 3; with a wrap, so that all have both neighbours | a rank waits for its neighbours alone |
//! | halo, ranks share a card | two whole nodes along each dimension | all ranks of a node wait for its card |
//! | exchange | two ranks, once on a node and once on two; the mean over its rounds | in each round all pairs do the same |
//! | exchange, ranks share a card | two whole nodes | as above |
//! | exchange, p no power of two | at most 48 ranks, all rounds | some have no partner, and get the others out of step |
//! | wavefront | three grids, each some ranks or blocks larger than the first | the time grows by as much for each further rank and block |
//!
//! The times agree with those of the whole program to 5%, and with shared cards to 10%: see the
//! tests of `analytic_sum`. Each is the time of a step that all ranks begin together; what ranks gain
//! that run ahead of each other is in `skew`.

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

/// Number of additional blocks that show the time of one.
const BLOCKS: u64 = 4;
/// Number of additional ranks along a dimension that show the time of one.
const FURTHER: u32 = 3;
/// Nodes with up to this many ranks along a dimension are simulated as a whole.
const ON_A_NODE: u32 = 16;

/// A p that is no power of two, which shows the time of an exchange.
const UNEVEN: u32 = 48;

impl Deployment<'_> {
    /// An exchange, on average of its rounds: partners are on one node in the first of them.
    pub(super) fn exchange(
        &self,
        step: &ConcreteStep,
        bytes: Bytes,
        apart: u32,
    ) -> Result<Breakdown, Error> {
        let bits = rounds_of_exchange(self.procs, apart);
        let of = |is_inside: bool| {
            let each = self.ranks_per_node.unwrap_or(1).max(1);
            if !is_inside && each > 1 && self.machine.card().is_some() {
                return self.exchange_of_nodes(step, bytes, each);
            }
            let what = ConcreteAction::Exchange { bytes, apart: 1 };
            let alone = ConcreteStep { what, times: 1.0, every: 1, ..step.clone() };
            self.few(&alone, &ring(2), &[if is_inside { vec![0, 0] } else { vec![0, 1] }])
        };
        if !self.procs.0.is_power_of_two() {
            return self.uneven_exchange(step);
        }
        let Some(each) = self.ranks_per_node.filter(|each| *each < self.procs.0) else {
            return of(self.ranks_per_node.is_some());
        };
        // Two ranks that differ in this bit alone share a node, all of them.
        let is_inside = |round: u64| {
            let both = (2 * u64::from(apart)).checked_shl((round % bits) as u32);
            both.is_some_and(|both| both > 0 && u64::from(each).is_multiple_of(both))
        };
        let rounds = (step.times.ceil() as u64).clamp(1, bits * 64);
        let inside = (0..rounds).filter(|round| is_inside(*round)).count() as f64 / rounds as f64;
        Ok(match inside {
            0.0 => of(false)?,
            1.0 => of(true)?,
            _ => of(true)?.times(inside).with(of(false)?.times(1.0 - inside), |a, b| a + b),
        })
    }

    /// Between two nodes, whose ranks exchange all at once: as many as a power of two allows.
    fn exchange_of_nodes(
        &self,
        step: &ConcreteStep,
        bytes: Bytes,
        each: u32,
    ) -> Result<Breakdown, Error> {
        let apart = 1 << each.ilog2();
        let what = ConcreteAction::Exchange { bytes, apart };
        let once = ConcreteStep { what, times: 1.0, every: 1, ..step.clone() };
        let nodes = (0..2 * apart).map(|rank| rank / apart).collect();
        self.few(&once, &ring(2 * apart), &[nodes])
    }

    /// If some ranks have no partner in some rounds, all get out of step; simulated on fewer ranks.
    fn uneven_exchange(&self, step: &ConcreteStep) -> Result<Breakdown, Error> {
        let procs = self.procs.0.min(UNEVEN);
        let rounds = step.times.round().clamp(1.0, rounds_of_exchange(Procs(procs), 1) as f64);
        let some = ConcreteStep { times: rounds, every: 1, ..step.clone() };
        let on_node = self.ranks_per_node.unwrap_or(1);
        let nodes = (0..procs).map(|rank| rank / on_node).collect();
        Ok(self.few(&some, &ring(procs), &[nodes])?.times(1.0 / rounds))
    }

    /// A step once, on a few of all ranks in a ring.
    pub(super) fn in_a_ring(&self, step: &ConcreteStep) -> Result<Breakdown, Error> {
        self.halo(step, &ring(self.procs.0))
    }

    /// A step once, on a small grid: of ranks that have all their neighbours, as most have where
    /// there are many, some at the end of a node and some in its middle.
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
                // The last one has no more than one neighbour.
                on_nodes.retain(|node| *node < 2 || *on_node == 1);
            }
            let few = on_nodes.len() as u32;
            // Somebody's neighbours have neighbours on both sides, too.
            small.wraps[at] |= n > few && n > ALONG;
            small.ranks[at] = few;
            nodes.push(on_nodes);
        }
        self.few(&step.alone(), &small, &nodes)
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

    /// Simulated on the ranks of a small grid, with the node of each along each dimension.
    fn few(
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
        let names = || (0..procs.0).map(node).collect::<Vec<_>>();
        let nodes = self.machine.has_nodes(self.ranks_per_node).then(|| Nodes::explicit(&names()));
        let nobody = |_: &ConcreteAction| Err(PlanError::NotCollective.into());
        let ranks = ScheduleWriter {
            procs,
            decomposition: Some(decomposition),
            nodes: nodes.as_ref(),
            operator_time: &|_, _| 0,
            left: &|_| Ok(None),
            chooser: &nobody,
        };
        let steps = std::slice::from_ref(step);
        let known = nodes.as_ref().map_or(&[][..], Nodes::of_all);
        let words = RunKey::new(procs, known, 1).on(Some(decomposition)).step(steps);
        let found = self.machine.run(words, nodes.as_ref(), || ranks.write(steps, 1))?;
        found.ok_or_else(|| PlanError::StepTooLong { line: step.line }.into())
    }

    /// A round of a wavefront, from its times on three small grids.
    pub(super) fn wavefront(&self, step: &ConcreteStep, blocks: u64) -> Result<Breakdown, Error> {
        let Some(decomposition) = self.decomposition else { return Ok(Breakdown::default()) };
        let rounds = step.times.clamp(1.0, ROUNDS).round();
        let mut shape = self.on_a_node(decomposition);
        shape.iter_mut().skip(2).for_each(|on_node| *on_node = 1);
        let of = |ranks: [u32; 2], blocks: u64| {
            let small = decomposition.with_ranks(ranks);
            let what = step.what.with_blocks(blocks);
            let few = ConcreteStep { what, times: rounds, every: 1, ..step.clone() };
            let on = |(n, on_node): (&u32, &u32)| (0..*n).map(|at| at / on_node).collect();
            let nodes: Vec<Vec<u32>> = small.ranks.iter().zip(&shape).map(on).collect();
            Ok::<_, Error>(self.few(&few, &small, &nodes)?.times(1.0 / rounds))
        };
        let all = [0, 1].map(|at| decomposition.ranks.get(at).copied().unwrap_or(1));
        // Including the end of a node, since the slowest ranks set the pace.
        let small = [0, 1].map(|at| match shape.get(at).copied().unwrap_or(1) {
            1 => all[at].min(ALONG),
            on_node => all[at].min(on_node.min(ON_A_NODE) + 2),
        });
        let few = blocks.min(2 * BLOCKS);
        let begun = of(small, few)?;
        let mut found = begun;
        // The time of one more rank along a dimension, and of one more block.
        let mut add = |more: f64, with: Breakdown, apart: f64| {
            found = found.with(begun.until(with).times(more / apart), |all, each| all + each);
        };
        for at in [0, 1] {
            let left = all[at] - small[at];
            if left > 0 {
                let on_node = shape.get(at).copied().unwrap_or(1);
                let further = if on_node > FURTHER { on_node.min(ON_A_NODE) } else { FURTHER };
                let further = left.min(further);
                let mut ranks = small;
                ranks[at] += further;
                add(f64::from(left), of(ranks, few)?, f64::from(further));
            }
        }
        if blocks > few {
            add((blocks - few) as f64, of(small, few + BLOCKS)?, BLOCKS as f64);
        }
        Ok(found)
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

/// Nodes of a few ranks in a row that represent n ranks: two nodes of up to three ranks, and the
/// last one if it has fewer.
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

/// The same with all ranks of these nodes.
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
    fn whole_nodes_stand_for_many() {
        for (n, on_node, nodes) in [
            (100, 1, &[0, 1, 2][..]),
            (64, 3, &[0, 0, 0, 1, 1, 1, 2]),
            (64, 2, &[0, 0, 1, 1]),
            (4, 8, &[0, 0, 0, 0]),
        ] {
            assert_eq!(whole_nodes(n, on_node), nodes, "{n} of which {on_node}");
        }
    }

    #[test]
    fn few_ranks_stand_for_many() {
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
            assert_eq!(few_nodes(n, on_node), nodes, "{n} of which {on_node}");
        }
    }
}
