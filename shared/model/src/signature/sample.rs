//! What was measured, kept beside what was fitted to it.

use crate::units::{Bytes, Micros, Procs};
use serde::{Deserialize, Serialize};

/// Times of one thing under one condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Samples {
    /// What was timed.
    pub quantity: Quantity,
    /// Which collective operation, or composition such as `reduce+scatter`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
    /// On which tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// In which style.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// Over how many processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub procs: Option<Procs>,
    /// How many of them shared a node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_node: Option<u32>,
    /// With how many bytes, counted as the operation's form counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Bytes>,
    /// With this many messages in flight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// With so much computation put in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compute: Option<Micros>,
    /// Between which two ranks, the sender first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<[u32; 2]>,
    /// Reading the clock is so much of each time; it is subtracted when something is fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer: Option<Micros>,
    /// The clock advances in such steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tick: Option<Micros>,
    /// What each number is.
    pub statistic: Statistic,
    /// The times, in the order in which they were taken.
    pub times: Vec<Micros>,
    /// The rounds they are from. Rounds are spread over the whole run, so that its drift shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Round>,
    /// Which other tool has printed them, and by which of its benchmarks; the collector's own have
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Paper and place, file and line, or measurement.
    #[serde(default)]
    pub source: String,
}

/// A part of the times: those that were taken together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Which round.
    pub round: u32,
    /// How many times.
    pub count: u32,
    /// What half a round trip of a small message took just before and just after: the state that
    /// the machine was in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pulse: Option<[Micros; 2]>,
}

/// What was timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// A message, from the send call to its receipt.
    EndToEnd,
    /// The send call.
    SendOverhead,
    /// The receive call.
    RecvOverhead,
    /// The time a message in a flood.
    Gap,
    /// A collective operation.
    Collective,
    /// A collective operation with an empty or very short message.
    CollectiveStartup,
    /// A reduction whose operation does nothing: without it, what is left is the arithmetic.
    CollectiveEmpty,
    /// A receive call that had to wait, begun together with the send (Al-Tawil & Moritz 2001,
    /// timer21).
    RecvWaiting,
    /// Posting a receive and the test that completes it, once the message is there.
    RecvCompletion,
    /// From the send call until the send is complete, while the receiver stays away.
    SendAlone,
    /// The time a message in a flood whose sender computes between send and wait (Bell et al. 2003,
    /// 4.3).
    GapSenderComputes,
    /// The time a message in a flood whose receiver computes between receive and wait.
    GapReceiverComputes,
    /// An exchange, receive posted early, until the sender is done: nobody computes, or …
    SenderDone,
    /// … the receiver computes between receive and wait.
    SenderDoneReceiverComputes,
    /// The same until the receiver is done: nobody computes, or …
    ReceiverDone,
    /// … the sender computes between send and wait.
    ReceiverDoneSenderComputes,
    /// What both sides' calls take of an exchange in which the sender computes.
    SendCalls,
    /// What the receiver's calls take of an exchange in which it computes.
    RecvCalls,
    /// A one-sided put, until it is complete at its target.
    Put,
    /// The call that begins a one-sided put.
    PutOverhead,
    /// A one-sided get, until its bytes are there.
    Get,
    /// L of PLogP, as a tool has worked it out: what a message takes beyond the gap of its size.
    Latency,
    /// A message to each neighbour and one from each, at once.
    Exchange,
    /// The time a message in a flood, while as many come back.
    GapBothWays,
}

impl Samples {
    /// Repetitions of one thing, under conditions yet to be said.
    pub fn raw(quantity: Quantity) -> Self {
        Samples {
            quantity,
            op: None,
            tier: None,
            style: None,
            procs: None,
            per_node: None,
            bytes: None,
            depth: None,
            compute: None,
            ranks: None,
            timer: None,
            tick: None,
            statistic: Statistic::Raw,
            times: Vec::new(),
            rounds: Vec::new(),
            tool: None,
            source: String::new(),
        }
    }

    /// The times of each round; all of them, if no rounds are known.
    pub fn by_round(&self) -> impl Iterator<Item = (Option<&Round>, &[Micros])> {
        let mut rest = self.times.as_slice();
        let rounds = self.rounds.iter().map(move |round| {
            let (of_it, others) = rest.split_at((round.count as usize).min(rest.len()));
            rest = others;
            (Some(round), of_it)
        });
        let all = self.rounds.is_empty().then_some((None, self.times.as_slice()));
        rounds.chain(all)
    }

    /// Of messages: how many pairs exchanged at once.
    pub fn pairs(&self) -> u32 {
        self.procs.filter(|_| self.op.is_none()).map_or(1, |procs| (procs.0 / 2).max(1))
    }

    /// Whether only times and rounds differ.
    pub fn is_like(&self, other: &Samples) -> bool {
        let numbers = |of: &Samples| {
            (of.quantity, of.bytes, of.depth, of.procs, of.compute, of.statistic, of.timer, of.tick)
        };
        numbers(self) == numbers(other)
            && self.per_node == other.per_node
            && self.ranks == other.ranks
            && [&self.op, &self.tier, &self.style, &self.tool]
                == [&other.op, &other.tier, &other.style, &other.tool]
            && self.source == other.source
    }

    /// Adds rounds under the same condition.
    pub fn extend(&mut self, other: Samples) {
        self.times.extend(other.times);
        self.rounds.extend(other.rounds);
    }
}

/// What each number of a set of samples is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// One repetition.
    Raw,
    /// The mean of repetitions.
    Mean,
    /// The median of repetitions.
    Median,
    /// The least of repetitions.
    Minimum,
    /// The largest mean of any rank, as in Hwang, Wang & Wang 1997.
    MaximumOverRanks,
    /// The least mean of any rank.
    MinimumOverRanks,
    /// What so many of a hundred repetitions stay below.
    Percentile(u8),
    /// As printed, without saying what it is.
    Reported,
    /// The lower end of an interval, as printed.
    Low,
    /// The upper end of an interval, as printed.
    High,
}
