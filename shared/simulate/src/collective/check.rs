//! Checks that every algorithm gives the operation's result, and takes the time of its closed form:
//! for every p up to 33, on random machines.
#![allow(clippy::unwrap_used, reason = "tests")]

mod data;
mod machine;
mod run;

pub(super) use machine::Machine;

use super::{Algorithm, Costs, SEGMENT, Shape, algorithms, named};
use crate::error::CollectiveMistake;
use crate::error::SimulationError::{Collective, NeedsNodes, OutOfMemory, TooManyOperations};
use loggia_model::placement::Nodes;
use loggia_model::signature::Operation;
use loggia_model::units::{Bytes, Procs};
use machine::Draw;
use run::{INTERPRETATIONS, run};

/// Largest p; smaller in the wasm interpreter, which is sixty times slower.
const MAX: u32 = if cfg!(target_arch = "wasm32") { 9 } else { 33 };

fn all() -> impl Iterator<Item = &'static Algorithm> {
    Operation::ALL.into_iter().flat_map(algorithms)
}

fn place(p: u32, how: u32, draw: &mut Draw) -> Nodes {
    match how {
        0 => Nodes::block(p, 1 + draw.below(p)).unwrap(),
        1 => Nodes::cyclic(p, 1 + draw.below(p)).unwrap(),
        2 => Nodes::block(p, if p.is_multiple_of(4) { p / 4 } else { p }).unwrap(),
        _ => Nodes::explicit(&(0..p).map(|_| draw.below(1 + p / 3)).collect::<Vec<_>>()),
    }
}

#[test]
fn every_rank_ends_with_the_result() {
    let mut draw = Draw::new(1);
    for algorithm in all() {
        for p in 1..=MAX {
            let sizes = match algorithm.op {
                Operation::Alltoall => [0, 1, 2, 3],
                _ => [0, 1, u64::from(p) + 4, u64::from(2 * p)],
            };
            for (how, bytes) in sizes.into_iter().enumerate() {
                let nodes = place(p, how as u32, &mut draw);
                let root = if algorithm.has_root() { draw.below(2) * draw.below(p) } else { 0 };
                let segment = Bytes(1 + u64::from(draw.below(5)));
                let shape = Shape::new(Procs(p), Bytes(bytes)).segment(segment).nodes(&nodes);
                data::check(algorithm, &shape.root(root), &mut draw);
            }
        }
    }
}

#[test]
fn operations_are_counted_without_a_schedule() {
    let mut draw = Draw::new(2);
    for algorithm in all() {
        for p in 1..=MAX {
            let nodes = place(p, p % 4, &mut draw);
            let bytes = u64::from(p) + 7;
            let shape = Shape::new(Procs(p), Bytes(bytes)).segment(Bytes(3)).nodes(&nodes);
            for compute in [0, 2] {
                let compute = |k| compute * k;
                let counted = algorithm.operations(&shape, &compute);
                let made = algorithm.schedule(&shape, &compute).unwrap().len() as u128;
                assert_eq!(counted, made, "{} {} on {p}", algorithm.op.name(), algorithm.name);
            }
        }
    }
}

/// A random case.
struct Case {
    bytes: u64,
    segment: u64,
    root: u32,
    nodes: Nodes,
    machine: Machine,
}

impl Case {
    fn draw(algorithm: &Algorithm, p: u32, draw: &mut Draw) -> Self {
        const SIZES: [u64; 9] = [0, 1, 2, 8, 31, 1000, 1024, 65536, 100_000];
        let of_p = [1, 4, 1000].map(|times| times * u64::from(p));
        let sizes: Vec<u64> = SIZES.into_iter().chain(of_p).collect();
        let how = draw.below(4);
        let root = if algorithm.has_root() { draw.below(p) } else { 0 };
        Case {
            bytes: sizes[draw.below(sizes.len() as u32) as usize],
            segment: [1 + u64::from(draw.below(100)), 1000, SEGMENT.0][draw.below(3) as usize],
            root,
            nodes: place(p, how, draw),
            machine: Machine::draw(draw),
        }
    }

    fn shape(&self, p: u32) -> Shape<'_> {
        // At most 40 segments, to save time.
        let segment = self.segment.max(self.bytes / 40);
        Shape::new(Procs(p), Bytes(self.bytes))
            .root(self.root)
            .segment(Bytes(segment))
            .nodes(&self.nodes)
    }
}

