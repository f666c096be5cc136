//! One run of a benchmark: its conditions and its numbers.

use super::tier::TierName;
use loggia_model::signature::{BytesAre, Operation, Statistic};
use loggia_model::units::{Bytes, Micros, Procs};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of kept repetitions per condition; beyond, every 2nd, 4th … is kept.
const MAX_KEPT: usize = 512;

/// The tool that printed an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// OSU micro-benchmarks
    Osu,
    /// Intel MPI Benchmarks
    Imb,
    /// Netgauge, `-x loggp`
    Netgauge,
    /// logp_mpi
    LogpMpi,
    /// ReproMPI
    Reprompi,
    /// SKaMPI
    Skampi,
    /// NetPIPE
    Netpipe,
    /// nccl-tests, rccl-tests
    Nccl,
    /// A plain table
    PlainTable,
}

impl Tool {
    /// All supported tools.
    pub const ALL: [Tool; 9] = [
        Tool::Osu,
        Tool::Imb,
        Tool::Netgauge,
        Tool::LogpMpi,
        Tool::Reprompi,
        Tool::Skampi,
        Tool::Netpipe,
        Tool::Nccl,
        Tool::PlainTable,
    ];

    /// The name as the authors write it.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Osu => "OSU",
            Tool::Imb => "IMB",
            Tool::Netgauge => "Netgauge",
            Tool::LogpMpi => "logp_mpi",
            Tool::Reprompi => "ReproMPI",
            Tool::Skampi => "SKaMPI",
            Tool::Netpipe => "NetPIPE",
            Tool::Nccl => "nccl-tests",
            Tool::PlainTable => "plain table",
        }
    }
}

/// The kind of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "of")]
pub enum BenchmarkKind {
    /// RTT/2: from the send call to the end of the receive.
    Message,
    /// RTT/2, while other pairs communicate.
    #[serde(rename = "message_beside")]
    ConcurrentMessage {
        /// Number of pairs, if known.
        pairs: Option<u32>,
    },
    /// Time per message in a streaming bandwidth test.
    #[serde(rename = "flood")]
    Stream {
        /// Messages in flight, if known.
        window: Option<u32>,
        /// Number of directions.
        directions: u8,
        /// Number of pairs.
        pairs: u32,
    },
    /// Concurrent exchange of messages with each neighbour.
    Exchange {
        /// Number of neighbours of a rank.
        neighbours: u8,
    },
    /// The send call.
    SendCall,
    /// The receive call, after the message has arrived.
    RecvCall,
    /// L of PLogP as computed by a tool: time of a message minus the gap of its size.
    Latency,
    /// Gap by size, as computed by a tool.
    Gap,
    /// A one-sided put, until completion at the target.
    Put,
    /// A one-sided get, until the data has arrived.
    Get,
    /// A collective operation.
    Collective {
        /// MPI's name in lower case without `MPI_`; `None` if the file lacks it.
        op: Option<String>,
        bytes_are: Option<BytesAre>,
        /// Whether it is non-blocking; then the time is that of the communication alone.
        is_nonblocking: bool,
        /// Whether it runs on GPUs.
        on_gpus: bool,
    },
}

impl BenchmarkKind {
    /// A collective operation of this name, with Loggia's meaning of bytes.
    pub(super) fn collective(op: String, is_nonblocking: bool, on_gpus: bool) -> Self {
        let bytes_are = Operation::named(&op).ok().map(Operation::bytes_are);
        BenchmarkKind::Collective { op: Some(op), bytes_are, is_nonblocking, on_gpus }
    }

    /// Number of ranks that this kind of benchmark always uses; `None` if it varies.
    pub fn procs(&self) -> Option<u32> {
        match self {
            BenchmarkKind::Message
            | BenchmarkKind::SendCall
            | BenchmarkKind::RecvCall
            | BenchmarkKind::Latency
            | BenchmarkKind::Gap
            | BenchmarkKind::Put
            | BenchmarkKind::Get
            | BenchmarkKind::Stream { pairs: 1, .. } => Some(2),
            BenchmarkKind::Stream { pairs, .. } => pairs.checked_mul(2),
            BenchmarkKind::ConcurrentMessage { pairs } => {
                pairs.and_then(|pairs| pairs.checked_mul(2))
            }
            BenchmarkKind::Exchange { .. } | BenchmarkKind::Collective { .. } => None,
        }
    }

    /// Whether it is point-to-point, not collective.
    pub fn is_between_two(&self) -> bool {
        !matches!(self, BenchmarkKind::Collective { .. })
    }
}

