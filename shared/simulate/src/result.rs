//! The result of a simulation in µs and with names, for the command and the page.

use super::{Parameter, Simulated, Simulation, Steps};
use loggia_model::Error;
use loggia_model::measured::Basis;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::Micros;
use loggia_schedule::curve::Curve as Exact;
use loggia_schedule::explain::{self, Part, Traced};
use loggia_schedule::observe::{Activity, Work};
use loggia_schedule::outcome::{Outcome, Unfinished};
use loggia_schedule::schedule::{Kind, Op, OpId, Schedule};
use loggia_schedule::stuck;
use loggia_schedule::timeline::Split;
use serde::{Deserialize, Deserializer, Serialize};

/// A name in results. Deserializing looks it up in the known names.
pub type Word = &'static str;

/// Whether all sends and receives matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Ok,
    /// Receives or messages were left over.
    Unmatched,
}

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SimulationResult {
    /// Simulation model.
    #[serde(deserialize_with = "known")]
    pub rules: Word,
    /// Number of ranks.
    pub procs: u32,
    /// Whether all sends and receives matched.
    pub status: Status,
    /// Number of events, as the simulation model counts them.
    pub events: u64,
    /// Messages sent.
    pub messages: u64,
    /// Bytes in the sends of the schedule.
    pub bytes: u64,
    /// Completion time; `None` if the run is stuck.
    pub time_us: Option<Micros>,
    /// The basis of the times: that of every simulation.
    pub basis: Basis,
    /// When each rank has ended, or could not continue.
    pub rank_times_us: Vec<Micros>,
    /// Why the run is stuck, if it is.
    pub stuck: Option<Stuck>,
}

/// Why operations have not finished.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stuck {
    /// A deadlock: each operation waits for the next, the last for the first.
    pub cycle: Vec<Blocked>,
    /// The first receives without a send.
    pub receives_without_send: Vec<String>,
    /// The first sends without a receive.
    pub sends_without_receive: Vec<String>,
    /// The first sends that were received but never acknowledged.
    pub sends_unanswered: Vec<String>,
    /// Number of unmatched receives and messages.
    pub unmatched: usize,
    /// Number of operations that never began.
    pub never_began: usize,
    /// The first ranks that could not continue.
    pub ranks: Vec<u32>,
}

/// An operation of a deadlock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    pub rank: u32,
    #[serde(deserialize_with = "known")]
    pub activity: Word,
    /// The operation in words.
    pub op: String,
}

/// Maximum length of lists.
const LISTED: usize = 20;

impl Stuck {
    /// A summary in one line.
    pub fn summary(&self) -> String {
        format!(
            "unmatched sends and receives: {}; operations never started: {}",
            self.unmatched, self.never_began
        )
    }

    /// The non-empty lists of operations with their headings.
    pub fn sections(&self) -> impl Iterator<Item = (&'static str, Vec<&str>)> {
        fn words(lines: &[String]) -> Vec<&str> {
            lines.iter().map(String::as_str).collect()
        }
        let cycle = self.cycle.iter().map(|blocked| blocked.op.as_str()).collect();
        let all: [(&str, Vec<&str>); 4] = [
            ("Deadlock: each waits for the next, the last for the first", cycle),
            ("Receives without a send", words(&self.receives_without_send)),
            ("Sends without a receive", words(&self.sends_without_receive)),
            ("Sends that were received, but never acknowledged", words(&self.sends_unanswered)),
        ];
        all.into_iter().filter(|(_, lines)| !lines.is_empty())
    }

    fn of(schedule: &Schedule, left: &Unfinished, describe: fn(&Op) -> String) -> Option<Self> {
        if left.is_empty() {
            return None;
        }
        let found = stuck::Stuck::of(schedule, left);
        let words = |ops: &[OpId]| -> Vec<String> {
            ops.iter().take(LISTED).map(|op| describe(schedule.op(*op))).collect()
        };
        let blocked = |id: &OpId| {
            let op = schedule.op(*id);
            let activity = match op.kind {
                Kind::Calc => Activity::Compute,
                Kind::Send | Kind::Ssend => Activity::Send,
                Kind::Recv => Activity::Receive,
            };
            Blocked { rank: op.rank, activity: activity.name(), op: describe(op) }
        };
        let all = [&left.receives, &left.messages, &left.waiting];
        let mut ranks: Vec<u32> =
            all.into_iter().flatten().map(|op| schedule.op(*op).rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks.truncate(LISTED);
        Some(Stuck {
            cycle: found.cycle.iter().take(10 * LISTED).map(blocked).collect(),
            receives_without_send: words(&found.without_send),
            sends_without_receive: words(&found.without_receive),
            sends_unanswered: words(&found.unanswered),
            unmatched: left.receives.len() + left.messages.len(),
            never_began: left.waiting.len(),
            ranks,
        })
    }
}

/// Right derivatives of the completion time: count of each parameter, or bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sensitivity {
    /// dT/dL
    pub d_latency: i64,
    /// dT/do: all overheads grow equally
    pub d_overhead: i64,
    /// dT/dO'
    pub d_control_overhead: i64,
    /// dT/dg
    pub d_gap: i64,
    /// dT/dG
    pub d_gap_per_byte: i64,
    /// dT/d(1/R_N), if ranks share network cards of known rate
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub d_node_gap_per_byte: Option<i64>,
}

