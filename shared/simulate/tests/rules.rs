//! Simulated completion times agree with the closed forms of one message.
#![allow(clippy::unwrap_used, reason = "tests")]

use loggia_model::library;
use loggia_model::model::exchange::{Arrivals, MessageProtocol, exchange};
use loggia_model::model::{Model, Route, loggpo, predict};
use loggia_model::signature::{Operation, ProgressKind, Signature};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_schedule::schedule::{Builder, CalcUnit, Schedule, Step};
use loggia_simulate::collective::named;
use loggia_simulate::program::CollectiveSchedule;
use loggia_simulate::result::Piece;
use loggia_simulate::{MAX_EVENTS, Parameter, RunSetting, Simulation};

/// A machine with all parameters of LogGPO, in whole µs.
fn machine(transfer: &str, progress: &str, numbers: [u64; 5]) -> Signature {
    let mut machine = library::load("cray-t3d").unwrap();
    let [control, initiation, copy, latency, gap] = numbers.map(|number| number.to_string());
    let set = [
        ("S", "1000"),
        ("O'", &control),
        ("O_i", &initiation),
        ("O_c", &copy),
        ("L", &latency),
        ("g", &gap),
        ("G", "0.01"),
        ("progress", progress),
        ("transfer", transfer),
    ];
    for (key, value) in set {
        machine.set(key, value).unwrap();
    }
    machine
}

/// Each side computes, calls, computes while the message is in flight, and waits.
fn two_sides(bytes: u64, calls: [u64; 2], meanwhile: [u64; 2]) -> Schedule {
    let picos = |micros: u64| micros * 1_000_000;
    let mut builder = Builder::counting(CalcUnit::Picoseconds);
    for side in 0..2u32 {
        builder.rank();
        let before = builder.push(Step::calc(picos(calls[side as usize])));
        let call = builder.push(match side {
            0 => Step::send(bytes, 1),
            _ => Step::recv(bytes, 0),
        });
        builder.after(call, before);
        let overlapped = builder.push(Step::calc(picos(meanwhile[side as usize])));
        builder.after_start(overlapped, call);
        let wait = builder.push(Step::calc(0));
        builder.after(wait, call);
        builder.after(wait, overlapped);
    }
    builder.finish().unwrap()
}

