//! Times of replayed programs on a machine with known parameters, compared with closed forms; and
//! replays of damaged traces.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![cfg(not(target_arch = "wasm32"))]

use loggia_files::{Bytes, File};
use loggia_model::measured::Basis;
use loggia_model::model::Route;
use loggia_model::model::composition::Question;
use loggia_model::signature::{Operation as Modelled, Point, Signature, Statistic, Table};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{self, Micros, Procs};
use loggia_model::what_if::WhatIf;
use loggia_model::{Error, library};
use loggia_replay::choice::Choices;
use loggia_replay::report::{Comparison, ReplayReport};
use loggia_replay::trace::{OpenedTrace, SPEED, open};
use loggia_replay::{MeasuredMachine, MeasuredTimes, Replay, ReplayOptions};
use loggia_simulate::RunSetting;
use loggia_simulate::result::Status;
use loggia_trace::call::{
    ALONE, ANY_TAG, Call, Collective, CompletedRequest, CompletedRequests, Completion, Envelope,
    List, MatchedMessage, Mode, OneSided, Operation, Peer, WORLD,
};
use loggia_trace::header::{Header, LENGTH};
use loggia_trace::record::{Record, write};
use proptest::prelude::*;
use std::rc::Rc;

/// A rank's file, written call by call.
struct Script {
    bytes: Vec<u8>,
    lists: Vec<Vec<u8>>,
}

impl Script {
    fn of(rank: u32, ranks: u32) -> Self {
        let header = Header { run: 3, rank, ranks, threads: 1, ..Header::default() };
        Script { bytes: header.to_bytes().to_vec(), lists: Vec::new() }
    }

    /// Adds a call after `gap` ns of computation; its recorded duration is irrelevant.
    fn call(mut self, gap: u64, call: Call) -> Self {
        write(&mut self.bytes, &Record { gap, duration: 10, call });
        self
    }

    fn wait(self, gap: u64, how: Completion, requests: &[(u32, Option<MatchedMessage>)]) -> Self {
        let mut list = Vec::new();
        let done =
            requests.iter().map(|(request, met)| CompletedRequest { request: *request, met: *met });
        let done = CompletedRequests::new(&mut list, done);
        let requested = requests.len() as u32;
        let mut script = self.call(gap, Call::Complete { how, requested, done });
        script.lists.push(list);
        script
    }
}

fn to(peer: u32, tag: u32, bytes: u64) -> Envelope {
    Envelope { peer: Peer::Rank(peer), tag, bytes, comm: WORLD }
}

fn send(peer: u32, tag: u32, bytes: u64) -> Call<'static> {
    Call::Send(Mode::Standard, to(peer, tag, bytes))
}

fn recv(peer: u32, tag: u32, bytes: u64) -> Call<'static> {
    Call::Recv { got: to(peer, tag, bytes), any_source: false, any_tag: false }
}

fn replay(scripts: Vec<Script>) -> Result<Replay, Error> {
    let file = |(rank, script): (usize, Script)| File {
        name: format!("rank-{rank}.trace"),
        bytes: Bytes::new(script.bytes),
    };
    let files = scripts.into_iter().enumerate().map(file).collect();
    match open("test", files, SPEED)? {
        OpenedTrace::Calls(trace) => Replay::new(Rc::new(trace), ReplayOptions::default()),
        OpenedTrace::Schedule(_) => panic!("no trace"),
    }
}

/// L = 10, o_s = 2, o_r = 3, g = 1 µs, G = 1 ns; above 1000 bytes a handshake with O' = 1 µs, O_i =
/// 2 µs, and progress only in calls.
fn machine() -> Signature {
    let mut signature = library::load("cray-t3d").unwrap();
    for (key, value) in [
        ("L", "10us"),
        ("o_s", "2us"),
        ("o_r", "3us"),
        ("g", "1us"),
        ("G", "1ns"),
        ("S", "1000"),
        ("O_control", "1us"),
        ("O_i", "2us"),
        ("O_c", "3us"),
        ("progress", "dependent"),
        ("transfer", "rat"),
    ] {
        signature.set(key, value).unwrap();
    }
    signature
}

fn answer(replay: &Replay, machine: &Signature, rules: SimulationModel) -> ReplayReport {
    let setting = RunSetting::of(machine, None, None, None).unwrap();
    let streamed = replay.answer(&replay.simulation(rules, &setting).unwrap()).unwrap();
    let in_memory = replay.answer(&replay.in_memory(rules, &setting).unwrap()).unwrap();
    assert_eq!(streamed, in_memory, "streamed, and in memory");
    streamed
}

