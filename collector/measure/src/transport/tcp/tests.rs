use super::*;
use std::collections::VecDeque;
use std::io::Write;
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::thread;

const SIZES: [usize; 5] = [0, 1, 16 << 10, (16 << 10) + 1, 1 << 20];
const MODES: [Mode; 2] = [Mode::Standard, Mode::Synchronous];

fn pair() -> [Tcp; 2] {
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let address = listener.address().unwrap().to_string();
    let rank1 = thread::spawn(move || Tcp::connect(&address).unwrap());
    [listener.wait().unwrap(), rank1.join().unwrap()]
}

/// Runs both ranks, each in its thread, and gives what rank 0 found.
fn both<T: Send + 'static>(
    zero: impl FnOnce(&mut Tcp) -> Result<T> + Send + 'static,
    one: impl FnOnce(&mut Tcp) -> Result<()> + Send + 'static,
) -> Result<T> {
    let [mut rank0, mut rank1] = pair();
    let other = thread::spawn(move || one(&mut rank1));
    let found = zero(&mut rank0);
    other.join().unwrap()?;
    found
}

#[test]
fn ping_pong_in_all_modes_and_sizes() {
    both(
        |t| {
            assert_eq!((t.rank(), t.ranks()), (0, 2));
            assert_eq!(t.path().unwrap(), "TCP within one host (127.0.0.1)");
            for (mode, bytes) in MODES.into_iter().flat_map(|m| SIZES.map(|b| (m, b))) {
                for _ in 0..10 {
                    t.send(mode, 1, bytes)?;
                    t.recv(1, bytes)?;
                    let request = t.start_recv(1, bytes)?;
                    let send = t.start_send(mode, 1, bytes)?;
                    t.wait(request)?;
                    t.wait(send)?;
                }
            }
            Ok(())
        },
        |t| {
            for (mode, bytes) in MODES.into_iter().flat_map(|m| SIZES.map(|b| (m, b))) {
                for _ in 0..10 {
                    t.recv(0, bytes)?;
                    t.send(mode, 0, bytes)?;
                    t.recv(0, bytes)?;
                    t.send(mode, 0, bytes)?;
                }
            }
            Ok(())
        },
    )
    .unwrap();
}

/// A receive has room for its own message and no more, so that a wrong order is an error.
#[test]
fn messages_of_all_sizes_keep_their_order() {
    let sizes = || (0..200).map(|i| SIZES[i * 7 % 5] + i);
    both(
        move |t| {
            let mut requests = VecDeque::new();
            for (i, bytes) in sizes().enumerate() {
                requests.push_back(t.start_send(MODES[i % 2], 1, bytes)?);
                if requests.len() == super::super::MAX_REQUESTS {
                    t.wait(requests.pop_front().unwrap())?;
                }
            }
            requests.into_iter().try_for_each(|request| t.wait(request))
        },
        move |t| sizes().try_for_each(|bytes| t.recv(0, bytes)),
    )
    .unwrap();
}

#[test]
fn sixty_four_tickets_both_ways_at_once() {
    for mode in MODES {
        let exchange = move |t: &mut Tcp| {
            for bytes in [0, 1, 100_000] {
                let peer = 1 - t.rank();
                let sends: Vec<Request> =
                    (0..64).map(|_| t.start_send(mode, peer, bytes)).collect::<Result<_>>()?;
                let receives: Vec<Request> =
                    (0..64).map(|_| t.start_recv(peer, bytes)).collect::<Result<_>>()?;
                for request in sends.into_iter().rev() {
                    t.wait(request)?;
                }
                for request in receives {
                    while !t.test(request)? {}
                }
            }
            Ok(())
        };
        both(exchange, exchange).unwrap();
    }
}

/// Both send more than the kernel takes before either receives.
#[test]
fn sends_that_meet_make_room_for_each_other() {
    const LARGE: usize = 16 << 20;
    for mode in MODES {
        let zero = move |t: &mut Tcp| {
            let receive = t.start_recv(1, LARGE)?;
            t.send(mode, 1, LARGE)?;
            t.wait(receive)
        };
        both(zero, |t| {
            t.send(Mode::Standard, 0, LARGE)?;
            t.recv(0, LARGE)
        })
        .unwrap();
    }
    let standard = |t: &mut Tcp| {
        let peer = 1 - t.rank();
        t.send(Mode::Standard, peer, LARGE)?;
        t.recv(peer, LARGE)
    };
    both(standard, standard).unwrap();
}

