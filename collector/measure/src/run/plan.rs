//! The measurements, their order and effort, derived from a survey of the pair, so that the
//! time suffices also on a slow network.

mod collectives;

pub(super) use collectives::Collectives;

use super::commands::Step;
use super::options::{Level, MeasurementKind, Options};
use super::survey::{SLOW, Survey};
use crate::measure::cpu_overlap::ComputingSide;
use crate::measure::shared_card::Streams;
use crate::measure::{Effort, SMALL, bandwidth, pulse};

/// Queue depths of Bell et al. 2003, Figure 5.
const DEPTHS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Minimum number of rounds, even beyond a time limit: fewer show no variation.
pub(super) const MIN_ROUNDS: u32 = 3;

/// One measurement of one round, saved as a whole.
#[derive(Clone, Debug)]
pub(super) struct Measurement {
    pub(super) kind: MeasurementKind,
    pub(super) round: u32,
    pub(super) steps: Vec<Step>,
    /// Estimated seconds.
    pub(super) estimate: f64,
}

impl Measurement {
    /// The name in the file.
    pub(super) fn title(&self, tier: &str) -> String {
        format!("{tier}: {}, round {}", self.kind.name(), self.round + 1)
    }
}

/// Numbers of concurrent pairs of two hosts, and their streams, with messages of the largest size.
pub(super) fn card_streams(
    options: &Options,
    survey: &Survey,
    max: usize,
) -> Vec<(usize, Streams)> {
    let size = options.sizes.iter().copied().max().unwrap_or(SMALL);
    let mut counts: Vec<usize> = (0..).map(|k| 1 << k).take_while(|count| *count < max).collect();
    counts.push(max);
    let seconds: f64 = match options.level {
        Level::Quick => 2.0,
        Level::Default => 8.0,
        Level::Thorough => 40.0,
    };
    let seconds = options.max_seconds.map_or(seconds, |max| seconds.min(CARD_SHARE * max));
    let each = seconds / counts.len() as f64;
    let streams = |count: usize| {
        // At worst, the card serves the pairs one after the other; the first run is a warm-up.
        let message = survey.gap(size) * count as f64;
        let messages = affordable(each, message, CARD_RUNS + 1, 1000).max(8);
        let depth = bandwidth::deepest(size).min(16);
        (count, Streams { size, depth, runs: CARD_RUNS, messages })
    };
    counts.into_iter().map(streams).collect()
}

/// The share of a time limit for streams of several pairs.
const CARD_SHARE: f64 = 0.1;

/// Runs of streams of several pairs: enough for an interval of the median.
const CARD_RUNS: u32 = 9;

/// A condition of a measurement: a function from seconds to a step and its estimated seconds.
struct Condition<'a> {
    /// Minimum seconds.
    min_seconds: f64,
    step: Box<dyn FnOnce(f64) -> (Step, f64) + 'a>,
}

/// Number of conditions of a measurement that are kept on any network, however slow.
const MIN_CONDITIONS: usize = 4;

/// A condition whose repetitions take `each` µs.
fn condition<'a>(each: f64, step: impl FnOnce(f64) -> (Step, f64) + 'a) -> Condition<'a> {
    Condition { min_seconds: 6.0 * each * 1e-6, step: Box::new(step) }
}

pub(super) struct Planner<'a> {
    options: &'a Options,
    survey: &'a Survey,
    /// The send modes of the transport.
    styles: Vec<String>,
    one_sided: bool,
    /// Seconds for all measurements.
    seconds: f64,
    /// Number of rounds.
    rounds: u32,
    /// Number of rounds without a time limit.
    all_rounds: u32,
}

/// Number of streaming bandwidth conditions from which g and G are fitted.
const GAP_CONDITIONS: f64 = 4.0;
/// Minimum number of messages per such condition, over all runs.
const MESSAGES_PER_CONDITION: f64 = 40.0;