/// Completion time in µs.
#[track_caller]
fn end(scripts: Vec<Script>, rules: SimulationModel) -> f64 {
    let answer = answer(&replay(scripts).unwrap(), &machine(), rules);
    assert_eq!(answer.run.status, Status::Ok, "{:?}", answer.run.stuck);
    answer.predicted_us.unwrap().0
}

#[track_caller]
fn near(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-6, "{value}, expected {expected}");
}

/// o_s + L + (k − 1)G + o_r
fn message(bytes: f64) -> f64 {
    2.0 + 10.0 + (bytes - 1.0) * 0.001 + 3.0
}

#[test]
fn a_ping_pong_takes_its_messages_and_its_computation() {
    let there = Script::of(0, 2)
        .call(5_000, send(1, 7, 501))
        .call(0, recv(1, 8, 1))
        .call(0, Call::Finalize);
    let back = Script::of(1, 2)
        .call(0, recv(0, 7, 501))
        .call(4_000, send(0, 8, 1))
        .call(0, Call::Finalize);
    near(end(vec![there, back], SimulationModel::LogGp), 5.0 + message(501.0) + 4.0 + message(1.0));
}

/// Under a what-if, the difference from the traced run is a change, not an error.
#[test]
fn a_what_if_reports_a_change_and_what_was_scaled() {
    let scripts = || {
        vec![
            Script::of(0, 2).call(5_000, send(1, 0, 8)),
            Script::of(1, 2).call(5_000, recv(0, 0, 8)),
        ]
    };
    let plain = answer(&replay(scripts()).unwrap(), &machine(), SimulationModel::LogGps);
    let Comparison { error, change, ref scaled, .. } = plain.replayed;
    assert!(error.is_some() && change.is_none() && scaled.is_empty(), "{:?}", plain.replayed);
    assert_eq!(plain.clone().under(&WhatIf::default()), plain);
    let what_if = WhatIf { latency: 0.5, bandwidth: 2.0, ..WhatIf::default() };
    let changed = plain.clone().under(&what_if).replayed;
    assert_eq!((changed.error, changed.change), (None, error));
    assert_eq!(changed.scaled, ["latency × 0.5", "bandwidth × 2"]);

    let options = |choices| ReplayOptions {
        choices,
        scale_compute: 2.0,
        scale_ranks: vec![(1, 3.0)],
        ..ReplayOptions::default()
    };
    let slower = replay(scripts()).unwrap().with_options(options).unwrap();
    let slower = answer(&slower, &machine(), SimulationModel::LogGps).under(&what_if).replayed;
    assert!(slower.error.is_none() && slower.change > error, "{slower:?}");
    assert_eq!(slower.scaled[..2], ["computation × 2", "computation of rank 1 × 3"]);
}

/// Total time of all ranks in calls of this name.
fn time_in(answer: &ReplayReport, call: &str) -> f64 {
    let found = answer.replayed.operations.iter().find(|operation| operation.call == call);
    found.map_or(0.0, |operation| operation.predicted_us.0)
}

/// Also without computation between the calls.
#[test]
fn time_is_assigned_to_calls() {
    let there = Script::of(0, 2)
        .call(0, send(1, 7, 501))
        .call(0, recv(1, 8, 1))
        .call(0, Call::Irecv(to(1, 9, 1), 0))
        .wait(0, Completion::Wait, &[(0, None)])
        .call(0, Call::Finalize);
    let back = Script::of(1, 2)
        .call(0, recv(0, 7, 501))
        .call(0, send(0, 8, 1))
        .call(20_000, send(0, 9, 1))
        .call(0, Call::Finalize);
    let answer = answer(&replay(vec![there, back]).unwrap(), &machine(), SimulationModel::LogGp);
    // Rank 1 has received at 15.5 and sent at 17.5; the last message leaves at 37.5.
    near(answer.predicted_us.unwrap().0, 37.5 + message(1.0));
    near(time_in(&answer, "Send"), 2.0 + 2.0 + 2.0);
    near(time_in(&answer, "Recv"), (15.5 + message(1.0) - 2.0) + 15.5);
    near(time_in(&answer, "Wait"), 37.5 + message(1.0) - (15.5 + message(1.0)));
    near(time_in(&answer, "computation"), 20.0);
    assert_eq!(["Irecv", "Finalize"].map(|call| time_in(&answer, call)), [0.0; 2]);
}

