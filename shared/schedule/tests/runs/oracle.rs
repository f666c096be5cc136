//! Every case of the reference simulator: status, number of events, and completion time per rank.

use crate::cases::{Case, Oracle};
use loggia_schedule::goal;
use loggia_schedule::loggops::{Costs, run};
use loggia_schedule::observe::NoObserver;
use loggia_schedule::schedule::Schedule;

#[test]
fn equal_to_the_reference_simulator() {
    let Some(oracle) = Oracle::read() else { return };
    let mut wrong = Vec::new();
    // Cases of the same file are adjacent.
    for cases in oracle.cases.chunk_by(|a, b| a.goal == b.goal) {
        let name = &cases[0].goal;
        let read = goal::read(oracle.goal(name).as_bytes());
        let schedule = read.unwrap_or_else(|error| panic!("{name}: {error}")).0;
        let numbers = |case: &Case| oracle.parameters[&case.params];
        wrong.extend(cases.iter().filter_map(|case| differs(&schedule, numbers(case), case)));
    }
    let cases = oracle.cases.len();
    let first = wrong.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {cases} differ:\n{first}", wrong.len());
    println!("{cases} cases are equal");
}

/// Expected and actual result, if they differ.
fn differs(schedule: &Schedule, numbers: [u64; 6], case: &Case) -> Option<String> {
    let [latency, overhead, gap, gap_per_byte, overhead_per_byte, eager_limit] = numbers;
    let costs = Costs { latency, overhead, gap, gap_per_byte, overhead_per_byte, eager_limit };
    let outcome = run(schedule, &costs, 1, &mut NoObserver);
    let left = &outcome.left;
    let unmatched = !left.receives.is_empty() || !left.messages.is_empty();
    let status = if unmatched { "unmatched" } else { "ok" };
    // The reference simulator prints no times if operations are left over.
    let times = if unmatched { &case.times } else { &outcome.ends };
    let differs = (status, outcome.events, times) != (&*case.status, case.events, &case.times);
    differs.then(|| format!("{case:?}\nours: {status} {} {times:?}", outcome.events))
}
