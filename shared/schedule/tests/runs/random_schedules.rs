//! Ten thousand random schedules in both simulation models: compared with a literal implementation
//! of LogGOPSim's model, and checked for invariants of every run.

use crate::handshakes::Handshakes;
use crate::random::{Random, schedule};
use crate::reference;
use loggia_schedule::explain::{Part, Trace, Traced};
use loggia_schedule::loggops::{self, Costs};
use loggia_schedule::loggpo::{self, MessageProtocol};
use loggia_schedule::observe::{NoObserver, Observer};
use loggia_schedule::outcome::Outcome;
use loggia_schedule::overview::{Overview, Section};
use loggia_schedule::schedule::{OpId, Schedule};
use loggia_schedule::stuck::Stuck;
use loggia_schedule::timeline::{Recorder, Splits, Streamed, Timeline};

const SCHEDULES: usize = 10_000;

fn costs(random: &mut Random) -> Costs<u64> {
    Costs {
        latency: random.below(3000),
        overhead: random.below(300),
        gap: random.below(500),
        gap_per_byte: random.below(4),
        overhead_per_byte: [0, 1, 2][random.below(3) as usize],
        eager_limit: [0, 50, 1 << 40][random.below(3) as usize],
    }
}

#[test]
fn loggops_agrees_with_the_literal_model() {
    let mut random = Random(11);
    let (mut stuck, mut back) = (0, 0);
    for _ in 0..SCHEDULES {
        let schedule = schedule(&mut random);
        let costs = costs(&mut random);
        let outcome = loggops::run(&schedule, &costs, 1, &mut NoObserver);
        let expected = reference::run(&schedule, &costs);
        assert_eq!(outcome.ends, expected.ends, "{costs:?} {schedule:?}");
        assert_eq!(outcome.events, expected.events, "{costs:?} {schedule:?}");
        let lines = outcome.left.receives.len() + outcome.left.messages.len();
        assert_eq!(lines, expected.left, "{costs:?} {schedule:?}");
        stuck += usize::from(!outcome.left.is_empty());
        back += usize::from(schedule.cpus() > 1);
    }
    assert!(stuck > 500 && back > 500, "{stuck} {back}");
}

/// Checks that a processor performs one task at a time, that no task ends after its rank, and that
/// unfinished operations are explained.
fn check(schedule: &Schedule, outcome: &Outcome<u64>, timeline: &mut Timeline, splits: &Splits) {
    let left = &outcome.left;
    timeline.spans.sort_by_key(|span| (span.work.rank, span.work.cpu, span.start, span.end));
    for pair in timeline.spans.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        let same = (a.work.rank, a.work.cpu) == (b.work.rank, b.work.cpu);
        assert!(!same || a.end <= b.start, "{a:?} {b:?} {schedule:?}");
    }
    let ends = |rank: u32| outcome.ends[rank as usize];
    assert!(timeline.spans.iter().all(|span| span.end <= ends(span.work.rank)));
    let busy: u64 = timeline.spans.iter().map(|span| span.end - span.start).sum();
    let split: u64 = splits.of.iter().map(|s| s.compute + s.send + s.recv + s.control).sum();
    assert_eq!(busy, split);
    for rows in [2, schedule.ranks() as usize] {
        let section = Section { between: (0, outcome.end()), ranks: 0..schedule.ranks(), rows };
        let mut overview = Overview::new(section, 7);
        timeline.spans.iter().for_each(|span| overview.span(*span));
        let drawn: u64 = overview.busy().flatten().sum();
        assert_eq!(busy, drawn);
    }
    let stuck = Stuck::of(schedule, left);
    for op in [&left.receives, &left.messages, &left.waiting].into_iter().flatten() {
        assert!(op.index() < schedule.len());
    }
    let Stuck { cycle, without_send, without_receive, unanswered } = &stuck;
    let explained = [cycle, without_receive, without_send, unanswered];
    if !left.is_empty() {
        assert!(explained.into_iter().any(|ops| !ops.is_empty()), "{left:?} {schedule:?}");
    }
}