/// Al-Tawil & Moritz 2001, (3): 2o_s + 2L + 2o_r once the receive is posted. In the model of Chen
/// et al. 2009, O' for the acknowledgement at either side.
#[test]
fn a_synchronous_send_waits_to_be_received() {
    let scripts = |late: u64, is_non_blocking: bool| {
        let there = Script::of(0, 2);
        let there = match is_non_blocking {
            true => there.call(0, Call::Isend(Mode::Synchronous, to(1, 7, 1), 0)).wait(
                0,
                Completion::Wait,
                &[(0, None)],
            ),
            false => there.call(0, Call::Send(Mode::Synchronous, to(1, 7, 1))),
        };
        let there = there.call(5_000, Call::Finalize);
        vec![there, Script::of(1, 2).call(late, recv(0, 7, 1)).call(0, Call::Finalize)]
    };
    for is_non_blocking in [false, true] {
        for rules in [SimulationModel::LogP, SimulationModel::LogGp, SimulationModel::LogGps] {
            near(end(scripts(0, is_non_blocking), rules), 2.0 * (2.0 + 10.0 + 3.0) + 5.0);
            near(end(scripts(40_000, is_non_blocking), rules), 40.0 + 3.0 + 2.0 + 10.0 + 3.0 + 5.0);
        }
        near(
            end(scripts(0, is_non_blocking), SimulationModel::LogGpo),
            2.0 + 10.0 + 3.0 + 1.0 + 10.0 + 1.0 + 5.0,
        );
        near(
            end(scripts(40_000, is_non_blocking), SimulationModel::LogGpo),
            40.0 + 3.0 + 1.0 + 10.0 + 1.0 + 5.0,
        );
    }
    let mut machine = machine();
    machine.set("progress", "independent").unwrap();
    let answer = answer(&replay(scripts(40_000, true)).unwrap(), &machine, SimulationModel::LogGpo);
    near(answer.predicted_us.unwrap().0, 60.0);
}

/// A receive that was cancelled too late keeps its message; the next receive gets the next message.
#[test]
fn a_receive_may_be_cancelled_too_late() {
    let met = MatchedMessage { source: 1, tag: 5, bytes: 2000 };
    for matched in [None, Some(met)] {
        let here = Script::of(0, 2)
            .call(0, Call::Irecv(to(1, 5, 2000), 0))
            .call(0, recv(1, 6, 1))
            .call(0, Call::Cancel(0))
            .wait(0, Completion::Wait, &[(0, matched)])
            .call(0, recv(1, 7, 8))
            .call(0, Call::Finalize);
        let mut there = Script::of(1, 2);
        if matched.is_some() {
            there = there.call(0, send(0, 5, 2000));
        }
        let there = there.call(0, send(0, 6, 1)).call(0, send(0, 7, 8)).call(0, Call::Finalize);
        end(vec![here, there], SimulationModel::LogGpo);
    }
}

#[test]
fn a_receive_of_any_source_matches_as_in_the_trace() {
    // Rank 2 sends first; its message was received last.
    let receives = |first: u32, second: u32| {
        let any = Envelope { peer: Peer::AnySource, tag: ANY_TAG, bytes: 8, comm: WORLD };
        let met = |source| Some(MatchedMessage { source, tag: 5, bytes: 1 });
        Script::of(0, 3)
            .call(0, Call::Irecv(any, 0))
            .call(0, Call::Irecv(any, 1))
            .wait(0, Completion::Wait, &[(0, met(first))])
            .call(1_000_000, Call::Phase(0))
            .wait(0, Completion::Wait, &[(1, met(second))])
            .call(0, Call::Finalize)
    };
    let late = || Script::of(1, 3).call(100_000, send(0, 5, 1)).call(0, Call::Finalize);
    let early = || Script::of(2, 3).call(0, send(0, 5, 1)).call(0, Call::Finalize);
    let waited = end(vec![receives(1, 2), late(), early()], SimulationModel::LogGp);
    let immediate = end(vec![receives(2, 1), late(), early()], SimulationModel::LogGp);
    assert!(waited > immediate + 80.0, "{waited} {immediate}");
}

