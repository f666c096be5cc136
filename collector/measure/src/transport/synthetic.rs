//! A machine that is only a signature: nothing is sent, but every call takes the time that the
//! models say, with a chosen noise. For tests, which know the truth here, and for teaching.
//!
//! Each rank has a clock, which calls and messages move on. What a rank does between two calls is
//! its own affair, so that each runs in a thread of its own and waits for others where it must.
//! Noise belongs to the message and not to the moment: a seed gives the same times whichever
//! thread is faster. (Only of handshakes with two others at once the order can show.)
//!
//! | file | what it says |
//! |---|---|
//! | `machine` | where ranks are, and what everything costs |
//! | `noise` | by how much a cost is off |
//! | `packet` | what ranks tell each other |
//! | `message` | how a message goes its way |
//! | `mailboxes` | where ranks wait for each other in real time |

mod machine;
mod mailbox;
mod message;
mod noise;
mod packet;

pub use machine::Conditions;
pub use noise::Noise;

use super::{Arithmetic, Rank, RankInfo, Request, Result, Transport};
use loggia_model::Error;
use loggia_model::signature::{Mode, Operation, Signature};
use loggia_model::units::Procs;
use machine::Machine;
use mailbox::Mailboxes;
use message::{Op, PendingWork};
use packet::{Channel, Packet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One rank.
pub struct Synthetic {
    rank: Rank,
    machine: Arc<Machine>,
    /// µs since the beginning.
    clock: f64,
    /// When the rank's way into the network is free, and its way to pull from others.
    out_free: f64,
    pull_free: f64,
    mailboxes: Arc<Mailboxes>,
    /// What is between this rank and each other.
    channels: Vec<Channel>,
    /// By request.
    ops: Vec<Option<Op>>,
    /// What remains to be done for messages, once this rank is in a call.
    pendings: Vec<PendingWork>,
    /// How many collective operations there were, by their number of ranks.
    collectives: BTreeMap<Rank, u64>,
}

impl Synthetic {
    /// The ranks of such a machine, from 0. Each is for a thread of its own.
    pub fn ranks(signature: &Signature, procs: u32, noise: Noise) -> Result<Vec<Self>> {
        Synthetic::under(signature, procs, noise, Conditions::default())
    }

    /// The same under conditions that no signature speaks of.
    pub fn under(
        signature: &Signature,
        procs: u32,
        noise: Noise,
        conditions: Conditions,
    ) -> Result<Vec<Self>> {
        let machine = Arc::new(Machine::new(signature, procs, noise, conditions)?);
        let mailboxes = Arc::new(Mailboxes::new(procs));
        let rank = |rank| Synthetic {
            rank,
            machine: machine.clone(),
            clock: 0.0,
            out_free: 0.0,
            pull_free: 0.0,
            mailboxes: mailboxes.clone(),
            channels: (0..procs).map(|_| Channel::default()).collect(),
            ops: Vec::new(),
            pendings: Vec::new(),
            collectives: BTreeMap::new(),
        };
        Ok((0..procs).map(rank).collect())
    }

    fn check(&self, rank: Rank) -> Result<()> {
        if rank != self.rank && rank < self.machine.procs {
            return Ok(());
        }
        Err(Error::new(
            format!("rank {} has no way to rank {rank}", self.rank),
            "transport synthetic",
            format!("ranks are 0 to {} here", self.machine.procs - 1),
        ))
    }

    fn channel(&mut self, rank: Rank) -> &mut Channel {
        &mut self.channels[rank as usize]
    }

    fn deliver(&self, rank: Rank, packet: Packet) {
        self.mailboxes.deliver(self.rank, self.clock, rank, packet);
    }

    /// What `ready` looks for and what comes from `peer`: waits for it in real time. In virtual
    /// time this rank is in a call all the while, and does its pendings. None if `peer` waits for
    /// this rank to go on; where this rank must have it, that is the end.
    fn until<T>(
        &mut self,
        peer: Rank,
        must: bool,
        ready: impl Fn(&mut Self) -> Option<T>,
    ) -> Result<Option<T>> {
        loop {
            if let Some(found) = ready(self) {
                return Ok(Some(found));
            }
            self.do_chores(self.clock, f64::INFINITY);
            if let Some(found) = ready(self) {
                return Ok(Some(found));
            }
            let Some((from, packet)) = self.next_packet(peer, must)? else { return Ok(None) };
            self.take_in(from, packet)?;
        }
    }

    /// The same, for a call that can do nothing else.
    fn wait_for<T>(&mut self, peer: Rank, ready: impl Fn(&mut Self) -> Option<T>) -> Result<T> {
        self.until(peer, true, ready)?.ok_or_else(|| self.deadlock())
    }

    fn deadlock(&self) -> Error {
        Error::new(
            format!("rank {} waits for a rank that waits for it", self.rank),
            "transport synthetic",
            "this is a fault in loggia: please report it",
        )
    }

    /// What has come and was not looked at yet, or else what comes next.
    fn next_packet(&mut self, peer: Rank, must: bool) -> Result<Option<(Rank, Packet)>> {
        for from in std::iter::once(peer).chain(0..self.machine.procs) {
            if let Some(packet) = self.channel(from).next() {
                return Ok(Some((from, packet)));
            }
        }
        if self.channel(peer).is_gone {
            return Err(Error::new(
                format!("rank {peer} is gone"),
                "transport synthetic",
                "its thread has ended early; the reason stands before this",
            ));
        }
        Ok(self.mailboxes.next(self.rank, self.clock, peer, must))
    }

    fn take_in(&mut self, from: Rank, packet: Packet) -> Result<()> {
        let channel = self.channel(from);
        match packet {
            Packet::Message(announcement) => return self.offered(from, announcement),
            Packet::Step(number, step) => self.stepped(from, number, step),
            Packet::Number(number, arrives) => channel.numbers.push_back((number, arrives)),
            Packet::Letter(letter, posted) => channel.letters.push_back((letter, posted)),
            Packet::Meeting(time) => channel.meetings.push_back(time),
            Packet::Gone => channel.is_gone = true,
        }
        Ok(())
    }

    /// This rank was in a call from then until now.
    fn leaves_call(&mut self, since: f64) {
        self.do_chores(since, self.clock);
    }
}

impl Transport for Synthetic {
    fn name(&self) -> &'static str {
        "synthetic"
    }

    fn rank_info(&self) -> RankInfo {
        self.machine.rank_info(self.rank)
    }

    fn rank(&self) -> Rank {
        self.rank
    }

    fn ranks(&self) -> Rank {
        self.machine.procs
    }

    fn path(&self) -> Option<String> {
        Some(format!("nothing: times are computed from the signature of {}", self.machine.title()))
    }

    fn now(&mut self) -> f64 {
        self.clock += self.machine.conditions.reading_clock;
        self.clock
    }

    fn compute(&mut self, micros: f64) {
        self.clock += micros.max(0.0);
    }

    fn can_send(&self, mode: Mode, _: bool) -> bool {
        self.machine.can_send(mode)
    }

    fn send(&mut self, mode: Mode, to: Rank, bytes: usize) -> Result<()> {
        let request = self.begin_send((mode, true), to, bytes)?;
        self.wait(request)
    }

    fn start_send(&mut self, mode: Mode, to: Rank, bytes: usize) -> Result<Request> {
        self.begin_send((mode, false), to, bytes)
    }

    fn recv(&mut self, from: Rank, bytes: usize) -> Result<()> {
        let request = self.start_recv(from, bytes)?;
        self.wait(request)
    }

    fn start_recv(&mut self, from: Rank, bytes: usize) -> Result<Request> {
        self.begin_recv(from, bytes)
    }

    /// Complete before now, or else the clock moves to when it will be: the next test finds it.
    fn test(&mut self, request: Request) -> Result<bool> {
        let since = self.clock;
        let Some(finish) = self.finish_of(request, false)? else { return Ok(false) };
        let is_complete = finish.at <= self.clock;
        self.clock = if is_complete { self.clock + finish.cost } else { finish.at };
        self.leaves_call(since);
        if is_complete {
            self.spend(request);
        }
        Ok(is_complete)
    }

    fn wait(&mut self, request: Request) -> Result<()> {
        let since = self.clock;
        let Some(finish) = self.finish_of(request, true)? else { return Err(self.deadlock()) };
        self.clock = self.clock.max(finish.at) + finish.cost;
        self.leaves_call(since);
        self.spend(request);
        Ok(())
    }

    /// As a small message that does not wait for its receiver.
    fn signal(&mut self, to: Rank, number: f64) -> Result<()> {
        self.check(to)?;
        let arrives = self.number_goes(to);
        self.deliver(to, Packet::Number(number, arrives));
        Ok(())
    }

    fn await_signal(&mut self, from: Rank) -> Result<f64> {
        self.check(from)?;
        let since = self.clock;
        let (number, arrives) = self.wait_for(from, |s| s.channel(from).numbers.pop_front())?;
        self.clock = self.clock.max(arrives) + self.number_costs(from);
        self.leaves_call(since);
        Ok(number)
    }

    /// Letters take no time, but nobody reads one before it was written.
    fn send_control(&mut self, to: Rank, letter: &[u8]) -> Result<()> {
        self.check(to)?;
        self.deliver(to, Packet::Letter(letter.to_vec(), self.clock));
        Ok(())
    }

    fn recv_control(&mut self, from: Rank) -> Result<Vec<u8>> {
        self.check(from)?;
        let since = self.clock;
        let (letter, posted) = self.wait_for(from, |s| s.channel(from).letters.pop_front())?;
        self.clock = self.clock.max(posted);
        self.leaves_call(since);
        Ok(letter)
    }

    fn has_collectives(&self) -> bool {
        self.machine.has_collectives()
    }

    /// All meet at rank 0, which says when they leave.
    fn collective(
        &mut self,
        op: Operation,
        procs: Rank,
        bytes: usize,
        arithmetic: Arithmetic,
    ) -> Result<()> {
        let count = self.collectives.entry(procs).or_default();
        *count += 1;
        let count = *count;
        let others = self.other_of(procs)?;
        let since = self.clock;
        if self.rank == 0 {
            let mut last = self.clock;
            for other in others.clone() {
                last = last.max(self.wait_for(other, |s| s.channel(other).meetings.pop_front())?);
            }
            let time = self.machine.collective(op, Procs(procs), bytes, arithmetic)?;
            let mut random = self.machine.random(noise::CostKind::Collective, [procs, 0], count);
            self.clock = last + time * random.usual();
            others.for_each(|other| self.deliver(other, Packet::Meeting(self.clock)));
        } else {
            self.deliver(0, Packet::Meeting(self.clock));
            self.clock = self.wait_for(0, |s| s.channel(0).meetings.pop_front())?;
        }
        self.leaves_call(since);
        Ok(())
    }

    fn maximum(&mut self, procs: Rank, numbers: &mut [f64]) -> Result<()> {
        let others = self.other_of(procs)?;
        if self.rank != 0 {
            let letter: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            return self.send_control(0, &letter);
        }
        for other in others {
            let letter = self.recv_control(other)?;
            for (number, bytes) in numbers.iter_mut().zip(letter.as_chunks().0) {
                *number = number.max(f64::from_le_bytes(*bytes));
            }
        }
        Ok(())
    }
}

impl Synthetic {
    /// The ranks besides rank 0 that take part with this one.
    fn other_of(&self, procs: Rank) -> Result<std::ops::Range<Rank>> {
        if self.rank < procs && procs <= self.machine.procs {
            return Ok(1..procs);
        }
        Err(Error::new(
            format!("rank {} is none of the first {procs}", self.rank),
            "transport synthetic",
            format!("there are {} ranks", self.machine.procs),
        ))
    }
}

impl Drop for Synthetic {
    fn drop(&mut self) {
        self.clock = f64::INFINITY;
        for other in 0..self.machine.procs {
            self.deliver(other, Packet::Gone);
        }
    }
}

#[cfg(test)]
mod tests;