/// In the test of S, the receiver computes for this many µs, plus [`AWAY_MESSAGES`] times a small
/// message, plus [`AWAY_PER_BYTE`] times the bytes: long enough to recognise a send that waits.
const MIN_AWAY: f64 = 50.0;
const AWAY_MESSAGES: f64 = 4.0;
const AWAY_PER_BYTE: f64 = 3.0;
/// Assumed eager limit in bytes, for the estimate.
const ASSUMED_LIMIT: f64 = 32_768.0;
/// Small messages before and after each try.
const TRIPS_PER_TRY: f64 = 5.0;
/// Sizes tried by a bisection, and tries per size.
const TRIED_SIZES: f64 = 25.0;
const TRIES: f64 = 5.0;

/// The share of the time of a measurement if all are made. The two-processor benchmark has most
/// conditions.
fn share_of_time(kind: MeasurementKind) -> f64 {
    match kind {
        MeasurementKind::TwoProcessor => 0.35,
        MeasurementKind::PingPong | MeasurementKind::Bandwidth => 0.2,
        MeasurementKind::CpuOverlap => 0.08,
        MeasurementKind::Progress => 0.07,
        MeasurementKind::OneSided => 0.05,
        // The bisection stops when S is known; this share is a maximum.
        MeasurementKind::EagerLimit => 0.05,
        // Collective operations have a separate time limit.
        MeasurementKind::Collectives => 0.0,
    }
}

impl<'a> Planner<'a> {
    /// Chooses the largest number of rounds that leaves each condition its repetitions: a fast
    /// machine changes its state within 10 ms, and many short rounds average over the states.
    pub(super) fn new(
        options: &'a Options,
        survey: &'a Survey,
        styles: Vec<String>,
        one_sided: bool,
        seconds: f64,
    ) -> Self {
        let (min_rounds, max_rounds) = options.level.rounds();
        let (rounds, all_rounds) = (min_rounds, min_rounds);
        let mut planner =
            Planner { options, survey, styles, one_sided, seconds, rounds, all_rounds };
        let once: f64 = planner
            .two_processor_conditions(None)
            .iter()
            .map(|condition| condition.min_seconds)
            .sum();
        let whole: f64 =
            [MeasurementKind::TwoProcessor, MeasurementKind::PingPong, MeasurementKind::Bandwidth]
                .map(share_of_time)
                .iter()
                .sum();
        let rounds =
            (share_of_time(MeasurementKind::TwoProcessor) / whole * seconds / once / 2.0) as u32;
        planner.all_rounds = rounds.clamp(min_rounds, max_rounds);
        planner.rounds = planner.all_rounds;
        if options.max_seconds.is_some() {
            // Warm-up adds up to a quarter, whatever the number of rounds.
            while planner.rounds > MIN_ROUNDS && planner.estimate() > 1.3 * seconds {
                planner.rounds -= 1;
            }
        }
        planner
    }

    /// Estimated seconds of all measurements.
    fn estimate(&self) -> f64 {
        self.eager_limit().iter().chain(&self.rounds(None)).map(|m| m.estimate).sum()
    }

    /// The bisection of S. It is first, because other measurements use sizes on both sides of S.
    pub(super) fn eager_limit(&self) -> Option<Measurement> {
        self.selected(MeasurementKind::EagerLimit)?;
        let largest = self.largest();
        let away = MIN_AWAY + AWAY_MESSAGES * self.survey.end(SMALL);
        let away_per_byte = AWAY_PER_BYTE * self.survey.end(largest) / largest.max(1) as f64;
        let mut ends = self.survey.ends.clone();
        ends.retain(|(size, _)| *size > 0);
        let bracket =
            |blocking| Step::EagerLimit { blocking, ends: ends.clone(), away, away_per_byte };
        let one_try = away + away_per_byte * ASSUMED_LIMIT + TRIPS_PER_TRY * self.survey.end(SMALL);
        let per_mode = TRIED_SIZES * TRIES * one_try * 1e-6;
        let mut styles: Vec<&str> =
            ["isend", "send"].into_iter().filter(|name| self.has(name)).collect();
        if self.options.level == Level::Quick && per_mode > 1.0 {
            styles.truncate(1);
        }
        let steps: Vec<Step> = styles.iter().map(|name| bracket(*name == "send")).collect();
        let estimate = steps.len() as f64 * per_mode;
        Some(Measurement { kind: MeasurementKind::EagerLimit, round: 0, steps, estimate })
    }

