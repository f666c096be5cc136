//! Samples: measured times, kept in addition to fitted parameters.

use crate::units::{Bytes, Micros, Procs};
use serde::{Deserialize, Serialize};

/// Times of one quantity under one condition.
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
    /// Name of the send mode; of a collective operation, name of the measuring procedure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// Number of processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub procs: Option<Procs>,
    /// Ranks per node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_node: Option<u32>,
    /// Message size, counted as in the operation's form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Bytes>,
    /// Number of messages in flight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Inserted computation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compute: Option<Micros>,
    /// The two ranks, the sender first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks: Option<[u32; 2]>,
    /// Time to read the clock, included in each time; fits subtract it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer: Option<Micros>,
    /// The step of the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tick: Option<Micros>,
    /// The statistic of each number.
    pub statistic: Statistic,
    /// The times, in measured order.
    pub times: Vec<Micros>,
    /// The rounds of the times. Rounds are spread over the whole run, so that they show drift.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Round>,
    /// The tool that printed the times, with its benchmark; absent for the collector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Paper and place, file and line, or measurement.
    #[serde(default)]
    pub source: String,
}

/// Times measured consecutively.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Number of the round.
    pub round: u32,
    /// Number of times.
    pub count: u32,
    /// RTT/2 of a small message just before and just after the round, as the state of the machine.
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
    /// The time per message in a streaming bandwidth test.
    Gap,
    /// A collective operation.
    Collective,
    /// A collective operation with an empty or very short message.
    CollectiveStartup,
    /// A reduction with an empty operator; subtracting it leaves the time of the arithmetic.
    CollectiveEmpty,
    /// A receive call that waits, started together with the send (Al-Tawil & Moritz 2001, timer21).
    RecvWaiting,
    /// Posting a receive, and the test that completes it, after the message has arrived.
    RecvCompletion,
    /// From the send call to the completion of the send, without a matching receive.
    SendAlone,
    /// The time per message in a streaming bandwidth test whose sender computes between send and
    /// wait (Bell et al. 2003, 4.3).
    GapSenderComputes,
    /// The time per message in a streaming bandwidth test whose receiver computes between receive
    /// and wait.
    GapReceiverComputes,
    /// An exchange with an early receive, until the send completes, without computation …
    SenderDone,
    /// … the receiver computes between receive and wait.
    SenderDoneReceiverComputes,
    /// An exchange with an early receive, until the receive completes, without computation …
    ReceiverDone,
    /// … the sender computes between send and wait.
    ReceiverDoneSenderComputes,
    /// Time of both sides' calls in an exchange in which the sender computes.
    SendCalls,
    /// Time of the receiver's calls in an exchange in which it computes.
    RecvCalls,
    /// A one-sided put, until its completion at the target.
    Put,
    /// The call that starts a one-sided put.
    PutOverhead,
    /// A one-sided get, until its bytes have arrived.
    Get,
    /// L of PLogP, as computed by a tool: the time of a message minus the gap of its size.
    Latency,
    /// Concurrent messages to and from each neighbour.
    Exchange,
    /// The time per message in a bidirectional streaming bandwidth test.
    GapBothWays,
}

impl Samples {
    /// Raw repetitions of a measurement, with conditions set later.
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

    /// The times of each round; without rounds, all times.
    pub fn by_round(&self) -> impl Iterator<Item = (Option<&Round>, &[Micros])> {
        let mut rest = self.times.as_slice();
        let rounds = self.rounds.iter().map(move |round| {
            let (own, others) = rest.split_at((round.count as usize).min(rest.len()));
            rest = others;
            (Some(round), own)
        });
        let all = self.rounds.is_empty().then_some((None, self.times.as_slice()));
        rounds.chain(all)
    }

    /// Number of pairs that exchanged messages concurrently.
    pub fn pairs(&self) -> u32 {
        self.procs.filter(|_| self.op.is_none()).map_or(1, |procs| (procs.0 / 2).max(1))
    }

    /// Whether at most times and rounds differ.
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

    /// Appends rounds under the same condition.
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
    /// The minimum of repetitions.
    Minimum,
    /// The maximum over the ranks' means, as in Hwang, Wang & Wang 1997.
    MaximumOverRanks,
    /// The minimum over the ranks' means.
    MinimumOverRanks,
    /// This percentile of the repetitions.
    Percentile(u8),
    /// A printed number of unknown statistic.
    Reported,
    /// The printed lower end of an interval.
    Low,
    /// The printed upper end of an interval.
    High,
}
