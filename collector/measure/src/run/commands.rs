//! Commands from rank 0 and their execution. Commands are control messages, so that idle ranks
//! sleep.

use crate::measure::clock_sync::CommonClock;
use crate::measure::collective::{Group, Procedure};
use crate::measure::cpu_overlap::{self, ComputingSide};
use crate::measure::shared_card::{ConcurrentPairs, Streams};
use crate::measure::{
    Effort, Pair, bandwidth, eager_limit, one_sided, path, ping_pong, progress, pulse,
    two_processor,
};
use crate::transport::{Arithmetic, Rank, RankInfo, Result, Transport};
use loggia_model::Error;
use loggia_model::signature::{Clock, Operation, Samples};
use loggia_model::units::Micros;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Command {
    /// Send [`RankInfo`].
    Identify,
    /// Two ranks run some steps.
    Pair(PairCommand),
    /// The first ranks measure collective operations.
    Group(GroupCommand),
    /// Several pairs of ranks on two hosts stream concurrently.
    ConcurrentPairs(ConcurrentPairsCommand),
    End,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PairCommand {
    pub(super) leader: Rank,
    pub(super) partner: Rank,
    pub(super) clock: Clock,
    pub(super) round: u32,
    /// Round trips of the pulse between two steps.
    pub(super) pulse: u32,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GroupCommand {
    pub(super) group: RankGroup,
    pub(super) clock: Clock,
    pub(super) round: u32,
    /// Round trips of the pulse between two steps, on the first two ranks.
    pub(super) pulse: u32,
    pub(super) steps: Vec<GroupStep>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ConcurrentPairsCommand {
    /// The leader of each pair first; rank 0 leads the first pair.
    pub(super) pairs: Vec<[Rank; 2]>,
    pub(super) clock: Clock,
    pub(super) steps: Vec<Streams>,
}

/// One condition of one measurement between two ranks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Step {
    PingPong { size: usize, effort: Effort },
    PingPongRuns { size: usize, runs: u32, messages: u32 },
    Style { name: String, size: usize, delta: f64, effort: Effort },
    Completion { size: usize, effort: Effort },
    Bandwidth { size: usize, depth: u32, runs: u32, messages: u32 },
    CpuOverlap { size: usize, side: ComputingSide, compute: f64, runs: u32, messages: u32 },
    EagerLimit { blocking: bool, ends: Vec<(usize, f64)>, away: f64, away_per_byte: f64 },
    Progress { size: usize, compute: f64, effort: Effort },
    OneSided { size: usize, effort: Effort },
    Isolated { size: usize, compute: f64, runs: u32, messages: u32 },
    Path { same_host: bool },
}

/// Ranks that run collective operations together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RankGroup {
    /// Rank 0 first.
    pub(super) members: Vec<Rank>,
    /// Number of these ranks per node, if there are several nodes.
    pub(super) per_node: Option<u32>,
}

impl RankGroup {
    /// The first `procs` ranks, on any host.
    pub(super) fn first(procs: Rank) -> Self {
        RankGroup { members: Vec::from_iter(0..procs), per_node: None }
    }
}

/// One condition of the collective operations.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GroupStep {
    pub(super) op: Operation,
    pub(super) bytes: usize,
    pub(super) effort: Effort,
    pub(super) procedure: Procedure,
    pub(super) arithmetic: Arithmetic,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct PairResult {
    pub(super) samples: Vec<Samples>,
    pub(super) path: Option<String>,
}

impl Step {
    /// Whether the result depends on the state of the machine; the limit S does not.
    fn depends_on_state(&self) -> bool {
        !matches!(self, Step::EagerLimit { .. } | Step::Path { .. })
    }

    fn run(&self, pair: &mut Pair) -> Result<PairResult> {
        let samples = match self {
            Step::PingPong { size, effort } => ping_pong::single(pair, *size, *effort),
            Step::PingPongRuns { size, runs, messages } => {
                ping_pong::runs(pair, *size, *runs, *messages)
            }
            Step::Style { name, size, delta, effort } => {
                two_processor::run(pair, name, *size, *delta, *effort)
            }
            Step::Completion { size, effort } => two_processor::completion(pair, *size, *effort),
            Step::Bandwidth { size, depth, runs, messages } => {
                bandwidth::run(pair, *size, *depth, *runs, *messages)
            }
            Step::CpuOverlap { size, side, compute, runs, messages } => {
                cpu_overlap::run(pair, *size, *side, *compute, *runs, *messages)
            }
            Step::EagerLimit { blocking, ends, away, away_per_byte } => {
                let away = |size: usize| away + away_per_byte * size as f64;
                eager_limit::run(pair, *blocking, ends, away)
            }
            Step::Progress { size, compute, effort } => {
                progress::run(pair, *size, *compute, *effort)
            }
            Step::OneSided { size, effort } => one_sided::run(pair, *size, *effort),
            Step::Isolated { size, compute, runs, messages } => {
                one_sided::isolated(pair, *size, *compute, *runs, *messages)
            }
            Step::Path { same_host } => {
                let path = Some(path::find(pair, *same_host)?);
                return Ok(PairResult { path, ..PairResult::default() });
            }
        }?;
        Ok(PairResult { samples, path: None })
    }
}

impl Command {
    /// Executes the command; only the leader has the result.
    fn execute(
        &self,
        transport: &mut dyn Transport,
        common: &mut CommonClock,
    ) -> Result<PairResult> {
        match self {
            Command::Pair(command) => command.execute(transport),
            Command::Group(command) => command.execute(transport, common),
            Command::ConcurrentPairs(command) => command.execute(transport),
            Command::Identify | Command::End => Ok(PairResult::default()),
        }
    }
}

impl PairCommand {
    fn execute(&self, transport: &mut dyn Transport) -> Result<PairResult> {
        let leads = transport.rank() == self.leader;
        let peer = if leads { self.partner } else { self.leader };
        let (clock, round) = (self.clock.clone(), self.round);
        let mut pair = Pair { transport, peer, leads, clock, round };
        let mut total = PairResult::default();
        let mut before = Micros(pulse::take(&mut pair, self.pulse)?);
        for step in &self.steps {
            let result = step.run(&mut pair)?;
            let after = Micros(pulse::take(&mut pair, self.pulse)?);
            let pulse = (self.pulse > 0 && step.depends_on_state()).then_some([before, after]);
            before = after;
            if leads {
                total.samples.extend(result.samples.into_iter().map(|result| with(pulse, result)));
                total.path = result.path.or(total.path);
            }
        }
        Ok(total)
    }
}

impl ConcurrentPairsCommand {
    fn execute(&self, transport: &mut dyn Transport) -> Result<PairResult> {
        let (clock, pairs) = (self.clock.clone(), self.pairs.as_slice());
        let mut concurrent_pairs = ConcurrentPairs { transport, pairs, clock, round: 0 };
        let mut total = PairResult::default();
        for streams in &self.steps {
            total.samples.extend(concurrent_pairs.run(*streams)?);
        }
        Ok(total)
    }
}

impl GroupCommand {
    fn execute(
        &self,
        transport: &mut dyn Transport,
        common: &mut CommonClock,
    ) -> Result<PairResult> {
        let mut total = PairResult::default();
        let mut before = self.pulse(transport)?;
        for GroupStep { op, bytes, effort, procedure, arithmetic } in self.steps.clone() {
            let (clock, round) = (self.clock.clone(), self.round);
            let mut group = Group::of(transport, &self.group.members, clock, round, common)?;
            let result = group.run(op, bytes, effort, procedure, arithmetic)?;
            let after = self.pulse(transport)?;
            let pulse = (self.pulse > 0).then_some([before, after]);
            before = after;
            let per_node = self.group.per_node;
            let result = result.into_iter().map(|result| Samples { per_node, ..result });
            total.samples.extend(result.map(|result| with(pulse, result)));
        }
        Ok(total)
    }

    /// Only the first two ranks of the group take part.
    fn pulse(&self, transport: &mut dyn Transport) -> Result<Micros> {
        let rank = transport.rank();
        let (leads, peer) = match self.group.members.as_slice() {
            [first, second, ..] if rank == *first => (true, *second),
            [first, second, ..] if rank == *second => (false, *first),
            _ => return Ok(Micros(0.0)),
        };
        let (clock, round) = (self.clock.clone(), self.round);
        let mut pair = Pair { transport, peer, leads, clock, round };
        Ok(Micros(pulse::take(&mut pair, self.pulse)?))
    }
}

/// Adds the pulses before and after to the samples of a round.
fn with(pulse: Option<[Micros; 2]>, mut samples: Samples) -> Samples {
    samples.rounds.iter_mut().for_each(|round| round.pulse = pulse);
    samples
}

/// Sends a control message.
pub(super) fn post(
    transport: &mut dyn Transport,
    to: Rank,
    message: &impl Serialize,
) -> Result<()> {
    let text = serde_json::to_vec(message).map_err(|e| unreadable(&e))?;
    transport.send_control(to, &text)
}

/// Receives a control message; sleeps while it waits.
pub(super) fn read<T: DeserializeOwned>(transport: &mut dyn Transport, from: Rank) -> Result<T> {
    let text = transport.recv_control(from)?;
    serde_json::from_slice(&text).map_err(|e| unreadable(&e))
}

fn unreadable(error: &serde_json::Error) -> Error {
    Error::new(
        format!("a message from another rank cannot be decoded: {error}"),
        "",
        "start the same build of loggia on all hosts",
    )
}

/// The loop of all ranks except 0: executes commands until [`Command::End`].
pub fn follow(transport: &mut dyn Transport) -> Result<()> {
    let mut common = CommonClock::default();
    loop {
        let command: Command = read(transport, 0)?;
        match &command {
            Command::End => return Ok(()),
            Command::Identify => {
                let rank_info: RankInfo = transport.rank_info();
                post(transport, 0, &rank_info)?;
            }
            Command::Pair(PairCommand { leader, .. }) => {
                let result = command.execute(transport, &mut common)?;
                if transport.rank() == *leader {
                    post(transport, 0, &result)?;
                }
            }
            Command::Group(_) | Command::ConcurrentPairs(_) => {
                command.execute(transport, &mut common).map(drop)?
            }
        }
    }
}

/// On rank 0: runs steps on a pair, and returns the result of the pair's leader.
pub(super) fn run_pair(transport: &mut dyn Transport, command: PairCommand) -> Result<PairResult> {
    let (leader, partner) = (command.leader, command.partner);
    let command = Command::Pair(command);
    for rank in [leader, partner] {
        if rank != 0 {
            post(transport, rank, &command)?;
        }
    }
    let mut common = CommonClock::default();
    match (leader, partner) {
        (0, _) => command.execute(transport, &mut common),
        (_, 0) => {
            command.execute(transport, &mut common)?;
            read(transport, leader)
        }
        _ => read(transport, leader),
    }
}

/// On rank 0: runs collective operations on a group of ranks.
pub(super) fn run_group(
    transport: &mut dyn Transport,
    common: &mut CommonClock,
    command: GroupCommand,
) -> Result<Vec<Samples>> {
    let members = command.group.members.clone();
    let command = Command::Group(command);
    members[1..].iter().try_for_each(|rank| post(transport, *rank, &command))?;
    Ok(command.execute(transport, common)?.samples)
}

/// On rank 0: runs concurrent streams of pairs of ranks; rank 0 leads the first pair.
pub(super) fn run_concurrent_pairs(
    transport: &mut dyn Transport,
    command: ConcurrentPairsCommand,
) -> Result<Vec<Samples>> {
    let ranks: Vec<Rank> = command.pairs.iter().flatten().copied().collect();
    let command = Command::ConcurrentPairs(command);
    let mut others = ranks.iter().filter(|rank| **rank != 0);
    others.try_for_each(|rank| post(transport, *rank, &command))?;
    Ok(command.execute(transport, &mut CommonClock::default())?.samples)
}

/// On rank 0: ends the command loops of all other ranks.
pub(super) fn dismiss(transport: &mut dyn Transport) -> Result<()> {
    (1..transport.ranks()).try_for_each(|rank| post(transport, rank, &Command::End))
}