/// Compares random cases; returns the number of cases with an exact form.
fn compare(algorithm: &Algorithm, p: u32, times: u32, draw: &mut Draw) -> u32 {
    let mut exact = 0;
    for _ in 0..times {
        let case = Case::draw(algorithm, p, draw);
        let (shape, machine) = (case.shape(p), &case.machine);
        let form = algorithm.form(&shape, machine).unwrap();
        let sum: u64 = form.terms.iter().map(|term| term.time).sum();
        assert_eq!(sum, form.time, "{} {}", algorithm.op.name(), algorithm.name);
        if !form.exact {
            continue;
        }
        exact += 1;
        let schedule = algorithm.schedule(&shape, &|k| machine.compute(k)).unwrap();
        for interpretation in INTERPRETATIONS {
            assert_eq!(
                form.time,
                run(&schedule, machine, interpretation),
                "{} {} on {p}: {} bytes, segment {}, root {}, {:?}, {machine:?}, {interpretation:?}",
                algorithm.op.name(),
                algorithm.name,
                shape.m(),
                shape.segment.0,
                shape.root,
                case.nodes,
            );
        }
    }
    exact
}

#[test]
fn closed_forms_marked_exact_are_exact() {
    let mut draw = Draw::new(3);
    for algorithm in all() {
        let times = 6;
        let exact: u32 = (1..=MAX).map(|p| compare(algorithm, p, times, &mut draw)).sum();
        assert!(exact > times * 2, "{} {}", algorithm.op.name(), algorithm.name);
    }
}

#[test]
fn most_closed_forms_are_exact_for_every_p() {
    let machine = Machine { latency: 9, gap: 3, per_byte: 1, compute: 1, ..Machine::default() };
    let mut names = Vec::new();
    for algorithm in all() {
        let is_exact = |p: u32| {
            let nodes = Nodes::block(p, 1).unwrap();
            let shape = Shape::new(Procs(p), Bytes(u64::from(p) * 12)).nodes(&nodes);
            algorithm.form(&shape, &machine).unwrap().exact
        };
        if (1..=MAX).all(is_exact) {
            names.push(algorithm.name);
        }
    }
    assert!(names.len() >= 30, "{names:?} of {}", all().count());
}

/// Results of LogGOPSim in ns with its defaults: L = 2500, o = 1500, g = 1000, G = 6; messages of 1
/// byte, except for the ring.
#[test]
fn closed_forms_agree_with_loggopsim() {
    let machine = Machine {
        latency: 2500,
        send: [1500, 0],
        recv: [1500, 0],
        gap: 1000,
        per_byte: 6,
        compute: 0,
    };
    for (op, name, p, bytes, ends) in [
        (Operation::Barrier, "dissemination", 16_384, 1, 77_000),
        (Operation::Alltoall, "linear", 256, 1, 765_000),
        (Operation::Allreduce, "ring", 1024, 1 << 20, 23_811_348),
        (Operation::Bcast, "binomial", 131_072, 1, 93_500),
    ] {
        let shape = Shape::new(Procs(p), Bytes(bytes));
        let form = named(op, name).unwrap().form(&shape, &machine).unwrap();
        assert_eq!((form.time, form.exact), (ends, true), "{name}");
    }
}

#[test]
fn oversized_schedules_are_rejected_early() {
    let rejection = |op, name, p, bytes| {
        let shape = Shape::new(Procs(p), Bytes(bytes));
        named(op, name).unwrap().schedule(&shape, &|_| 0).unwrap_err()
    };
    let error = rejection(Operation::Alltoall, "linear", 1 << 20, 1);
    let (op, algorithm, operations) = (Operation::Alltoall, "linear", 2_199_021_158_400);
    assert_eq!(error, TooManyOperations { op, algorithm, procs: 1 << 20, operations });
    let billion = Shape::new(Procs(1_000_000_000), Bytes(1 << 16));
    let binomial = named(Operation::Bcast, "binomial").unwrap();
    let free = Some(Bytes(1 << 30));
    let error = binomial.check_size(&billion, &|_| 0, free).unwrap_err();
    let needed = Bytes(64 * 2_999_999_998);
    let (op, algorithm, procs) = (Operation::Bcast, "binomial", 1_000_000_000);
    assert_eq!(error, OutOfMemory { op, algorithm, procs, needed, free });
    let error = rejection(Operation::Bcast, "pipelined-chain", 2, u64::MAX);
    assert!(matches!(error, TooManyOperations { .. }), "{error:?}");
    let error = rejection(Operation::Bcast, "binomial", u32::MAX, 1);
    assert_eq!(error, Collective(CollectiveMistake::TooManyRanks(u32::MAX)));
    let error = rejection(Operation::Barrier, "two-level", 4, 1);
    assert_eq!(error, NeedsNodes { algorithm: "two-level" });
    let help = named(Operation::Bcast, "binomail").unwrap_err().help.to_string();
    assert!(help.starts_with("did you mean binomial"), "{help}");
}
