use super::*;
use crate::transport::conformance::{self, Limits};
use loggia_model::library;
use loggia_model::model::exchange::{Arrivals, MessageProtocol, exchange};
use loggia_model::model::{self, Model, Route, collective};
use loggia_model::protocol;
use loggia_model::signature::{ProgressKind, Transfer};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Micros, MicrosPerByte, Procs};
use loggia_simulate::RunSetting;
use loggia_simulate::algorithm::AlgorithmModel;
use std::thread;

const NONE: Noise = Noise { relative: 0.0, outliers: 0.0, outlier_factor: 1.0, seed: 0 };
const SOME: Noise = Noise { relative: 0.05, outliers: 0.01, outlier_factor: 10.0, seed: 7 };

fn set(name: &str, settings: &[(&str, &str)]) -> Signature {
    let mut signature = library::load(name).unwrap();
    for (key, value) in settings {
        signature.set(key, value).unwrap();
    }
    signature
}

/// A machine with all parameters: S = 1 KiB, and a different cost per step.
fn with_progress(kind: &str, transfer: &str) -> Signature {
    set(
        "cray-t3d",
        &[
            ("S", "1KiB"),
            ("O'", "2"),
            ("O_i", "5"),
            ("O_c", "7"),
            ("L", "10"),
            ("G", "0.05"),
            ("progress", kind),
            ("transfer", transfer),
        ],
    )
}

/// Runs each rank in its own thread; returns the results by rank.
fn run<T: Send + 'static>(
    ranks: Vec<Synthetic>,
    body: impl Fn(&mut Synthetic) -> Result<T> + Send + Copy + 'static,
) -> Vec<T> {
    let begin = |mut rank: Synthetic| thread::spawn(move || body(&mut rank));
    let threads: Vec<_> = ranks.into_iter().map(begin).collect();
    threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
}

fn two(signature: &Signature, noise: Noise) -> Vec<Synthetic> {
    Synthetic::ranks(signature, 2, noise).unwrap()
}

