//! What the collector finds on a network whose delay, bandwidth and eager limit were set.
//!
//! Each run takes some seconds of a quiet machine. Another program's hiccup may spoil one: then it
//! is said, and measured again.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod lab;

use lab::file::{finished, list, tier};
use lab::link::{ADDRESSES, Link, Wire, gigabit};
use lab::mpirun::{Library, Mpirun};
use lab::running::{Running, alone, note, run};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// What a run found, as a file; no longer than that.
fn collected(link: &Link, mpirun: &Mpirun, ranks: [u32; 2], settings: &str, words: &str) -> Value {
    let words = format!("collect --max-time 12s {words} -o sig.json --overwrite");
    run(&mut link.mpirun(mpirun, ranks, settings, &words)).good();
    finished(&link.folder().join("sig.json"))
}

/// Tries up to three times; says what went wrong in between.
fn sooner_or_later(mut check: impl FnMut() -> Result<String, String>) {
    let mut failures = Vec::new();
    for _ in 0..3 {
        match check() {
            Ok(found) => return note(&found),
            Err(why) => {
                note(&format!("once more: {why}"));
                failures.push(why);
            }
        }
    }
    panic!("{}", failures.join("\n"));
}

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

#[test]
fn latency_grows_by_as_much_as_the_delay() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let delays = [200, 500, 1000, 2000];
    sooner_or_later(|| {
        let mut points = Vec::new();
        for delay in delays {
            let Some(link) = Link::up(gigabit(delay)) else { return Ok(String::new()) };
            let words = "--only ping-pong,two-processor --sizes 8 --style isend";
            let file = collected(&link, &mpirun, [1, 1], "", words);
            let network = tier(&file, "network");
            assert_eq!(network["path"], "interface lgt0");
            points.push((f64::from(delay), number(&network["latency"])?));
        }
        near(&format!("slope of L over the delay {points:?}"), slope(&points), 1.0, 0.02)
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
        let value = number(&tier(&file, "network")["gap_per_byte"])?;
        near("G at 100 Mbit/s, µs a byte", value, 0.08 * 1500.0 / 1448.0, 0.03)
    });
}

#[test]
fn the_gap_per_byte_is_that_of_a_bulk_transfer() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    let _alone = alone();
    let Some(link) = Link::up(gigabit(200)) else { return };
    sooner_or_later(|| {
        let before = bulk_transfer(&link);
        let file = collected(&link, &mpirun, [1, 1], "", FLOOD);
        let after = bulk_transfer(&link);
        let value = number(&tier(&file, "network")["gap_per_byte"])?;
        note(&format!("bulk transfers before and after: {before:.6} and {after:.6} µs a byte"));
        near("G at 1 Gbit/s, µs a byte", value, (before + after) / 2.0, 0.03)
    });
}

/// µs a byte of a long transfer over one connection, with nothing of ours between.
fn bulk_transfer(link: &Link) -> f64 {
    let end = |host: usize, part: &str| {
        let program = std::env::current_exe().unwrap();
        let mut command = link.on(host, program);
        command.args(["--exact", "one_end_of_a_bulk_transfer", "--nocapture"]);
        command.env(BULK, format!("{part} {}:7479", ADDRESSES[1]));
        Running::start(&mut command)
    };
    let receiver = end(1, "receive");
    let sender = end(0, "send");
    let [_, received] = [sender, receiver].map(|end| end.wait(lab::running::PATIENCE).good());
    let line = received.out.lines().find_map(|line| line.split_once("µs a byte: "));
    line.unwrap_or_else(|| panic!("{received:?}")).1.parse().unwrap()
}

/// Tells this program which end of a bulk transfer it is.
const BULK: &str = "LOGGIA_BULK";

/// The bytes during which a connection finds its pace, and those that are timed.
const PACE: usize = 16 << 20;
const TIMED: usize = 64 << 20;

/// This program again, in a host of the laboratory; otherwise nothing.
#[test]
fn one_end_of_a_bulk_transfer() {
    let Ok(part) = std::env::var(BULK) else { return };
    let (part, address) = part.split_once(' ').unwrap();
    let mut buffer = vec![0; 256 << 10];
    if part == "send" {
        let begin = Instant::now();
        let mut stream = loop {
            match TcpStream::connect(address) {
                Ok(stream) => break stream,
                Err(error) if begin.elapsed() > Duration::from_secs(20) => panic!("{error}"),
                Err(_) => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        for _ in 0..(PACE + TIMED) / buffer.len() {
            stream.write_all(&buffer).unwrap();
        }
        return;
    }
    let mut stream = TcpListener::bind(address).unwrap().accept().unwrap().0;
    let mut receive = |bytes: usize| {
        for _ in 0..bytes / buffer.len() {
            stream.read_exact(&mut buffer).unwrap();
        }
    };
    receive(PACE);
    let begin = Instant::now();
    receive(TIMED);
    println!("\nµs a byte: {}", begin.elapsed().as_secs_f64() * 1e6 / TIMED as f64);
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
fn bracketed(style: &str, found: &Value, limit: f64) -> Result<String, String> {
    let value = number(found)?;
    let [low, high] = ["low", "high"].map(|end| found[end].as_f64().unwrap_or(f64::NAN));
    let words = format!("S of {style}: {low} ≤ {value} < {high}, set to {limit}");
    let is_narrow = low <= value && value < high && high - low <= 0.02 * low;
    let holds = low <= limit && limit - HEADER < high && (limit - low).abs() <= 0.02 * limit;
    if is_narrow && holds { Ok(words) } else { Err(words) }
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
                near("EEL within a host, of four ranks and of two", value, alone, 0.1)?
            }
            // Below a microsecond every other program is noise. The collector says so itself.
            [Err(why), _] | [_, Err(why)] => format!("EEL within a host is not judged: {why}"),
        };
        Ok(format!("{network}\n{node}"))
    });
}

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
        progress_is(tier(&file, "network"), &["rat"])
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
            let words = format!("collect --max-time 12s {PROGRESS} -o sig.json --overwrite");
            let mut command = mpirun.command(folder.path(), 2, &words);
            command.env("OMPI_MCA_btl", "vader,self").env("OMPI_MCA_pml", "ob1");
            command.env("OMPI_MCA_btl_vader_single_copy_mechanism", mechanism);
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