    /// All other measurements, by round; `eager` is the largest eager size, if known.
    pub(super) fn rounds(&self, eager: Option<usize>) -> Vec<Measurement> {
        let mut all: Vec<_> = (0..self.rounds).flat_map(|round| self.round(round, eager)).collect();
        let core = self.core();
        for measurement in &mut all {
            measurement.steps.extend(core.iter().map(|(step, _)| step.clone()));
            measurement.estimate += core.iter().map(|(_, estimate)| estimate).sum::<f64>();
        }
        all
    }

    /// The measurements for which a time limit leaves no time.
    pub(super) fn left_out(&self) -> Vec<Measurement> {
        (self.rounds..self.all_rounds).flat_map(|round| self.round(round, None)).collect()
    }

    fn round(&self, round: u32, eager: Option<usize>) -> impl Iterator<Item = Measurement> {
        let all = [
            self.ping_pong(round, eager),
            self.two_processor(round, eager),
            self.bandwidth(round),
            self.cpu_overlap(round),
            self.progress(round, eager),
            self.one_sided(round),
        ];
        all.into_iter().flatten()
    }

    /// Steps with small messages, measured in every round: they determine all parameters, and are
    /// most sensitive to the state of the machine.
    fn core(&self) -> Vec<(Step, f64)> {
        let end = self.survey.end(SMALL);
        if pulse::trips(end) == 0 || !self.options.sizes.contains(&SMALL) {
            return Vec::new();
        }
        let effort = Effort { warm_up: 3, min: 12, max: 12, precision: 1.0, seconds: 0.01 };
        let estimate = |each: f64| estimate(effort, each);
        let (size, delta) = (SMALL, 5.0 + 2.0 * end);
        let mut core = Vec::new();
        if self.selected(MeasurementKind::PingPong).is_some() {
            core.push((Step::PingPong { size, effort }, estimate(2.0 * end)));
        }
        if self.selected(MeasurementKind::TwoProcessor).is_some() {
            core.push((Step::Completion { size, effort }, estimate(2.0 * end)));
            for name in self.styles.iter().take(2).cloned() {
                core.push((Step::Style { name, size, delta, effort }, estimate(8.0 * end + delta)));
            }
        }
        if self.selected(MeasurementKind::Bandwidth).is_some() {
            let (depth, messages) = (deepest(size), 300);
            let estimate = self.survey.gap(size) * f64::from(messages) * 1e-6;
            core.push((Step::Bandwidth { size, depth, runs: 1, messages }, estimate));
        }
        core
    }

    fn selected(&self, kind: MeasurementKind) -> Option<()> {
        self.options.only.contains(&kind).then_some(())
    }

    fn has(&self, style: &str) -> bool {
        self.styles.iter().any(|name| name == style)
    }

    fn largest(&self) -> usize {
        self.options.sizes.iter().copied().max().unwrap_or(SMALL)
    }

    /// Seconds for one round of a measurement: its share among the selected
    /// measurements.
    fn share(&self, kind: MeasurementKind) -> f64 {
        let all: f64 = self.options.only.iter().map(|kind| share_of_time(*kind)).sum();
        self.seconds * share_of_time(kind) / all / f64::from(self.rounds)
    }

    /// The effort of one condition of one round, within `seconds`.
    fn effort(&self, seconds: f64) -> Effort {
        self.options.level.effort(self.rounds, seconds)
    }

    /// Runs per round: all rounds together make the ten runs of Bell et al. 2003.
    fn runs(&self) -> u32 {
        10_u32.div_ceil(self.rounds)
    }

