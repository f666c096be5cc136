use super::*;
use crate::transport::conformance::{self, Limits};
use std::time::Instant;

const LIMITS: Limits = Limits {
    modes: &[Mode::Standard, Mode::Synchronous, Mode::Buffered, Mode::Ready],
    sizes: [0, 1, EAGER, EAGER + 1, 1 << 20],
    requests: 64,
    signals: 20,
    control: 3_000_000,
};

#[test]
fn conforms() {
    conformance::check(pair, LIMITS);
    conformance::check_departure(pair(), "the other rank ended");
    conformance::check_errors(pair());
}

fn both<R>(
    rank0_body: impl FnOnce(&mut Threads) -> Result<R>,
    rank1_body: impl FnOnce(&mut Threads) -> Result<()> + Send + 'static,
) -> Result<R> {
    conformance::both(pair(), rank0_body, rank1_body)
}

#[test]
fn a_receive_takes_one_message_out_of_the_ring() {
    let sizes = || (0..200).map(|i| LIMITS.sizes[i * 7 % 5] + i);
    both(
        move |t| sizes().try_for_each(|bytes| t.send(Mode::Standard, 1, bytes)),
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

/// Whether the receive had begun when the send returned.
fn send_waits_for_the_receive(mode: Mode, bytes: usize) -> bool {
    let receiving = Arc::new(AtomicBool::new(false));
    let seen = receiving.clone();
    both(
        move |t| {
            t.await_signal(1)?;
            t.send(mode, 1, bytes)?;
            Ok(seen.load(Ordering::SeqCst))
        },
        move |t| {
            t.signal(0, 0.0)?;
            std::thread::sleep(Duration::from_millis(30));
            receiving.store(true, Ordering::SeqCst);
            t.recv(0, bytes)
        },
    )
    .unwrap()
}

#[test]
fn only_large_sends_wait_for_a_late_receiver() {
    assert!(send_waits_for_the_receive(Mode::Standard, EAGER + 1));
    assert!(send_waits_for_the_receive(Mode::Ready, EAGER + 1));
}

#[test]
fn small_and_buffered_sends_return_before_the_receive() {
    for (mode, bytes) in [(Mode::Standard, EAGER), (Mode::Buffered, 1 << 20)] {
        let sent = Arc::new(AtomicBool::new(false));
        let seen = sent.clone();
        both(
            move |t| {
                t.send(mode, 1, bytes)?;
                sent.store(true, Ordering::SeqCst);
                Ok(())
            },
            move |t| {
                let begin = Instant::now();
                while !seen.load(Ordering::SeqCst) && begin.elapsed() < Duration::from_secs(10) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                assert!(seen.load(Ordering::SeqCst), "the send waits for the receive");
                t.recv(0, bytes)
            },
        )
        .unwrap();
    }
}

#[test]
fn more_buffered_messages_than_slots_are_not_lost() {
    both(
        |t| {
            for _ in 0..SLOTS + MAX_BUFFERED {
                t.send(Mode::Buffered, 1, 100)?;
            }
            t.send_control(1, b"now")?;
            t.recv_control(1).map(drop)
        },
        |t| {
            t.recv_control(0)?;
            for _ in 0..SLOTS + MAX_BUFFERED {
                t.recv(0, 100)?;
            }
            t.send_control(0, b"done")
        },
    )
    .unwrap();
}

#[test]
fn collective_operations_are_errors() {
    let [mut rank0, rank1] = pair();
    drop(rank1);
    assert!(rank0.send_control(1, b"x").unwrap_err().message.contains("ended"));
    let group = rank0.group(&[0, 1]).unwrap();
    let barrier = rank0.collective(Operation::Barrier, group, 0, Arithmetic::Sum);
    assert_eq!(barrier.unwrap_err().message, "threads have no barrier");
    assert!(!rank0.has_collectives());
}
