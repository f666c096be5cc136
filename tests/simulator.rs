//! The page's simulator in a real browser: its results equal those of the reference simulator and
//! of the command.
#![allow(clippy::panic, reason = "a test fails by panicking")]

mod browser;
#[path = "../shared/schedule/tests/runs/cases.rs"]
mod cases;

use browser::{loggia, static_host, visit, visit_at};
use cases::{Case, Oracle};
use serde_json::{Value, json};

/// Runs a GOAL file with each of these lists of numbers.
const RUN_ALL: &str = "async (script, goal, all) => {
    const { Prepared } = await import(script);
    const prepared = Prepared.from_goal(new TextEncoder().encode(goal));
    return all.map((numbers) => prepared.run(...numbers).answer());
}";

/// L, o and g in µs, G and O in µs per byte, S in bytes.
fn in_micros([times @ .., bytes]: [u64; 6]) -> [f64; 6] {
    let [latency, overhead, gap, gap_per_byte, overhead_per_byte] =
        times.map(|nanoseconds| nanoseconds as f64 / 1e3);
    [latency, overhead, gap, gap_per_byte, overhead_per_byte, bytes as f64]
}

/// Every case of the oracle: status, events, and every rank's completion time.
#[test]
fn equals_the_reference_simulator() {
    let Some(oracle) = Oracle::read() else { return };
    visit("", async |page| {
        let script = page.simulator().await;
        // Cases of one file are consecutive.
        for cases in oracle.cases.chunk_by(|a, b| a.goal == b.goal) {
            let goal = oracle.goal(&cases[0].goal);
            let all = cases.iter().map(|case| in_micros(oracle.parameters[&case.params]));
            let arguments = [script.clone(), json!(goal), json!(all.collect::<Vec<_>>())];
            let answers = page.call(RUN_ALL, &arguments).await;
            let answers = answers.as_array().expect("a list");
            assert_eq!(answers.len(), cases.len());
            for (case, answer) in cases.iter().zip(answers) {
                compare(case, answer.as_str().expect("a text"));
            }
        }
    });
}

fn compare(case: &Case, answer: &str) {
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    let actual = (&answer["status"], &answer["events"]);
    let name = format!("{} with {}", case.goal, case.params);
    assert_eq!(actual, (&json!(case.status), &json!(case.events)), "{name}");
    // The oracle has no times of schedules that do not complete.
    if case.status == "ok" {
        let times: Vec<f64> = case.times.iter().map(|time| *time as f64 / 1e3).collect();
        assert_eq!(answer["rank_times_us"], json!(times), "{name}");
    }
}

/// Runs an algorithm; returns the thrown error of a failure.
const RUN_ALGORITHM: &str = "async (script, arguments, numbers) => {
    const { Prepared } = await import(script);
    try {
        return Prepared.of_algorithm(...arguments).run(...numbers).answer();
    } catch (error) {
        return error;
    }
}";

#[test]
fn equals_the_command() {
    let cases = [
        ("allreduce", "ring", 12, 100_000),
        ("alltoall", "bruck", 9, 64),
        ("bcast", "binomial", 1, 8),
        ("scan", "linear", 5, 0),
        // Errors.
        ("bcast", "binomal", 4, 8),
        ("bcast", "two-level", 4, 8),
        ("barrier", "dissemination", 0, 1),
    ];
    visit("", async |page| {
        let script = page.simulator().await;
        for (op, algorithm, procs, bytes) in cases {
            let arguments = json!([op, algorithm, procs, bytes]);
            let numbers = json!([2.5, 1.5, 1, 0.006, 0, 65535]);
            let result = page.call(RUN_ALGORITHM, &[script.clone(), arguments, numbers]).await;
            let mut result: Value =
                serde_json::from_str(result.as_str().expect("a text")).expect("JSON");
            let mut command = loggia(
                &format!(
                    "simulate --op {op} --algorithm {algorithm} --procs {procs} --bytes {bytes} \
                     --L 2.5 --o 1.5 --g 1 --G 6ns --O 0 --S 65535 --json"
                )
                .split_whitespace()
                .collect::<Vec<_>>(),
            );
            // The command's JSON also contains its arguments.
            for key in ["machine", "schedule"] {
                command.as_object_mut().expect("an object").remove(key);
                result.as_object_mut().expect("an object").remove(key);
            }
            // Page and command have different texts for place and remedy of an error.
            if let Some(error) = command.pointer("/error/message") {
                assert_eq!(result.pointer("/error/message"), Some(error), "{op} {algorithm}");
                let input = result.pointer("/error/place/input/0").and_then(Value::as_str);
                let option = input.map(|input| format!("--{input}"));
                assert_eq!(
                    command["error"]["where"].as_str(),
                    option.as_deref(),
                    "{op} {algorithm}"
                );
                continue;
            }
            assert_eq!(result, command, "{op} {algorithm} {procs} {bytes}");
        }
    });
}

/// In a worker, in any folder of a static host.
#[test]
fn runs_in_a_worker() {
    const WORKER: &str = "onmessage = async ({ data: [script, numbers] }) => {
        const { Prepared } = await import(script);
        postMessage(Prepared.of_algorithm('barrier', 'dissemination', 16384, 1).run(...numbers).end_us);
    };";
    const SIMULATE: &str = "(script, numbers) => new Promise((resolve, reject) => {
        const worker = new Worker(new URL('worker.js', document.baseURI), { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage([script, numbers]);
    })";
    let address = static_host::start(Some(("worker.js", WORKER.to_owned())));
    visit_at(&address, async |page| {
        let script = page.simulator().await;
        let numbers = json!([2.5, 1.5, 1, 0.006, 0, 65535]);
        assert_eq!(page.call(SIMULATE, &[script, numbers]).await, json!(77));
    });
}