#[test]
fn ranks_are_counted_in_their_communicator() {
    // Communicator 2 reverses the order of the ranks.
    let made =
        |rank: u32| Call::CommNew { comm: 2, parent: WORLD, name: 99, rank: 1 - rank, size: 2 };
    let inside = |peer, tag, bytes| Envelope { comm: 2, ..to(peer, tag, bytes) };
    let first = Script::of(0, 2)
        .call(0, made(0))
        .call(0, Call::Send(Mode::Standard, inside(0, 1, 9)))
        .call(0, recv(1, 1, 9))
        .call(0, Call::Finalize);
    let second = Script::of(1, 2)
        .call(0, made(1))
        .call(0, send(0, 1, 9))
        .call(0, Call::Recv { got: inside(1, 1, 9), any_source: false, any_tag: false })
        .call(0, Call::Finalize);
    assert!(end(vec![first, second], SimulationModel::LogGp) > message(9.0));
}

#[test]
fn a_persistent_request_is_started_again() {
    let rank = |rank: u32| {
        let mut list = Vec::new();
        let other = 1 - rank;
        let mut script = Script::of(rank, 2)
            .call(0, Call::SendInit(Mode::Standard, to(other, 1, 100), 0))
            .call(0, Call::RecvInit(to(other, 1, 100), 1));
        for _ in 0..3 {
            let both = List::new(&mut list, [0, 1]);
            write(&mut script.bytes, &Record { gap: 0, duration: 0, call: Call::Start(both) });
            script = script.wait(50_000, Completion::Waitall, &[(0, None), (1, None)]);
        }
        script.call(0, Call::Finalize)
    };
    // Transfers overlap with computation, except for the CPU's part: 0.02 µs of set-up, and o_s,
    // the computation and o_r per round.
    near(end(vec![rank(0), rank(1)], SimulationModel::LogGp), 0.02 + 3.0 * (2.0 + 50.0 + 3.0));
}

/// The start of a persistent collective operation is a non-blocking call.
#[test]
fn a_persistent_collective_operation_is_started_again() {
    let bcast = |request| Collective {
        root: Some(0),
        request: Some(request),
        ..Collective::new(Operation::Bcast, WORLD, 100)
    };
    let rank = |rank: u32, is_persistent: bool| {
        let mut list = Vec::new();
        let mut script = Script::of(rank, 4);
        if is_persistent {
            script = script.call(0, Call::CollectiveInit(bcast(0)));
            script = script.call(0, Call::CollectiveInit(bcast(1)));
        }
        for round in 0..3 {
            // Odd ranks start both operations in reverse order.
            for request in if is_persistent && rank % 2 == 1 { [1, 0] } else { [0, 1] } {
                let started = Call::Start(List::new(&mut list, [u64::from(request)]));
                let call = if is_persistent { started } else { Call::Collective(bcast(request)) };
                write(&mut script.bytes, &Record { gap: 0, duration: 10, call });
            }
            script = script.wait(50_000 + round, Completion::Waitall, &[(0, None), (1, None)]);
        }
        script.call(0, Call::Finalize)
    };
    let both = |is_persistent: bool| {
        end((0..4).map(|number| rank(number, is_persistent)).collect(), SimulationModel::LogGp)
    };
    let (persistent, single) = (both(true), both(false));
    // The set-up of the two operations takes 10 ns each.
    near(persistent, single + 0.02);
    assert!(single > 150.0, "{single}");
}

/// It exists when its request completes; the ranks compute meanwhile.
#[test]
fn a_communicator_is_created_during_a_computation() {
    let made = |rank| Call::CommIdup { comm: 2, parent: WORLD, name: 9, rank, size: 2, request: 0 };
    let inside = |peer| Envelope { comm: 2, ..to(peer, 1, 9) };
    let rank = |rank: u32, gap: u64| {
        let begun = Script::of(rank, 2).call(gap, made(rank));
        begun.wait(50_000, Completion::Wait, &[(0, None)])
    };
    let pair = |late: u64| {
        let sends = Call::Send(Mode::Standard, inside(1));
        let first = rank(0, late).call(0, sends).call(0, Call::Finalize);
        let got = Call::Recv { got: inside(0), any_source: false, any_tag: false };
        end(vec![first, rank(1, 0).call(0, got).call(0, Call::Finalize)], SimulationModel::LogGp)
    };
    let (together, late) = (pair(0), pair(200_000));
    assert!(
        together < 50.0 + 3.0 * message(9.0),
        "the barrier overlaps with the computation: {together}"
    );
    assert!(late > 250.0 && late < 250.0 + 3.0 * message(9.0), "{late}");
}