/// Checks that no operation began before its dependencies.
fn check_order(schedule: &Schedule, outcome: &Outcome<u64>) {
    let left = &outcome.left;
    let never: Vec<OpId> = left.waiting.clone();
    for op in &never {
        for next in schedule.after_done(op.index()).iter().chain(schedule.after_start(op.index())) {
            assert!(never.contains(&OpId(*next)), "{next} began before {op:?}: {schedule:?}");
        }
    }
    for recv in &left.receives {
        for next in schedule.after_done(recv.index()) {
            assert!(never.contains(&OpId(*next)), "{next} began before {recv:?}: {schedule:?}");
        }
    }
}

struct Unparked;

impl Observer<u64> for Unparked {
    fn parks(&self) -> bool {
        false
    }
}

#[test]
fn invariants_hold_in_every_run() {
    let mut random = Random(23);
    let mut finished = [0, 0];
    for number in 0..SCHEDULES {
        let schedule = schedule(&mut random);
        let costs = Costs { overhead_per_byte: 0, ..costs(&mut random) };
        // Empty messages have negative costs there, so times could become negative.
        if costs.overhead >= 3 && costs.gap >= 3 {
            let mut timeline = Timeline::default();
            let outcome = loggops::run(&schedule, &costs, 1, &mut Streamed(&mut timeline));
            let mut splits = Splits::new(schedule.ranks());
            assert_eq!(outcome, loggops::run(&schedule, &costs, 1, &mut splits));
            assert_eq!(outcome, loggops::run(&schedule, &costs, 1, &mut Unparked));
            if schedule.cpus() == 1 {
                check(&schedule, &outcome, &mut timeline, &splits);
            }
            check_order(&schedule, &outcome);
            finished[0] += usize::from(outcome.left.is_empty());
        }
        let protocol = if number % 2 == 0 { MessageProtocol::Rat } else { MessageProtocol::Rta };
        let machine = Handshakes { costs, protocol, dependent: number % 3 == 0 };
        let mut timeline = Timeline::default();
        let outcome = loggpo::run(&schedule, &machine, 1, &mut Streamed(&mut timeline));
        let mut splits = Splits::new(schedule.ranks());
        assert_eq!(outcome, loggpo::run(&schedule, &machine, 1, &mut splits));
        check(&schedule, &outcome, &mut timeline, &splits);
        check_order(&schedule, &outcome);
        finished[1] += usize::from(outcome.left.is_empty());
    }
    assert!(finished.iter().all(|finished| *finished > SCHEDULES / 2), "{finished:?}");
}

/// The shares of the parameters on the critical path add up to the completion time.
#[test]
fn the_critical_path_adds_up_to_the_completion_time() {
    let mut random = Random(41);
    for _ in 0..2000 {
        let schedule = schedule(&mut random);
        let costs = costs(&mut random);
        let made = |part, ticks| Traced::made_of(part, 1, ticks);
        let traced = Costs {
            latency: made(Part::Latency, costs.latency),
            overhead: made(Part::Overhead, costs.overhead),
            gap: made(Part::Gap, costs.gap),
            gap_per_byte: made(Part::Bytes, costs.gap_per_byte),
            overhead_per_byte: made(Part::OverheadBytes, costs.overhead_per_byte),
            eager_limit: costs.eager_limit,
        };
        let plain = loggops::run(&schedule, &costs, 1, &mut NoObserver);
        let mut trace = Trace::default();
        let outcome = loggops::run(&schedule, &traced, 1, &mut trace);
        let end = outcome.end();
        assert_eq!(loggia_schedule::time::Time::ticks(end), plain.end());
        let sum: i64 = Part::ALL.iter().map(|part| end.share(*part).ticks).sum();
        assert_eq!(sum, plain.end() as i64, "{costs:?} {schedule:?}");
        let of = |part, ticks: u64| {
            assert_eq!(end.share(part).ticks, end.share(part).count * ticks as i64);
        };
        of(Part::Latency, costs.latency);
        of(Part::Bytes, costs.gap_per_byte);
        for pair in trace.critical_path(&end).windows(2) {
            assert!(pair[0].start <= pair[1].start || schedule.cpus() > 1);
        }
    }
}