/// Chen et al. 2009, corrected: T_r before and after the request, T_sw before and after the
/// acknowledgement, eager, RAT, RTA, dependent and independent progress, and cases in between.
#[test]
fn loggpo_agrees_with_the_closed_form_of_an_exchange() {
    let times = [0, 1, 7, 12, 40, 150];
    let mut cases = 0;
    for (transfer, protocol) in [("rat", MessageProtocol::Rat), ("rta", MessageProtocol::Rta)] {
        for (name, progress) in
            [("dcp", ProgressKind::Dependent), ("icp", ProgressKind::Independent)]
        {
            for numbers in [[2, 5, 7, 10, 3], [1, 0, 0, 1, 0], [0, 3, 2, 0, 9], [4, 30, 1, 100, 50]]
            {
                let machine = machine(transfer, name, numbers);
                let setting = RunSetting::of(&machine, None, None, None).unwrap();
                let route = Route::of(&machine, None, None).unwrap();
                for bytes in [0, 1, 1000, 1001, 5001] {
                    let protocol = if bytes <= 1000 { MessageProtocol::Eager } else { protocol };
                    let costs = loggpo::costs(&route, Bytes(bytes)).unwrap().0;
                    for send in times {
                        for recv in times {
                            for meanwhile in
                                [[0, 0], [0, 60], [60, 0], [9, 33], [200, 3], [500, 700]]
                            {
                                let schedule = two_sides(bytes, [send, recv], meanwhile);
                                let run =
                                    Simulation::new(&schedule, SimulationModel::LogGpo, &setting)
                                        .unwrap();
                                let outcome = run.run();
                                let micros = |all: [u64; 2]| all.map(|time| Micros(time as f64));
                                let at = Arrivals::around(
                                    protocol,
                                    &costs,
                                    micros([send, recv]),
                                    micros(meanwhile),
                                );
                                let expected = exchange(protocol, progress, &costs, &at);
                                let ends = [
                                    expected.sender_end.max(at.send_wait),
                                    expected.receiver_end.max(at.recv_wait),
                                ];
                                for (actual, expected) in outcome.ends.iter().zip(ends) {
                                    let actual = run.micros(*actual);
                                    assert!(
                                        (actual.0 - expected.0).abs() < 1e-5,
                                        "{transfer} {name} {numbers:?} {bytes} bytes, calls {send} {recv}, {meanwhile:?}: {:?} not {ends:?}",
                                        outcome.ends
                                    );
                                }
                                assert!(outcome.left.is_empty());
                                cases += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    assert_eq!(cases, 2 * 2 * 4 * 5 * 36 * 6);
}

fn one_message(bytes: u64) -> Schedule {
    two_sides(bytes, [0, 0], [0, 0])
}

/// One message without waiting, in every simulation model that a published machine supports.
#[test]
fn one_message_agrees_with_its_prediction() {
    let mut compared = 0;
    for name in library::names() {
        let mut machine = library::load(name).unwrap();
        if machine.tiers.is_empty() {
            continue;
        }
        // The eager limit adds LogGPS. Models are compared, so measurements are removed.
        let _ = machine.set("S", "2000");
        machine.tables.clear();
        for tier in &machine.tiers {
            for style in &tier.styles {
                let route = Route::of(&machine, Some(&tier.name), Some(&style.name.0)).unwrap();
                for rules in SimulationModel::ALL {
                    let Some(model) = rules.model().filter(|model| model.is_possible(&route))
                    else {
                        continue;
                    };
                    let setting =
                        RunSetting::of(&machine, Some(&tier.name), Some(&style.name.0), None)
                            .unwrap();
                    for bytes in [0, 1, 16, 1000, 2000, 2001, 100_000] {
                        let schedule = one_message(bytes);
                        let run = Simulation::new(&schedule, rules, &setting).unwrap();
                        let end = run.micros(run.run().end());
                        let expected =
                            predict(&route, Some(model), Bytes(bytes)).unwrap().time().unwrap();
                        assert!(
                            (end.0 - expected.0).abs() < 1e-5,
                            "{name} {} {bytes} bytes: {} not {}",
                            rules.name(),
                            end.0,
                            expected.0
                        );
                        compared += 1;
                    }
                }
            }
        }
    }
    println!("{compared} messages");
    assert!(compared > 100);
}

/// Al-Tawil & Moritz 2001, Equations 8 and 9: LoGH{sSP} agrees with a simulation on nodes.
#[test]
fn two_tiers_agree_with_logh() {
    let machine = library::load("convex-exemplar").unwrap();
    let mut builder = Builder::counting(CalcUnit::Picoseconds);
    for rank in 0..4u32 {
        builder.rank();
        match rank {
            0 => builder.push(Step::send(100, 1)),
            1 => builder.push(Step::recv(100, 0)),
            2 => builder.push(Step::send(100, 3)),
            _ => builder.push(Step::recv(100, 2)),
        };
    }
    let schedule = builder.finish().unwrap();
    let setting = RunSetting::of(&machine, None, None, Some(&[0, 0, 1, 2])).unwrap();
    let run = Simulation::new(&schedule, SimulationModel::LogGp, &setting).unwrap();
    let ends = run.run().ends;
    for (rank, inside) in [(1, true), (3, false)] {
        let tier = machine
            .tiers
            .iter()
            .find(|tier| (tier.reach == loggia_model::signature::Reach::Intra) == inside);
        let route = Route::of(&machine, Some(&tier.unwrap().name), None).unwrap();
        let expected = predict(&route, Some(Model::Logh), Bytes(100)).unwrap().time().unwrap();
        assert!(
            (run.micros(ends[rank]).0 - expected.0).abs() < 1e-5,
            "{rank}: {ends:?} {expected:?}"
        );
    }
}

/// A message of a rank to itself costs only its calls, without latency and handshake.
#[test]
fn messages_to_self_cost_only_their_calls() {
    let machine = machine("rat", "dcp", [2, 5, 7, 10, 3]);
    let setting = RunSetting::of(&machine, None, None, None).unwrap();
    for (rules, bytes, micros) in [
        (SimulationModel::LogGpo, 1000, 12.0),
        (SimulationModel::LogGpo, 5000, 5.0),
        (SimulationModel::LogGp, 16, 45.0),
    ] {
        let mut builder = Builder::counting(CalcUnit::Picoseconds);
        builder.rank();
        let recv = builder.push(Step::recv(bytes, 0));
        let send = builder.push(Step::send(bytes, 0));
        builder.after_start(send, recv);
        let schedule = builder.finish().unwrap();
        let run = Simulation::new(&schedule, rules, &setting).unwrap();
        let outcome = run.run();
        assert!(outcome.left.is_empty());
        assert_eq!(run.micros(outcome.end()), Micros(micros), "{} {bytes}", rules.name());
    }
}

/// `n` ranks of a node send to `n` ranks of another node.
fn pairs(n: u32, bytes: u64) -> loggia_schedule::schedule::Schedule {
    let mut builder = Builder::counting(CalcUnit::Picoseconds);
    for rank in 0..2 * n {
        builder.rank();
        let step = if rank < n { Step::send(bytes, rank + n) } else { Step::recv(bytes, rank - n) };
        builder.push(step);
    }
    builder.finish().unwrap()
}

/// A simulation of n pairs between two nodes agrees with the max-rate model.
#[test]
fn pairs_of_two_nodes_agree_with_the_max_rate_model() {
    let mut machine = library::load("cray-t3d").unwrap();
    machine.set("R_N", "40MB/s").unwrap();
    let route = Route::of(&machine, None, None).unwrap();
    for (n, bytes) in [(1, 10_000), (2, 10_000), (3, 500), (8, 10_000), (16, 16)] {
        let node_of: Vec<u32> = (0..2 * n).map(|rank| rank / n).collect();
        let setting = RunSetting::of(&machine, None, None, Some(&node_of)).unwrap();
        let schedule = pairs(n, bytes);
        let run = Simulation::new(&schedule, SimulationModel::LogGp, &setting).unwrap();
        let of = loggia_model::model::pairs::predict(&route, Some(Model::LogGp), Bytes(bytes), n);
        let expected = of.unwrap().prediction.time().unwrap().0;
        // The card also counts the first byte.
        let first = f64::from(n) * 0.025;
        let end = run.micros(run.run().end()).0;
        assert!(end >= expected - 1e-6 && end <= expected + first, "{n}: {end} for {expected}");
        let slope = run.sensitivity().d_node_gap_per_byte;
        let is_full = f64::from(n) * 0.025 > 0.04;
        let counted = if is_full { i64::from(n) * bytes as i64 } else { 0 };
        assert_eq!(slope, (n > 1).then_some(counted), "{n}");
        assert_eq!(
            run.warnings().iter().any(|w| w.to_string().contains("inside the network")),
            n > 1
        );
    }
}

/// Ranks of a node use the same parameters if no others are known. The sensitivity then counts all
/// their uses, in agreement with a simulation with another G.
#[test]
fn sensitivity_covers_messages_inside_nodes() {
    let mut machine = library::load("cray-t3d").unwrap();
    machine.set("R_N", "40MB/s").unwrap();
    let mut builder = Builder::default();
    for rank in 0..4u32 {
        builder.rank();
        // To the other rank of the node, then to the other node.
        for apart in [1, 2] {
            let send = builder.push(Step::send(10_000, rank ^ apart).tag(apart));
            let recv = builder.push(Step::recv(10_000, rank ^ apart).tag(apart));
            builder.after(recv, send);
        }
    }
    let schedule = builder.finish().unwrap();
    let run = |machine: &Signature| {
        let setting = RunSetting::of(machine, None, None, Some(&[0, 0, 1, 1])).unwrap();
        let run = Simulation::new(&schedule, SimulationModel::LogGp, &setting).unwrap();
        (run.micros(run.run().end()).0, run.sensitivity())
    };
    let (end, sensitivity) = run(&machine);
    let mut slower = machine.clone();
    slower.tiers[0].gap_per_byte.as_mut().unwrap().value.as_mut().unwrap().0 += 1e-4;
    let difference = (run(&slower).0 - end) / 1e-4;
    assert!(sensitivity.d_gap_per_byte > 9_000, "{sensitivity:?}");
    assert!(
        (difference - sensitivity.d_gap_per_byte as f64).abs() < 1.0,
        "{difference} {sensitivity:?}"
    );
}

/// A card is at least as fast as one pair. If it is given as slower, the predictions of one pair,
/// of several pairs and the simulation agree, with a warning.
#[test]
fn a_card_is_no_slower_than_one_pair() {
    let mut machine = library::load("cray-t3d").unwrap();
    let pair = Route::of(&machine, None, None).unwrap().gap_per_byte().unwrap().value.0;
    machine.set("R_N", "1MB/s").unwrap();
    assert!(pair < 1.0);
    let route = Route::of(&machine, None, None).unwrap();
    let of = |n| {
        let pairs =
            loggia_model::model::pairs::predict(&route, Some(Model::LogGp), Bytes(10_000), n);
        pairs.unwrap().prediction
    };
    let [one, two] = [1, 2].map(|n| of(n).time().unwrap().0);
    assert!(one < two && two < 2.0 * one, "{one} {two}");
    let setting = RunSetting::of(&machine, None, None, Some(&[0, 0, 1, 1])).unwrap();
    let schedule = pairs(2, 10_000);
    let run = Simulation::new(&schedule, SimulationModel::LogGp, &setting).unwrap();
    let end = run.micros(run.run().end()).0;
    assert!((end - two).abs() < 4.0 * pair, "{end} {two}");
    let has_warning = |warnings: &[loggia_model::model::Warning]| {
        warnings.iter().any(|warning| {
            warning.to_string().contains("the rate of one pair is used for the card")
        })
    };
    assert!(has_warning(&of(1).warnings) && has_warning(&run.warnings()));
}

/// If R_N is unknown or each node has one rank, cards change nothing.
#[test]
fn without_shared_cards_nothing_changes() {
    let convex = library::load("convex-exemplar").unwrap();
    let mut with = convex.clone();
    with.tiers[0].node_gap_per_byte =
        Some(loggia_model::signature::Parameter::assumed(loggia_model::units::MicrosPerByte(1.0)));
    let schedule = pairs(4, 1000);
    let end = |machine, node_of: &[u32]| {
        let setting = RunSetting::of(machine, None, None, Some(node_of)).unwrap();
        let run = Simulation::new(&schedule, SimulationModel::LogGp, &setting).unwrap();
        (run.run(), run.sensitivity().d_node_gap_per_byte)
    };
    let apart: Vec<u32> = (0..8).collect();
    assert_eq!(end(&with, &apart), end(&convex, &apart));
    let shared = [0, 0, 0, 0, 1, 1, 1, 1];
    let (slow, slope) = end(&with, &shared);
    assert!(slow.end() > end(&convex, &shared).0.end() && slope == Some(4000));
    // LogGOPSim's model has no card, which gives a warning.
    let numbers = with.clone();
    let setting = RunSetting::of(&numbers, None, None, Some(&shared)).unwrap();
    if let Ok(run) = Simulation::new(&schedule, SimulationModel::LogGops, &setting) {
        assert!(run.warnings().iter().any(|w| w.to_string().contains("no network card")));
    }
}

#[test]
fn loggops_needs_single_numbers() {
    let t3d = library::load("cray-t3d").unwrap();
    let setting = RunSetting::of(&t3d, None, None, None).unwrap();
    let schedule = one_message(8);
    let error = Simulation::new(&schedule, SimulationModel::LogGops, &setting).unwrap_err();
    assert!(error.message.contains("o_s") && error.help.to_string().contains("loggpo"), "{error}");
}

/// Alps has measured times of messages, the T3D has none.
#[test]
fn a_curve_passes_through_the_completion_time_at_the_machines_value() {
    for (name, bytes) in
        [("alps", 1 << 10), ("alps", 64 << 10), ("alps", 1 << 20), ("cray-t3d", 999)]
    {
        let machine = library::load(name).unwrap();
        let algorithm = named(Operation::Allreduce, "recursive-doubling").unwrap();
        let schedule = CollectiveSchedule::new(algorithm, Procs(8), Bytes(bytes)).unwrap();
        let program = schedule.program(None).unwrap();
        let setting = RunSetting::of(&machine, None, None, None).unwrap();
        let route = Route::of(&machine, None, None).unwrap();
        let model = SimulationModel::richest(&route).unwrap();
        let simulation = Simulation::new(&program.schedule, model, &setting).unwrap();
        let end = simulation.micros(simulation.run().end());
        for (parameter, now) in [
            (Parameter::Latency, route.latency().unwrap().value),
            (Parameter::GapPerByte, route.gap_per_byte().unwrap().value.of(1.0)),
        ] {
            let curve = simulation
                .curve_over(parameter, (Micros(0.0), Micros(2.0 * now.0)), MAX_EVENTS)
                .unwrap();
            let holds = |piece: &&Piece| (piece.from_us.0..=piece.to_us.0).contains(&now.0);
            let piece = curve.pieces.iter().find(holds).unwrap();
            let time = piece.time_us.0 + piece.slope as f64 * (now.0 - piece.from_us.0);
            assert!((time / end.0 - 1.0).abs() < 1e-3, "{name}, {bytes} B, {parameter:?}: {time}");
            assert!(curve.pieces.iter().all(|piece| piece.time_us.0 >= 0.0));
        }
    }
}