/// A single long gap, and several gaps that add up.
#[test]
fn times_beyond_the_range_are_refused() {
    let (machine, day) = (machine(), 86_400_000_000_000);
    let setting = RunSetting::of(&machine, None, None, None).unwrap();
    for (pause, pauses) in [(u64::MAX, 1), (300 * day, 1), (50 * day, 8)] {
        let rank = |rank: u32| {
            let mut script = Script::of(rank, 2);
            for _ in 0..pauses {
                script = script.call(pause, Call::Isend(Mode::Standard, to(1 - rank, 1, 9), 0));
                script = script.call(0, recv(1 - rank, 1, 9));
                script = script.wait(0, Completion::Wait, &[(0, None)]);
            }
            script.call(0, Call::Finalize)
        };
        let replay = replay(vec![rank(0), rank(1)]).unwrap();
        let error = replay
            .answer(&replay.simulation(SimulationModel::LogGp, &setting).unwrap())
            .unwrap_err();
        assert!(error.message.contains("213 days"), "{pause} {pauses}: {error:?}");
    }
}

#[test]
fn dependent_messages_progress_in_tests() {
    // Without calls, a handshake waits for the end of the computation; a test in the middle
    // completes it.
    let sender = || {
        Script::of(0, 2)
            .call(0, Call::Isend(Mode::Standard, to(1, 1, 100_001), 0))
            .wait(0, Completion::Wait, &[(0, None)])
            .call(0, Call::Finalize)
    };
    let receiver = |tests: bool| {
        let mut script = Script::of(1, 2).call(0, Call::Irecv(to(0, 1, 100_001), 0));
        script = match tests {
            true => {
                script.call(500_000, Call::Polls(1)).wait(500_000, Completion::Wait, &[(0, None)])
            }
            false => script.wait(1_000_000, Completion::Wait, &[(0, None)]),
        };
        script.call(0, Call::Finalize)
    };
    let untested = end(vec![sender(), receiver(false)], SimulationModel::LogGpo);
    let tested = end(vec![sender(), receiver(true)], SimulationModel::LogGpo);
    // O' for the receive, then 1000 of computation; 2O', L, O_i, (k − 1)G and L come after it.
    near(untested, 1.0 + 1000.0 + 2.0 + 10.0 + 2.0 + 100.0 + 10.0);
    near(tested, 1.0 + 1000.0 + 2.0);
}

#[test]
fn all_collective_operations_complete() {
    for ranks in [2u32, 3, 5, 8] {
        for op in Operation::ALL {
            for waits in [true, false] {
                let rank = |rank: u32| {
                    let counts: Vec<u64> = (0..u64::from(ranks)).map(|i| 100 * (i + 1)).collect();
                    let [mut a, mut b, mut c, mut d] = [const { Vec::new() }; 4];
                    let mut call = Collective::new(op, WORLD, 400);
                    call.root = op.has_root().then_some(1);
                    match op {
                        Operation::Gatherv | Operation::Scatterv => {
                            call.bytes = counts[rank as usize];
                            if rank == 1 && op == Operation::Gatherv {
                                call.receives = List::new(&mut a, counts);
                            } else if rank == 1 {
                                call.sends = List::new(&mut a, counts);
                            }
                        }
                        Operation::Allgatherv | Operation::ReduceScatter => {
                            call.receives = List::new(&mut a, counts);
                        }
                        Operation::Alltoallv | Operation::Alltoallw => {
                            let with = |other: u64| (u64::from(rank) + other) * 50;
                            call.sends = List::new(&mut a, (0..u64::from(ranks)).map(with));
                            call.receives = List::new(&mut b, (0..u64::from(ranks)).map(with));
                        }
                        op if op.is_among_neighbors() => {
                            let ring = [1, ranks - 1].map(|far| u64::from((rank + far) % ranks));
                            call.sends = List::new(&mut a, [400; 2]);
                            call.receives = List::new(&mut b, [400; 2]);
                            call.send_places = List::new(&mut c, ring);
                            call.receive_places = List::new(&mut d, ring);
                        }
                        _ => {}
                    }
                    if !waits {
                        call.request = Some(4);
                    }
                    let script = Script::of(rank, ranks).call(1_000, Call::Collective(call));
                    let script = match waits {
                        true => script,
                        false => script.wait(2_000, Completion::Wait, &[(4, None)]),
                    };
                    script.call(0, Call::Finalize)
                };
                let scripts = (0..ranks).map(rank).collect();
                assert!(end(scripts, SimulationModel::LogGp) > 1.0, "{op:?} of {ranks}");
            }
        }
    }
}

