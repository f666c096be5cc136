//! Python and JSON: the same numbers as the models, read by Python itself and a JSON parser.

use crate::machines::{SIZES, all, all_defaults, export, route};
use loggia_exchange::export::Target;
use loggia_model::library;
use loggia_model::model::{self, collective};
use loggia_model::signature::{Defaults, Signature};
use loggia_model::units::{Bytes, Procs};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

const PROCS: [u32; 6] = [2, 3, 8, 23, 24, 64];

/// Prints the predictions of each given module.
const SCRIPT: &str = r"
import json, sys
def predictions(module, operations, sizes, procs):
    names = {}
    exec(compile(module, 'exported', 'exec'), names)
    def p2p(size):
        try:
            return names['p2p'](size)
        except ValueError:
            return None
    return [[p2p(size) for size in sizes],
            [names['collective'](op, p, m) for op in operations for p in procs for m in sizes]]
print(json.dumps([predictions(*request) for request in json.load(sys.stdin)]))
";

/// `None`, with a message, if Python 3 is missing.
fn python(request: &Value) -> Option<Value> {
    let child = Command::new("python3")
        .args(["-I", "-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: python3 is not installed");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(request.to_string().as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// The models' predictions.
fn expected(machine: &Signature, defaults: &Defaults) -> [Vec<Option<f64>>; 2] {
    let p2p = |size: u64| {
        let route = (!machine.tiers.is_empty()).then(|| route(machine, defaults))?;
        Some(model::predict(&route, None, Bytes(size)).ok()?.time()?.0)
    };
    let operation_times = machine.collectives.iter().flat_map(|form| {
        PROCS.into_iter().flat_map(move |procs| {
            SIZES.into_iter().map(move |size| {
                let cost = collective::cost(form, Procs(procs), size as f64);
                cost.prediction.time().map(|time| time.0)
            })
        })
    });
    [SIZES.into_iter().map(p2p).collect(), operation_times.collect()]
}

#[test]
fn functions_predict_the_same_times_as_the_models() {
    let machines = all();
    let mut cases = Vec::new();
    for machine in &machines {
        for defaults in all_defaults(machine) {
            let module = export(machine, Target::Python, &defaults).unwrap();
            let operations: Vec<&str> = machine.collectives.iter().map(|c| c.op.name()).collect();
            let request = json!([module, operations, SIZES, PROCS]);
            cases.push((
                format!("{} {defaults:?}", machine.name),
                request,
                expected(machine, &defaults),
            ));
        }
    }
    let request: Value = cases.iter().map(|(_, request, _)| request.clone()).collect();
    let Some(actual) = python(&request) else { return };
    let mut compared = 0;
    for ((name, _, expected), actual) in cases.iter().zip(actual.as_array().unwrap()) {
        for (expected, actual) in expected.iter().zip(actual.as_array().unwrap()) {
            let actual = actual.as_array().unwrap();
            assert_eq!(expected.len(), actual.len(), "{name}");
            for (index, (expected, actual)) in expected.iter().zip(actual).enumerate() {
                match (expected, actual.as_f64()) {
                    (None, None) => {}
                    (Some(expected), Some(actual)) => {
                        let is_near = (actual - expected).abs() <= 1e-12 * expected.abs() + 1e-12;
                        assert!(is_near, "{name}, {index}: {actual} not {expected}");
                        compared += 1;
                    }
                    (expected, actual) => panic!("{name}, {index}: {actual:?} not {expected:?}"),
                }
            }
        }
    }
    assert!(compared > 5000, "only {compared} times were compared");
}

#[test]
fn text_of_a_signature_is_never_executed() {
    let mut machine = library::load("cray-t3d").unwrap();
    machine.title = "x\nraise SystemExit('\u{2028}\"\"\"')\n\\".to_owned();
    machine.tiers[0].name = "'''\\\"\u{1f600}\u{0}".to_owned();
    let module = export(&machine, Target::Python, &Defaults::default()).unwrap();
    let request = json!([[module, [], [16], []]]);
    let Some(actual) = python(&request) else { return };
    assert_eq!(actual[0][0][0], 48.7);
}

#[test]
fn parameters_are_plain_json_and_each_has_a_meaning() {
    for machine in all() {
        for defaults in all_defaults(&machine) {
            let text = export(&machine, Target::Json, &defaults).unwrap();
            let actual: Value = serde_json::from_str(&text).unwrap();
            let keys = actual.as_object().unwrap();
            let without_meaning =
                ["name", "title", "source", "tier", "style", "reach", "tiers", "low", "high"];
            let own_keys = ["not_reported", "meaning"];
            for key in keys.keys().filter(|key| !own_keys.contains(&key.as_str())) {
                let is_explained =
                    without_meaning.contains(&key.as_str()) || actual["meaning"].get(key).is_some();
                assert!(is_explained, "{key} is not explained");
            }
            if machine.tiers.is_empty() {
                assert!(actual.get("L").is_none() && actual["collectives"].is_object());
                continue;
            }
            let route = route(&machine, &defaults);
            let number = |key: &str| actual.get(key).and_then(Value::as_f64);
            assert_eq!(number("L"), route.latency().map(|at| at.value.0));
            assert_eq!(number("g"), route.gap().map(|at| at.value.0));
            assert_eq!(number("G"), route.gap_per_byte().map(|at| at.value.0));
            assert_eq!(number("S"), route.eager_limit().map(|at| at.value.count()));
            assert_eq!(number("t_s"), route.startup().map(|at| at.value.0));
            let missing = actual.get("not_reported").and_then(Value::as_array);
            let is_missing = |key: &str| missing.is_some_and(|all| all.contains(&json!(key)));
            for key in ["L", "g", "G", "S", "o_s", "o_r", "EEL"] {
                assert_eq!(is_missing(key), actual.get(key).is_none(), "{key}");
            }
            assert_eq!(actual.get("o_s").is_some(), route.send_overhead(Bytes(1)).is_some());
        }
    }
}
