//! Samples: measured times, kept in addition to fitted parameters.

use crate::units::{Bytes, Micros, Procs};
use serde::{Deserialize, Serialize};

/// Times of one thing under one condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Samples {
    /// The timed quantity.
    pub quantity: Quantity,
    /// Collective operation, or composition such as `reduce+scatter`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
    /// Tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// Send mode, as a style's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// Number of processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub procs: Option<Procs>,
    /// Ranks per node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_node: Option<u32>,
    /// Message size, counted as the operation's form counts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Bytes>,
    /// Number of messages in flight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Inserted computation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compute: Option<Micros>,
    /// Between which two ranks, the sender first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<[u32; 2]>,
    /// Time to read the clock, included in each time; subtracted by fits.
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
    /// The other tool that printed them, with its benchmark; absent for the collector's own.
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
    /// Number of the round.
    pub round: u32,
    /// Number of times.
    pub count: u32,
    /// RTT/2 of a small message just before and just after: the state of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pulse: Option<[Micros; 2]>,
}

/// A timed quantity.
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
    /// From the send call to the completion of the send, with the receiver away.
    SendAlone,
    /// The time a message in a flood whose sender computes between send and wait (Bell et al. 2003,
    /// 4.3).
    GapSenderComputes,
    /// The time a message in a flood whose receiver computes between receive and wait.
    GapReceiverComputes,
    /// An exchange with an early receive, until the sender is done, without computation …
    SenderDone,
    /// … the receiver computes between receive and wait.
    SenderDoneReceiverComputes,
    /// The same until the receiver is done, without computation …
    ReceiverDone,
    /// … the sender computes between send and wait.
    ReceiverDoneSenderComputes,
    /// Time of both sides' calls in an exchange in which the sender computes.
    SendCalls,
    /// Time of the receiver's calls in an exchange in which it computes.
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
    /// Repetitions of one measurement, whose conditions are set later.
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

/// The statistic of each number in a set of samples.
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
    /// This percentile of the repetitions.
    Percentile(u8),
    /// As printed, of unknown statistic.
    Reported,
    /// The lower end of an interval, as printed.
    Low,
    /// The upper end of an interval, as printed.
    High,
}
