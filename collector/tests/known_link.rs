//! What the collector finds on a network whose delay, bandwidth and eager limit were set.
//!
//! Each run takes some seconds of a quiet machine. Another program's hiccup may spoil one: then it
//! is said, and measured again. Where the link itself does not keep what it was set to, as bare
//! sockets show, a run is not judged; that is said, too.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod lab;

use lab::file::{finished, list, tier};
use lab::link::{ADDRESSES, Link, Wire, gigabit};
use lab::mpirun::{Library, Mpirun};
use lab::running::{Running, alone, loggia, note, run, skip};
use serde_json::Value;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

/// What a run found, as a file; no longer than that.
fn collected(link: &Link, mpirun: &Mpirun, ranks: [u32; 2], settings: &str, words: &str) -> Value {
    let words = format!("collect --max-time 6s {words} -o sig.json --overwrite");
    run(&mut link.mpirun(mpirun, ranks, settings, &words)).good();
    finished(&link.folder().join("sig.json"))
}

/// Why a check did not end well.
#[derive(Debug)]
enum Off {
    /// What was found is wrong.
    Wrong(String),
    /// The link is not what it should be.
    Unsteady(String),
}

impl From<String> for Off {
    fn from(why: String) -> Self {
        Off::Wrong(why)
    }
}

/// Tries up to four times; says what went wrong in between.
fn sooner_or_later(mut check: impl FnMut() -> Result<String, Off>) {
    let mut failures = Vec::new();
    for _ in 0..ATTEMPTS {
        match check() {
            Ok(found) => return note(&found),
            Err(Off::Unsteady(why)) => note(&format!("not judged: {why}")),
            Err(Off::Wrong(why)) => {
                note(&format!("once more: {why}"));
                failures.push(why);
            }
        }
    }
    assert!(failures.len() < ENOUGH, "{}", failures.join("\n"));
}

/// So often something is measured again, at most.
const ATTEMPTS: usize = 4;
/// So many wrong ones are no accident.
const ENOUGH: usize = 3;

fn near(what: &str, value: f64, truth: f64, within: f64) -> Result<String, String> {
    let error = value / truth - 1.0;
    let words = format!("{what}: {value:.6}, should be {truth:.6}, off by {:.2}%", error * 100.0);
    if error.abs() <= within { Ok(words) } else { Err(words) }
}

/// A parameter's number; if it has none, why.
fn number(of: &Value) -> Result<f64, String> {
    let why = || of["source"].as_str().unwrap_or("not reported").to_owned();
    of["value"].as_f64().ok_or_else(why)
}

/// Whether a parameter's own interval holds that: then it is not wrong, however far it is off.
fn holds(of: &Value, truth: f64) -> bool {
    let [low, high] = ["low", "high"].map(|end| of[end].as_f64().unwrap_or(f64::NAN));
    low <= truth && truth <= high
}

#[test]
fn latency_grows_by_as_much_as_the_delay() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    sooner_or_later(|| {
        let (mut points, mut bare) = (Vec::new(), Vec::new());
        for delay in [200, 500, 1000, 2000] {
            let Some(link) = Link::up(gigabit(delay)) else { return Ok(String::new()) };
            bare.push((f64::from(delay), sockets(&link, ROUND_TRIPS)));
            let words = "--only ping-pong,two-processor --sizes 8 --style isend";
            let file = collected(&link, &mpirun, [1, 1], "", words);
            let network = tier(&file, "network");
            assert_eq!(network["path"], "interface lgt0");
            points.push(number(&network["latency"]).map(|latency| (f64::from(delay), latency)));
        }
        let points: Result<Vec<(f64, f64)>, String> = points.into_iter().collect();
        let found = points.and_then(|points| {
            near(&format!("slope of L over the delay {points:?}"), slope(&points), 1.0, 0.02)
        });
        let link = near(&format!("slope of bare sockets {bare:?}"), slope(&bare), 1.0, 0.01);
        match (found, link) {
            (Err(found), Err(link)) => Err(Off::Unsteady(format!("{found}; {link}"))),
            (found, _) => Ok(found?),
        }
    });
}

/// Of the line of least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let mean =
        |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let both: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    both / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

const FLOOD: &str = "--only flood --sizes 8,64KiB..1MiB";

