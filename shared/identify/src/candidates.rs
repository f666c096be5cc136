//! The candidates for an operation, each simulated at every measured point: the algorithms of
//! Loggia, and other algorithms of libraries. The other ones are never named, but prevent a wrong
//! identification.

use loggia_model::placement::Nodes;
use loggia_model::signature::{Operation, Reach, Signature};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Procs};
use loggia_schedule::explain::Part;
use loggia_schedule::schedule::{Builder, CalcUnit, Schedule, Step};
use loggia_simulate::collective::{Algorithm, Shape, algorithms, named};
use loggia_simulate::{RunSetting, Simulation};

/// Maximum number of operations of a simulated schedule.
const MAX_OPS: u128 = 200_000;

/// Usual segment sizes of pipelines in libraries.
const SEGMENTS: [u64; 3] = [8 << 10, 32 << 10, 128 << 10];

/// Number of ranks, and bytes in the operation's count.
pub(super) type Point = (Procs, Bytes);

/// Parts of a time in µs: overheads, L, bytes, g.
pub(super) type TimeParts = [f64; 4];

/// A candidate.
pub(super) struct Candidate {
    pub(super) name: &'static str,
    /// `None` for algorithms that only other libraries have.
    pub(super) algorithm: Option<&'static Algorithm>,
    /// Times at all points, for each variant.
    pub(super) variants: Vec<Vec<TimeParts>>,
}

/// The machine of the simulations.
pub(super) struct Machine<'a> {
    signature: &'a Signature,
    /// With two tiers, the node of every rank.
    node_of: Option<Vec<u32>>,
    rules: SimulationModel,
}

/// A tree of ranks, as in Open MPI.
#[derive(Clone, Copy)]
enum Tree {
    /// This many chains of neighbouring ranks below the root, of equal length.
    Chains(u32),
    /// k-nomial: up to k − 1 children for each digit of a rank's number in base k.
    Knomial(u32),
    /// The children of v are 2v + 1 and 2v + 2.
    Binary,
}

/// An algorithm on a part of the processes, with a part of the bytes.
struct PartOf {
    op: Operation,
    algorithm: &'static str,
    procs: fn(u32) -> u32,
    bytes: fn(u32, u64) -> u64,
}

impl<'a> Machine<'a> {
    /// `None` if the signature lacks the costs of messages.
    pub(super) fn of(signature: &'a Signature) -> Option<Self> {
        let has = |reach| signature.tiers.iter().any(|tier| tier.reach == reach);
        let hosts = signature.collection.as_ref().map(|collection| collection.hosts.as_slice());
        let node_of =
            hosts.filter(|hosts| hosts.len() > 1 && has(Reach::Inter) && has(Reach::Intra));
        let node_of = node_of.map(|hosts| {
            let ranks = hosts.iter().map(|host| host.ranks.len()).sum();
            let mut node_of = vec![0; ranks];
            for (node, host) in (0..).zip(hosts) {
                for rank in &host.ranks {
                    if let Some(place) = node_of.get_mut(*rank as usize) {
                        *place = node;
                    }
                }
            }
            node_of
        });
        let machine = |rules| Machine { signature, node_of: node_of.clone(), rules };
        // The richest simulation model with known parameters on both tiers.
        let message = named(Operation::Bcast, "binomial").ok()?;
        SimulationModel::ALL
            .into_iter()
            .filter(|rules| *rules != SimulationModel::LogGops)
            .map(machine)
            .find(|machine| machine.runs(message, (Procs(2), Bytes(1)), None).is_some())
    }

    /// The overheads of an empty message.
    pub(super) fn overheads(&self) -> f64 {
        let message = named(Operation::Bcast, "binomial").ok();
        let time = message.and_then(|message| self.runs(message, (Procs(2), Bytes(0)), None));
        time.map_or(0.0, |[overheads, ..]| overheads)
    }

