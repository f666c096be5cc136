//! The curve over L, and over G, is what fresh runs give.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "tests")]

mod random;

use loggia_engine::curve::{Curve, Watch};
use loggia_engine::loggops::{self, Costs};
use loggia_engine::observe::{Nobody, Observer};
use loggia_engine::schedule::Schedule;
use loggia_engine::time::{Moving, Time};
use random::{Random, schedule};

const RANGE: (u64, u64) = (0, 3000);

fn curve(schedule: &Schedule, costs: &Costs<u64>) -> Curve {
    let at = |latency| {
        let costs = Costs { latency, ..*costs };
        loggops::run(schedule, &costs, 1, &mut Nobody).end()
    };
    let beyond = |latency| {
        let moving = Costs {
            latency: Moving::new(latency, 1),
            overhead: Moving::from_ticks(costs.overhead),
            gap: Moving::from_ticks(costs.gap),
            gap_per_byte: Moving::from_ticks(costs.gap_per_byte),
            overhead_per_byte: Moving::from_ticks(costs.overhead_per_byte),
            eager_limit: costs.eager_limit,
        };
        let mut watch = Watch::new(schedule.ranks(), schedule.cpus() > 1);
        let outcome = loggops::run(schedule, &moving, 1, &mut watch);
        let end = outcome.ends.iter().copied().reduce(|a, b| watch.later(a, b)).unwrap();
        (end, watch.last_in_order())
    };
    Curve::trace(RANGE, usize::MAX, at, beyond)
}

#[test]
fn equal_to_fresh_runs() {
    let mut random = Random(5);
    let (mut pieces, mut jumps, mut values) = (0, 0, 0);
    for _ in 0..1000 {
        let schedule = schedule(&mut random);
        let costs = Costs {
            latency: 0,
            overhead: random.below(200),
            gap: random.below(300),
            gap_per_byte: random.below(3),
            overhead_per_byte: random.below(2),
            eager_limit: [0, 50, 1 << 20][random.below(3) as usize],
        };
        let curve = curve(&schedule, &costs);
        let fresh = |latency| {
            let costs = Costs { latency, ..costs };
            loggops::run(&schedule, &costs, 1, &mut Nobody).end()
        };
        let sides = curve.pieces.iter().flat_map(|piece| [piece.from, piece.to]);
        let spread = (0..20).map(|_| random.below(RANGE.1 + 1)).collect::<Vec<_>>();
        for value in sides.chain(spread) {
            assert_eq!(curve.at(value), Some(fresh(value)), "L = {value}: {costs:?} {schedule:?}");
            values += 1;
        }
        pieces += curve.pieces.len();
        jumps += curve.pieces.windows(2).filter(|pair| pair[0].jumps_to(&pair[1])).count();
    }
    println!("{values} values, {pieces} pieces, {jumps} jumps");
    assert!(pieces > 2000 && jumps > 100);
}