#[test]
fn a_slow_wire_shows_in_the_gap_per_byte() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    // 100 Mbit/s are 0.08 µs a byte, and 1448 of 1500 bytes in a packet are the message's.
    let Some(link) = Link::up(Wire { delay: 200, mbit: 100, mtu: 1500 }) else { return };
    sooner_or_later(|| {
        let file = collected(&link, &mpirun, [1, 1], "", FLOOD);
        let gap = &tier(&file, "network")["gap_per_byte"];
        let truth = 0.08 * 1500.0 / 1448.0;
        match near("G at 100 Mbit/s, µs a byte", number(gap)?, truth, 0.03) {
            Err(found) if holds(gap, truth) => Err(Off::Unsteady(found)),
            found => Ok(found?),
        }
    });
}

#[test]
fn the_gap_per_byte_is_that_of_a_bulk_transfer() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let Some(link) = Link::up(gigabit(200)) else { return };
    sooner_or_later(|| {
        let before = sockets(&link, BULK);
        let file = collected(&link, &mpirun, [1, 1], "", FLOOD);
        let after = sockets(&link, BULK);
        let gap = &tier(&file, "network")["gap_per_byte"];
        note(&format!("bulk transfers before and after: {before:.6} and {after:.6} µs a byte"));
        let truth = (before + after) / 2.0;
        let what = "G at 1 Gbit/s, µs a byte";
        let found = number(gap).and_then(|value| near(what, value, truth, 0.03));
        match (found, near("the link itself", before, after, 0.02)) {
            (Err(found), Err(link)) => Err(Off::Unsteady(format!("{found}; {link}"))),
            (Err(found), _) if holds(gap, truth) => Err(Off::Unsteady(found)),
            (found, _) => Ok(found?),
        }
    });
}

/// What bare sockets find, with nothing of ours between; this program again is at both ends.
fn sockets(link: &Link, what: &str) -> f64 {
    let end = |host: usize, part: &str| {
        let program = std::env::current_exe().unwrap();
        let mut command = link.on(host, program);
        command.args(["--exact", "one_end_of_bare_sockets", "--nocapture"]);
        command.env(SOCKETS, format!("{what} {part} {}:7479", ADDRESSES[1]));
        Running::start(&mut command)
    };
    let receiver = end(1, "accept");
    let sender = end(0, "connect");
    let [_, received] = [sender, receiver].map(|end| end.wait(lab::running::PATIENCE).good());
    let line = received.out.lines().find_map(|line| line.split_once("found: "));
    line.unwrap_or_else(|| panic!("{received:?}")).1.parse().unwrap()
}

/// Tells this program which end it is, and of what.
const SOCKETS: &str = "LOGGIA_SOCKETS";
/// µs a byte of a long transfer.
const BULK: &str = "bulk";
/// The median of half round trips, in µs.
const ROUND_TRIPS: &str = "round-trips";

/// The bytes during which a connection finds its pace, and those that are timed.
const PACE: usize = 16 << 20;
const TIMED: usize = 64 << 20;

/// This program again, in a host of the laboratory; otherwise nothing.
#[test]
fn one_end_of_bare_sockets() {
    let Ok(part) = std::env::var(SOCKETS) else { return };
    let [what, part, address] = part.split(' ').collect::<Vec<_>>()[..] else { panic!("{part}") };
    let mut stream = match part {
        "connect" => connected(address),
        _ => TcpListener::bind(address).unwrap().accept().unwrap().0,
    };
    stream.set_nodelay(true).unwrap();
    match (what, part) {
        (BULK, "connect") => send_all(&mut stream),
        (BULK, _) => println!("\nfound: {}", receive_all(&mut stream)),
        (_, "connect") => echo(&mut stream),
        _ => println!("\nfound: {}", half_round_trip(&mut stream)),
    }
}

fn connected(address: &str) -> TcpStream {
    let begin = Instant::now();
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return stream,
            Err(error) if begin.elapsed() > Duration::from_secs(20) => panic!("{error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn send_all(stream: &mut TcpStream) {
    let buffer = vec![0; 256 << 10];
    for _ in 0..(PACE + TIMED) / buffer.len() {
        stream.write_all(&buffer).unwrap();
    }
}

fn receive_all(stream: &mut TcpStream) -> f64 {
    let mut buffer = vec![0; 256 << 10];
    let mut receive = |bytes: usize| {
        for _ in 0..bytes / buffer.len() {
            stream.read_exact(&mut buffer).unwrap();
        }
    };
    receive(PACE);
    let begin = Instant::now();
    receive(TIMED);
    begin.elapsed().as_secs_f64() * 1e6 / TIMED as f64
}

/// Looks for bytes all the time, as message-passing libraries do.
fn receive_eight(stream: &mut TcpStream) -> bool {
    let mut buffer = [0; 8];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return false,
            Ok(_) => return true,
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::yield_now(),
            Err(error) => panic!("{error}"),
        }
    }
}