    /// All candidates for the operation, at these points.
    pub(super) fn candidates(&self, op: Operation, points: &[Point]) -> Vec<Candidate> {
        let mut all = self.ours(op, points);
        for (name, tree) in other_trees(op) {
            self.add(&mut all, name, None, points, |point| self.tree(op, tree, None, point));
        }
        for (name, parts) in compositions(op) {
            let sum = |(procs, bytes): Point| {
                let each = |part: &PartOf| {
                    let procs = Procs((part.procs)(procs.0));
                    let bytes = Bytes((part.bytes)(procs.0.max(1), bytes.0));
                    if procs.0 < 2 {
                        return Some(TimeParts::default());
                    }
                    self.runs(named(part.op, part.algorithm).ok()?, (procs, bytes), None)
                };
                let times: Option<Vec<TimeParts>> = parts.iter().map(each).collect();
                Some(times?.into_iter().fold(TimeParts::default(), plus))
            };
            self.add(&mut all, name, None, points, sum);
        }
        all
    }

    /// Loggia's algorithms, also in segments if that changes the time.
    fn ours(&self, op: Operation, points: &[Point]) -> Vec<Candidate> {
        let mut all = Vec::new();
        let largest = points.iter().map(|(_, bytes)| bytes.0).max().unwrap_or_default();
        let segments = || SEGMENTS.into_iter().filter(|segment| *segment < largest);
        for algorithm in algorithms(op) {
            if algorithm.needs_nodes && !points.iter().any(|(procs, _)| self.has_levels(*procs)) {
                continue;
            }
            let (name, ours) = (algorithm.name, Some(algorithm));
            if name == "pipelined-chain" {
                for segment in segments() {
                    let run = |point| self.runs(algorithm, point, Some(Bytes(segment)));
                    self.add(&mut all, name, ours, points, run);
                }
                continue;
            }
            self.add(&mut all, name, ours, points, |point| self.runs(algorithm, point, None));
            let Some(tree) = Tree::named(op, name) else { continue };
            for segment in segments() {
                let run = |point| self.tree(op, tree, Some(segment), point);
                self.add(&mut all, name, ours, points, run);
            }
        }
        all
    }

    /// Adds a variant if it can be simulated at all points.
    fn add(
        &self,
        all: &mut Vec<Candidate>,
        name: &'static str,
        algorithm: Option<&'static Algorithm>,
        points: &[Point],
        run: impl Fn(Point) -> Option<TimeParts>,
    ) {
        let Some(times) = points.iter().map(|point| run(*point)).collect::<Option<Vec<_>>>() else {
            return;
        };
        match all.iter_mut().find(|candidate| candidate.name == name) {
            Some(candidate) => candidate.variants.push(times),
            None => all.push(Candidate { name, algorithm, variants: vec![times] }),
        }
    }

    /// Whether this number of ranks is on several nodes, with several ranks on some node.
    fn has_levels(&self, procs: Procs) -> bool {
        self.nodes(procs).is_some_and(|nodes| nodes.count() > 1 && nodes.count() < procs.0)
    }

    fn nodes(&self, procs: Procs) -> Option<Nodes> {
        Some(Nodes::explicit(self.node_of.as_ref()?.get(..procs.0 as usize)?))
    }

    fn runs(
        &self,
        algorithm: &Algorithm,
        (procs, bytes): Point,
        segment: Option<Bytes>,
    ) -> Option<TimeParts> {
        let nodes = self.nodes(procs);
        let shape = Shape { nodes: nodes.as_ref(), ..Shape::new(procs, bytes) };
        let shape = segment.map_or(shape, |segment| shape.segment(segment));
        if algorithm.operations(&shape, &|_| 0) > MAX_OPS {
            return None;
        }
        self.times_of(&algorithm.schedule(&shape, &|_| 0).ok()?)
    }

