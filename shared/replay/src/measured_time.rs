//! Collective operations with their measured times.
//!
//! The algorithm's messages stay, so ranks wait for each other as before. Two cases:
//! - The algorithm is faster than the measurement: every rank computes for the difference at the
//!   end of the call.
//! - The algorithm is slower: its messages carry fewer bytes, down to none. If it is slower even
//!   without bytes, the replayed time stays too long.
//!
//! Measurements are of the unchanged machine. A what-if changes only the messages, not the
//! difference.
//!
//! Measured times are those of blocking calls. With ranks placed on nodes, they apply only to
//! operations of all ranks: the placement of other groups is unknown.

use loggia_model::measured::Basis;
use loggia_model::model::composition::Question;
use loggia_model::placement::Nodes;
use loggia_model::signature::{Operation, Signature};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Micros, MicrosPerByte, Procs};
use loggia_simulate::Ticks;
use loggia_simulate::collective::Algorithm;
use loggia_simulate::request::CollectiveRequest;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// A machine whose collective operations were measured.
#[derive(Clone, Debug)]
pub struct MeasuredMachine {
    /// Without what-if changes; of a changed machine, the one before is used.
    pub signature: Rc<Signature>,
    /// The tier of messages between nodes, if not the first.
    pub tier: Option<String>,
    /// The send mode, if not the first.
    pub style: Option<String>,
    /// Placement of ranks, if known.
    pub nodes: Option<Rc<Nodes>>,
    /// The simulation model; by default the most detailed one that the machine supports.
    pub rules: Option<SimulationModel>,
}

/// A collective operation with its bytes and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimedOperation {
    /// Bytes of the algorithm's messages, as the operation counts them.
    pub(crate) bytes: u64,
    /// Computation of every rank after its messages, in ps.
    pub(crate) rest: u64,
    pub(crate) basis: Basis,
}

type Key = (Operation, u32, u64, &'static str);

/// Times of the operations of a machine, each computed once.
#[derive(Clone, Debug)]
pub struct MeasuredTimes {
    machine: MeasuredMachine,
    known: Rc<RefCell<FxHashMap<Key, Option<TimedOperation>>>>,
}

impl MeasuredTimes {
    /// `None` for a machine without measured collective operations.
    pub fn of(mut machine: MeasuredMachine) -> Option<Self> {
        if let Some(before) = machine.signature.before_change() {
            machine.signature = Rc::new(before);
        }
        let has_any = machine.signature.tables.iter().any(|table| table.op.is_some());
        has_any.then(|| MeasuredTimes { machine, known: Rc::default() })
    }

    /// The time of an operation among these ranks; `None` if it is unknown.
    pub(crate) fn timed(
        &self,
        (op, procs, bytes): (Operation, u32, u64),
        all: u32,
        algorithm: &'static Algorithm,
        combine: MicrosPerByte,
    ) -> Option<TimedOperation> {
        if procs < 2 || (procs != all && self.machine.nodes.is_some()) {
            return None;
        }
        let key = (op, procs, bytes, algorithm.name);
        if let Some(known) = self.known.borrow().get(&key) {
            return *known;
        }
        let timed = self.machine.timed((op, procs, bytes), algorithm, combine);
        self.known.borrow_mut().insert(key, timed);
        timed
    }
}

impl MeasuredMachine {
    /// With default settings.
    pub fn of(signature: &Signature) -> Self {
        let signature = Rc::new(signature.clone());
        MeasuredMachine { signature, tier: None, style: None, nodes: None, rules: None }
    }

    fn timed(
        &self,
        (op, procs, bytes): (Operation, u32, u64),
        algorithm: &'static Algorithm,
        combine: MicrosPerByte,
    ) -> Option<TimedOperation> {
        let question = |bytes| {
            let (procs, bytes, bytes_are) = (Procs(procs), Bytes(bytes), op.bytes_are());
            let anywhere = Question { op, procs, bytes, bytes_are, per_node: None };
            self.nodes.as_deref().map_or(anywhere, |nodes| anywhere.on(nodes))
        };
        let measured = question(bytes).by_measurement(&self.signature).ok()?;
        let (time, basis) = (measured.time()?.0, measured.basis());
        let request = CollectiveRequest {
            tier: self.tier.as_deref(),
            style: self.style.as_deref(),
            nodes: self.nodes.clone(),
            compute: Some(combine),
            ..CollectiveRequest::of(&self.signature, question(bytes))
        };
        let mut model = request.algorithm_model().ok()?;
        model.rules = self.rules.unwrap_or(model.rules);
        let alone = model.predict(&question(bytes), algorithm).ok()?;
        let (whole, startup) = (alone.time.value.0, alone.startup.0);
        if whole <= time {
            return Some(TimedOperation { bytes, rest: picoseconds(time - whole)?, basis });
        }
        // The algorithm's time is nearly linear in the number of bytes.
        let share = ((time - startup) / (whole - startup)).clamp(0.0, 1.0);
        let fewer = (bytes as f64 * share) as u64;
        let shorter = model.predict(&question(fewer), algorithm).ok()?.time.value.0;
        let (bytes, shorter) = if shorter <= time { (fewer, shorter) } else { (0, startup) };
        if time < shorter {
            return Some(TimedOperation { bytes, rest: 0, basis: Basis::Modelled });
        }
        let rest = picoseconds(time - shorter)?;
        Some(TimedOperation { bytes, rest, basis })
    }
}

fn picoseconds(micros: f64) -> Option<u64> {
    Ticks::Picoseconds.of(Micros(micros)).ok()
}