fn echo(stream: &mut TcpStream) {
    stream.set_nonblocking(true).unwrap();
    while receive_eight(stream) {
        stream.write_all(&[0; 8]).unwrap();
    }
}

fn half_round_trip(stream: &mut TcpStream) -> f64 {
    stream.set_nonblocking(true).unwrap();
    let mut round_trip = || {
        let begin = Instant::now();
        stream.write_all(&[0; 8]).unwrap();
        assert!(receive_eight(stream));
        begin.elapsed().as_secs_f64() * 1e6 / 2.0
    };
    let mut halves: Vec<f64> = (0..320).map(|_| round_trip()).skip(20).collect();
    halves.sort_by(f64::total_cmp);
    halves[halves.len() / 2]
}

/// Rows of numbers as large as this go by a handshake, and computation is longer than their way.
const HALO: &str = "--size 64 --iterations 20 --bytes 200000 --compute 5000us --sleep";
/// In µs.
const FAR: u32 = 1000;

/// A program that overlaps, traced where nothing is far, is predicted where everything is: by
/// LogGPO, whose handshakes wait for calls; LogGP, by which they overlap, is off by more.
#[test]
fn a_trace_without_delay_predicts_the_run_with_one() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let example = Path::new(env!("CARGO_BIN_EXE_loggia")).with_file_name("examples/halo");
    if !example.exists() || std::env::var_os("LOGGIA_UNDER_TEST").is_some() {
        return skip("the examples are not built with this library");
    }
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let traced = |link: &Link, name: &str| {
        let launcher = link.launcher(&mpirun, [1, 1], "");
        let mut command = loggia(folder.path(), &format!("trace --overwrite -o {name} --"));
        command.arg(launcher.get_program()).args(launcher.get_args());
        command.arg(&example).args(HALO.split(' '));
        command.envs(launcher.get_envs().filter_map(|(key, value)| Some((key, value?))));
        run(&mut command).good();
    };
    sooner_or_later(|| {
        {
            let Some(near) = Link::up(gigabit(0)) else { return Ok(String::new()) };
            traced(&near, "near");
        }
        let Some(far) = Link::up(gigabit(FAR)) else { return Ok(String::new()) };
        traced(&far, "far");
        let words = "collect --max-time 40s --only eager-limit,ping-pong,two-processor,flood,progress \
                     --style isend -o sig.json --overwrite";
        run(&mut far.mpirun(&mpirun, [1, 1], "", words)).good();
        let sig = far.folder().join("sig.json");
        let file = finished(&sig);
        let said = |name: &str, rules: &str| -> Value {
            let mut words = format!("replay {name} {} --json --rules {rules}", sig.display());
            // A few µs beside a millisecond are often too noisy to be told.
            for (symbol, place) in SMALL {
                if tier(&file, "network").pointer(place).is_none_or(|of| !is_known(of)) {
                    words += &format!(" --set {symbol}=5us");
                }
            }
            serde_json::from_str(&run(&mut loggia(folder.path(), &words)).good().out).unwrap()
        };
        let real = said("far", "loggpo")["measured_us"].as_f64().unwrap();
        let error =
            |rules: &str| said("near", rules)["predicted_us"].as_f64().unwrap() / real - 1.0;
        let [loggp, loggpo] = ["loggp", "loggpo"].map(error);
        let words = format!(
            "predicted from a trace without delay, {FAR} µs away: LogGPO {:+.1}%, LogGP {:+.1}%",
            100.0 * loggpo,
            100.0 * loggp
        );
        match loggpo.abs() <= 0.05 && loggp.abs() > loggpo.abs() {
            true => Ok(words),
            false => Err(Off::Wrong(words)),
        }
    });
}

/// Overheads, and where a signature has them.
const SMALL: [(&str, &str); 5] = [
    ("o_s", "/styles/0/send_overhead"),
    ("o_r", "/styles/0/recv_overhead"),
    ("O_control", "/progress/control_overhead"),
    ("O_i", "/progress/initiation"),
    ("O_c", "/progress/copy"),
];