    /// A broadcast down a tree or a reduction up one, in segments.
    fn tree(
        &self,
        op: Operation,
        tree: Tree,
        segment: Option<u64>,
        (procs, bytes): Point,
    ) -> Option<TimeParts> {
        let segment = segment.unwrap_or(u64::MAX);
        let segments = bytes.0.div_ceil(segment).max(1);
        if 2 * u128::from(procs.0) * u128::from(segments) > MAX_OPS {
            return None;
        }
        let size = |index| segment.min(bytes.0 - index * segment);
        let parents: Vec<Option<u32>> = (0..procs.0).map(|v| tree.parent(v, procs.0)).collect();
        let mut builder = Builder::counting(CalcUnit::Picoseconds);
        for rank in 0..procs.0 {
            builder.rank();
            let children: Vec<u32> =
                (0..procs.0).filter(|v| parents[*v as usize] == Some(rank)).collect();
            let mut previous = None;
            for size in (0..segments).map(size) {
                let up = |step: fn(u64, u32) -> Step| {
                    parents[rank as usize].map(|parent| step(size, parent))
                };
                let down =
                    |step: fn(u64, u32) -> Step| children.iter().map(move |c| step(size, *c));
                // Each segment is forwarded after it has arrived.
                let (receives, sends): (Vec<Step>, Vec<Step>) = match op {
                    Operation::Reduce => {
                        (down(Step::recv).collect(), up(Step::send).into_iter().collect())
                    }
                    _ => (up(Step::recv).into_iter().collect(), down(Step::send).collect()),
                };
                let receives: Vec<_> =
                    receives.into_iter().map(|step| builder.push(step)).collect();
                let sends: Vec<_> = sends.into_iter().map(|step| builder.push(step)).collect();
                for receive in &receives {
                    previous.into_iter().for_each(|previous| builder.after(*receive, previous));
                    sends.iter().for_each(|send| builder.after(*send, *receive));
                }
                previous = sends.last().copied().filter(|_| !receives.is_empty());
            }
        }
        self.times_of(&builder.finish().ok()?)
    }

    /// Parts of the critical path of a schedule.
    fn times_of(&self, schedule: &Schedule) -> Option<TimeParts> {
        let node_of = self.node_of.as_ref().map(|node_of| node_of.get(..schedule.ranks() as usize));
        let setting = match node_of {
            Some(node_of) => RunSetting::of(self.signature, None, None, Some(node_of?)),
            None => RunSetting::of(self.signature, None, None, None),
        };
        let simulation = Simulation::new(schedule, self.rules, &setting.ok()?).ok()?;
        let time = simulation.made_of();
        let per_tick = simulation.micros(1).0;
        let of = |parts: &[Part]| {
            parts.iter().map(|part| time.share(*part).ticks as f64).sum::<f64>() * per_tick
        };
        Some([
            of(&[Part::Overhead, Part::Control, Part::OverheadBytes]),
            of(&[Part::Latency]),
            of(&[Part::Bytes, Part::Card]),
            of(&[Part::Gap]),
        ])
    }
}

fn plus(a: TimeParts, b: TimeParts) -> TimeParts {
    std::array::from_fn(|i| a[i] + b[i])
}

impl Tree {
    /// The tree of one of Loggia's algorithms that can be pipelined.
    fn named(op: Operation, name: &str) -> Option<Self> {
        match (op, name) {
            (Operation::Bcast | Operation::Reduce, "binomial") => Some(Tree::Knomial(2)),
            (Operation::Bcast | Operation::Reduce, "binary") => Some(Tree::Binary),
            (Operation::Reduce, "chain") => Some(Tree::Chains(1)),
            (Operation::Bcast | Operation::Reduce, "flat") => Some(Tree::Chains(u32::MAX)),
            _ => None,
        }
    }

    /// The parent of v among n ranks.
    fn parent(self, v: u32, n: u32) -> Option<u32> {
        let below = v.checked_sub(1)?;
        Some(match self {
            Tree::Binary => below / 2,
            Tree::Knomial(base) => {
                let mut digit = 1;
                while v / digit >= base {
                    digit *= base;
                }
                v % digit
            }
            Tree::Chains(chains) => {
                let chains = chains.min(n - 1);
                let (each, longer) = ((n - 1) / chains, (n - 1) % chains);
                let in_longer = longer * (each + 1);
                let index = match below.checked_sub(in_longer) {
                    Some(after) => after % each,
                    None => below % (each + 1),
                };
                if index == 0 { 0 } else { below }
            }
        })
    }
}

/// Default trees of Open MPI that Loggia lacks.
fn other_trees(op: Operation) -> Vec<(&'static str, Tree)> {
    match op {
        Operation::Bcast | Operation::Reduce => {
            vec![("4 chains", Tree::Chains(4)), ("a tree of radix 4", Tree::Knomial(4))]
        }
        _ => Vec::new(),
    }
}

