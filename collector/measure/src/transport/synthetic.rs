//! A machine simulated from a signature: no message is sent, and each call takes the time of the
//! models, with noise. For tests, in which the true parameters are known, and for teaching.
//!
//! Each rank has a virtual clock and runs in its own thread; it waits for other ranks only where
//! necessary. Noise depends on the message and the seed, so that times do not depend on the
//! scheduling of threads (except the order of simultaneous handshakes with two other ranks).
//!
//! | file | contents |
//! |---|---|
//! | `machine` | placement of ranks and all costs |
//! | `noise` | noise of costs |
//! | `packet` | packets between ranks |
//! | `message` | protocols of messages |
//! | `mailbox` | waiting for packets in real time |

mod machine;
mod mailbox;
mod message;
mod noise;
mod packet;

pub use machine::Conditions;
pub use noise::Noise;

use super::{Arithmetic, GroupId, Rank, RankInfo, Request, Result, Transport};
use loggia_model::Error;
use loggia_model::error::REPORT;
use loggia_model::signature::{Mode, Operation, Signature};
use machine::Machine;
use mailbox::Mailboxes;
use message::{Op, PendingWork};
use packet::{Channel, Packet};
use std::sync::Arc;

pub struct Synthetic {
    rank: Rank,
    machine: Arc<Machine>,
    /// Virtual time, in µs.
    clock: f64,
    /// Times from which the rank can inject, and receive, the next message.
    out_free: f64,
    pull_free: f64,
    mailboxes: Arc<Mailboxes>,
    /// Channels by rank.
    channels: Vec<Channel>,
    /// Operations by request.
    ops: Vec<Option<Op>>,
    /// Protocol steps that need this rank to be in a call.
    pending: Vec<PendingWork>,
    /// Groups of ranks, each with the number of collective operations that rank 0 has run.
    groups: Vec<(Vec<Rank>, u64)>,
}

impl Synthetic {
    /// All ranks of the machine, one per thread.
    pub fn ranks(signature: &Signature, procs: u32, noise: Noise) -> Result<Vec<Self>> {
        Synthetic::under(signature, procs, noise, Conditions::default())
    }

    /// Like [`Synthetic::ranks`], with conditions that are not part of a signature.
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
            pending: Vec::new(),
            groups: Vec::new(),
        };
        Ok((0..procs).map(rank).collect())
    }

    /// Names of the tiers whose S is known, but not their progress: there, messages above S progress
    /// while ranks compute.
    pub fn tiers_of_assumed_progress(signature: &Signature) -> Vec<&str> {
        machine::tiers_of_assumed_progress(signature)
    }

    fn check(&self, rank: Rank) -> Result<()> {
        if rank != self.rank && rank < self.machine.procs {
            return Ok(());
        }
        Err(Error::new(
            format!("rank {} cannot reach rank {rank}", self.rank),
            "transport synthetic",
            format!("this machine has the ranks 0 to {}", self.machine.procs - 1),
        ))
    }

    fn channel(&mut self, rank: Rank) -> &mut Channel {
        &mut self.channels[rank as usize]
    }

    fn deliver(&self, rank: Rank, packet: Packet) {
        self.mailboxes.deliver(self.rank, self.clock, rank, packet);
    }

    /// Waits in real time until `ready` returns a value from packets of `peer`. In virtual time
    /// this rank is in a call and executes pending steps. `None` if `peer` waits for this rank.
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
            self.run_due_steps(self.clock, f64::INFINITY);
            if let Some(found) = ready(self) {
                return Ok(Some(found));
            }
            let Some((from, packet)) = self.next_packet(peer, must)? else { return Ok(None) };
            self.receive(from, packet)?;
        }
    }

    /// Like `until`, with an error instead of a deadlock.
    fn wait_for<T>(&mut self, peer: Rank, ready: impl Fn(&mut Self) -> Option<T>) -> Result<T> {
        self.until(peer, true, ready)?.ok_or_else(|| self.deadlock())
    }

    fn deadlock(&self) -> Error {
        Error::new(
            format!("deadlock: rank {} waits for a rank that waits for it", self.rank),
            "transport synthetic",
            REPORT,
        )
    }

    /// The next packet; waits if there is none.
    fn next_packet(&mut self, peer: Rank, must: bool) -> Result<Option<(Rank, Packet)>> {
        for from in std::iter::once(peer).chain(0..self.machine.procs) {
            if let Some(packet) = self.channel(from).next() {
                return Ok(Some((from, packet)));
            }
        }
        if self.channel(peer).is_gone {
            return Err(Error::new(
                format!("rank {peer} ended"),
                "transport synthetic",
                "its thread ended early; see the previous error",
            ));
        }
        Ok(self.mailboxes.next(self.rank, self.clock, peer, must))
    }

    fn receive(&mut self, from: Rank, packet: Packet) -> Result<()> {
        let channel = self.channel(from);
        match packet {
            Packet::Message(message) => return self.receive_message(from, message),
            Packet::Step(number, step) => self.receive_step(from, number, step),
            Packet::Number(number, arrives) => channel.numbers.push_back((number, arrives)),
            Packet::Control(message, posted) => channel.controls.push_back((message, posted)),
            Packet::CollectiveTime(time) => channel.collective_times.push_back(time),
            Packet::Gone => channel.is_gone = true,
        }
        Ok(())
    }

    /// Executes pending steps of a call that began at `since`.
    fn end_call(&mut self, since: f64) {
        self.run_due_steps(since, self.clock);
    }
}

