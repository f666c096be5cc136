//! The plan of collective operations: operations, numbers of ranks and sizes.

use super::SMALL;
use crate::measure::Effort;
use crate::measure::collective::Procedure;
use crate::run::commands::{GroupStep, RankGroup};
use crate::run::options::{Level, MeasurementKind, Options};
use crate::transport::Arithmetic;
use loggia_model::signature::Operation;

/// One round of all operations of a group, saved as a whole.
#[derive(Clone, Debug)]
pub(in crate::run) struct Collectives {
    pub(in crate::run) group: RankGroup,
    pub(in crate::run) round: u32,
    /// Round trips of a pulse between the first two ranks of the group.
    pub(in crate::run) pulse: u32,
    pub(in crate::run) steps: Vec<GroupStep>,
    /// Estimated maximum of seconds.
    pub(in crate::run) estimate: f64,
}

impl Collectives {
    /// The share of the time limit for collective operations.
    pub(in crate::run) const TIME_SHARE: f64 = 0.3;

    /// The name in the file.
    pub(in crate::run) fn title(&self) -> String {
        let per_node = self.group.per_node.map(|count| format!(", {count} a node"));
        format!(
            "{} over {} ranks{}, round {}",
            MeasurementKind::Collectives.name(),
            self.group.members.len(),
            per_node.unwrap_or_default(),
            self.round + 1
        )
    }

    /// All rounds. Ranks that share processors cannot start at a common time. A pulse shows the state
    /// of the machine between ranks 0 and 1; groups without these ranks have no pulse.
    pub(in crate::run) fn all(
        options: &Options,
        groups: &[RankGroup],
        share_processors: bool,
        pulse: u32,
    ) -> Vec<Collectives> {
        if !options.only.contains(&MeasurementKind::Collectives) {
            return Vec::new();
        }
        let rounds = Collectives::rounds(options.level, pulse);
        let seconds = match (options.max_seconds, options.level) {
            (Some(max), _) => Collectives::TIME_SHARE * max,
            (None, Level::Quick) => 2.0,
            (None, Level::Default) => 15.0,
            (None, Level::Thorough) => 120.0,
        };
        let mut all = Vec::new();
        for round in 0..rounds {
            let procedure = procedure(round, share_processors);
            for group in groups {
                let share = seconds / f64::from(rounds) / groups.len() as f64;
                let effort =
                    |conditions: usize| options.level.effort(2 * rounds, share / conditions as f64);
                let procs = group.members.len();
                let steps = Collectives::steps(options, procs, procedure, effort);
                let pulse = if group.members.starts_with(&[0, 1]) { pulse } else { 0 };
                let group = group.clone();
                all.push(Collectives { group, round, pulse, steps, estimate: share });
            }
        }
        all
    }

    /// The number of rounds. Fewer than for pairs, because each takes long. More if the machine may
    /// change its state, because some rounds are discarded.
    fn rounds(level: Level, pulse: u32) -> u32 {
        match level {
            Level::Quick => 4,
            Level::Default if pulse == 0 => 6,
            Level::Default | Level::Thorough => 12,
        }
    }

    fn steps(
        options: &Options,
        procs: usize,
        procedure: Procedure,
        effort: impl Fn(usize) -> Effort,
    ) -> Vec<GroupStep> {
        let largest = options.sizes.iter().copied().max().unwrap_or(SMALL).min(64 << 10);
        let every = if options.level == Level::Quick { 16 } else { 4 };
        let mut sizes = vec![SMALL];
        while let Some(next) = sizes.last().map(|last| last * every).filter(|n| *n < largest) {
            sizes.push(next);
        }
        if largest > SMALL {
            sizes.push(largest);
        }
        let mut conditions = Vec::new();
        for op in Operation::ALL {
            let kinds: &[Arithmetic] = match op {
                Operation::Reduce
                | Operation::Allreduce
                | Operation::Scan
                | Operation::ReduceScatter => &[Arithmetic::Sum, Arithmetic::Empty],
                _ => &[Arithmetic::Sum],
            };
            let sizes = if op == Operation::Barrier { &[0][..] } else { &sizes };
            for &bytes in sizes {
                // A vector has at least one element per rank.
                let bytes = if op == Operation::ReduceScatter { bytes * procs } else { bytes };
                conditions.extend(kinds.iter().map(|&arithmetic| (op, bytes, arithmetic)));
            }
        }
        let effort = effort(conditions.len());
        let step = |(op, bytes, arithmetic)| GroupStep { op, bytes, effort, procedure, arithmetic };
        conditions.into_iter().map(step).collect()
    }
}

/// The procedure of a round: blocks (Hwang, Wang & Wang 1997), separated executions (Touriño & Doallo
/// 2001; the closed forms are fitted to these) or windows. A common start is independent of the exits
/// from a barrier, but depends on the error of the common clock.
fn procedure(round: u32, share_processors: bool) -> Procedure {
    match round % 4 {
        1 => Procedure::Blocks,
        3 if !share_processors => Procedure::Window,
        _ => Procedure::Separated,
    }
}
