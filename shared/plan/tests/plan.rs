//! Tests of the public interface of plans. The analytic sum agrees with the simulation of the whole
//! program, on all kinds of machines and for random sketches.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use loggia_model::library;
use loggia_model::model::collective;
use loggia_model::signature::{
    Curve, Operation, Parameter, Point, Progress, ProgressKind, Statistic, Table, Transfer,
    TransferFrom,
};
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_model::what_if::WhatIf;
use loggia_model::{Error, Signature};
use loggia_plan::assumption::Assumption;
use loggia_plan::cost::CostBasis;
use loggia_plan::error::PlanError;
use loggia_plan::plan::{Method, Plan};
use loggia_plan::request::Request;
use loggia_plan::sketch::Sketch;

/// Pseudorandom numbers with a fixed seed (Lehmer's generator).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0 * 48271 % 0x7fff_ffff;
        self.0 % end
    }

    fn of<T: Copy>(&mut self, some: &[T]) -> T {
        some[self.below(some.len() as u64) as usize]
    }

    /// A number between two bounds, uniform in its logarithm.
    fn size(&mut self, low: f64, high: f64) -> f64 {
        let share = self.below(1000) as f64 / 1000.0;
        (low * (high / low).powf(share)).round()
    }
}

/// A T3D with all parameters of LogGPO.
fn with_progress(kind: ProgressKind) -> Signature {
    let mut machine = library::load("cray-t3d").unwrap();
    machine.name = format!("t3d {kind:?}");
    machine.collectives.clear();
    machine.tiers[0].progress = Some(Progress {
        eager_limit: Some(Parameter::assumed(Bytes(4096))),
        kind: Some(kind),
        transfer: vec![
            TransferFrom { from: Bytes(0), transfer: Transfer::T },
            TransferFrom { from: Bytes(4097), transfer: Transfer::Rat },
        ],
        control_overhead: Some(Parameter::assumed(Micros(2.0))),
        initiation: Some(Curve::assumed(Micros(5.0))),
        copy: Some(Curve::assumed(Micros(1.0))),
        ..Progress::default()
    });
    machine
}

fn machines() -> Vec<(Signature, Option<u32>)> {
    let built_in = |name| library::load(name).unwrap();
    vec![
        (built_in("cray-t3d"), None),
        (built_in("now-sparc"), None),
        (built_in("ap3000-mpi"), None),
        (built_in("convex-exemplar"), Some(4)),
        (built_in("convex-exemplar"), Some(8)),
        (with_progress(ProgressKind::Dependent), None),
        (with_progress(ProgressKind::Independent), None),
    ]
}

fn grid(dice: &mut Dice) -> String {
    let dimensions = 1 + dice.below(3) as usize;
    let sides = vec![dice.of(&["64", "96", "128"]); dimensions].join(", ");
    let of = dice.of(&["cells", "block"]);
    format!("[grid]\n{of} = [{sides}]\nperiodic = {}\n", dice.of(&["true", "false"]))
}

fn during(dice: &mut Dice) -> String {
    match dice.below(3) {
        0 => String::new(),
        _ => format!("during = {}\n", dice.size(1.0, 5000.0)),
    }
}

fn step(kind: &str, dice: &mut Dice) -> String {
    let bytes = dice.size(1.0, 100_000.0);
    let more = match kind {
        "compute" => format!("compute = {bytes}\n"),
        "halo" => {
            let corners = dice.of(&["", "corners = true\n"]);
            format!("halo = \"{} * face\"\n{corners}{}", dice.of(&[1, 8, 64]), during(dice))
        }
        "exchange" => format!("exchange = {bytes}\n{}", during(dice)),
        "rounds" => format!("exchange = {bytes}\ntimes = \"ceil(log2(p))\"\n{}", during(dice)),
        "shift" => format!("shift = {bytes}\n{}", during(dice)),
        "wavefront" => format!(
            "wavefront = \"{} * face\"\nwork = {}\nblocks = {}\ntimes = {}\n",
            dice.of(&[1, 8, 64]),
            dice.size(1.0, 3000.0),
            1 + dice.below(20),
            1 + dice.below(8)
        ),
        "collective" => {
            let op = dice.of(&["allreduce", "bcast", "barrier", "reduce", "allgather", "alltoall"]);
            format!("{op} = {}\n", if op == "alltoall" { bytes.min(2000.0) } else { bytes })
        }
        "hidden" => format!("allreduce = {bytes}\nduring = {}\n", dice.size(1.0, 5000.0)),
        _ => panic!("{kind}"),
    };
    format!("[[step]]\n{more}")
}