impl Transport for Synthetic {
    fn name(&self) -> &'static str {
        "synthetic"
    }

    fn rank_info(&self) -> RankInfo {
        self.machine.rank_info(self.rank)
    }

    /// Synthetic times do not depend on the processors of the threads.
    fn last_processor(&self) -> Option<String> {
        None
    }

    fn rank(&self) -> Rank {
        self.rank
    }

    fn ranks(&self) -> Rank {
        self.machine.procs
    }

    fn path(&self) -> Option<String> {
        Some(format!(
            "no network: times are computed from the signature of {}",
            self.machine.title()
        ))
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

    /// If the request is not complete, the clock advances to its completion, so that the next test
    /// is successful.
    fn test(&mut self, request: Request) -> Result<bool> {
        let since = self.clock;
        let Some(finish) = self.wait_for_finish(request, false)? else { return Ok(false) };
        let is_complete = finish.at <= self.clock;
        self.clock = if is_complete { self.clock + finish.cost } else { finish.at };
        self.end_call(since);
        if is_complete {
            self.release(request);
        }
        Ok(is_complete)
    }

    fn wait(&mut self, request: Request) -> Result<()> {
        let since = self.clock;
        let Some(finish) = self.wait_for_finish(request, true)? else {
            return Err(self.deadlock());
        };
        self.clock = self.clock.max(finish.at) + finish.cost;
        self.end_call(since);
        self.release(request);
        Ok(())
    }

    /// Costs as much as a small eager message.
    fn signal(&mut self, to: Rank, number: f64) -> Result<()> {
        self.check(to)?;
        let arrives = self.send_number(to);
        self.deliver(to, Packet::Number(number, arrives));
        Ok(())
    }

    fn await_signal(&mut self, from: Rank) -> Result<f64> {
        self.check(from)?;
        let since = self.clock;
        let (number, arrives) = self.wait_for(from, |s| s.channel(from).numbers.pop_front())?;
        self.clock = self.clock.max(arrives) + self.receive_cost(from);
        self.end_call(since);
        Ok(number)
    }

    /// Control messages take no time, but arrive after they were sent.
    fn send_control(&mut self, to: Rank, message: &[u8]) -> Result<()> {
        self.check(to)?;
        self.deliver(to, Packet::Control(message.to_vec(), self.clock));
        Ok(())
    }

    fn recv_control(&mut self, from: Rank) -> Result<Vec<u8>> {
        self.check(from)?;
        let since = self.clock;
        let (message, posted) = self.wait_for(from, |s| s.channel(from).controls.pop_front())?;
        self.clock = self.clock.max(posted);
        self.end_call(since);
        Ok(message)
    }

    fn has_collectives(&self) -> bool {
        self.machine.has_collectives()
    }

    fn group(&mut self, members: &[Rank]) -> Result<GroupId> {
        let all = 0..self.machine.procs;
        if !members.contains(&self.rank) || members.iter().any(|rank| !all.contains(rank)) {
            return Err(Error::new(
                format!("rank {} is not among the ranks {members:?}", self.rank),
                "transport synthetic",
                format!("there are {} ranks", self.machine.procs),
            ));
        }
        let known = self.groups.iter().position(|(known, _)| known == members);
        let index = known.unwrap_or_else(|| {
            self.groups.push((members.to_vec(), 0));
            self.groups.len() - 1
        });
        Ok(GroupId { procs: members.len() as Rank, index })
    }

    /// All ranks report to rank 0, which sends them the completion time.
    fn collective(
        &mut self,
        op: Operation,
        group: GroupId,
        bytes: usize,
        arithmetic: Arithmetic,
    ) -> Result<()> {
        let since = self.clock;
        if self.rank == 0 {
            let (members, count) = &mut self.groups[group.index];
            *count += 1;
            let (members, count) = (members.clone(), *count);
            let mut last = self.clock;
            for &other in &members[1..] {
                last = last
                    .max(self.wait_for(other, |s| s.channel(other).collective_times.pop_front())?);
            }
            let time = self.machine.collective(op, &members, bytes, arithmetic)?;
            let identity = [group.procs, group.index as u32];
            let mut random = self.machine.random(noise::CostKind::Collective, identity, count);
            self.clock = last + time * random.regular();
            members[1..]
                .iter()
                .for_each(|other| self.deliver(*other, Packet::CollectiveTime(self.clock)));
        } else {
            self.deliver(0, Packet::CollectiveTime(self.clock));
            self.clock = self.wait_for(0, |s| s.channel(0).collective_times.pop_front())?;
        }
        self.end_call(since);
        Ok(())
    }

    fn maximum(&mut self, group: GroupId, numbers: &mut [f64]) -> Result<()> {
        if self.rank != 0 {
            let message: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            return self.send_control(0, &message);
        }
        let members = self.groups[group.index].0.clone();
        for &other in &members[1..] {
            let message = self.recv_control(other)?;
            for (number, bytes) in numbers.iter_mut().zip(message.as_chunks().0) {
                *number = number.max(f64::from_le_bytes(*bytes));
            }
        }
        Ok(())
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
