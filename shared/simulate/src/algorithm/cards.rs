//! The effect of shared network cards on an estimate.
//!
//! A closed form ignores cards, and its schedule is too long for a simulation. So a shorter
//! schedule is simulated with and without cards: with the same ranks per node on fewer nodes. If
//! that is still too long, it has fewer ranks on two nodes with proportionally slower cards, so
//! that a node's bytes take the same time. The estimate is multiplied by the ratio of both times.

use super::super::setting::ParameterSource;
use super::super::{RunSetting, Simulation};
use super::{AlgorithmModel, Term, Timing, operator_time};
use crate::collective::{Algorithm, Shape};
use loggia_model::placement::Nodes;
use loggia_model::units::{Interval, Micros, MicrosPerByte, Procs};

/// Maximum number of operations of the shorter schedule.
const MAX_OPS: u128 = 60_000;

/// The factor by which cards lengthen a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cards {
    pub(super) factor: f64,
    /// 1/R_N
    per_byte: MicrosPerByte,
}

impl AlgorithmModel<'_> {
    /// The effect of cards on an algorithm's time; `None` if no ranks share a card of known rate.
    pub(super) fn factor_of_cards(&self, algorithm: &Algorithm, shape: &Shape) -> Option<Cards> {
        let (nodes, ParameterSource::Route(route)) = (self.nodes?, self.setting.between) else {
            return None;
        };
        let per_byte = route.node_gap_per_byte()?.value;
        let (inside, _) = self.setting.inside?;
        let each = nodes.largest();
        let combine = |bytes| operator_time(self.compute, bytes);
        let is_short = |few: &Nodes| {
            let shape = Shape { procs: Procs(few.ranks()), nodes: Some(few), ..*shape };
            algorithm.operations(&shape, &combine) <= MAX_OPS
        };
        let (few, on_node) = fewer(each, shape.procs, is_short)?;
        let slower = f64::from(each) / f64::from(on_node);
        let shape = Shape { procs: Procs(few.ranks()), nodes: Some(&few), ..*shape };
        let schedule = algorithm.schedule(&shape, &combine).ok()?;
        let end = |card_factor: f64| {
            let inside = Some((inside, few.of_all()));
            let setting = RunSetting { inside, card_factor, ..self.setting };
            let run = Simulation::new(&schedule, self.rules, &setting).ok()?;
            Some(run.run().end() as f64)
        };
        let (with, without) = (end(slower)?, end(0.0)?);
        (without > 0.0).then(|| Cards { factor: (with / without).max(1.0), per_byte })
    }
}

/// A smaller set of nodes that represents all, and its ranks per node.
fn fewer(each: u32, procs: Procs, is_short: impl Fn(&Nodes) -> bool) -> Option<(Nodes, u32)> {
    let block = |procs: u32, on_node: u32| Nodes::block(procs, on_node).ok().filter(&is_short);
    let halved = std::iter::successors(Some(each), |on_node| Some(on_node / 2));
    let mut halved = halved.take_while(|on_node| *on_node > 1);
    let (on_node, mut few) =
        halved.find_map(|on_node| Some((on_node, block((2 * on_node).min(procs.0), on_node)?)))?;
    while let Some(more) = few.ranks().checked_mul(2).filter(|more| *more <= procs.0)
        && let Some(more) = block(more, on_node)
    {
        few = more;
    }
    Some((few, on_node))
}

impl Timing {
    /// Adds the effect of cards, as a separate term.
    pub(super) fn with_cards(mut self, cards: Option<Cards>) -> Self {
        let Some(Cards { factor, per_byte }) = cards.filter(|cards| cards.factor > 1.0) else {
            return self;
        };
        let more = Micros(self.time.value.0 * (factor - 1.0));
        self.terms.push(Term { symbol: "1/R_N", count: more.0 / per_byte.0, time: more });
        let Interval { value, low, high } = self.time;
        self.time = Interval { value: value + more, low: low * factor, high: high * factor };
        self
    }
}