/// On an open chain, with the previous and the next rank, without waiting for other ranks.
#[test]
fn neighbors_exchange_only_with_each_other() {
    let rank = |rank: u64| {
        let mut lists = [const { Vec::new() }; 4];
        let [a, b, c, d] = &mut lists;
        let neighbors = [rank.wrapping_sub(1), rank + 1];
        let neighbors = neighbors.into_iter().filter(|other| *other < 3);
        let mut call = Collective::new(Operation::NeighborAlltoallv, WORLD, 0);
        call.sends = List::new(a, neighbors.clone().map(|other| 101 * (rank + other)));
        call.receives = List::new(b, neighbors.clone().map(|other| 101 * (rank + other)));
        call.send_places = List::new(c, neighbors.clone());
        call.receive_places = List::new(d, neighbors);
        Script::of(rank as u32, 3).call(0, Call::Collective(call)).call(0, Call::Finalize)
    };
    let answer =
        answer(&replay((0..3).map(rank).collect()).unwrap(), &machine(), SimulationModel::LogGp);
    // Rank 0 has one neighbour, and both receive at once; rank 1 sends 303 bytes as its second.
    near(answer.run.rank_times_us[0].0, message(101.0));
    near(answer.run.rank_times_us[2].0, 2.0 + message(303.0));
}

#[test]
fn a_fence_completes_transfers() {
    let rank = |rank: u32| {
        let peer = Peer::Rank(1 - rank);
        let moved = |how, bytes| Call::OneSided { how, window: 0, peer, bytes };
        let mut script = Script::of(rank, 2)
            .call(0, Call::WindowNew { window: 0, comm: WORLD, bytes: 1 << 20 })
            .call(0, Call::Fence(0));
        if rank == 0 {
            script = script
                .call(0, moved(OneSided::Put, 50_001))
                .call(0, moved(OneSided::Get, 30_001))
                .call(0, moved(OneSided::Accumulate, 10));
        }
        script.call(0, Call::Fence(0)).call(0, Call::WindowFree(0)).call(0, Call::Finalize)
    };
    let end = end(vec![rank(0), rank(1)], SimulationModel::LogGp);
    assert!(end > 50.0 + 10.0, "{end}: the bytes alone take longer");
}

/// Only rank 1 has a window, over `MPI_COMM_SELF`.
#[test]
fn a_window_over_self_is_local() {
    let itself = Peer::Rank(0);
    let put = Call::OneSided { how: OneSided::Put, window: 0, peer: itself, bytes: 5_000 };
    let with = Script::of(1, 2)
        .call(0, Call::WindowNew { window: 0, comm: ALONE, bytes: 8 })
        .call(0, put)
        .call(0, Call::Fence(0))
        .call(0, Call::WindowFree(0))
        .call(0, Call::Finalize);
    let replay = replay(vec![Script::of(0, 2).call(0, Call::Finalize), with]).unwrap();
    let answer = answer(&replay, &machine(), SimulationModel::LogGp);
    assert_eq!(replay.warnings(), [""; 0]);
    // o_s and o_r, without latency.
    near(answer.predicted_us.unwrap().0, 2.0 + 3.0);
}

#[test]
fn unfenced_transfers_are_left_out_with_a_warning() {
    let rank = |rank: u32| {
        let put = Call::OneSided {
            how: OneSided::Put,
            window: 0,
            peer: Peer::Rank(1 - rank),
            bytes: 100_000,
        };
        Script::of(rank, 2)
            .call(0, Call::WindowNew { window: 0, comm: WORLD, bytes: 8 })
            .call(0, put)
            .call(0, Call::WindowFree(0))
            .call(0, Call::Finalize)
    };
    let replay = replay(vec![rank(0), rank(1)]).unwrap();
    assert_eq!(answer(&replay, &machine(), SimulationModel::LogGpo).run.status, Status::Ok);
    let warnings = replay.warnings().join("\n");
    assert!(warnings.contains("without a closing fence are left out: 2"), "{warnings}");
}

