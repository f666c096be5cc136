//! The curves over L and over G agree with separate runs.

use crate::random::{Random, schedule};
use loggia_schedule::curve::{Curve, Watch};
use loggia_schedule::loggops::{self, Costs};
use loggia_schedule::observe::{NoObserver, Observer};
use loggia_schedule::schedule::Schedule;
use loggia_schedule::time::TimeWithSlope;

/// Sets the parameter of the curve to a value.
type Over = fn(Costs<u64>, u64) -> Costs<u64>;

const OVER_L: Over = |costs, latency| Costs { latency, ..costs };
const OVER_G: Over = |costs, gap_per_byte| Costs { gap_per_byte, ..costs };

fn curve(schedule: &Schedule, costs: &Costs<u64>, over: Over, range: (u64, u64)) -> Curve {
    let at = |value| loggops::run(schedule, &over(*costs, value), 1, &mut NoObserver).end();
    let beyond = |value| {
        let [here, next] = [value, value + 1].map(|value| over(*costs, value));
        let with_slope = |here: u64, next: u64| TimeWithSlope::new(here, (next - here) as i64);
        let with_slope = Costs {
            latency: with_slope(here.latency, next.latency),
            overhead: with_slope(here.overhead, next.overhead),
            gap: with_slope(here.gap, next.gap),
            gap_per_byte: with_slope(here.gap_per_byte, next.gap_per_byte),
            overhead_per_byte: with_slope(here.overhead_per_byte, next.overhead_per_byte),
            eager_limit: costs.eager_limit,
        };
        let back = loggops::time_goes_back(schedule, &with_slope, 1);
        let mut watch = Watch::new(schedule.ranks(), back);
        let outcome = loggops::run(schedule, &with_slope, 1, &mut watch);
        let end = outcome.ends.iter().copied().reduce(|a, b| watch.later(a, b)).unwrap();
        (end, watch.last_in_order())
    };
    Curve::trace(range, || true, at, beyond)
}

fn compare(over: Over, range: (u64, u64), costs: impl Fn(&mut Random) -> Costs<u64>) -> [usize; 2] {
    let mut random = Random(5);
    let (mut pieces, mut jumps) = (0, 0);
    for _ in 0..1000 {
        let schedule = schedule(&mut random);
        let costs = costs(&mut random);
        let curve = curve(&schedule, &costs, over, range);
        let separate =
            |value| loggops::run(&schedule, &over(costs, value), 1, &mut NoObserver).end();
        let sides = curve.pieces.iter().flat_map(|piece| [piece.from, piece.to]);
        let spread = (0..20).map(|_| random.below(range.1 + 1)).collect::<Vec<_>>();
        for value in sides.chain(spread) {
            assert_eq!(curve.at(value), Some(separate(value)), "{value}: {costs:?} {schedule:?}");
        }
        pieces += curve.pieces.len();
        jumps += curve.pieces.windows(2).filter(|pair| pair[0].jumps_to(&pair[1])).count();
    }
    [pieces, jumps]
}

fn costs(random: &mut Random) -> Costs<u64> {
    Costs {
        latency: random.below(3000),
        overhead: random.below(200),
        gap: random.below(300),
        gap_per_byte: random.below(3),
        overhead_per_byte: random.below(2),
        eager_limit: [0, 50, 1 << 20][random.below(3) as usize],
    }
}

#[test]
fn a_curve_over_l_agrees_with_separate_runs() {
    let [pieces, jumps] = compare(OVER_L, (0, 3000), costs);
    assert!(pieces > 2000 && jumps > 100, "{pieces} {jumps}");
}

/// Also where O and G swap places as the larger cost of a receive. No cost is negative.
#[test]
fn a_curve_over_g_agrees_with_separate_runs() {
    let [pieces, jumps] = compare(OVER_G, (0, 40), |random| {
        let overhead_per_byte = random.below(20);
        let (overhead, gap) = (40 + random.below(200), 40 + random.below(300));
        Costs { overhead, gap, overhead_per_byte, ..costs(random) }
    });
    assert!(pieces > 2000 && jumps > 100, "{pieces} {jumps}");
}