/// The critical path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CriticalPath {
    /// Its terms, whose sum is the completion time.
    pub terms: Vec<Term>,
    /// Its steps in order of time.
    pub steps: Vec<Step>,
}

/// An amount of one parameter on the critical path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// The paper's symbol.
    #[serde(deserialize_with = "known")]
    pub symbol: Word,
    /// Count, or bytes; `None` for computation.
    pub count: Option<i64>,
    /// Total time.
    pub time_us: f64,
}

/// An activity on the critical path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub rank: u32,
    #[serde(deserialize_with = "known")]
    pub activity: Word,
    /// Its operation.
    pub op: String,
    pub start_us: Micros,
    pub end_us: Micros,
}

/// The completion time over a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// L or G.
    #[serde(deserialize_with = "known")]
    pub parameter: Word,
    /// Adjacent linear pieces.
    pub pieces: Vec<Piece>,
    /// The last computed value, if there were too many pieces.
    pub broken_off_at_us: Option<Micros>,
}

/// A linear piece of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    /// First value of the parameter.
    pub from_us: Micros,
    /// Last value of the parameter.
    pub to_us: Micros,
    /// Completion time at `from_us`.
    pub time_us: Micros,
    /// Increase of the completion time per increase of the parameter.
    pub slope: i64,
    /// Whether the completion time jumps before this piece.
    pub jump: bool,
}

/// The time of a rank by activity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankSplit {
    /// Computation.
    pub compute_us: Micros,
    /// o_s, O_i
    pub send_overhead_us: Micros,
    /// o_r, O_c
    pub recv_overhead_us: Micros,
    /// O'
    pub control_us: Micros,
    /// Delay of sends by g and G.
    pub gap_us: Micros,
    /// The rest until the completion time: waiting for other ranks.
    pub waiting_us: Micros,
    /// Messages sent.
    pub messages: u64,
}

impl<R: Simulated> Simulation<'_, R> {
    /// The result of a run.
    pub fn answer(&self, outcome: &Outcome<u64>) -> SimulationResult {
        let left = &outcome.left;
        let lines = left.receives.len() + left.messages.len();
        // LogGOPSim checks only its queues, not operations that never began.
        let is_incomplete = self.rules() != SimulationModel::LogGops && !left.waiting.is_empty();
        let status = if lines > 0 || is_incomplete { Status::Unmatched } else { Status::Ok };
        SimulationResult {
            rules: self.rules().name(),
            procs: self.simulated.ranks(),
            status,
            events: outcome.events,
            messages: outcome.messages,
            bytes: outcome.bytes,
            time_us: (status == Status::Ok).then(|| self.micros(outcome.end())),
            basis: Basis::Modelled,
            rank_times_us: outcome.ends.iter().map(|end| self.micros(*end)).collect(),
            stuck: self.stuck(left),
        }
    }

    /// The sensitivity to each parameter.
    pub fn sensitivity(&self) -> Sensitivity {
        Sensitivity {
            d_latency: self.derivative(Parameter::Latency),
            d_overhead: self.derivative(Parameter::Overhead),
            d_control_overhead: self.derivative(Parameter::Control),
            d_gap: self.derivative(Parameter::Gap),
            d_gap_per_byte: self.derivative(Parameter::GapPerByte),
            d_node_gap_per_byte: self
                .has_cards()
                .then(|| self.derivative(Parameter::NodeGapPerByte)),
        }
    }

    /// Why the run is stuck, if it is.
    fn stuck(&self, left: &Unfinished) -> Option<Stuck> {
        match (&left.of, self.simulated.steps()) {
            (Some(rest), _) => Stuck::of(rest, left, self.describe),
            (None, Steps::InMemory(schedule)) => Stuck::of(schedule, left, self.describe),
            (None, Steps::Streamed(_)) => None,
        }
    }

    /// The terms of a time.
    pub(super) fn terms(&self, time: &Traced) -> Vec<Term> {
        let per_micro = self.micros(1).0;
        let terms = Part::ALL.into_iter().map(|part| {
            let explain::Share { count, ticks } = time.share(part);
            let count = (part != Part::Compute).then_some(count);
            Term { symbol: symbol(part), count, time_us: ticks as f64 * per_micro }
        });
        terms.filter(|term| term.count != Some(0) && term.time_us != 0.0).collect()
    }

    /// The time of each rank by activity, for a run of `end` ticks.
    pub fn rank_splits(&self, splits: &[Split], end: u64) -> Vec<RankSplit> {
        let cpus = match self.simulated.steps() {
            Steps::InMemory(schedule) => schedule.cpus(),
            Steps::Streamed(_) => 1,
        };
        let whole = end.saturating_mul(cpus as u64);
        let of = |split: &Split| {
            let Split { compute, send, recv, control, gap, messages } = *split;
            let busy = compute + send + recv + control + gap;
            RankSplit {
                compute_us: self.micros(compute),
                send_overhead_us: self.micros(send),
                recv_overhead_us: self.micros(recv),
                control_us: self.micros(control),
                gap_us: self.micros(gap),
                waiting_us: self.micros(whole.saturating_sub(busy)),
                messages,
            }
        };
        splits.iter().map(of).collect()
    }
}

