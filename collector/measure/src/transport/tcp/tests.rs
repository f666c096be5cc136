use super::*;
use crate::transport::conformance::{self, Limits};
use std::io::Write;
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::thread;

const LIMITS: Limits = Limits {
    modes: &[Mode::Standard, Mode::Synchronous],
    sizes: [0, 1, 16 << 10, (16 << 10) + 1, 1 << 20],
    requests: 64,
    signals: 100,
    control: 3_000_000,
};

fn pair() -> [Tcp; 2] {
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let address = listener.address().unwrap().to_string();
    let rank1 = thread::spawn(move || Tcp::connect(&address).unwrap());
    [listener.wait().unwrap(), rank1.join().unwrap()]
}

fn both<R>(
    rank0_body: impl FnOnce(&mut Tcp) -> Result<R>,
    rank1_body: impl FnOnce(&mut Tcp) -> Result<()> + Send + 'static,
) -> Result<R> {
    conformance::both(pair(), rank0_body, rank1_body)
}

#[test]
fn conforms() {
    assert_eq!(pair()[0].path().unwrap(), "TCP within one host (127.0.0.1)");
    conformance::check(pair, LIMITS);
    conformance::check_departure(pair(), "the other rank ended");
    conformance::check_errors(pair());
}

#[test]
fn crossing_standard_sends_complete() {
    const LARGE: usize = 16 << 20;
    let standard = |t: &mut Tcp| {
        let peer = 1 - t.rank();
        t.send(Mode::Standard, peer, LARGE)?;
        t.recv(peer, LARGE)
    };
    both(standard, standard).unwrap();
}

#[test]
fn an_early_message_waits_in_the_kernel() {
    both(
        |t| {
            t.send(Mode::Standard, 1, 100)?;
            t.signal(1, 1.5)?;
            t.recv_control(1).map(drop)
        },
        |t| {
            assert_eq!(t.await_signal(0)?, 1.5);
            assert_eq!(t.frames_held(), 0);
            t.recv(0, 100)?;
            t.send_control(0, b"done")
        },
    )
    .unwrap();
}

impl Tcp {
    fn frames_held(&self) -> usize {
        self.frames.held()
    }
}

#[test]
fn a_standard_send_to_a_rank_that_ended_fails() {
    let [mut rank0, rank1] = pair();
    drop(rank1);
    // The kernel detects this at the second write at the latest.
    let sent = (0..100).try_for_each(|_| {
        thread::sleep(Duration::from_millis(1));
        rank0.send(Mode::Standard, 1, 1 << 20)
    });
    assert_eq!(sent.unwrap_err().message, "the other rank ended");
}

/// Another process is killed while this process waits: spinning, asleep, or during a message.
#[test]
fn a_killed_partner_is_an_error() {
    for wait in [
        |t: &mut Tcp| t.recv(1, 8),
        |t: &mut Tcp| t.recv_control(1).map(drop),
        |t: &mut Tcp| t.await_signal(1).map(drop),
        |t: &mut Tcp| t.send(Mode::Standard, 1, 64 << 20),
    ] {
        let listener = Listener::bind("127.0.0.1:0").unwrap();
        let address = listener.address().unwrap().to_string();
        let mut other = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--ignored", "transport::tcp::tests::partner_to_be_killed"])
            .env("LOGGIA_TEST_ADDRESS", address)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut rank0 = listener.wait().unwrap();
        let killer = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            other.kill().unwrap();
            other.wait().unwrap()
        });
        let error = wait(&mut rank0).unwrap_err();
        assert_eq!(error.message, "the other rank ended");
        killer.join().unwrap();
    }
}

#[test]
#[ignore = "the other process of a_killed_partner_is_an_error"]
fn partner_to_be_killed() {
    let Ok(address) = std::env::var("LOGGIA_TEST_ADDRESS") else { return };
    let _connection = Tcp::connect(&address).unwrap();
    thread::sleep(Duration::from_secs(20));
}

#[test]
fn a_failed_connection_is_an_error_with_help() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let error = Tcp::listen(&address).err().unwrap();
    assert_eq!(error.message, "rank 0 cannot listen: address already in use");
    assert_eq!(error.place.to_string(), address);
    // This socket listens, but is not rank 0.
    let error = Tcp::connect(&address).err().unwrap();
    assert!(error.help.to_string().contains("another program"), "{error}");
    drop(taken);
    let error = Tcp::connect(&address).err().unwrap();
    assert_eq!(error.message, "rank 1 cannot reach rank 0: connection refused");
    assert!(error.help.to_string().contains("start rank 0 first"));
    for nonsense in ["", "here", "127.0.0.1", "127.0.0.1:99999"] {
        let error = Tcp::connect(nonsense).err().unwrap();
        assert!(error.help.to_string().contains("host and port"), "{error}");
        assert!(Listener::bind(nonsense).is_err());
    }
}

#[test]
fn other_clients_are_rejected() {
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let address = listener.address().unwrap();
    let waiting = thread::spawn(move || listener.wait());
    let mut client = TcpStream::connect(address).unwrap();
    client.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let mut rank1 = Tcp::connect(&address.to_string()).unwrap();
    let mut rank0 = waiting.join().unwrap().unwrap();
    rank0.signal(1, 3.0).unwrap();
    assert_eq!(rank1.await_signal(0).unwrap(), 3.0);
}

#[test]
fn the_listener_may_start_later() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let address = free.clone();
    let rank1 = thread::spawn(move || Tcp::connect(&address).unwrap());
    thread::sleep(Duration::from_millis(200));
    let rank0 = Tcp::listen(&free).unwrap();
    assert_eq!((rank0.rank(), rank1.join().unwrap().rank()), (0, 1));
}

#[test]
fn unsupported_modes_and_operations_are_errors() {
    let [mut rank0, _rank1] = pair();
    assert!(!rank0.can_send(Mode::Buffered, true) && rank0.can_send(Mode::Synchronous, false));
    assert!(rank0.send(Mode::Ready, 1, 1).unwrap_err().message.contains("ready"));
    let group = rank0.group(&[0, 1]).unwrap();
    let barrier = rank0.collective(Operation::Barrier, group, 0, Arithmetic::Sum);
    assert_eq!(barrier.unwrap_err().message, "sockets have no barrier");
}