    /// The given sizes, and both sides of the eager limit.
    fn sizes(&self, eager: Option<usize>) -> Vec<usize> {
        let mut sizes = self.options.sizes.clone();
        sizes.extend(eager.into_iter().flat_map(|limit| [limit, limit + 1]));
        sizes.retain(|size| *size <= self.largest());
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// A subset of the sizes: factors of about four, and both sides of the eager limit.
    fn fewer_sizes(&self, eager: Option<usize>) -> Vec<usize> {
        let sides = eager.map(|limit| [limit, limit + 1]);
        let mut last = 0;
        let mut subset = self.sizes(eager);
        subset.retain(|size| {
            let keep = *size >= 4 * last || *size == self.largest() || *size == SMALL;
            let side = sides.is_some_and(|sides| sides.contains(size));
            if keep && !side {
                last = (*size).max(1);
            }
            keep || side
        });
        subset
    }

    /// One step per condition, each with its share of the time. If the time is too short, the last
    /// conditions, which are the least important, are omitted.
    fn measurement(
        &self,
        kind: MeasurementKind,
        round: u32,
        conditions: Vec<Condition<'_>>,
    ) -> Option<Measurement> {
        self.selected(kind)?;
        let all = self.share(kind);
        let mut spent = 0.0;
        let affordable = conditions.iter().take_while(|condition| {
            spent += condition.min_seconds;
            spent <= all
        });
        let count = affordable.count().max(MIN_CONDITIONS.min(conditions.len()));
        if count == 0 {
            return None;
        }
        let seconds = all / count as f64;
        let (steps, estimates): (Vec<Step>, Vec<f64>) =
            conditions.into_iter().take(count).map(|condition| (condition.step)(seconds)).unzip();
        Some(Measurement { kind, round, steps, estimate: estimates.iter().sum() })
    }

    fn ping_pong(&self, round: u32, eager: Option<usize>) -> Option<Measurement> {
        let mut conditions = Vec::new();
        let mut sizes = self.sizes(eager);
        sizes.extend(self.survey.bends());
        sizes.sort_unstable();
        sizes.dedup();
        let subset = self.fewer_sizes(eager);
        let (first, then): (Vec<usize>, Vec<usize>) =
            sizes.into_iter().partition(|size| subset.contains(size));
        for size in first.into_iter().chain(then) {
            let each = 2.0 * self.survey.end(size);
            conditions.push(condition(each, move |seconds| {
                let effort = self.effort(seconds);
                (Step::PingPong { size, effort }, estimate(effort, each))
            }));
        }
        let each = 2.0 * self.survey.end(SMALL);
        conditions.push(condition(each, move |seconds| {
            let runs = self.runs();
            let messages = affordable(seconds * 2.0, each, runs, 10_000);
            let estimate = f64::from(runs * messages) * each * 1e-6;
            (Step::PingPongRuns { size: SMALL, runs, messages }, estimate)
        }));
        self.measurement(MeasurementKind::PingPong, round, conditions)
    }

    fn two_processor(&self, round: u32, eager: Option<usize>) -> Option<Measurement> {
        self.measurement(MeasurementKind::TwoProcessor, round, self.two_processor_conditions(eager))
    }

    /// All send modes at all sizes, the most important first.
    fn two_processor_conditions(&self, eager: Option<usize>) -> Vec<Condition<'_>> {
        let level = self.options.level;
        let small = self.survey.end(SMALL);
        let sizes = self.fewer_sizes(eager);
        let mut ranked = Vec::new();
        for (i, &size) in sizes.iter().enumerate() {
            let end = self.survey.end(size);
            let is_side = eager.is_some_and(|limit| size == limit || size == limit + 1);
            let is_corner = size == SMALL || is_side || i + 1 == sizes.len();
            ranked.push((
                if size == SMALL { 0 } else { 2 },
                condition(2.0 * end, move |seconds| {
                    let effort = self.effort(seconds);
                    (Step::Completion { size, effort }, estimate(effort, 2.0 * end))
                }),
            ));
            for (index, name) in self.styles.iter().cloned().enumerate() {
                // A synchronous send takes a round trip.
                let trips = if name.contains("ssend") { 6.0 } else { 2.0 };
                let delta = 5.0 + trips * end;
                // Two messages with their barriers, the delay, and waiting for the reply.
                let each = trips * end + 4.0 * small + delta;
                // Predictions use the first two send modes; the others are for comparison.
                let rank = match (index, size == SMALL, is_corner) {
                    (0 | 1, true, _) => 0,
                    (_, true, _) => 1,
                    (0 | 1, ..) => 2,
                    (_, _, true) => 3,
                    _ => 4,
                };
                if rank == 4 && level != Level::Thorough && i % 2 == 1 {
                    continue;
                }
                let step = move |seconds| {
                    let effort = self.effort(seconds);
                    let effort = Effort { max: effort.min, ..effort };
                    (Step::Style { name, size, delta, effort }, estimate(effort, each))
                };
                ranked.push((rank, condition(each, step)));
            }
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, condition)| condition).collect()
    }

    /// The sizes of streaming bandwidth tests; without the largest sizes on a slow network.
    fn bandwidth_sizes(&self) -> Vec<usize> {
        let mut sizes = self.options.sizes.clone();
        sizes.retain(|size| *size >= SMALL);
        sizes.sort_unstable();
        let carried = GAP_CONDITIONS * MESSAGES_PER_CONDITION;
        let affordable = self.share(MeasurementKind::Bandwidth) * 1e6 / carried;
        let fits = |(i, size): &(usize, &usize)| *i < 2 || self.survey.gap(**size) <= affordable;
        let count = sizes.iter().enumerate().take_while(fits).count();
        sizes.truncate(count);
        sizes
    }

    fn bandwidth(&self, round: u32) -> Option<Measurement> {
        let level = self.options.level;
        let sizes = self.bandwidth_sizes();
        let largest = sizes.last().copied().unwrap_or(SMALL);
        let mut points: Vec<(usize, u32)> = Vec::new();
        for &size in &sizes {
            // Some rounds have all sizes and depths, as in Bell et al. 2003; the others only those
            // that the parameters are fitted to.
            let all = match level {
                Level::Quick => false,
                Level::Default => round.is_multiple_of(self.rounds.div_ceil(8)),
                Level::Thorough => true,
            };
            let deep = deepest(size);
            let is_selected_depth = |depth: &u32| {
                *depth <= deep && (all || size == SMALL || *depth == 16.min(deep) || *depth == deep)
            };
            points.extend(DEPTHS.into_iter().filter(is_selected_depth).map(|depth| (size, depth)));
        }
        // The conditions for g and G come first.
        points.sort_by_key(|&(size, depth)| {
            let carries = (size == SMALL || 4 * size >= largest) && depth == 16.min(deepest(size));
            (!carries, size != SMALL, size)
        });
        let mut conditions = Vec::new();
        for (size, depth) in points {
            let single =
                if depth == 1 { self.survey.single_gap.max(self.survey.end(size)) } else { 0.0 };
            let each = self.survey.gap(size).max(single);
            // G is fitted to large messages, so they get a larger share of the time.
            let more = if 4 * size >= largest { 3.0 } else { 1.0 };
            conditions.push(condition(each * f64::from(depth + 10), move |seconds| {
                let runs = self.runs().max(2);
                // A slow queue is full with a few messages.
                let min_messages = if each * f64::from(depth) > SLOW { 4 } else { depth.max(4) };
                let messages = affordable(seconds * more, each, runs, 10_000).max(min_messages);
                let estimate = f64::from(runs * (messages + 10) + depth) * each * 1e-6;
                (Step::Bandwidth { size, depth, runs, messages }, estimate)
            }));
        }
        self.measurement(MeasurementKind::Bandwidth, round, conditions)
    }

    fn cpu_overlap(&self, round: u32) -> Option<Measurement> {
        let gap = self.survey.single_gap.max(self.survey.gap(SMALL));
        let mut conditions = Vec::new();
        for side in [ComputingSide::Sender, ComputingSide::Receiver] {
            for factor in [0.0, 0.5, 1.0, 2.0, 4.0, 8.0] {
                let compute = gap * factor;
                let each = gap + compute;
                conditions.push(condition(each, move |seconds| {
                    let runs = self.runs().max(2);
                    let messages = affordable(seconds, each, runs + 1, 10_000).max(20);
                    let estimate = f64::from((runs + 1) * messages) * each * 1e-6;
                    (Step::CpuOverlap { size: SMALL, side, compute, runs, messages }, estimate)
                }));
            }
        }
        self.measurement(MeasurementKind::CpuOverlap, round, conditions)
    }

    fn progress(&self, round: u32, eager: Option<usize>) -> Option<Measurement> {
        let largest = self.largest();
        let mut sizes = match eager {
            Some(limit) => vec![limit / 2, (4 * limit).min(largest), (16 * limit).min(largest)],
            None => vec![SMALL.min(largest), 4096.min(largest), largest],
        };
        sizes.retain(|size| *size > 0);
        sizes.dedup();
        let mut conditions = Vec::new();
        for size in sizes {
            let end = self.survey.end(size);
            for factor in [1.0, 4.0] {
                let compute = 5.0 + factor * end;
                let each = 3.0 * end + 2.0 * self.survey.end(SMALL) + compute;
                conditions.push(condition(each, move |seconds| {
                    let effort = Effort {
                        min: 30,
                        max: 600,
                        precision: 0.05,
                        seconds: seconds / 3.0,
                        ..self.effort(seconds)
                    };
                    (Step::Progress { size, compute, effort }, 3.0 * estimate(effort, each))
                }));
            }
        }
        self.measurement(MeasurementKind::Progress, round, conditions)
    }

    fn one_sided(&self, round: u32) -> Option<Measurement> {
        if !self.one_sided {
            return None;
        }
        let largest = self.largest();
        let mut conditions = Vec::new();
        let mut sizes = vec![SMALL.min(largest), 4096.min(largest), largest];
        sizes.dedup();
        for size in sizes {
            let each = 4.0 * self.survey.end(size);
            conditions.push(condition(each, move |seconds| {
                let effort = self.effort(seconds);
                (Step::OneSided { size, effort }, estimate(effort, each))
            }));
        }
        let gap = self.survey.single_gap;
        for factor in [0.0, 4.0] {
            let compute = gap * factor;
            let each = 2.0 * gap + compute;
            conditions.push(condition(each, move |seconds| {
                let messages = affordable(seconds, each, 3, 1000).max(20);
                let estimate = 3.0 * f64::from(messages) * each * 1e-6;
                (Step::Isolated { size: SMALL, compute, runs: 2, messages }, estimate)
            }));
        }
        self.measurement(MeasurementKind::OneSided, round, conditions)
    }
}