/// Times of one size: repetitions, or a statistic of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Numbers {
    /// The line of the first time.
    pub line: u64,
    /// The line of the last time.
    pub last: u64,
    /// Number of repetitions.
    pub count: u64,
    /// Kept repetitions, in order.
    pub times: Vec<Micros>,
    /// Every n-th repetition is kept.
    pub each: u64,
}

impl Numbers {
    fn push(&mut self, line: u64, time: Micros) {
        if self.count == 0 {
            (self.line, self.each) = (line, 1);
        }
        if self.count.is_multiple_of(self.each) {
            if self.times.len() == MAX_KEPT {
                let mut at = 0usize;
                self.times.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
                self.each *= 2;
            }
            if self.count.is_multiple_of(self.each) {
                self.times.push(time);
            }
        }
        self.count += 1;
        self.last = line;
    }

    fn extend(&mut self, later: &Numbers) {
        for time in &later.times {
            self.push(later.line, *time);
        }
        // Repetitions that were dropped before still count.
        self.count = self.count.max(later.count);
        self.last = later.last;
    }
}

/// The condition of times in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Condition {
    /// Bytes, as the tool defines them.
    pub bytes: Option<Bytes>,
    pub statistic: Statistic,
}

/// A run of one benchmark, with the information from the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub tool: Tool,
    /// The tool's version, as it prints it.
    pub version: Option<String>,
    /// Name of the benchmark.
    pub benchmark: String,
    /// Name of the file; `line` is the first line.
    pub file: String,
    /// See `file`.
    pub line: u64,
    /// Number of ranks, if known.
    pub procs: Option<Procs>,
    /// Ranks per node, if known.
    pub per_node: Option<u32>,
    /// Tier of the messages, if known.
    pub tier: Option<TierName>,
    /// Send mode, by its name in signatures: `send`, `isend`.
    pub style: Option<String>,
    /// Other information: machine, MPI library, datatype.
    pub facts: Vec<(&'static str, String)>,
    pub kind: BenchmarkKind,
    pub numbers: BTreeMap<Condition, Numbers>,
}

impl Run {
    /// A run without numbers and further information.
    pub(super) fn new(tool: Tool, benchmark: impl Into<String>, kind: BenchmarkKind) -> Self {
        Run {
            tool,
            version: None,
            benchmark: benchmark.into(),
            file: String::new(),
            line: 0,
            procs: None,
            per_node: None,
            tier: None,
            style: None,
            facts: Vec::new(),
            kind,
            numbers: BTreeMap::new(),
        }
    }

    /// Tool, version and benchmark: `OSU 7.4 Latency Test`.
    pub fn name(&self) -> String {
        let version = self.version.as_deref().unwrap_or_default();
        let words = [self.tool.name(), version, &self.benchmark];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        words.join(" ")
    }

    /// The fact of this name.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact.as_str())
    }

    /// Total number of measured times.
    pub fn count(&self) -> u64 {
        self.numbers.values().map(|numbers| numbers.count).sum()
    }

    /// Whether both are runs of one benchmark under the same conditions.
    pub(super) fn is_same_benchmark(&self, other: &Run) -> bool {
        (self.tool, &self.version, &self.benchmark, &self.file, self.procs, &self.kind, &self.style)
            == (
                other.tool,
                &other.version,
                &other.benchmark,
                &other.file,
                other.procs,
                &other.kind,
                &other.style,
            )
            && (self.per_node, &self.tier) == (other.per_node, &other.tier)
            && self.fact(DATATYPE) == other.fact(DATATYPE)
    }

    /// Adds a number; returns whether it is the first of its condition.
    pub(super) fn push(&mut self, line: u64, condition: Condition, time: Micros) -> bool {
        let numbers = self.numbers.entry(condition).or_default();
        numbers.push(line, time);
        numbers.count == 1
    }

    /// Adds the numbers of a later run of the same benchmark.
    pub(super) fn extend(&mut self, later: Run) {
        for (condition, numbers) in &later.numbers {
            self.numbers.entry(*condition).or_default().extend(numbers);
        }
    }
}

/// A fact that distinguishes runs of one benchmark.
pub(super) const DATATYPE: &str = "datatype";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_beyond_the_limit_are_thinned_evenly() {
        let mut numbers = Numbers::default();
        for at in 0..5000u32 {
            numbers.push(u64::from(at) + 7, Micros(f64::from(at)));
        }
        assert_eq!((numbers.count, numbers.line, numbers.last), (5000, 7, 5006));
        assert_eq!(numbers.each, 16);
        let kept: Vec<f64> = numbers.times.iter().map(|time| time.0).collect();
        let expected: Vec<f64> = (0..5000).step_by(16).map(f64::from).collect();
        assert_eq!(kept, expected);
    }
}
