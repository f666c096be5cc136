//! Guarantees of every transport. Each case is one program for both ranks, run on each transport,
//! in threads or under `mpirun`.

use super::{Request, Result, Transport};
use loggia_model::signature::Mode;
use std::collections::VecDeque;
use std::thread;

/// Limits of a transport.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) modes: &'static [Mode],
    /// Message sizes around the changes of its protocol.
    pub(super) sizes: [usize; 5],
    /// Number of sends in flight, with as many receives.
    pub(super) requests: usize,
    /// Number of signals in flight.
    pub(super) signals: u32,
    /// Bytes of a control message.
    pub(super) control: usize,
}

type Case = fn(&mut dyn Transport, Limits) -> Result<()>;

pub(super) const CASES: [(&str, Case); 6] = [
    ("ping-pong in all modes and sizes", ping_pong),
    ("messages keep their order", order),
    ("requests in flight both ways", both_ways),
    ("a synchronous send completes after its receive begins", synchronous),
    ("sends that cross before their receives", crossing),
    ("signals and control messages are independent of messages", control),
];

/// Runs all cases, with each rank in a thread.
pub(super) fn check<T, P>(pair: impl Fn() -> P, limits: Limits)
where
    T: Transport + Send + 'static,
    P: IntoIterator<Item = T>,
{
    for (name, case) in CASES {
        let start = |mut rank: T| thread::spawn(move || case(&mut rank, limits));
        let ranks: Vec<_> = pair().into_iter().map(start).collect();
        for rank in ranks {
            let result = rank.join().unwrap_or_else(|_| panic!("{name}"));
            result.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

/// Runs rank 1 in a separate thread, and returns the result of rank 0.
pub(super) fn both<T: Transport + Send + 'static, R>(
    [mut rank0, mut rank1]: [T; 2],
    rank0_body: impl FnOnce(&mut T) -> Result<R>,
    rank1_body: impl FnOnce(&mut T) -> Result<()> + Send + 'static,
) -> Result<R> {
    let other = thread::spawn(move || rank1_body(&mut rank1));
    let found = rank0_body(&mut rank0);
    other.join().expect("rank 1")?;
    found
}

fn ping_pong(t: &mut dyn Transport, limits: Limits) -> Result<()> {
    let (rank, peer) = (t.rank(), 1 - t.rank());
    assert!(rank < 2 && t.ranks() == 2);
    for (mode, bytes) in limits.modes.iter().flat_map(|m| limits.sizes.map(|b| (*m, b))) {
        assert!(t.can_send(mode, true) && t.can_send(mode, false), "{mode:?}");
        for _ in 0..20 {
            if rank == 0 {
                t.send(mode, peer, bytes)?;
                t.recv(peer, bytes)?;
                let receive = t.start_recv(peer, bytes)?;
                let send = t.start_send(mode, peer, bytes)?;
                t.wait(receive)?;
                t.wait(send)?;
            } else {
                t.recv(peer, bytes)?;
                t.send(mode, peer, bytes)?;
                t.recv(peer, bytes)?;
                t.send(mode, peer, bytes)?;
            }
        }
    }
    Ok(())
}

/// The buffer of a receive has exactly the size of its message, so that a wrong order is an error.
fn order(t: &mut dyn Transport, limits: Limits) -> Result<()> {
    let mut sizes = (0..200).map(|i| limits.sizes[i * 7 % 5] + i);
    if t.rank() == 1 {
        return sizes.try_for_each(|bytes| t.recv(0, bytes));
    }
    let mut requests = VecDeque::new();
    for (i, bytes) in sizes.enumerate() {
        requests.push_back(t.start_send(limits.modes[i % limits.modes.len()], 1, bytes)?);
        if requests.len() == super::MAX_REQUESTS {
            t.wait(requests.pop_front().expect("requests"))?;
        }
    }
    requests.into_iter().try_for_each(|request| t.wait(request))
}

fn both_ways(t: &mut dyn Transport, limits: Limits) -> Result<()> {
    let peer = 1 - t.rank();
    let sizes = limits.sizes.into_iter().chain([100_000]);
    for (mode, bytes) in sizes.flat_map(|b| [(Mode::Standard, b), (Mode::Synchronous, b)]) {
        let all = 0..limits.requests;
        let sends: Vec<Request> =
            all.clone().map(|_| t.start_send(mode, peer, bytes)).collect::<Result<_>>()?;
        let receives: Vec<Request> =
            all.map(|_| t.start_recv(peer, bytes)).collect::<Result<_>>()?;
        // Requests complete in any order of waiting.
        for request in sends.into_iter().rev() {
            t.wait(request)?;
        }
        for request in receives {
            while !t.test(request)? {}
        }
    }
    Ok(())
}

fn synchronous(t: &mut dyn Transport, limits: Limits) -> Result<()> {
    const LATE: f64 = 20_000.0;
    for bytes in [8, 1 << 20] {
        if t.rank() == 1 {
            t.signal(0, 0.0)?;
            t.await_signal(0)?;
            t.compute(LATE);
            t.recv(0, bytes)?;
            continue;
        }
        t.await_signal(1)?;
        let begin = t.now();
        let request = t.start_send(Mode::Synchronous, 1, bytes)?;
        for _ in 0..100 {
            assert!(!t.test(request)?);
        }
        t.signal(1, 0.0)?;
        t.wait(request)?;
        assert!(t.now() - begin >= LATE, "{bytes} bytes");
    }
    assert!(limits.modes.contains(&Mode::Synchronous));
    Ok(())
}

/// Both ranks send more than the buffers hold before they wait for a receive.
fn crossing(t: &mut dyn Transport, _: Limits) -> Result<()> {
    const LARGE: usize = 16 << 20;
    let (rank, peer) = (t.rank(), 1 - t.rank());
    for mode in [Mode::Standard, Mode::Synchronous] {
        if rank == 0 {
            let receive = t.start_recv(peer, LARGE)?;
            t.send(mode, peer, LARGE)?;
            t.wait(receive)?;
        } else {
            t.send(Mode::Standard, peer, LARGE)?;
            t.recv(peer, LARGE)?;
        }
    }
    Ok(())
}

fn control(t: &mut dyn Transport, limits: Limits) -> Result<()> {
    let long: Vec<u8> = (0..limits.control).map(|i| i as u8).collect();
    if t.rank() == 0 {
        t.send(Mode::Standard, 1, 8)?;
        (0..limits.signals).try_for_each(|i| t.signal(1, f64::from(i)))?;
        t.send_control(1, &long)?;
        t.send_control(1, b"")?;
        assert_eq!(t.recv_control(1)?, long);
        let mut numbers = [1.0, 5.0, f64::NEG_INFINITY];
        let both = t.group(&[0, 1])?;
        t.maximum(both, &mut numbers)?;
        assert_eq!(numbers, [2.0, 5.0, 0.0]);
        let alone = t.group(&[0])?;
        return t.maximum(alone, &mut numbers);
    }
    t.send_control(0, &long)?;
    assert_eq!(t.recv_control(0)?, long);
    assert_eq!(t.recv_control(0)?, b"");
    for i in 0..limits.signals {
        assert_eq!(t.await_signal(0)?, f64::from(i));
    }
    t.recv(0, 8)?;
    let both = t.group(&[0, 1])?;
    t.maximum(both, &mut [2.0, 1.0, 0.0])
}

/// After a rank ended, its last messages arrive, and all other calls fail with this message.
pub(super) fn check_departure<T: Transport>([mut rank0, mut rank1]: [T; 2], message: &str) {
    rank1.signal(0, 7.0).expect("a signal");
    rank1.send(Mode::Standard, 0, 4).expect("a message");
    rank1.send_control(0, b"farewell").expect("a control message");
    drop(rank1);
    assert_eq!(rank0.await_signal(1).expect("a signal"), 7.0);
    rank0.recv(1, 4).expect("a message");
    assert_eq!(rank0.recv_control(1).expect("a control message"), b"farewell");
    let errors = [
        rank0.recv(1, 4).expect_err("recv"),
        rank0.await_signal(1).expect_err("await_signal"),
        rank0.recv_control(1).expect_err("recv_control"),
        rank0.send(Mode::Synchronous, 1, 4).expect_err("send"),
    ];
    assert!(errors.iter().all(|error| error.message == message), "{errors:?}");
}

/// Wrong ranks and sizes are errors.
pub(super) fn check_errors<T: Transport>([mut rank0, mut rank1]: [T; 2]) {
    assert!(rank0.send(Mode::Standard, 0, 1).is_err());
    assert!(rank0.start_recv(2, 1).is_err() && rank0.recv(2, 1).is_err());
    rank0.send(Mode::Standard, 1, 10).expect("a message");
    let too_long = rank1.recv(0, 9).expect_err("a message of 10 bytes");
    assert!(too_long.message.contains("10 bytes"), "{too_long}");
}
