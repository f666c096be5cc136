use super::*;
use std::thread;
use std::time::Instant;

const SIZES: [usize; 5] = [0, 1, EAGER, EAGER + 1, 1 << 20];
const MODES: [Mode; 4] = [Mode::Standard, Mode::Synchronous, Mode::Buffered, Mode::Ready];

/// Runs both ranks, each in its thread, and gives what rank 0 found.
fn both<T: Send + 'static>(
    zero: impl FnOnce(&mut Threads) -> Result<T> + Send + 'static,
    one: impl FnOnce(&mut Threads) -> Result<()> + Send + 'static,
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
            for (mode, bytes) in MODES.into_iter().flat_map(|m| SIZES.map(|b| (m, b))) {
                for _ in 0..20 {
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
                for _ in 0..20 {
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
                requests.push_back(t.start_send(MODES[i % 4], 1, bytes)?);
                if requests.len() == super::super::MAX_REQUESTS {
                    t.wait(requests.pop_front().unwrap())?;
                }
            }
            requests.into_iter().try_for_each(|request| t.wait(request))
        },
        move |t| {
            for bytes in sizes() {
                let before = t.into.taken();
                t.recv(0, bytes)?;
                assert_eq!(t.into.taken(), before + 1);
                assert!(t.posted.is_empty());
            }
            Ok(())
        },
    )
    .unwrap();
}

#[test]
fn sixty_four_tickets_both_ways_at_once() {
    let exchange = |t: &mut Threads| {
        for bytes in SIZES {
            let peer = t.peer();
            let sends: Vec<Request> = (0..64)
                .map(|_| t.start_send(Mode::Standard, peer, bytes))
                .collect::<Result<_>>()?;
            let receives: Vec<Request> =
                (0..64).map(|_| t.start_recv(peer, bytes)).collect::<Result<_>>()?;
            // The last first: a request is as good as any other.
            for request in receives.into_iter().rev() {
                t.wait(request)?;
            }
            for request in sends {
                while !t.test(request)? {}
            }
        }
        Ok(())
    };
    both(exchange, exchange).unwrap();
}

#[test]
fn a_synchronous_send_ends_only_when_its_receiver_has_begun() {
    for bytes in [8, 1 << 20] {
        let sent = both(
            move |t| {
                t.await_signal(1)?;
                let request = t.start_send(Mode::Synchronous, 1, bytes)?;
                for _ in 0..1000 {
                    assert!(!t.test(request)?);
                }
                t.signal(1, 0.0)?;
                t.wait(request)?;
                Ok(t.now())
            },
            move |t| {
                t.signal(0, 0.0)?;
                t.await_signal(0)?;
                std::thread::sleep(Duration::from_millis(20));
                let begin = t.now();
                t.recv(0, bytes)?;
                assert!(begin >= 20_000.0);
                Ok(())
            },
        );
        assert!(sent.unwrap() >= 20_000.0);
    }
}

#[test]
fn only_large_sends_wait_for_a_late_receiver() {
    let alone = |mode, bytes| {
        both(
            move |t| {
                t.await_signal(1)?;
                let begin = t.now();
                t.send(mode, 1, bytes)?;
                Ok(t.now() - begin)
            },
            move |t| {
                t.signal(0, 0.0)?;
                std::thread::sleep(Duration::from_millis(30));
                t.recv(0, bytes)
            },
        )
        .unwrap()
    };
    assert!(alone(Mode::Standard, EAGER) < 20_000.0);
    assert!(alone(Mode::Buffered, 1 << 20) < 20_000.0);
    assert!(alone(Mode::Standard, EAGER + 1) > 20_000.0);
    assert!(alone(Mode::Ready, EAGER + 1) > 20_000.0);
}

#[test]
fn more_buffered_messages_than_slots_are_not_lost() {
    both(
        |t| {
            for _ in 0..SLOTS + MOST_BUFFERED {
                t.send(Mode::Buffered, 1, 100)?;
            }
            t.send_control(1, b"now")?;
            t.recv_control(1).map(drop)
        },
        |t| {
            t.recv_control(0)?;
            for _ in 0..SLOTS + MOST_BUFFERED {
                t.recv(0, 100)?;
            }
            t.send_control(0, b"done")
        },
    )
    .unwrap();
}

#[test]
fn letters_and_numbers_keep_out_of_each_others_way() {
    both(
        |t| {
            t.send(Mode::Standard, 1, 8)?;
            (0..20).try_for_each(|i| t.signal(1, f64::from(i)))?;
            t.send_control(1, b"first")?;
            t.send_control(1, b"")?;
            let mut numbers = [1.0, 5.0, f64::NEG_INFINITY];
            t.maximum(2, &mut numbers)?;
            assert_eq!(numbers, [2.0, 5.0, 0.0]);
            t.maximum(1, &mut numbers)
        },
        |t| {
            let begin = Instant::now();
            assert_eq!(t.recv_control(0)?, b"first");
            assert!(begin.elapsed() < Duration::from_secs(5));
            assert_eq!(t.recv_control(0)?, b"");
            for i in 0..20 {
                assert_eq!(t.await_signal(0)?, f64::from(i));
            }
            t.recv(0, 8)?;
            t.maximum(2, &mut [2.0, 1.0, 0.0])
        },
    )
    .unwrap_or_else(|error| panic!("{error}"));
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
        rank0.send_control(1, b"x").unwrap_err(),
        rank0.send(Mode::Synchronous, 1, 4).unwrap_err(),
    ];
    assert!(errors.iter().all(|error| error.message == "the other rank is gone"), "{errors:?}");
}

#[test]
fn wrong_ranks_sizes_and_operations_are_errors() {
    let [mut rank0, mut rank1] = pair();
    assert!(rank0.send(Mode::Standard, 0, 1).is_err());
    assert!(rank0.start_recv(2, 1).is_err());
    rank0.send(Mode::Standard, 1, 10).unwrap();
    assert!(rank1.recv(0, 9).unwrap_err().message.contains("10 bytes"));
    let barrier = rank0.collective(Operation::Barrier, 2, 0, Arithmetic::Sum);
    assert_eq!(barrier.unwrap_err().message, "threads have no barrier");
    assert!(!rank0.has_collectives());
}

/// `envelope test --release -- --ignored --nocapture threads::tests::figures`
#[test]
#[ignore = "prints figures"]
fn figures() {
    const WARM_UP: usize = 1000;
    let turns = |bytes: usize| if bytes > 1 << 16 { 2_000 } else { 100_000 };
    for bytes in [0, 8, 1024, EAGER, EAGER + 1, 1 << 20] {
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
