//! Every case of the field's reference simulator: status, events, and every rank's end.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "tests")]

use loggia_engine::loggops::{Costs, run};
use loggia_engine::observe::Nobody;
use loggia_engine::schedule::Schedule;
use loggia_model::goal;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

#[derive(Deserialize)]
struct Case {
    goal: String,
    params: String,
    status: String,
    events: u64,
    times: Vec<u64>,
}

fn parameters(table: &str) -> HashMap<String, Costs<u64>> {
    let rows = table.lines().skip(1).map(|line| {
        let mut cells = line.split('\t');
        let name = cells.next().unwrap().to_owned();
        let numbers: Vec<u64> = cells.map(|cell| cell.trim().parse().unwrap()).collect();
        let [latency, overhead, gap, gap_per_byte, overhead_per_byte, eager_limit] =
            numbers.try_into().unwrap();
        let costs = Costs { latency, overhead, gap, gap_per_byte, overhead_per_byte, eager_limit };
        (name, costs)
    });
    rows.collect()
}

#[test]
fn equal_to_the_reference_simulator() {
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/oracle");
    let Ok(expected) = fs::read_to_string(oracle.join("expected.jsonl")) else {
        println!("skipped: there is no {}", oracle.display());
        return;
    };
    let parameters = parameters(&fs::read_to_string(oracle.join("params.tsv")).unwrap());
    let mut schedules: HashMap<String, Schedule> = HashMap::new();
    let mut wrong = Vec::new();
    let mut cases = 0;
    for line in expected.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let schedule = schedules.entry(case.goal.clone()).or_insert_with(|| {
            let text = fs::read(oracle.join("goal").join(&case.goal)).unwrap();
            goal::read(&text).unwrap_or_else(|error| panic!("{}: {error}", case.goal)).0
        });
        let outcome = run(schedule, &parameters[&case.params], 1, &mut Nobody);
        let left = &outcome.left;
        let unmatched = !left.receives.is_empty() || !left.messages.is_empty();
        let status = if unmatched { "unmatched" } else { "ok" };
        cases += 1;
        // It prints no times where something was left over.
        let times = if unmatched { &case.times } else { &outcome.ends };
        if (status, outcome.events, times) != (&*case.status, case.events, &case.times) {
            wrong.push(format!("{line}\nours: {status} {} {times:?}", outcome.events));
        }
    }
    assert!(cases >= 1472, "{cases} cases");
    let first = wrong.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {cases} differ:\n{first}", wrong.len());
    println!("{cases} cases are equal");
}