/// Compositions that libraries use, as a sequence of parts.
fn compositions(op: Operation) -> Vec<(&'static str, Vec<PartOf>)> {
    let part = |op, algorithm, bytes| PartOf { op, algorithm, procs: |p| p, bytes };
    let same: fn(u32, u64) -> u64 = |_, m| m;
    let message = |bytes| PartOf { procs: |_| 2, ..part(Operation::Bcast, "binomial", bytes) };
    match op {
        Operation::Barrier => {
            let power_of_two = PartOf {
                procs: |p| 1 << p.ilog2(),
                ..part(Operation::Barrier, "dissemination", same)
            };
            let remainder =
                || PartOf { procs: |p| 2 - u32::from(p.is_power_of_two()), ..message(same) };
            let round = || part(Operation::Bcast, "chain", same);
            vec![
                ("recursive doubling", vec![power_of_two, remainder(), remainder()]),
                ("a double ring", vec![round(), message(same), round(), message(same)]),
            ]
        }
        Operation::Bcast => vec![(
            "two halves down a binary tree",
            vec![part(op, "binary", |_, m| m.div_ceil(2)), message(|_, m| m / 2)],
        )],
        Operation::Reduce => {
            vec![("an in-order binary tree", vec![part(op, "binary", same), message(same)])]
        }
        Operation::Allreduce => vec![(
            "a flat reduction and broadcast",
            vec![part(Operation::Reduce, "flat", same), part(Operation::Bcast, "flat", same)],
        )],
        Operation::Allgather => vec![
            (
                "an exchange with both neighbours",
                vec![
                    message(same),
                    PartOf { procs: |p| p / 2, ..part(Operation::Bcast, "chain", |_, m| 2 * m) },
                ],
            ),
            (
                "a linear gather and broadcast",
                vec![
                    part(Operation::Gather, "linear", same),
                    part(Operation::Bcast, "flat", |p, m| u64::from(p) * m),
                ],
            ),
        ],
        Operation::ReduceScatter => {
            let scatter = |reduction| {
                let parts = |p, m: u64| m.div_ceil(u64::from(p));
                vec![
                    part(Operation::Reduce, reduction, same),
                    part(Operation::Scatter, "linear", parts),
                ]
            };
            vec![
                ("a ring", vec![part(op, "pairwise", same)]),
                ("a reduction and a linear scatter", scatter("binomial")),
                ("a flat reduction and a linear scatter", scatter("flat")),
            ]
        }
        Operation::Gather => vec![(
            "a linear gather on request",
            vec![part(Operation::Bcast, "flat", |_, _| 0), part(op, "linear", same)],
        )],
        Operation::Scan | Operation::Scatter | Operation::Alltoall => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parents(tree: Tree, n: u32) -> Vec<u32> {
        (1..n).map(|v| tree.parent(v, n).unwrap()).collect()
    }

    #[test]
    fn trees_equal_those_of_libraries() {
        assert_eq!(parents(Tree::Chains(1), 5), [0, 1, 2, 3]);
        assert_eq!(parents(Tree::Chains(2), 6), [0, 1, 2, 0, 4]);
        assert_eq!(parents(Tree::Chains(4), 8), [0, 1, 0, 3, 0, 5, 0]);
        assert_eq!(parents(Tree::Chains(4), 4), [0, 0, 0]);
        assert_eq!(parents(Tree::Chains(u32::MAX), 4), [0, 0, 0]);
        assert_eq!(parents(Tree::Binary, 6), [0, 0, 1, 1, 2]);
        assert_eq!(parents(Tree::Knomial(2), 8), [0, 0, 1, 0, 1, 2, 3]);
        assert_eq!(parents(Tree::Knomial(4), 9), [0, 0, 0, 0, 1, 2, 3, 0]);
    }

    /// Trees that are implemented twice must take the same time.
    #[test]
    fn trees_of_loggia_take_the_same_time() {
        let t3d = loggia_model::library::load("cray-t3d").unwrap();
        let machine = Machine::of(&t3d).unwrap();
        let mut compared = 0;
        for op in [Operation::Bcast, Operation::Reduce] {
            for algorithm in algorithms(op).iter().filter(|a| !a.needs_nodes) {
                let Some(tree) = Tree::named(op, algorithm.name) else { continue };
                for point in [(2, 0), (7, 100), (16, 5000)].map(|(p, m)| (Procs(p), Bytes(m))) {
                    let ours: f64 = machine.runs(algorithm, point, None).unwrap().iter().sum();
                    let here: f64 = machine.tree(op, tree, None, point).unwrap().iter().sum();
                    assert!((ours - here).abs() < 1e-6, "{op:?} {} {point:?}", algorithm.name);
                    compared += 1;
                }
            }
        }
        assert!(compared >= 12, "only {compared} times are compared");
    }
}