#[test]
fn a_synchronous_send_ends_only_when_its_receiver_has_begun() {
    for bytes in [8, 1 << 20] {
        let took = both(
            move |t| {
                t.await_signal(1)?;
                let begin = t.now();
                let request = t.start_send(Mode::Synchronous, 1, bytes)?;
                for _ in 0..100 {
                    assert!(!t.test(request)?);
                }
                t.signal(1, 0.0)?;
                t.wait(request)?;
                Ok(t.now() - begin)
            },
            move |t| {
                t.signal(0, 0.0)?;
                t.await_signal(0)?;
                std::thread::sleep(Duration::from_millis(20));
                t.recv(0, bytes)
            },
        );
        assert!(took.unwrap() >= 20_000.0);
    }
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
fn letters_and_numbers_keep_out_of_each_others_way() {
    let long: Vec<u8> = (0..3_000_000u32).map(|i| i as u8).collect();
    let letter = long.clone();
    both(
        move |t| {
            (0..100).try_for_each(|i| t.signal(1, f64::from(i)))?;
            t.send_control(1, &letter)?;
            t.send_control(1, b"")?;
            assert_eq!(t.recv_control(1)?, letter);
            let mut numbers = [1.0, 5.0, f64::NEG_INFINITY];
            t.maximum(2, &mut numbers)?;
            assert_eq!(numbers, [2.0, 5.0, 0.0]);
            t.maximum(1, &mut numbers)
        },
        move |t| {
            t.send_control(0, &long)?;
            assert_eq!(t.recv_control(0)?, long);
            assert_eq!(t.recv_control(0)?, b"");
            for i in 0..100 {
                assert_eq!(t.await_signal(0)?, f64::from(i));
            }
            t.maximum(2, &mut [2.0, 1.0, 0.0])
        },
    )
    .unwrap();
}

#[test]
fn a_partner_that_ends_is_missed_and_its_last_words_are_heard() {
    let [mut rank0, mut rank1] = pair();
    rank1.signal(0, 7.0).unwrap();
    rank1.send(Mode::Standard, 0, 4).unwrap();
    rank1.send_control(0, b"farewell").unwrap();
    drop(rank1);
    assert_eq!(rank0.await_signal(1).unwrap(), 7.0);
    rank0.recv(1, 4).unwrap();
    assert_eq!(rank0.recv_control(1).unwrap(), b"farewell");
    let errors = [
        rank0.recv(1, 4).unwrap_err(),
        rank0.await_signal(1).unwrap_err(),
        rank0.recv_control(1).unwrap_err(),
        rank0.send(Mode::Synchronous, 1, 4).unwrap_err(),
    ];
    assert!(errors.iter().all(|error| error.message == "the other rank is gone"), "{errors:?}");
    // The kernel notices at the second write at the latest.
    let sent = (0..100).try_for_each(|_| {
        thread::sleep(Duration::from_millis(1));
        rank0.send(Mode::Standard, 1, 1 << 20)
    });
    assert_eq!(sent.unwrap_err().message, "the other rank is gone");
}

/// Another process, killed while this one waits: awake, asleep, and in the middle of a message.
#[test]
fn a_partner_that_is_killed_is_missed() {
    for wait in [
        |t: &mut Tcp| t.recv(1, 8),
        |t: &mut Tcp| t.recv_control(1).map(drop),
        |t: &mut Tcp| t.await_signal(1).map(drop),
        |t: &mut Tcp| t.send(Mode::Standard, 1, 64 << 20),
    ] {
        let listener = Listener::bind("127.0.0.1:0").unwrap();
        let address = listener.address().unwrap().to_string();
        let mut other = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--ignored", "transport::tcp::tests::somebody_to_be_killed"])
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
        assert_eq!(error.message, "the other rank is gone");
        killer.join().unwrap();
    }
}

#[test]
#[ignore = "the other process of a_partner_that_is_killed_is_missed"]
fn somebody_to_be_killed() {
    let Ok(address) = std::env::var("LOGGIA_TEST_ADDRESS") else { return };
    let _connection = Tcp::connect(&address).unwrap();
    thread::sleep(Duration::from_secs(20));
}

#[test]
fn what_can_go_wrong_at_the_door_is_said() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let error = Tcp::listen(&address).err().unwrap();
    assert_eq!(error.message, "rank 0 cannot listen: address already in use");
    assert_eq!(error.place, address);
    // It listens, but is no rank 0.
    let error = Tcp::connect(&address).err().unwrap();
    assert!(error.help.contains("something else"), "{error}");
    drop(taken);
    let error = Tcp::connect(&address).err().unwrap();
    assert_eq!(error.message, "rank 1 cannot reach rank 0: connection refused");
    assert!(error.help.contains("start rank 0 first"));
    for nonsense in ["", "here", "127.0.0.1", "127.0.0.1:99999"] {
        let error = Tcp::connect(nonsense).err().unwrap();
        assert!(error.help.contains("host and port"), "{error}");
        assert!(Listener::bind(nonsense).is_err());
    }
}