/// Maximum queue depth: a few large messages in flight saturate any network.
fn deepest(size: usize) -> u32 {
    if size < 64 << 10 { 64 } else { 16 }.min(bandwidth::deepest(size))
}

/// Seconds of an effort, if one repetition takes `each` µs.
fn estimate(effort: Effort, each: f64) -> f64 {
    let once = each * 1e-6;
    let warm_up = (f64::from(effort.warm_up) * once).min(effort.seconds / 4.0).max(once);
    warm_up + (2.0 * f64::from(effort.min) * once).min(effort.seconds).max(5.0 * once)
}

/// Number of messages of a run within the given seconds.
fn affordable(seconds: f64, each: f64, runs: u32, max: u32) -> u32 {
    ((seconds * 1e6 / each.max(1e-3) / f64::from(runs.max(1))) as u32).clamp(1, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rounds on a network where each message takes this long, with and without the limit.
    fn rounds(message: f64, max_seconds: Option<f64>) -> (u32, u32) {
        let sizes = vec![8, 1 << 10, 1 << 20];
        let survey = Survey {
            ends: sizes.iter().map(|size| (*size, message)).collect(),
            gaps: sizes.iter().map(|size| (*size, message)).collect(),
            single_gap: message,
        };
        let options = Options {
            output: "sig.json".into(),
            name: String::new(),
            title: String::new(),
            level: Level::Default,
            sizes,
            styles: vec!["isend".to_owned()],
            only: MeasurementKind::ALL.to_vec(),
            max_seconds,
            resume: false,
            overwrite: false,
            command: String::new(),
            date: String::new(),
        };
        let seconds = max_seconds.unwrap_or(40.0);
        let planner = Planner::new(&options, &survey, options.styles.clone(), false, seconds);
        (planner.rounds, planner.all_rounds)
    }

    #[test]
    fn a_time_limit_reduces_the_rounds_on_a_slow_network() {
        assert_eq!(rounds(2.0, Some(10.0)), rounds(2.0, None), "a fast network");
        assert_eq!(rounds(50_000.0, None), (6, 6));
        assert_eq!(rounds(50_000.0, Some(10.0)), (MIN_ROUNDS, 6));
    }

    #[test]
    fn the_shares_of_time_make_a_whole() {
        let sum: f64 = MeasurementKind::ALL.into_iter().map(share_of_time).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }
}
