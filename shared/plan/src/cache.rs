//! Cache of simulated costs, for other numbers of ranks and for sliders of the page.

use super::concrete::{ConcreteAction, ConcreteStep};
use super::cost::{Breakdown, CollectiveCost};
use super::decomposition::Decomposition;
use loggia_model::Error;
use loggia_model::placement::Nodes;
use loggia_model::signature::{Operation, Signature};
use loggia_model::units::{Bytes, MicrosPerByte, Procs};
use rustc_hash::{FxHashMap, FxHasher};
use std::cell::{Cell, RefCell};
use std::hash::Hasher;
use std::rc::Rc;

/// Maximum number of cached runs; a full cache is cleared.
const MAX_RUNS: usize = 1 << 14;
/// Maximum number of cached machines; a full cache is cleared.
const MAX_MACHINES: usize = 1 << 8;

/// A placement, and its number of ranks and ranks per node.
type PlacedNodes = ((Procs, u32), Rc<Nodes>);

/// Results of simulations, shared by plans.
#[derive(Debug, Default)]
pub struct Cache {
    next: Cell<u32>,
    machines: RefCell<FxHashMap<String, MachineId>>,
    runs: RefCell<FxHashMap<(MachineId, RunKey), Breakdown>>,
    collectives: RefCell<FxHashMap<(MachineId, CollectiveKey), Result<CollectiveCost, Error>>>,
    /// The last placement: it takes long to compute for a million ranks.
    nodes: RefCell<Option<PlacedNodes>>,
}

/// Number of a machine in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct MachineId(u32);

/// A collective operation: ranks, bytes, method and ranks per node.
pub(super) type CollectiveKey = (Operation, Procs, Bytes, MethodKey, u32);

/// The method of a collective operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum MethodKey {
    /// The measured time, otherwise the fastest algorithm.
    Preferred,
    Named(String),
    BestAlgorithm,
}

/// The key of a simulation; different simulations have different keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct RunKey(Vec<u64>);

impl Cache {
    /// The number of a machine; machines with the same costs share it.
    pub(super) fn machine(
        &self,
        of: &Signature,
        tier_style_rules: (Option<&str>, Option<&str>, &str),
        compute: Option<MicrosPerByte>,
    ) -> MachineId {
        // Measured times are many, so only their hash is kept.
        let mut tables = FxHasher::default();
        tables.write(&serde_json::to_vec(&of.tables).unwrap_or_default());
        let tiers = (&of.tiers, &of.tiers_before_change);
        let parameters = (tiers, &of.collectives, tables.finish());
        let key = serde_json::to_string(&(parameters, tier_style_rules, compute));
        self.id_of(key.unwrap_or_default())
    }

    fn id_of(&self, key: String) -> MachineId {
        let mut machines = self.machines.borrow_mut();
        if let Some(id) = machines.get(&key) {
            return *id;
        }
        if machines.len() >= MAX_MACHINES {
            machines.clear();
        }
        let id = MachineId(self.next.replace(self.next.get().wrapping_add(1)));
        machines.insert(key, id);
        id
    }

    /// The cost of a schedule, simulated if it is not cached.
    pub(super) fn run(
        &self,
        machine: MachineId,
        key: RunKey,
        simulate: impl FnOnce() -> Result<Option<Breakdown>, Error>,
    ) -> Result<Option<Breakdown>, Error> {
        let key = (machine, key);
        if let Some(known) = self.runs.borrow().get(&key) {
            return Ok(Some(*known));
        }
        let found = simulate()?;
        if let Some(parts) = found {
            let mut runs = self.runs.borrow_mut();
            if runs.len() >= MAX_RUNS {
                runs.clear();
            }
            runs.insert(key, parts);
        }
        Ok(found)
    }

    /// The placement of `procs` ranks with `each` ranks per node.
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

    /// The cost of a collective operation, computed if it is not cached.
    pub(super) fn collective(
        &self,
        machine: MachineId,
        key: CollectiveKey,
        compute: impl FnOnce() -> Result<CollectiveCost, Error>,
    ) -> Result<CollectiveCost, Error> {
        let key = (machine, key);
        if let Some(known) = self.collectives.borrow().get(&key) {
            return known.clone();
        }
        let found = compute();
        let mut all = self.collectives.borrow_mut();
        if all.len() >= MAX_RUNS {
            all.clear();
        }
        all.insert(key, found.clone());
        found
    }
}

impl RunKey {
    /// Starts a key with the number of ranks, their nodes, and the number of iterations.
    pub(super) fn new(procs: Procs, nodes: &[u32], iterations: u32) -> Self {
        let mut key = RunKey(vec![u64::from(procs.0), u64::from(iterations)]);
        key.list(nodes.iter().map(|n| u64::from(*n)));
        key
    }

    /// Adds whether the simulation returns the parts of the time.
    pub(super) fn with_parts(mut self, parts: bool) -> Self {
        self.0.push(u64::from(parts));
        self
    }

    /// Adds the grid.
    pub(super) fn with_grid(mut self, decomposition: Option<&Decomposition>) -> Self {
        self.0.push(u64::from(decomposition.is_some()));
        if let Some(Decomposition { ranks, wraps, block: _, is_even: _, has_idle: _ }) =
            decomposition
        {
            self.list(ranks.iter().map(|n| u64::from(*n)));
            self.list(wraps.iter().map(|wraps| u64::from(*wraps)));
        }
        self
    }

    /// Adds the steps.
    pub(super) fn with_steps(mut self, steps: &[ConcreteStep]) -> Self {
        self.steps(steps);
        self
    }

    fn steps(&mut self, steps: &[ConcreteStep]) {
        self.0.push(steps.len() as u64);
        for ConcreteStep { line: _, action, during, times, every } in steps {
            self.0.extend([during.0.to_bits(), times.to_bits(), *every]);
            self.action(action);
        }
    }

    fn action(&mut self, action: &ConcreteAction) {
        match action {
            ConcreteAction::Steps(steps) => {
                self.0.push(0);
                self.steps(steps);
            }
            ConcreteAction::Compute(time) => self.0.extend([1, time.0.to_bits()]),
            ConcreteAction::Halo { towards } => {
                self.0.push(2);
                self.list(towards.iter().map(|bytes| bytes.map_or(0, |bytes| bytes.0 + 1)));
            }
            ConcreteAction::Exchange { bytes, apart } => {
                self.0.extend([3, bytes.0, u64::from(*apart)])
            }
            ConcreteAction::Shift(bytes) => self.0.extend([4, bytes.0]),
            ConcreteAction::Collective { op, bytes, algorithm } => {
                self.0.extend([5, *op as u64, bytes.0, u64::from(algorithm.is_some())]);
                self.list(algorithm.iter().flat_map(|name| name.bytes()).map(u64::from));
            }
            ConcreteAction::Wavefront { faces, work, blocks } => {
                self.0.extend([6, faces[0].0, faces[1].0, work.0.to_bits(), *blocks]);
            }
        }
    }

    fn list(&mut self, numbers: impl Iterator<Item = u64>) {
        let at = self.0.len();
        self.0.push(0);
        self.0.extend(numbers);
        self.0[at] = (self.0.len() - at - 1) as u64;
    }
}