/// Whether there is a number.
fn is_known(of: &Value) -> bool {
    let has_points = of["points"].as_array().is_some_and(|points| !points.is_empty());
    of["verdict"] != "unusable"
        && (of["value"].is_number() || has_points || of["fixed"].is_number())
}

/// Open MPI's own header stands before the bytes of a message that goes eagerly.
const HEADER: f64 = 64.0;

#[test]
fn the_eager_limit_that_was_set_is_bracketed() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let Some(link) = Link::up(gigabit(200)) else { return };
    for limit in [8192, 32768, 65536] {
        let set =
            format!("--mca btl_tcp_eager_limit {limit} --mca btl_tcp_rndv_eager_limit {limit}");
        sooner_or_later(|| {
            let words = "--only eager-limit --style isend,send";
            let file = collected(&link, &mpirun, [1, 1], &set, words);
            let network = tier(&file, "network");
            let of_all = &network["progress"]["eager_limit"];
            let mut words = Vec::new();
            for style in ["isend", "send"] {
                let own = list(&network["styles"]).iter().find(|s| s["name"] == style);
                let own = own.map(|s| &s["eager_limit"]).filter(|limit| limit.is_object());
                let found = own.unwrap_or(of_all);
                words.push(bracketed(style, found, f64::from(limit))?);
            }
            Ok(words.join("\n"))
        });
    }
}

/// Whether the bracket is narrow and holds the payload's limit, which is the set one less a header.
fn bracketed(style: &str, found: &Value, limit: f64) -> Result<String, Off> {
    let value = number(found)?;
    let [low, high] = ["low", "high"].map(|end| found[end].as_f64().unwrap_or(f64::NAN));
    let words = format!("S of {style}: {low} ≤ {value} < {high}, set to {limit}");
    let is_narrow = low <= value && value < high && high - low <= 0.02 * low;
    let holds = low <= limit && limit - HEADER < high && (limit - low).abs() <= 0.02 * limit;
    if is_narrow && holds { Ok(words) } else { Err(Off::Wrong(words)) }
}

#[test]
fn two_ranks_in_each_host_are_two_tiers() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let Some(link) = Link::up(gigabit(500)) else { return };
    let end_to_end = |file: &Value, name: &str| number(&tier(file, name)["end_to_end_latency"]);
    let words = "--only ping-pong --sizes 8,1KiB";
    sooner_or_later(|| {
        let both = collected(&link, &mpirun, [2, 2], "", words);
        let hosts = list(&both["collection"]["hosts"]);
        let names: Vec<&str> = hosts.iter().filter_map(|host| host["name"].as_str()).collect();
        assert_eq!(names, link.hosts().each_ref());
        assert!(hosts.iter().all(|host| list(&host["ranks"]).len() == 2), "{hosts:?}");
        assert_eq!(tier(&both, "network")["path"], "interface lgt0");
        let path = tier(&both, "node")["path"].as_str().unwrap();
        assert!(path.starts_with("shared memory"), "{path}");

        let network = collected(&link, &mpirun, [1, 1], "", words);
        let [value, alone] = [end_to_end(&both, "network")?, end_to_end(&network, "network")?];
        let network = near("EEL across hosts, of four ranks and of two", value, alone, 0.1)?;
        let node = collected(&link, &mpirun, [2, 0], "", words);
        let node = match [end_to_end(&both, "node"), end_to_end(&node, "node")] {
            [Ok(value), Ok(alone)] => {
                let what = "EEL within a host, of four ranks and of two";
                // Once Open MPI has a TCP connection, each of its calls looks there, too.
                let looking = (0.0..LOOKING).contains(&(value - alone));
                near(what, value, alone, 0.1).or_else(|off| match looking {
                    true => Ok(format!("{off}: no more than what looking at TCP takes")),
                    false => Err(off),
                })?
            }
            // Below a microsecond every other program is noise. The collector says so itself.
            [Err(why), _] | [_, Err(why)] => return Err(Off::Unsteady(why)),
        };
        Ok(format!("{network}\n{node}"))
    });
}

/// µs that looking for news at a TCP connection adds to a message that is not from there: in a plain
/// program two ranks of a host take 2.6 to 3.0 before their first message to another host, and 3.8 to
/// 5.4 after it.
const LOOKING: f64 = 3.0;

const PROGRESS: &str = "--only eager-limit,progress --style isend";