/// Relative error of the analytic sum.
fn sum_error(text: &str, machine: &Signature, each: Option<u32>, p: u32) -> Option<f64> {
    let sketch = Sketch::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let request = Request { ranks_per_node: each, ..Request::of(&sketch, machine) };
    let plan = request.times_over(&[Procs(p)]).unwrap_or_else(|error| panic!("{text}: {error}"));
    let check = plan.sum_check?;
    Some(check.sum_us.0 / check.simulated_us.0 - 1.0)
}

fn sketch(kind: &str, dice: &mut Dice) -> String {
    let kinds = ["compute", "halo", "exchange", "shift", "wavefront", "collective"];
    let steps: String = match kind {
        "mixed" => (0..2 + dice.below(3))
            .map(|_| {
                let kind = dice.of(&kinds);
                step(kind, dice)
            })
            .collect(),
        kind => step(kind, dice),
    };
    let mut grid = grid(dice);
    while steps.contains("wavefront") && !grid.contains(',') {
        grid = self::grid(dice);
    }
    format!("iterations = {}\n{grid}{steps}", dice.of(&[1, 10, 100]))
}

/// The error of the analytic sum is within the bounds of `docs/sketch.md`, and mostly smaller.
/// `LOGGIA_SKETCHES` sets the number of sketches of each kind on each machine.
#[test]
fn sums_agree_with_simulations_of_random_sketches() {
    let count = std::env::var("LOGGIA_SKETCHES").ok().and_then(|count| count.parse().ok());
    let count: u32 = count.unwrap_or(4);
    let mut dice = Dice(1_234_567);
    let (mut near, mut all, mut far) = (0, 0, Vec::new());
    for (kind, most) in [
        ("compute", 1e-6),
        ("exchange", 1e-6),
        ("rounds", 0.15),
        ("shift", 0.15),
        ("halo", 0.35),
        ("wavefront", 0.25),
        ("collective", 0.15),
        ("hidden", 0.2),
        ("mixed", 0.35),
    ] {
        for (machine, each) in machines() {
            for _ in 0..count {
                let text = sketch(kind, &mut dice);
                let p = 2 + dice.below(63) as u32;
                let Some(error) = sum_error(&text, &machine, each, p) else { continue };
                let place = || {
                    format!("{kind} on {p} ranks of {} {each:?}: {error:.3}\n{text}", machine.name)
                };
                if error.abs() > most {
                    far.push(place());
                }
                (near, all) = (near + u32::from(error.abs() < 0.1), all + 1);
            }
        }
    }
    assert!(far.is_empty(), "{} of {all}: {}", far.len(), far.join("\n"));
    assert!(all > 200 && f64::from(near) > 0.95 * f64::from(all), "{near} of {all} within 10%");
}