#[test]
fn strangers_are_turned_away() {
    let listener = Listener::bind("127.0.0.1:0").unwrap();
    let address = listener.address().unwrap();
    let waiting = thread::spawn(move || listener.wait());
    let mut stranger = TcpStream::connect(address).unwrap();
    stranger.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let mut rank1 = Tcp::connect(&address.to_string()).unwrap();
    let mut rank0 = waiting.join().unwrap().unwrap();
    rank0.signal(1, 3.0).unwrap();
    assert_eq!(rank1.await_signal(0).unwrap(), 3.0);
}

#[test]
fn the_listener_may_come_later() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let address = free.clone();
    let rank1 = thread::spawn(move || Tcp::connect(&address).unwrap());
    thread::sleep(Duration::from_millis(200));
    let rank0 = Tcp::listen(&free).unwrap();
    assert_eq!((rank0.rank(), rank1.join().unwrap().rank()), (0, 1));
}

#[test]
fn wrong_ranks_modes_sizes_and_operations_are_errors() {
    let [mut rank0, mut rank1] = pair();
    assert!(rank0.send(Mode::Standard, 0, 1).is_err());
    assert!(rank0.start_recv(2, 1).is_err());
    assert!(!rank0.can_send(Mode::Buffered, true) && rank0.can_send(Mode::Synchronous, false));
    assert!(rank0.send(Mode::Ready, 1, 1).unwrap_err().message.contains("ready"));
    rank0.send(Mode::Standard, 1, 10).unwrap();
    assert!(rank1.recv(0, 9).unwrap_err().message.contains("10 bytes"));
    let barrier = rank0.collective(Operation::Barrier, 2, 0, Arithmetic::Sum);
    assert_eq!(barrier.unwrap_err().message, "sockets have no barrier");
}

/// `cargo test --release -- --ignored --nocapture tcp::tests::figures`
#[test]
#[ignore = "prints figures"]
fn figures() {
    const WARM_UP: usize = 500;
    let turns = |bytes: usize| if bytes > 1 << 16 { 1_000 } else { 20_000 };
    for bytes in [0, 8, 1024, 16 << 10, 1 << 20] {
        let rounds = WARM_UP + turns(bytes);
        let mut times = both(
            move |t| {
                let mut times = Vec::new();
                for _ in 0..rounds {
                    let begin = t.now();
                    t.send(Mode::Standard, 1, bytes)?;
                    t.recv(1, bytes)?;
                    times.push((t.now() - begin) / 2.0);
                }
                Ok(times.split_off(WARM_UP))
            },
            move |t| {
                for _ in 0..rounds {
                    t.recv(0, bytes)?;
                    t.send(Mode::Standard, 0, bytes)?;
                }
                Ok(())
            },
        )
        .unwrap();
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[(times.len() as f64 * share) as usize];
        println!("{bytes:>8} B: {:.3} µs ({:.3}–{:.3})", at(0.5), at(0.05), at(0.95));
    }
}