#[test]
fn conforms() {
    const LIMITS: Limits = Limits {
        modes: &[Mode::Standard, Mode::Synchronous],
        sizes: [0, 1, 1024, 1025, 1 << 20],
        requests: 32,
        signals: 100,
        control: 3_000_000,
    };
    for (kind, transfer) in [("dcp", "rat"), ("dcp", "rta"), ("icp", "rat"), ("icp", "rta")] {
        for noise in [NONE, SOME] {
            let signature = with_progress(kind, transfer);
            let pair = || <[Synthetic; 2]>::try_from(two(&signature, noise)).ok().unwrap();
            conformance::check(pair, LIMITS);
            conformance::check_errors(pair());
        }
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

fn half_round_trip(t: &mut Synthetic, mode: Mode, bytes: usize) -> Result<f64> {
    let begin = t.now();
    if t.rank() == 0 {
        t.send(mode, 1, bytes)?;
        t.recv(1, bytes)?;
    } else {
        t.recv(0, bytes)?;
        t.send(mode, 0, bytes)?;
    }
    Ok((t.now() - begin) / 2.0)
}

#[test]
fn a_ping_pong_is_loggp() {
    let t3d = library::load("cray-t3d").unwrap();
    let route = Route::of(&t3d, None, None).unwrap();
    const SIZES: [usize; 7] = [0, 1, 16, 1000, 5008, 10_000, 1 << 20];
    let halves = run(two(&t3d, NONE), |t| {
        SIZES.map(|bytes| half_round_trip(t, Mode::Standard, bytes)).into_iter().collect()
    });
    let halves: &Vec<f64> = &halves[0];
    for (bytes, half) in SIZES.into_iter().zip(halves) {
        let predicted = model::predict(&route, Some(Model::LogGp), Bytes(bytes as u64)).unwrap();
        let predicted = predicted.time().unwrap().0;
        assert!(close(predicted, *half), "{bytes}: {predicted} {half}");
    }
}

#[test]
fn a_ping_pong_above_the_eager_limit_is_loggpo() {
    for (kind, transfer) in [("dcp", "rat"), ("dcp", "rta"), ("icp", "rat"), ("icp", "rta")] {
        let signature = with_progress(kind, transfer);
        let route = Route::of(&signature, None, None).unwrap();
        const BYTES: usize = 100_000;
        let (costs, _) = model::loggpo::costs(&route, Bytes(BYTES as u64)).unwrap();
        let protocol = model::loggpo::protocol(&route, Bytes(BYTES as u64)).unwrap();
        let progress = super::machine::kind(&route).unwrap();
        let called = run(two(&signature, NONE), |t| {
            let begin = t.now();
            match t.rank() {
                0 => t.send(Mode::Standard, 1, BYTES)?,
                _ => t.recv(0, BYTES)?,
            }
            Ok(t.now() - begin)
        });
        let at = Arrivals::around(protocol, &costs, [Micros(0.0); 2], [Micros(0.0); 2]);
        let exchanged = exchange(protocol, progress, &costs, &at);
        assert!(close(called[0], exchanged.sender_end.0), "{kind} {transfer}");
        assert!(close(called[1], exchanged.receiver_end.0), "{kind} {transfer}");
    }
}

/// S without progress, and progress without the transfer, which LogGPO needs.
#[test]
fn a_ping_pong_above_the_eager_limit_is_loggps_if_loggpo_lacks_parameters() {
    const SIZES: [usize; 5] = [1, 1024, 1025, 5000, 100_000];
    let limit = ("S", "1KiB");
    for settings in [&[limit][..], &[limit, ("progress", "dcp")], &[limit, ("transfer", "rta")]] {
        let signature = set("cray-t3d", settings);
        let route = Route::of(&signature, None, None).unwrap();
        let halves = run(two(&signature, NONE), |t| {
            SIZES.map(|bytes| half_round_trip(t, Mode::Standard, bytes)).into_iter().collect()
        });
        let halves: &Vec<f64> = &halves[0];
        for (bytes, half) in SIZES.into_iter().zip(halves) {
            let bytes = Bytes(bytes as u64);
            let predicted = model::predict(&route, Some(Model::LogGps), bytes).unwrap();
            let predicted = predicted.time().unwrap().0;
            assert!(close(predicted, *half), "{settings:?}, {bytes:?}: {predicted} {half}");
        }
    }
}

/// The sender waits for the receiver's call, and neither computation delays the message.
#[test]
fn a_handshake_of_unknown_progress_does_not_wait_for_computation() {
    let signature = set("cray-t3d", &[("S", "1KiB")]);
    assert_eq!(Synthetic::tiers_of_assumed_progress(&signature), ["network"]);
    let known = with_progress("icp", "rat");
    assert!(Synthetic::tiers_of_assumed_progress(&known).is_empty());
    let ends = run(two(&signature, NONE), |t| {
        if t.rank() == 0 {
            t.send(Mode::Standard, 1, 5000)?;
        } else {
            t.compute(10_000.0);
            t.recv(0, 5000)?;
        }
        Ok(t.now())
    });
    assert!(ends[0] > 10_000.0, "{ends:?}");
    for computes in [0, 1] {
        let ends = run(two(&signature, NONE), move |t| {
            let request = match t.rank() {
                0 => t.start_send(Mode::Standard, 1, 5000)?,
                _ => t.start_recv(0, 5000)?,
            };
            if t.rank() == computes {
                t.compute(10_000.0);
            }
            t.wait(request)?;
            Ok(t.now())
        });
        assert!(ends[1 - computes as usize] < 5_000.0, "{computes}: {ends:?}");
    }
}

/// Calls and waits at any times, with every protocol and kind of progress.
#[test]
fn a_handshake_is_an_exchange() {
    const BYTES: usize = 2000;
    let mut seen_late = 0;
    for (kind, transfer) in [("dcp", "rat"), ("dcp", "rta"), ("icp", "rat"), ("icp", "rta")] {
        let signature = with_progress(kind, transfer);
        let route = Route::of(&signature, None, None).unwrap();
        let (costs, _) = model::loggpo::costs(&route, Bytes(BYTES as u64)).unwrap();
        let protocol = if transfer == "rat" { MessageProtocol::Rat } else { MessageProtocol::Rta };
        let progress =
            if kind == "dcp" { ProgressKind::Dependent } else { ProgressKind::Independent };
        for case in 0..200u32 {
            // Four times between 0 and 150 µs, in any order.
            let time = move |index: u32| {
                f64::from((case * 4 + index).wrapping_mul(2_654_435_761) >> 16) / 65536.0 * 150.0
            };
            let ends = run(two(&signature, NONE), move |t| {
                let first = 2 * t.rank();
                t.compute(time(first));
                let request = match t.rank() {
                    0 => t.start_send(Mode::Standard, 1, BYTES)?,
                    _ => t.start_recv(0, BYTES)?,
                };
                t.compute(time(first + 1));
                t.wait(request)?;
                Ok(t.now())
            });
            let called = [Micros(time(0)), Micros(time(2))];
            let computed = [Micros(time(1)), Micros(time(3))];
            let at = Arrivals::around(protocol, &costs, called, computed);
            seen_late += u32::from(at.recv.0 > at.send.0 + 12.0);
            let expected = exchange(protocol, progress, &costs, &at);
            assert!(
                close(ends[0], expected.sender_end.0) && close(ends[1], expected.receiver_end.0),
                "{kind} {transfer} {at:?}: {ends:?} {expected:?}"
            );
        }
    }
    assert!((200..700).contains(&seen_late), "{seen_late}");
}

/// The cases of Chen et al. 2009 are distinguishable: a barrier before the computation is no
/// progress for a message that begins after it.
#[test]
fn computation_delays_a_handshake_with_dependent_progress() {
    let done = |kind: &'static str, transfer: &'static str, computes: Rank| {
        let ends = run(two(&with_progress(kind, transfer), NONE), move |t| {
            let peer = 1 - t.rank();
            let early = if t.rank() == 1 { Some(t.start_recv(0, 4096)?) } else { None };
            if t.rank() == 0 {
                t.await_signal(peer)?;
                t.signal(peer, 0.0)?;
            } else {
                t.signal(peer, 0.0)?;
                t.await_signal(peer)?;
            }
            let begin = t.now();
            let request = match early {
                Some(request) => request,
                None => t.start_send(Mode::Standard, 1, 4096)?,
            };
            if t.rank() == computes {
                t.compute(10_000.0);
            }
            t.wait(request)?;
            Ok(t.now() - begin)
        });
        ends[1 - computes as usize] > 5_000.0
    };
    // Whether one rank waits until the other rank stops computing.
    for (kind, transfer, sender, receiver) in [
        ("icp", "rat", false, false),
        ("icp", "rta", false, false),
        ("dcp", "rat", true, true),
        ("dcp", "rta", false, true),
    ] {
        assert_eq!(done(kind, transfer, 0), sender, "{kind} {transfer}, sender computes");
        assert_eq!(done(kind, transfer, 1), receiver, "{kind} {transfer}, receiver computes");
    }
}

/// The sender tests and then signals; the other rank receives only after the signal.
#[test]
fn a_test_does_not_wait_for_a_rank_that_waits() {
    let ends = run(two(&with_progress("dcp", "rat"), NONE), |t| {
        if t.rank() == 1 {
            t.await_signal(0)?;
            t.recv(0, 5000)?;
            return Ok(t.now());
        }
        let request = t.start_send(Mode::Standard, 1, 5000)?;
        assert!(!t.test(request)?);
        t.signal(1, 0.0)?;
        t.wait(request)?;
        Ok(t.now())
    });
    assert!(ends[1] > ends[0]);
    let mut ranks = two(&with_progress("dcp", "rat"), NONE);
    let mut other = ranks.pop().unwrap();
    let other = thread::spawn(move || other.await_signal(0).unwrap_err().message);
    let own = ranks[0].await_signal(1).unwrap_err().message;
    drop(ranks);
    let both = [own, other.join().unwrap()];
    assert!(both.iter().any(|message| message.contains("that waits for it")), "{both:?}");
}

/// Bell et al. 2003, Section 4.2; the sender's overhead is below the gap.
#[test]
fn a_streaming_bandwidth_test_gives_the_gaps() {
    let per_message = |settings: &[(&str, &str)], bytes: usize| {
        let signature = set("cray-t3d", settings);
        let times = run(two(&signature, NONE), move |t| {
            const COUNT: u32 = 2000;
            let begin = t.now();
            let mut requests = std::collections::VecDeque::new();
            for _ in 0..COUNT {
                if requests.len() == 64 {
                    t.wait(requests.pop_front().unwrap())?;
                }
                requests.push_back(match t.rank() {
                    0 => t.start_send(Mode::Standard, 1, bytes)?,
                    _ => t.start_recv(0, bytes)?,
                });
            }
            requests.into_iter().try_for_each(|request| t.wait(request))?;
            match t.rank() {
                0 => t.recv(1, 0)?,
                _ => t.send(Mode::Standard, 0, 0)?,
            }
            Ok((t.now() - begin) / f64::from(COUNT))
        });
        times[0]
    };
    let fast = [("o_s", "1"), ("o_r", "1"), ("g", "4")];
    assert!((per_message(&fast, 8) / 4.0 - 1.0).abs() < 0.01);
    assert!((per_message(&fast, 1 << 20) / (0.04 * 1048575.0) - 1.0).abs() < 0.01);
    for transfer in ["rat", "rta"] {
        let more = [("S", "1KiB"), ("O'", "1"), ("O_i", "1"), ("O_c", "1")];
        let protocol = [("progress", "icp"), ("transfer", transfer)];
        let all = [fast.as_slice(), &more, &protocol].concat();
        let time = per_message(&all, 1 << 20);
        assert!((time / (0.04 * 1048575.0) - 1.0).abs() < 0.01, "{transfer}: {time}");
    }
}

/// Al-Tawil & Moritz 2001, Equation 3, plus the time of the bytes.
#[test]
fn a_synchronous_send_is_ta() {
    let t3d = set("cray-t3d", &[("issend.o_s", "24"), ("issend.o_r", "15")]);
    let route = Route::of(&t3d, None, Some("issend")).unwrap();
    let ta = protocol::predict(&route, Transfer::Ta, Bytes(16)).unwrap();
    let times = run(two(&t3d, NONE), |t| {
        match t.rank() {
            0 => t.send(Mode::Synchronous, 1, 16)?,
            _ => t.recv(0, 16)?,
        }
        Ok(t.now())
    });
    assert!(close(times[0], ta.sender.time().unwrap().0 + 15.0 * 0.04), "{times:?}");
    // Both ranks wait for their sends before their receives.
    let crossing = run(two(&t3d, NONE), |t| {
        let peer = 1 - t.rank();
        let send = t.start_send(Mode::Synchronous, peer, 16)?;
        let receive = t.start_recv(peer, 16)?;
        t.wait(send)?;
        t.wait(receive)?;
        Ok(t.now())
    });
    assert_eq!(crossing[0], crossing[1]);
    // The send completes only after the receiver has called.
    let late = run(two(&t3d, NONE), |t| {
        if t.rank() == 1 {
            t.compute(1000.0);
            t.recv(0, 16)?;
            return Ok(0.0);
        }
        let request = t.start_send(Mode::Synchronous, 1, 16)?;
        assert!(!t.test(request)?);
        assert!(t.test(request)?);
        Ok(t.now())
    });
    assert!(late[0] > 1000.0, "{late:?}");
}

/// Al-Tawil & Moritz 2001, Figure 2: a receive that is posted after the arrival of its message
/// takes o_r. Only the virtual time shows the arrival.
#[test]
fn a_delayed_receive_takes_o_r() {
    let t3d = library::load("cray-t3d").unwrap();
    for blocking in [true, false] {
        let times = run(two(&t3d, NONE), move |t| {
            if t.rank() == 0 {
                t.compute(20.0);
                thread::sleep(std::time::Duration::from_millis(5));
                t.send(Mode::Standard, 1, 16)?;
                return Ok(0.0);
            }
            t.compute(100.0);
            let begin = t.now();
            if blocking {
                t.recv(0, 16)?;
                return Ok(t.now() - begin);
            }
            let request = t.start_recv(0, 16)?;
            let end = t.now();
            assert!(t.test(request)?);
            assert_eq!(t.now(), end);
            Ok(end - begin)
        });
        assert!(close(times[1], 15.0), "{times:?}");
    }
}

#[test]
fn an_unsuccessful_test_advances_to_the_arrival() {
    let t3d = library::load("cray-t3d").unwrap();
    let found = run(two(&t3d, NONE), |t| {
        if t.rank() == 0 {
            return t.send(Mode::Standard, 1, 16).map(|()| [0.0; 2]);
        }
        let request = t.start_recv(0, 16)?;
        assert!(!t.test(request)?);
        let arrived = t.now();
        assert!(t.test(request)?);
        assert!(t.test(request).is_err());
        Ok([arrived, t.now() - arrived])
    });
    assert!(close(found[1][0], 30.0 + 3.1 + 15.0 * 0.04) && close(found[1][1], 15.0), "{found:?}");
}

/// Ranks make all kinds of calls in an order that `program` determines, with random delays
/// in real time.
fn random_calls(t: &mut Synthetic, program: u64, jitter: u64) -> Result<Vec<f64>> {
    const MODES: [Mode; 3] = [Mode::Standard, Mode::Synchronous, Mode::Buffered];
    let number = |of: u64, round: u64, below: u64| {
        (of ^ round.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xd129_0d3b_3c8f_a5b7)
            .rotate_left(23)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9)
            % below
    };
    let peer = t.rank() ^ 1;
    let mut times = Vec::new();
    for round in 0..60 {
        let choose = |choice: u64, below| number(program + choice, round, below);
        let first = t.rank() % 2 == choose(0, 2) as u32;
        let bytes = [0, 8, 900, 5000, 100_000][choose(1, 5) as usize];
        let mode = MODES[choose(2, 3) as usize];
        if number(jitter + u64::from(t.rank()), round, 8) == 0 {
            thread::sleep(std::time::Duration::from_micros(50));
        }
        t.compute(choose(3 + u64::from(t.rank()), 300) as f64);
        match (choose(9, 6), first) {
            (0, true) => t.send(mode, peer, bytes)?,
            (0, false) => t.recv(peer, bytes)?,
            (1, _) => {
                let receive = t.start_recv(peer, bytes)?;
                let send = t.start_send(mode, peer, bytes)?;
                t.compute(choose(5 + u64::from(t.rank()), 3000) as f64);
                while !t.test(if first { send } else { receive })? {}
                t.wait(if first { receive } else { send })?;
            }
            (2, true) => t.signal(peer, 1.0)?,
            (2, false) => drop(t.await_signal(peer)?),
            (3, first) => {
                let begin = |t: &mut Synthetic| match first {
                    true => t.start_send(mode, peer, bytes),
                    false => t.start_recv(peer, bytes),
                };
                let requests: Vec<Request> = (0..20).map(|_| begin(t)).collect::<Result<_>>()?;
                requests.into_iter().try_for_each(|request| t.wait(request))?;
            }
            (4, true) => {
                let request = t.start_send(mode, peer, bytes)?;
                times.push(if t.test(request)? { 1.0 } else { 0.0 });
                t.signal(peer, 2.0)?;
                if times.last() == Some(&0.0) {
                    while !t.test(request)? {}
                }
            }
            (4, false) => {
                t.await_signal(peer)?;
                t.recv(peer, bytes)?;
            }
            _ => {
                let all = t.group(&[0, 1, 2, 3])?;
                t.collective(Operation::Alltoall, all, 64, Arithmetic::Sum)?
            }
        }
        times.push(t.now());
    }
    Ok(times)
}

#[test]
fn times_depend_on_the_seed_but_not_on_the_threads() {
    let programs = std::env::var("LOGGIA_PROGRAMS").map_or(5, |count| count.parse().unwrap());
    for (kind, transfer) in [("dcp", "rat"), ("dcp", "rta"), ("icp", "rat"), ("icp", "rta")] {
        let signature = with_progress(kind, transfer);
        for program in 0..programs {
            let times = |noise, jitter| {
                let ranks = Synthetic::ranks(&signature, 4, noise).unwrap();
                run(ranks, move |t| random_calls(t, program * 10, jitter))
            };
            let first = times(SOME, 0);
            assert_eq!(times(SOME, 100), first, "{kind} {transfer}, program {program}");
            assert_ne!(times(Noise { seed: 8, ..SOME }, 0), first);
        }
    }
}

#[test]
fn noise_does_not_change_the_median() {
    let t3d = library::load("cray-t3d").unwrap();
    let halves = run(two(&t3d, SOME), |t| {
        (0..4001).map(|_| half_round_trip(t, Mode::Standard, 16)).collect::<Result<Vec<f64>>>()
    });
    let mut halves = halves[0].clone();
    halves.sort_by(f64::total_cmp);
    let predicted = 30.0 + 3.1 + 15.0 + 15.0 * 0.04;
    assert!((halves[2000] / predicted - 1.0).abs() < 0.01, "{}", halves[2000]);
    assert!(halves[4000] > 1.5 * predicted && halves[0] > 0.8 * predicted);
}

/// The first ranks.
fn first(t: &mut Synthetic, procs: Rank) -> Result<GroupId> {
    t.group(&Vec::from_iter(0..procs))
}

#[test]
fn a_collective_is_its_closed_form() {
    let t3d = library::load("cray-t3d").unwrap();
    for (op, bytes) in [(Operation::Alltoall, 512), (Operation::Bcast, 0), (Operation::Barrier, 0)]
    {
        let times = run(Synthetic::ranks(&t3d, 8, NONE).unwrap(), move |t| {
            t.compute(f64::from(t.rank()));
            let four = t.group(&[0, 1, 2, 3]);
            assert_eq!(four.is_ok(), t.rank() < 4);
            if let Ok(four) = four {
                t.collective(op, four, bytes, Arithmetic::Sum)?;
            }
            Ok(t.now())
        });
        let form = t3d.collective(op).unwrap();
        let time = collective::cost(form, Procs(4), bytes as f64).prediction.time().unwrap().0;
        for (rank, left) in times.iter().enumerate() {
            let expected = if rank < 4 { 3.0 + time } else { rank as f64 };
            assert!(close(*left, expected), "{op:?} {rank}: {left} {expected}");
        }
    }
}

#[test]
fn an_empty_reduction_has_no_arithmetic() {
    let mut ap3000 = library::load("ap3000-mpi").unwrap();
    // Its messages have no LogP parameters.
    assert!(Synthetic::ranks(&ap3000, 4, NONE).is_err());
    ap3000.tiers.clear();
    let times = |arithmetic| {
        run(Synthetic::ranks(&ap3000, 8, NONE).unwrap(), move |t| {
            let all = first(t, 8)?;
            t.collective(Operation::Reduce, all, 1000, arithmetic)?;
            Ok(t.now())
        })[0]
    };
    let form = ap3000.collective(Operation::Reduce).unwrap();
    let cost = collective::cost(form, Procs(8), 1000.0);
    assert!(close(times(Arithmetic::Sum) - times(Arithmetic::Empty), cost.compute.unwrap().0));
}

#[test]
fn without_a_closed_form_an_algorithm_is_simulated() {
    let mut t3d = library::load("cray-t3d").unwrap();
    t3d.collectives.clear();
    for name in ["binomial", "chain"] {
        let conditions =
            Conditions { algorithms: vec![(Operation::Bcast, name)], ..Conditions::default() };
        let ranks = Synthetic::under(&t3d, 8, NONE, conditions).unwrap();
        let times = run(ranks, |t| {
            let all = first(t, 8)?;
            t.collective(Operation::Bcast, all, 1000, Arithmetic::Sum)?;
            Ok(t.now())
        });
        let setting = RunSetting::of(&t3d, None, None, None).unwrap();
        let compute = MicrosPerByte(0.0);
        let model = AlgorithmModel { setting, nodes: None, compute, rules: SimulationModel::LogGp };
        let bytes_are = Operation::Bcast.bytes_are();
        let question = model::composition::Question {
            op: Operation::Bcast,
            procs: Procs(8),
            bytes: Bytes(1000),
            bytes_are,
            per_node: None,
        };
        let algorithm = loggia_simulate::collective::named(Operation::Bcast, name).unwrap();
        let expected = model.predict(&question, algorithm).unwrap().time.value.0;
        assert!(times.iter().all(|time| close(*time, expected)), "{name}: {times:?} {expected}");
    }
    // Every operation has an algorithm for any number of ranks.
    let times = run(Synthetic::ranks(&t3d, 5, NONE).unwrap(), |t| {
        let all = first(t, 5)?;
        for op in Operation::ALL {
            t.collective(op, all, 100, Arithmetic::Sum)?;
        }
        Ok(t.now())
    });
    assert!(times[0] > 0.0);
}

#[test]
fn ranks_of_a_node_use_the_tier_inside() {
    let convex = library::load("convex-exemplar").unwrap();
    let conditions = Conditions { slow_node: Some((2, 3.0)), ..Conditions::default() };
    let ranks = Synthetic::under(&convex, 6, NONE, conditions).unwrap();
    let hosts: Vec<String> = ranks.iter().map(|rank| rank.rank_info().host).collect();
    assert_eq!(hosts, ["node0", "node0", "node1", "node1", "node2", "node2"]);
    let times = run(ranks, |t| {
        let (from, to) = (0, t.rank());
        let mut times = Vec::new();
        for partner in 1..6 {
            let begin = t.now();
            if t.rank() == from {
                t.send(Mode::Standard, partner, 100)?;
                t.recv(partner, 100)?;
                times.push((t.now() - begin) / 2.0);
            } else if partner == to {
                t.recv(from, 100)?;
                t.send(Mode::Standard, from, 100)?;
            }
        }
        Ok(times)
    });
    let predicted = |tier| {
        let route = Route::of(&convex, Some(tier), None).unwrap();
        model::predict(&route, Some(Model::Logh), Bytes(100)).unwrap().time().unwrap().0
    };
    let (inside, between) = (predicted("intra-hypernode"), predicted("inter-hypernode"));
    let latency = 7.0 + 99.0 * 0.05;
    let expected = [inside, between, between, between + 2.0 * latency, between + 2.0 * latency];
    assert!(
        times[0].iter().zip(expected).all(|(a, b)| close(*a, b)),
        "{:?} {expected:?}",
        times[0]
    );
}

#[test]
fn control_messages_and_maxima_take_no_time() {
    let t3d = library::load("cray-t3d").unwrap();
    let times = run(Synthetic::ranks(&t3d, 3, SOME).unwrap(), |t| {
        let mut numbers = [f64::from(t.rank()), -f64::from(t.rank())];
        let all = first(t, 3)?;
        t.maximum(all, &mut numbers)?;
        if t.rank() == 0 {
            assert_eq!(numbers, [2.0, 0.0]);
            t.compute(100.0);
            (1..3).try_for_each(|rank| t.send_control(rank, &[rank as u8; 10]))?;
        } else {
            assert_eq!(t.recv_control(0)?, [t.rank() as u8; 10]);
        }
        let some = first(t, 1 + t.rank())?;
        t.maximum(some, &mut numbers)?;
        Ok(t.now())
    });
    assert_eq!(times, [100.0; 3]);
}

#[test]
fn unsupported_calls_are_errors() {
    let t3d = library::load("cray-t3d").unwrap();
    assert!(Synthetic::ranks(&t3d, 1, NONE).is_err());
    let quadrics = library::load("quadrics-shmem").unwrap();
    let error = Synthetic::ranks(&quadrics, 2, NONE).err().unwrap();
    assert!(error.message.starts_with("a synthetic machine needs L"), "{error}");
    let mut ranks = two(&t3d, NONE);
    assert!(ranks[0].can_send(Mode::Standard, true) && ranks[0].can_send(Mode::Synchronous, true));
    assert!(!ranks[0].can_send(Mode::Buffered, true));
    assert!(ranks[0].send(Mode::Standard, 0, 8).is_err() && ranks[0].recv(2, 8).is_err());
    ranks[0].send(Mode::Standard, 1, 8).unwrap();
    assert!(ranks[1].recv(0, 7).unwrap_err().message.contains("8 bytes"));
    drop(ranks.pop());
    for _ in 0..=super::super::MAX_REQUESTS {
        ranks[0].start_recv(1, 8).unwrap();
    }
    assert!(ranks[0].start_recv(1, 8).unwrap_err().message.contains("more than 64"));
    assert_eq!(ranks[0].await_signal(1).unwrap_err().message, "rank 1 ended");
}