#[test]
fn unmatched_messages_are_named_by_their_calls() {
    let scripts = vec![
        Script::of(0, 2).call(0, send(1, 3, 8)).call(0, Call::Finalize),
        Script::of(1, 2).call(0, recv(0, 4, 8)).call(0, Call::Finalize),
    ];
    let answer = answer(&replay(scripts).unwrap(), &machine(), SimulationModel::LogGp);
    let stuck = answer.run.stuck.unwrap();
    assert_eq!(stuck.receives_without_send, ["rank 1: Recv, 8 bytes from rank 0, tag 4"]);
    assert_eq!(stuck.sends_without_receive, ["rank 0: Send, 8 bytes to rank 1, tag 3"]);
    assert_eq!((answer.predicted_us, answer.replayed.error), (None, None));
}

/// A program with many kinds of calls.
fn everything(rank: u32) -> Script {
    let other = 1 - rank;
    let any = Envelope { peer: Peer::AnySource, tag: ANY_TAG, bytes: 64, comm: WORLD };
    let met = Some(MatchedMessage { source: other, tag: 2, bytes: 33 });
    let mut reduce = Collective::new(Operation::Allreduce, WORLD, 80);
    reduce.request = Some(3);
    Script::of(rank, 2)
        .call(10, Call::Irecv(any, 0))
        .call(10, Call::Isend(Mode::Standard, to(other, 2, 33), 1))
        .call(10, Call::Collective(reduce))
        .wait(3_000, Completion::Waitall, &[(0, met), (1, None), (3, None)])
        .call(10, Call::CommNew { comm: 2, parent: WORLD, name: 7, rank, size: 2 })
        .call(10, Call::Collective(Collective::new(Operation::Alltoall, 2, 400)))
        .call(10, Call::WindowNew { window: 0, comm: 2, bytes: 64 })
        .call(
            10,
            Call::OneSided { how: OneSided::Put, window: 0, peer: Peer::Rank(other), bytes: 16 },
        )
        .call(10, Call::Fence(0))
        .call(10, Call::Finalize)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// A damaged trace is replayed or rejected, without a panic.
    #[test]
    fn damaged_traces_are_replayed_or_refused(
        place in 0.0..1.0f64, value in any::<u8>(), cut in prop::option::of(0.0..1.0f64),
    ) {
        let mut scripts = vec![everything(0), everything(1)];
        let bytes = &mut scripts[1].bytes;
        let length = bytes.len();
        let at = LENGTH + (place * (length - LENGTH) as f64) as usize;
        bytes[at] = value;
        if let Some(cut) = cut {
            bytes.truncate((cut * length as f64) as usize);
        }
        if let Ok(replay) = replay(scripts) {
            let machine = machine();
            let setting = RunSetting::of(&machine, None, None, None).unwrap();
            if let Ok(simulation) = replay.simulation(SimulationModel::LogGp, &setting) {
                let streamed = replay.answer(&simulation);
                let known = replay.in_memory(SimulationModel::LogGp, &setting);
                let known = known.and_then(|known| replay.answer(&known));
                prop_assert_eq!(streamed.ok(), known.ok());
            }
        }
    }
}

/// A machine with measured times of an allreduce of four ranks, with 8 and 800 bytes.
fn with_measured_times(short: f64, long: f64) -> (Signature, MeasuredTimes) {
    let mut measured = machine();
    // The times are of this machine.
    measured.tiers_before_change.clear();
    measured.tables.push(Table {
        op: Some(Modelled::Allreduce),
        tier: None,
        style: None,
        procs: Some(Procs(4)),
        per_node: None,
        pairs: None,
        statistic: Statistic::Median,
        points: [(8, short), (800, long)]
            .map(|(bytes, time)| Point {
                bytes: units::Bytes(bytes),
                value: Micros(time),
                low: None,
                high: None,
            })
            .to_vec(),
        source: String::new(),
    });
    let times = MeasuredTimes::of(MeasuredMachine {
        rules: Some(SimulationModel::LogGp),
        ..MeasuredMachine::of(&measured)
    });
    (measured, times.unwrap())
}