impl Simulation<'_> {
    /// The critical path.
    pub fn critical_path(&self) -> CriticalPath {
        let (outcome, trace) = self.explain();
        let end = outcome.end();
        let step = |stop: explain::Stop| Step {
            rank: stop.work.rank,
            activity: stop.work.activity.name(),
            op: self.work_in_words(&stop.work),
            start_us: self.micros(stop.start),
            end_us: self.micros(stop.end),
        };
        CriticalPath {
            terms: self.terms(&end),
            steps: trace.critical_path(&end).into_iter().map(step).collect(),
        }
    }

    /// Describes an activity.
    pub fn work_in_words(&self, work: &Work) -> String {
        let op = self.schedule().op(OpId(work.op));
        match (op.kind, work.activity) {
            // In LogGOPSim's model a message is received even without a posted receive.
            (Kind::Send | Kind::Ssend, Activity::Receive) => {
                let mut receive = *op;
                (receive.rank, receive.kind, receive.peer) = (work.rank, Kind::Recv, op.rank);
                (self.describe)(&receive)
            }
            _ => (self.describe)(op),
        }
    }

    /// A curve in µs.
    fn curve_in_micros(&self, parameter: Parameter, curve: &Exact) -> Curve {
        let jumps = std::iter::once(false)
            .chain(curve.pieces.windows(2).map(|pair| pair[0].jumps_to(&pair[1])));
        let pieces = curve.pieces.iter().zip(jumps).map(|(piece, jump)| Piece {
            from_us: self.micros(piece.from),
            to_us: self.micros(piece.to),
            time_us: self.micros(piece.end),
            slope: piece.slope,
            jump,
        });
        Curve {
            parameter: symbol(parameter.part()),
            pieces: pieces.collect(),
            broken_off_at_us: curve.broken_off.map(|at| self.micros(at)),
        }
    }

    /// Completion time over a range of a parameter; per-byte parameters are given for one byte. The
    /// curve ends when its runs exceed `most_events` events.
    pub fn curve_over(
        &self,
        parameter: Parameter,
        (from, to): (Micros, Micros),
        most_events: u64,
    ) -> Result<Curve, Error> {
        let between = (self.ticks().of(from)?, self.ticks().of(to)?);
        Ok(self.curve_in_micros(parameter, &self.curve(parameter, between, most_events)))
    }
}

fn symbol(part: Part) -> &'static str {
    match part {
        Part::Latency => "L",
        Part::Overhead => "o",
        Part::Control => "O'",
        Part::Gap => "g",
        Part::Bytes => "G",
        Part::Card => "1/R_N",
        Part::OverheadBytes => "O",
        Part::Compute => "computation",
    }
}

/// A known name: a model, a symbol, an activity.
pub fn known<'de, D: Deserializer<'de>>(from: D) -> Result<Word, D::Error> {
    one_of(from, [])
}

/// A known name, or one of these.
pub fn one_of<'de, D: Deserializer<'de>>(
    from: D,
    more: impl IntoIterator<Item = Word>,
) -> Result<Word, D::Error> {
    const ACTIVITIES: [Activity; 4] =
        [Activity::Compute, Activity::Send, Activity::Receive, Activity::Control];
    let text = std::borrow::Cow::<'de, str>::deserialize(from)?;
    let words = SimulationModel::ALL.into_iter().map(SimulationModel::name);
    let words = words.chain(Part::ALL.into_iter().map(symbol));
    let mut words = words.chain(ACTIVITIES.map(Activity::name)).chain(more);
    words
        .find(|word| **word == *text)
        .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not a known name")))
}