fn plan(text: &str, machine: &str, procs: &[u32]) -> Plan {
    let sketch = Sketch::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let machine = library::load(machine).unwrap();
    let procs: Vec<Procs> = procs.iter().copied().map(Procs).collect();
    Request::of(&sketch, &machine).over(&procs).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn time(text: &str, machine: &str, procs: u32) -> f64 {
    plan(text, machine, &[procs]).points[0].time_us.0
}

#[track_caller]
fn near(a: f64, b: f64) {
    assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
}

/// Hwang, Wang & Wang 1997: a measured operation has its measured time, with and without
/// simulation.
#[test]
fn measured_operations_have_their_measured_time() {
    for procs in [4, 16, 64] {
        let t3d = library::load("cray-t3d").unwrap();
        let form = t3d.collective(Operation::Alltoall).unwrap();
        let cost = collective::cost(form, Procs(procs), 512.0);
        let text = "iterations = 100\n[[step]]\nalltoall = 512\nalgorithm = \"closed-form\"";
        let plan = plan(text, "cray-t3d", &[procs]);
        assert_eq!(plan.points[0].by, Method::Simulated);
        near(plan.points[0].time_us.0, cost.prediction.total.unwrap().value.0);
        assert_eq!(plan.points[0].steps[0].from, Some(CostBasis::Published));
    }
    // Half the overhead saves the same share as for the best algorithm.
    let text = "[[step]]\nalltoall = 512\nalgorithm = \"closed-form\"";
    let plan = plan(text, "cray-t3d", &[1024]);
    let point = &plan.points[0];
    let faster = point.what_if.iter().find(|it| it.change == "half the overhead").unwrap();
    let part = faster.time_us.0 / point.time_us.0;
    assert!((0.5..0.99).contains(&part), "{part}");
}

/// Only collective operations are known of this machine.
#[test]
fn a_machine_without_message_parameters_plans_collective_operations() {
    let text = "[[step]]\ncompute = \"1s / p\"\n[[step]]\nallgather = 8";
    let known = plan(text, "ibm-sp2", &[4, 64]);
    assert_eq!((known.rules, known.points[1].what_if.len()), ("none", 0));
    assert!(known.points[1].time_us.0 > 1e6 / 64.0);
    let sketch = Sketch::read("[[step]]\nshift = 8").unwrap();
    let machine = library::load("ibm-sp2").unwrap();
    let planned = Request::of(&sketch, &machine).over(&[Procs(4)]);
    let error = PlanError::NoPointToPoint { machine: machine.name.clone() };
    assert_eq!(planned, Err(error.into()));
}

/// Measured times of messages.
fn table(points: Vec<Point>) -> Table {
    Table {
        op: None,
        tier: None,
        style: None,
        procs: None,
        per_node: None,
        pairs: None,
        statistic: Statistic::Mean,
        points,
        source: "a test".to_owned(),
    }
}

/// Far beyond the measurements, a plan has the interval and the basis that `predict` has.
#[test]
fn an_extrapolated_operation_has_the_interval_of_its_prediction() {
    let mut machine = library::load("ibm-sp2").unwrap();
    let of_ranks = |(procs, time)| {
        let point = Point { bytes: Bytes(1024), value: Micros(time), low: None, high: None };
        Table { op: Some(Operation::Allreduce), procs: Some(Procs(procs)), ..table(vec![point]) }
    };
    machine.tables = [(8, 20.0), (32, 35.0)].map(of_ranks).to_vec();
    let sketch = Sketch::read("[[step]]\nallreduce = 1024").unwrap();
    for (procs, basis) in [
        (8, CostBasis::Measured),
        (16, CostBasis::Interpolated),
        (100_000, CostBasis::Extrapolated),
    ] {
        let procs = Procs(procs);
        let prediction =
            machine.measured_collective(Operation::Allreduce, procs, None, Bytes(1024)).unwrap();
        let plan = Request::of(&sketch, &machine).over(&[procs]).unwrap();
        let point = &plan.points[0];
        near(point.time_us.0, prediction.time.value.0);
        near(point.low_us.0, prediction.time.low.0);
        near(point.high_us.0, prediction.time.high.0);
        assert_eq!(point.steps[0].from, Some(basis));
    }
}

/// Halving each term of a measured message saves its part of the time, and all parts together half of it.
#[test]
fn the_what_ifs_of_a_measured_message_add_up() {
    for machine in ["oracle-vm", "azure-f72s", "alps", "deep-est"] {
        for bytes in [8, 50_000, 1 << 20] {
            let plan = plan(&format!("[[step]]\nshift = {bytes}"), machine, &[8]);
            let point = &plan.points[0];
            let saved = |change| {
                let improvement = point.what_if.iter().find(|it| it.change == change);
                1.0 - improvement.expect(change).time_us.0 / point.time_us.0
            };
            let parts = ["half the latency", "twice the bandwidth", "half the overhead"].map(saved);
            let sum: f64 = parts.iter().sum();
            let place = format!("{machine}, {bytes} B: {parts:?}");
            assert!(parts.iter().all(|part| *part > -0.01), "{place}");
            assert!((0.45..0.55).contains(&sum), "{place}");
        }
    }
}

/// Halving each term of a measured collective operation saves its part, all together half of it. An
/// unknown overhead does not change a measured time.
#[test]
fn the_what_ifs_of_a_measured_collective_operation_add_up() {
    for procs in [32, 1024] {
        let plan = plan("[[step]]\nalltoall = 256", "aws-p5-48xlarge", &[procs]);
        let point = &plan.points[0];
        let saved = |change| {
            let improvement = point.what_if.iter().find(|it| it.change == change);
            1.0 - improvement.expect(change).time_us.0 / point.time_us.0
        };
        let parts = [point.parts.latency, point.parts.bytes].map(|part| part / point.time_us.0);
        for (change, part) in ["half the latency", "twice the bandwidth"].into_iter().zip(parts) {
            assert!((saved(change) - 0.5 * part).abs() < 1e-6, "{change}, {procs} ranks");
        }
        let unknown = |it: &&Assumption| it.parameter == "o_s, o_r" || it.parameter == "g";
        let more = plan.missing.iter().filter(unknown).map(|it| it.more);
        assert_eq!(more.collect::<Vec<_>>(), [0.0, 0.0]);
    }
}

/// The costs of this machine's messages are assumed from RTT/2 and t_b.
#[test]
fn assumed_costs_change_with_a_what_if() {
    let (machine, sketch) = (library::load("ap3000-mpi").unwrap(), "[[step]]\nexchange = 160000");
    let sketch = Sketch::read(sketch).unwrap();
    let of = |what_if| {
        let request = Request { what_if, ..Request::of(&sketch, &machine) };
        request.over(&[Procs(2)]).unwrap()
    };
    let same = WhatIf::default();
    let usual = of(same);
    let twice = of(WhatIf { bandwidth: 2.0, ..same });
    let improvement = usual.points[0].what_if.iter().find(|it| it.change == "twice the bandwidth");
    near(twice.points[0].time_us.0, improvement.unwrap().time_us.0);
    assert_eq!(twice.warnings, usual.warnings);
    assert!(!usual.warnings.is_empty());
}

/// Above S, three latencies are in the time of a message.
#[test]
fn a_shorter_latency_makes_no_plan_longer() {
    let sketch = "ranks_per_node = 16\n[grid]\nblock = [64, 64, 64]\nperiodic = true\n\
                  [[step]]\nhalo = \"40 * face\"";
    let (machine, sketch) = (library::load("alps").unwrap(), Sketch::read(sketch).unwrap());
    let time = |latency| {
        let what_if = WhatIf { latency, ..WhatIf::default() };
        let request = Request { what_if, ..Request::of(&sketch, &machine) };
        request.times_over(&[Procs(64)]).unwrap().points[0].time_us.0
    };
    let times = [0.25, 0.5, 1.0, 2.0].map(time);
    assert!(times.is_sorted(), "{times:?}");
}

/// G is measured with one pair, and the table of RTT/2 as well.
#[test]
fn ranks_of_a_node_may_share_its_network() {
    let text = "ranks_per_node = 16\n[grid]\nblock = [64, 64, 64]\nperiodic = true\n\
                [[step]]\nhalo = \"40 * face\"";
    let plan = plan(text, "alps", &[4096]);
    let contention = plan.missing.iter().find(|it| it.parameter.starts_with("contention"));
    let more = contention.unwrap().more;
    assert!((5.0..16.0).contains(&more), "{more}");
}

#[test]
fn one_rank_sends_no_messages_of_unmeasured_sizes() {
    let text = "[grid]\nblock = [64, 64]\n[[step]]\nhalo = \"100000000 * face\"";
    let plan = plan(text, "alps", &[1, 4]);
    assert!(plan.points[0].beyond.is_empty(), "{:?}", plan.points[0].beyond);
    assert!(!plan.points[1].beyond.is_empty());
}

/// The parameters have no interval, so only the tables differ at its ends.
#[test]
fn measured_times_alone_give_an_interval() {
    let mut machine = library::load("cray-t3d").unwrap();
    let point = |bytes: u64, time: f64| Point {
        bytes: Bytes(bytes),
        value: Micros(time),
        low: Some(Micros(time * 0.8)),
        high: Some(Micros(time * 1.5)),
    };
    machine.tables = vec![table(vec![point(1, 40.0), point(4096, 50.0)])];
    let sketch = Sketch::read("[[step]]\nshift = 1").unwrap();
    let plan = Request::of(&sketch, &machine).over(&[Procs(2)]).unwrap();
    let point = &plan.points[0];
    near(point.low_us.0 / point.time_us.0, 0.8);
    near(point.high_us.0 / point.time_us.0, 1.5);

    let what_if = WhatIf { latency: 2.0, ..WhatIf::default() };
    let changed = Request { what_if, ..Request::of(&sketch, &machine) };
    let point = changed.over(&[Procs(2)]).unwrap().points.remove(0);
    assert!(point.low_us.0 < 0.9 * point.time_us.0, "{:?} {:?}", point.low_us, point.time_us);
    assert!(point.high_us.0 > 1.2 * point.time_us.0, "{:?} {:?}", point.high_us, point.time_us);
}

#[test]
fn steps_of_some_iterations_count_in_part_at_any_depth() {
    let alone = time("[[step]]\nallreduce = 8", "cray-t3d", 16);
    let nested = "iterations = 1000\n[[step]]\ntimes = 3\nsteps = [{ compute = 100 }, \
                  { compute = 50, every = 5 }]\n[[step]]\nallreduce = 8";
    let found = time(nested, "cray-t3d", 16);
    assert!((found / (330.0 + alone) - 1.0).abs() < 1e-3, "{found} and {alone}");
}

/// Wavefronts from the same corner overlap, unless an operation synchronises the ranks.
#[test]
fn ranks_run_ahead_of_each_other_without_synchronisation() {
    let sweep = "[grid]\ncells = [512, 512]\n[[step]]\nwavefront = 100\nblocks = 4\nwork = 500\n";
    for p in [64, 4096] {
        let many = time(&format!("iterations = 1000\n{sweep}"), "cray-t3d", p);
        let one = time(&format!("iterations = 1\n{sweep}"), "cray-t3d", p);
        let closed = format!("iterations = 1000\n{sweep}[[step]]\nallreduce = 8");
        let closed = time(&closed, "cray-t3d", p);
        assert!(many < 0.7 * one && one < closed, "{many}, {one} and {closed} on {p}");
    }
}

#[test]
fn efficiency_is_relative_to_the_fewest_possible_ranks() {
    let plan = plan("[[step]]\ncompute = \"1s / (p - 1)\"", "cray-t3d", &[2, 3, 5]);
    near(plan.points[0].efficiency, 1.0);
    near(plan.points[2].efficiency, 2.0 * 4.0 / 5.0);
    assert!(plan.warnings.iter().any(|warning| warning.contains("relative to 2 ranks")));
}

/// A sketch without computation has no time on one rank.
#[test]
fn efficiency_of_messages_alone_is_relative_to_the_fewest_ranks() {
    let plan = plan("[[step]]\nallreduce = 8", "cray-t3d", &[2, 16]);
    near(plan.points[0].efficiency, 1.0);
    near(plan.points[1].efficiency, plan.points[0].time_us.0 / plan.points[1].time_us.0);
    assert!(plan.warnings.iter().any(|warning| warning.contains("relative to 2 ranks")));
}

#[test]
fn each_warning_about_grids_appears_once() {
    let text = "[grid]\ncells = [96, 96, 96]\n[[step]]\nhalo = \"8 * face\"\n\
                [[step]]\nwavefront = 8\nblocks = 8\nwork = 1000";
    let plan = plan(text, "cray-t3d", &[5, 7, 8, 11, 1 << 20]);
    let about = |words: &str| plan.warnings.iter().filter(|w| w.contains(words)).count();
    assert_eq!([about("divide the grid"), about("exceed the cells")], [1, 1]);
    assert_eq!(about("a wavefront runs along the first two"), 1);
    assert!(plan.warnings.iter().any(|w| w.starts_with("5 ranks, 5 × 1 × 1, do not divide")));
    assert_eq!(plan.points[2].ranks, Some(vec![2, 2, 2]));
}

#[test]
fn the_best_algorithm_is_listed_where_it_changes() {
    let plan = plan("[[step]]\nallreduce = 65536", "now-sparc", &[2, 4, 8, 16, 1024, 1 << 20]);
    assert!(plan.algorithms.len() > 1, "{:?}", plan.algorithms);
    for point in &plan.points {
        let chosen =
            plan.algorithms.iter().rfind(|choice| choice.from_procs <= point.procs).unwrap();
        assert_eq!(Some(&chosen.by), point.steps[0].by.as_ref(), "on {:?}", point.procs);
        assert_eq!(chosen.line, 2);
    }
    assert!(plan.algorithms.windows(2).all(|two| two[0].by != two[1].by));
}

/// The worst case of an unknown parameter is the time on a machine with that value.
#[test]
fn unknown_parameters_are_listed_with_their_effect() {
    let text = "ranks_per_node = 4\n[grid]\ncells = [4096, 4096]\n[[step]]\nhalo = \"8 * face\"\n\
                during = \"1ns * cells\"\n[[step]]\nallreduce = 8000";
    let found = plan(text, "now-sparc", &[256]);
    let names: Vec<&str> = found.missing.iter().map(|unknown| unknown.parameter.as_str()).collect();
    assert_eq!(
        names,
        [
            "g",
            "S",
            "progress (DCP or ICP)",
            "t_c",
            "messages inside a node",
            "contention for a node's network"
        ]
    );
    let of = |name: &str| found.missing.iter().find(|unknown| unknown.parameter == name).unwrap();
    let with = |change: &[(&str, &str)], text: &str| {
        let mut machine = library::load("now-sparc").unwrap();
        for (key, value) in change {
            machine.set(key, value).unwrap();
        }
        let sketch = Sketch::read(text).unwrap();
        Request::of(&sketch, &machine).over(&[Procs(256)]).unwrap().points[0].time_us.0
    };
    near(of("S").time_us.0, with(&[("S", "0")], text));
    let apart = text.replace("during", "[[step]]\ncompute");
    near(of("progress (DCP or ICP)").time_us.0, with(&[], &apart));
    let shared = of("contention for a node's network");
    near(shared.time_us.0, with(&[("1/R_N", "0.2")], text));
    near(shared.more, shared.time_us.0 / found.points[0].time_us.0 - 1.0);
    let none = plan("[[step]]\ncompute = \"1s / p\"", "now-sparc", &[256]);
    assert!(none.missing.iter().all(|unknown| unknown.more == 0.0), "{:?}", none.missing);
}

/// Unknown overheads are assumed from RTT/2, and an unknown G from t_b.
#[test]
fn partial_signatures_are_planned() {
    let text = "[grid]\nblock = [64, 64]\n[[step]]\nhalo = \"8 * face\"\n[[step]]\nallreduce = 8";
    for (machine, absent, warning, missing) in [
        ("ap3000-mpi", &[][..], Some("o_s or o_r or L"), &["o_s, o_r", "g", "S"][..]),
        ("myrinet-gm", &[], Some("L is unknown"), &["g", "G", "S", "t_c"]),
        ("cray-t3d", &["G"], None, &["g", "G", "S", "t_c"]),
        ("cray-t3d", &["o_r"], Some("o_r is unknown"), &["o_r", "g", "S", "t_c"]),
    ] {
        let mut machine = library::load(machine).unwrap();
        for symbol in absent {
            machine.set(symbol, "none").unwrap();
        }
        let sketch = Sketch::read(text).unwrap();
        let plan = Request::of(&sketch, &machine).over(&[Procs(1024)]).unwrap();
        let names: Vec<&str> =
            plan.missing.iter().map(|unknown| unknown.parameter.as_str()).collect();
        assert_eq!(names, missing, "{}", machine.name);
        let is_found =
            plan.warnings.iter().any(|w| warning.is_some_and(|start| w.starts_with(start)));
        assert_eq!(is_found, warning.is_some(), "{:?}", plan.warnings);
    }
}

/// Impossible values are errors with line and column, for all p or only for some.
#[test]
fn impossible_values_are_errors_with_line_and_column() {
    for (text, place, words) in [
        ("[[step]]\nwavefront = 8\nblocks = 8\nwork = 1", "2:13", "needs a grid of 2 dimensions"),
        (
            "[grid]\ncells = [64]\n[[step]]\nwavefront = 8\nblocks = 8\nwork = 1",
            "4:13",
            "2 dimensions",
        ),
        ("[[step]]\nhalo = \"8 * face\"", "2:8", "needs a grid"),
        ("[grid]\ncells = [8, 8, 8, 8]\n[[step]]\nhalo = 8", "2:9", "one to three"),
        ("[grid]\ncells = [8]\nblock = [8]\n[[step]]\nhalo = 8", "1:1", "either cells or a block"),
        ("[grid]\ncells = [8, 8]\n[[step]]\nwavefront = 8\nwork = 1", "3:1", "has no `blocks`"),
        (
            "[grid]\ncells = [8, 8]\n[[step]]\nwavefront = 8\nwork = 1\nblocks = \"p - 4\"",
            "6:11",
            "is 0 for p = 4, which is not a number of blocks",
        ),
        ("[[step]]\nshift = \"64 - 32 * p\"", "2:10", "is -64 for p = 4, which is not a size"),
        ("[[step]]\ncompute = \"1ms / (p - 4)\"", "2:12", "is inf for p = 4"),
        ("[let]\nx = \"log2(p - 4)\"\n[[step]]\ncompute = 1", "2:6", "is -inf for p = 4"),
        ("[[step]]\ncompute = 1\ntimes = \"2 - p\"", "3:10", "a number of repetitions"),
        ("[let]\na = \"b\"\nb = \"a\"\n[[step]]\ncompute = \"a\"", "2:6", "not known yet"),
        ("[let]\na = \"2 * a\"\n[[step]]\ncompute = \"a\"", "2:10", "not known yet"),
        ("[let]\na = \"?\"\n[[step]]\ncompute = \"a\"", "2:1", "has no value"),
        ("[[step]]\ncompute = \"8 * face\"", "2:16", "face"),
        ("ranks_per_node = 5000000000\n[[step]]\ncompute = 1", "1:18", "for a node"),
        ("[[step]]\nshift = \"8 * cells\"", "2:14", "cells"),
    ] {
        let machine = library::load("cray-t3d").unwrap();
        let planned = Sketch::read(text)
            .map_err(Error::from)
            .and_then(|sketch| Request::of(&sketch, &machine).over(&[Procs(4)]).map(|_| ()));
        let error = planned.expect_err(text);
        assert_eq!(error.place.to_string(), place, "{text}: {error}");
        assert!(error.message.contains(words), "{text}: {error}");
        assert!(!error.help.is_empty(), "{text}: {error}");
    }
}

/// The arithmetic of a reduction counts as computation, in its step and in the point.
#[test]
fn the_arithmetic_of_a_reduction_is_computation() {
    let text =
        "[[step]]\ncompute = \"1ms\"\n[[step]]\nreduce_scatter = 480000\n[[step]]\nallgather = 8";
    let plan = plan(text, "ap3000-mpi", &[12]);
    let point = &plan.points[0];
    let of_steps: f64 = point.steps.iter().map(|step| step.parts.compute).sum();
    assert!(point.steps[1].parts.compute > 0.0);
    near(point.parts.compute, of_steps);
}