/// At the measured sizes, both for faster and slower algorithms.
#[test]
fn a_collective_operation_takes_its_measured_time() {
    let scripts = |bytes: u64, late: u64| {
        let sum = |rank: u32| {
            let call = Call::Collective(Collective::new(Operation::Allreduce, WORLD, bytes));
            Script::of(rank, 4).call(if rank == 3 { late } else { 0 }, call).call(0, Call::Finalize)
        };
        (0..4).map(sum).collect::<Vec<_>>()
    };
    let by = |bytes, late, how: &dyn Fn(Choices) -> ReplayOptions, on: &Signature| {
        let replay = replay(scripts(bytes, late)).unwrap().with_options(how).unwrap();
        let answer = answer(&replay, on, SimulationModel::LogGp);
        let [ref used] = answer.replayed.algorithms[..] else { panic!("one operation") };
        (answer.predicted_us.unwrap().0, used.basis)
    };
    let modelled = |bytes| by(bytes, 0, &|_| ReplayOptions::default(), &machine()).0;
    let (short, long) = (modelled(8), modelled(800));
    assert!(short < long);
    for (measured_short, measured_long) in
        [(3.0 * short, 3.0 * long), (short - 0.004, long - 0.5), (short, long)]
    {
        let (machine, times) = with_measured_times(measured_short, measured_long);
        let how = |choices| ReplayOptions {
            choices,
            measured: Some(times.clone()),
            ..ReplayOptions::default()
        };
        for (bytes, expected) in [(8, measured_short), (800, measured_long)] {
            let (time, basis) = by(bytes, 0, &how, &machine);
            near(time, expected);
            assert_eq!(basis, Basis::Measured, "{bytes} B in {expected} µs");
            // It waits for a late rank.
            let late = by(bytes, 40_000, &how, &machine).0;
            assert!((time..=40.0 + expected + 1e-6).contains(&late) && late >= 40.0, "{late}");
        }
        // A requested algorithm has its modelled time.
        let requested = |mut choices: Choices| {
            choices.set("allreduce=recursive-doubling").unwrap();
            how(choices)
        };
        let own = by(8, 0, &requested, &machine);
        near(own.0, short);
        assert_eq!(own.1, Basis::Modelled);
    }
    // Faster than any message.
    let (machine, times) = with_measured_times(1.0, 2.0);
    let how = |choices| ReplayOptions {
        choices,
        measured: Some(times.clone()),
        ..ReplayOptions::default()
    };
    let (time, basis) = by(8, 0, &how, &machine);
    assert!(time > 1.0 && time <= short && basis == Basis::Modelled, "{time} {basis:?}");
}

/// Each measured operation once, on every machine of the library, agrees with `predict collective`.
#[test]
fn a_replayed_operation_takes_its_predicted_time() {
    let called = |op| match op {
        Modelled::Allreduce => Some(Operation::Allreduce),
        Modelled::Alltoall => Some(Operation::Alltoall),
        Modelled::Allgather => Some(Operation::Allgather),
        Modelled::Barrier => Some(Operation::Barrier),
        _ => None,
    };
    let mut compared = 0;
    for name in library::names() {
        let mut machine = library::load(name).unwrap();
        if name.starts_with("aws") {
            for (key, value) in [("L", "5us"), ("o_s", "2us"), ("o_r", "2us")] {
                machine.set(key, value).unwrap();
            }
        }
        let Some(times) = MeasuredTimes::of(MeasuredMachine::of(&machine)) else { continue };
        // Machines that report only collective operations cannot be simulated.
        let Ok(setting) = RunSetting::of(&machine, None, None, None) else { continue };
        let Ok(rules) = SimulationModel::richest(&Route::of(&machine, None, None).unwrap()) else {
            continue;
        };
        for table in &machine.tables {
            let (Some(op), Some(procs)) = (table.op, table.procs) else { continue };
            let Some(call) = called(op).filter(|_| procs.0 <= 32) else { continue };
            for point in table.points.iter().step_by(3) {
                let call = Call::Collective(Collective::new(call, WORLD, point.bytes.0));
                let of = |rank| Script::of(rank, procs.0).call(0, call);
                let how = |choices| ReplayOptions {
                    choices,
                    measured: Some(times.clone()),
                    ..ReplayOptions::default()
                };
                let replay =
                    replay((0..procs.0).map(of).collect()).unwrap().with_options(how).unwrap();
                let answer = replay.answer(&replay.simulation(rules, &setting).unwrap()).unwrap();
                if answer.replayed.algorithms[0].basis.is_of_table() {
                    let bytes = point.bytes;
                    let question =
                        Question { op, procs, bytes, bytes_are: op.bytes_are(), per_node: None };
                    let predicted = question.measured(&machine).unwrap().0.0;
                    let error = answer.predicted_us.unwrap().0 / predicted - 1.0;
                    assert!(
                        error.abs() < 1e-3,
                        "{name}: {op:?} of {bytes:?} on {procs:?}: {error}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 20, "{compared} points");
}
