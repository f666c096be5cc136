//! Delay and rate of the link, measured by plain sockets.

use crate::lab::link::{ADDRESSES, Link};
use crate::lab::running::{PATIENCE, Running};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The results; this test program runs at both ends.
pub(crate) fn sockets(link: &Link, what: &str) -> f64 {
    let end = |host: usize, part: &str| {
        let program = std::env::current_exe().unwrap();
        let mut command = link.on(host, program);
        command.args(["--exact", "sockets::one_end_of_bare_sockets", "--nocapture"]);
        command.env(SOCKETS, format!("{what} {part} {}:7479", ADDRESSES[1]));
        Running::start(&mut command)
    };
    let receiver = end(1, "accept");
    let sender = end(0, "connect");
    let [_, received] = [sender, receiver].map(|end| end.wait(PATIENCE).good());
    let line = received.out.lines().find_map(|line| line.split_once("found: "));
    line.unwrap_or_else(|| panic!("{received:?}")).1.parse().unwrap()
}

/// Environment variable with the end and the kind of the measurement.
const SOCKETS: &str = "LOGGIA_SOCKETS";
/// Time per byte of a long transfer, in µs.
pub(crate) const BULK: &str = "bulk";
/// The median of half round trips, in µs.
pub(crate) const ROUND_TRIPS: &str = "round-trips";

/// Bytes of the warm-up of a connection, and timed bytes.
const PACE: usize = 16 << 20;
const TIMED: usize = 64 << 20;

/// Runs as one end on a host of the laboratory; otherwise does nothing.
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

/// Polls for bytes, as message-passing libraries do.
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
