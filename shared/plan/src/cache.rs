//! Simulated costs, kept for other numbers of ranks and for sliders.

use super::concrete::{ConcreteAction, ConcreteStep};
use super::cost::{Breakdown, CollectiveCost};
use super::decomposition::Decomposition;
use loggia_model::Error;
use loggia_model::placement::Nodes;
use loggia_model::signature::{Operation, Signature};
use loggia_model::units::{Bytes, MicrosPerByte, Procs};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// More runs than this are forgotten together, …
const MOST_RUNS: usize = 1 << 14;
/// … and more machines.
const MOST_MACHINES: usize = 1 << 8;

/// Nodes, and of how many ranks with how many on each.
type PlacedNodes = ((Procs, u32), Rc<Nodes>);

/// Finished runs, shared by plans.
#[derive(Debug, Default)]
pub struct Cache {
    next: Cell<u32>,
    machines: RefCell<FxHashMap<String, MachineId>>,
    runs: RefCell<FxHashMap<(MachineId, RunKey), Breakdown>>,
    collectives: RefCell<FxHashMap<(MachineId, CollectiveKey), Result<CollectiveCost, Error>>>,
    /// The last placement: computing it for a million ranks takes a while.
    nodes: RefCell<Option<PlacedNodes>>,
}

/// A machine that runs were done on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MachineId(u32);

/// A collective operation: ranks, bytes, method and ranks per node.
pub(super) type CollectiveKey = (Operation, Procs, Bytes, MethodKey, u32);

/// The method of a collective operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum MethodKey {
    /// As measured, otherwise the fastest algorithm.
    Preferred,
    Named(String),
    BestAlgorithm,
}

/// The key of a run: equal only for equal runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct RunKey(Vec<u64>);

impl Cache {
    /// The number of a machine: the same for what costs the same.
    pub(super) fn machine(
        &self,
        of: &Signature,
        by: (Option<&str>, Option<&str>, &str),
        compute: Option<MicrosPerByte>,
    ) -> MachineId {
        let known = serde_json::to_string(&(&of.tiers, &of.collectives, by, compute));
        self.numbered(known.unwrap_or_default())
    }

    /// The number of a machine that was another one before.
    pub(super) fn changed(&self, before: MachineId, now: MachineId) -> MachineId {
        self.numbered(format!("{} {}", before.0, now.0))
    }

    fn numbered(&self, known: String) -> MachineId {
        let mut machines = self.machines.borrow_mut();
        if let Some(id) = machines.get(&known) {
            return *id;
        }
        if machines.len() >= MOST_MACHINES {
            machines.clear();
        }
        let id = MachineId(self.next.replace(self.next.get().wrapping_add(1)));
        machines.insert(known, id);
        id
    }

    /// The cost of a run, simulated if necessary.
    pub(super) fn run(
        &self,
        machine: MachineId,
        words: RunKey,
        run: impl FnOnce() -> Result<Option<Breakdown>, Error>,
    ) -> Result<Option<Breakdown>, Error> {
        let key = (machine, words);
        if let Some(known) = self.runs.borrow().get(&key) {
            return Ok(Some(*known));
        }
        let found = run()?;
        if let Some(parts) = found {
            let mut runs = self.runs.borrow_mut();
            if runs.len() >= MOST_RUNS {
                runs.clear();
            }
            runs.insert(key, parts);
        }
        Ok(found)
    }

    /// The placement of ranks on nodes with a number of ranks each.
    pub(super) fn nodes(&self, procs: Procs, each: u32) -> Option<Rc<Nodes>> {
        let mut last = self.nodes.borrow_mut();
        if let Some((key, nodes)) = &*last
            && *key == (procs, each)
        {
            return Some(Rc::clone(nodes));
        }
        let nodes = Rc::new(Nodes::block(procs.0, each).ok()?);
        *last = Some(((procs, each), Rc::clone(&nodes)));
        Some(nodes)
    }

    /// The cost of a collective operation, computed if necessary.
    pub(super) fn collective(
        &self,
        machine: MachineId,
        asked: CollectiveKey,
        find: impl FnOnce() -> Result<CollectiveCost, Error>,
    ) -> Result<CollectiveCost, Error> {
        let key = (machine, asked);
        if let Some(known) = self.collectives.borrow().get(&key) {
            return known.clone();
        }
        let found = find();
        let mut all = self.collectives.borrow_mut();
        if all.len() >= MOST_RUNS {
            all.clear();
        }
        all.insert(key, found.clone());
        found
    }
}

impl RunKey {
    /// A number of ranks on nodes of a size, with repetitions of an action.
    pub(super) fn new(procs: Procs, nodes: &[u32], iterations: u32) -> Self {
        let mut words = RunKey(vec![u64::from(procs.0), u64::from(iterations)]);
        words.all(nodes.iter().map(|n| u64::from(*n)));
        words
    }

    /// With or without the parts of the time.
    pub(super) fn with(mut self, parts: bool) -> Self {
        self.0.push(u64::from(parts));
        self
    }

    /// On this grid.
    pub(super) fn on(mut self, decomposition: Option<&Decomposition>) -> Self {
        self.0.push(u64::from(decomposition.is_some()));
        if let Some(Decomposition { ranks, wraps, block: _, is_even: _, has_idle: _ }) =
            decomposition
        {
            self.all(ranks.iter().map(|n| u64::from(*n)));
            self.all(wraps.iter().map(|wraps| u64::from(*wraps)));
        }
        self
    }

    /// With these steps.
    pub(super) fn step(mut self, steps: &[ConcreteStep]) -> Self {
        self.steps(steps);
        self
    }

    fn steps(&mut self, steps: &[ConcreteStep]) {
        self.0.push(steps.len() as u64);
        for ConcreteStep { line: _, what, during, times, every } in steps {
            self.0.extend([during.0.to_bits(), times.to_bits(), *every]);
            self.what(what);
        }
    }

    fn what(&mut self, what: &ConcreteAction) {
        match what {
            ConcreteAction::Steps(steps) => {
                self.0.push(0);
                self.steps(steps);
            }
            ConcreteAction::Compute(time) => self.0.extend([1, time.0.to_bits()]),
            ConcreteAction::Halo { towards } => {
                self.0.push(2);
                self.all(towards.iter().map(|bytes| bytes.map_or(0, |bytes| bytes.0 + 1)));
            }
            ConcreteAction::Exchange { bytes, apart } => {
                self.0.extend([3, bytes.0, u64::from(*apart)])
            }
            ConcreteAction::Shift(bytes) => self.0.extend([4, bytes.0]),
            ConcreteAction::Collective { op, bytes, algorithm } => {
                self.0.extend([5, *op as u64, bytes.0, u64::from(algorithm.is_some())]);
                self.all(algorithm.iter().flat_map(|name| name.bytes()).map(u64::from));
            }
            ConcreteAction::Wavefront { faces, work, blocks } => {
                self.0.extend([6, faces[0].0, faces[1].0, work.0.to_bits(), *blocks]);
            }
        }
    }

    fn all(&mut self, words: impl Iterator<Item = u64>) {
        let at = self.0.len();
        self.0.push(0);
        self.0.extend(words);
        self.0[at] = (self.0.len() - at - 1) as u64;
    }
}