/// Open MPI's documentation: progress is made in its calls only (no asynchronous thread by default);
/// over TCP a large message is pushed by the sender once the receiver answers.
#[test]
fn over_tcp_both_processors_move_a_large_message_on() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let Some(link) = Link::up(gigabit(200)) else { return };
    sooner_or_later(|| {
        let file = collected(&link, &mpirun, [1, 1], "", PROGRESS);
        Ok(progress_is(tier(&file, "network"), &["rat"])?)
    });
}

/// In shared memory the receiver fetches a large message itself, in one copy, where the kernel lets
/// it read the sender's memory (CMA); otherwise both copy, piece by piece.
#[test]
fn in_shared_memory_the_receiver_fetches_a_large_message() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    for (mechanism, transfers) in [("cma", &["rta", "rat"][..]), ("none", &["rat"])] {
        sooner_or_later(|| {
            let words = format!("collect --max-time 6s {PROGRESS} -o sig.json --overwrite");
            let mut command = mpirun.command(folder.path(), 2, &words);
            command.env("OMPI_MCA_btl", "vader,self").env("OMPI_MCA_pml", "ob1");
            command.env("OMPI_MCA_btl_vader_single_copy_mechanism", mechanism);
            // Ranks that yield are left together on one processor by some kernels (seen with 6.18);
            // then neither ever waits for the other's computation.
            command.env("OMPI_MCA_mpi_yield_when_idle", "0");
            run(&mut command).good();
            let file = finished(&folder.path().join("sig.json"));
            let found = progress_is(tier(&file, "node"), transfers)?;
            Ok(format!("single copy by {mechanism}: {found}"))
        });
    }
}

/// Progress must be dependent, and the transfer of the largest messages one of these.
fn progress_is(tier: &Value, transfers: &[&str]) -> Result<String, String> {
    let progress = &tier["progress"];
    let transfer = list(&progress["transfer"]).last().cloned().unwrap_or_default();
    let words = format!(
        "{} progress, {} from {} bytes on; {}",
        progress["kind"], transfer["transfer"], transfer["from"], progress["source"]
    );
    let is_known = transfers.iter().any(|known| transfer["transfer"] == *known);
    if progress["kind"] == "dependent" && is_known { Ok(words) } else { Err(words) }
}

/// MPICH over UCX goes through shared memory where it finds any, whatever the hosts are called; only
/// when it is told to does it cross the link.
#[test]
fn mpich_says_when_it_did_not_cross_the_network() {
    let Some(mpirun) = Mpirun::of(Library::Mpich) else { return };
    let _alone = alone();
    let Some(link) = Link::up(gigabit(500)) else { return };
    let words = "--only ping-pong --sizes 8";
    let path = |settings: &str| {
        let file = collected(&link, &mpirun, [1, 1], settings, words);
        let network = tier(&file, "network");
        let eel = number(&network["end_to_end_latency"]).ok();
        note(&format!("MPICH {settings}: {}, EEL {eel:?} µs", network["path"]));
        (network["path"].as_str().unwrap().to_owned(), eel)
    };
    let (untold, _) = path("");
    assert!(untold.contains("shared memory"), "{untold}");
    let (told, eel) = path("-genv UCX_TLS tcp,self -genv UCX_NET_DEVICES lgt0");
    assert_eq!(told, "interface lgt0");
    assert!(eel.is_none_or(|eel| eel > 500.0), "{eel:?} µs are less than the link's delay");
}

/// Raw sockets cross it too, with no MPI anywhere.
#[test]
fn sockets_cross_the_link() {
    let _alone = alone();
    let Some(link) = Link::up(gigabit(500)) else { return };
    let end = |host: usize, part: &str| {
        let words = format!(
            "collect --transport tcp {part} {}:7480 --only ping-pong --sizes 8 --max-time 8s -o {}",
            ADDRESSES[0], "sig.json"
        );
        let mut command = link.on(host, lab::running::binary());
        Running::start(command.args(words.split_whitespace()))
    };
    let zero = end(0, "--listen");
    let one = end(1, "--connect");
    for end in [zero, one] {
        end.wait(lab::running::PATIENCE).good();
    }
    let file = finished(&link.folder().join("sig.json"));
    let network = tier(&file, "network");
    let path = network["path"].as_str().unwrap();
    assert!(ADDRESSES.iter().all(|address| path.contains(address)), "{path}");
    let eel = number(&network["end_to_end_latency"]);
    note(&format!("sockets: {path}, EEL {eel:?} µs"));
    assert!(eel.is_err() || eel.is_ok_and(|eel| eel > 500.0));
}
