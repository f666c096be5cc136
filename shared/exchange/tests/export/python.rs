//! Python and JSON: the same numbers as the models', by other people's readers.

use crate::machines::{SIZES, all, export, route, ways};
use loggia_exchange::export::Target;
use loggia_model::library;
use loggia_model::model::{self, collective};
use loggia_model::signature::{Defaults, Signature};
use loggia_model::units::{Bytes, Procs};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

const PROCS: [u32; 6] = [2, 3, 8, 23, 24, 64];

/// Prints, for each module that it is given, what its functions say.
const ASK: &str = r"
import json, sys
def told(module, operations, sizes, procs):
    names = {}
    exec(compile(module, 'exported', 'exec'), names)
    def p2p(size):
        try:
            return names['p2p'](size)
        except ValueError:
            return None
    return [[p2p(size) for size in sizes],
            [names['collective'](op, p, m) for op in operations for p in procs for m in sizes]]
print(json.dumps([told(*asked) for asked in json.load(sys.stdin)]))
";

/// None, with a word, where there is no Python 3.
fn python(asked: &Value) -> Option<Value> {
    let child = Command::new("python3")
        .args(["-I", "-c", ASK])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: there is no python3 here");
        return None;
    };
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(asked.to_string().as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// What the models say.
fn expected(machine: &Signature, way: &Defaults) -> [Vec<Option<f64>>; 2] {
    let p2p = |size: u64| {
        let route = (!machine.tiers.is_empty()).then(|| route(machine, way))?;
        Some(model::predict(&route, None, Bytes(size)).ok()?.time()?.0)
    };
    let of_operations = machine.collectives.iter().flat_map(|form| {
        PROCS.into_iter().flat_map(move |procs| {
            SIZES.into_iter().map(move |size| {
                let cost = collective::cost(form, Procs(procs), size as f64);
                cost.prediction.time().map(|time| time.0)
            })
        })
    });
    [SIZES.into_iter().map(p2p).collect(), of_operations.collect()]
}

#[test]
fn the_functions_predict_what_the_models_do() {
    let machines = all();
    let mut cases = Vec::new();
    for machine in &machines {
        for way in ways(machine) {
            let module = export(machine, Target::Python, &way).unwrap();
            let operations: Vec<&str> = machine.collectives.iter().map(|c| c.op.name()).collect();
            let asked = json!([module, operations, SIZES, PROCS]);
            cases.push((format!("{} {way:?}", machine.name), asked, expected(machine, &way)));
        }
    }
    let asked: Value = cases.iter().map(|(_, asked, _)| asked.clone()).collect();
    let Some(told) = python(&asked) else { return };
    let mut compared = 0;
    for ((name, _, expected), told) in cases.iter().zip(told.as_array().unwrap()) {
        for (expected, told) in expected.iter().zip(told.as_array().unwrap()) {
            let told = told.as_array().unwrap();
            assert_eq!(expected.len(), told.len(), "{name}");
            for (place, (expected, told)) in expected.iter().zip(told).enumerate() {
                match (expected, told.as_f64()) {
                    (None, None) => {}
                    (Some(expected), Some(told)) => {
                        let is_near = (told - expected).abs() <= 1e-12 * expected.abs() + 1e-12;
                        assert!(is_near, "{name}, {place}: {told} not {expected}");
                        compared += 1;
                    }
                    (expected, told) => panic!("{name}, {place}: {told:?} not {expected:?}"),
                }
            }
        }
    }
    assert!(compared > 5000, "only {compared} times were compared");
}

#[test]
fn words_of_a_signature_are_never_code() {
    let mut machine = library::load("cray-t3d").unwrap();
    machine.title = "x\nraise SystemExit('\u{2028}\"\"\"')\n\\".to_owned();
    machine.tiers[0].name = "'''\\\"\u{1f600}\u{0}".to_owned();
    let module = export(&machine, Target::Python, &Defaults::default()).unwrap();
    let asked = json!([[module, [], [16], []]]);
    let Some(told) = python(&asked) else { return };
    assert_eq!(told[0][0][0], 48.7);
}

#[test]
fn the_parameters_are_plain_json_and_each_is_explained() {
    for machine in all() {
        for way in ways(&machine) {
            let text = export(&machine, Target::Json, &way).unwrap();
            let told: Value = serde_json::from_str(&text).unwrap();
            let keys = told.as_object().unwrap();
            let about =
                ["name", "title", "source", "tier", "style", "reach", "tiers", "low", "high"];
            let itself = ["not_reported", "meaning"];
            for key in keys.keys().filter(|key| !itself.contains(&key.as_str())) {
                let is_told = about.contains(&key.as_str()) || told["meaning"].get(key).is_some();
                assert!(is_told, "{key} is not explained");
            }
            if machine.tiers.is_empty() {
                assert!(told.get("L").is_none() && told["collectives"].is_object());
                continue;
            }
            let route = route(&machine, &way);
            let number = |key: &str| told.get(key).and_then(Value::as_f64);
            assert_eq!(number("L"), route.latency().map(|at| at.value.0));
            assert_eq!(number("g"), route.gap().map(|at| at.value.0));
            assert_eq!(number("G"), route.gap_per_byte().map(|at| at.value.0));
            assert_eq!(number("S"), route.eager_limit().map(|at| at.value.count()));
            assert_eq!(number("t_s"), route.startup().map(|at| at.value.0));
            let missing = told.get("not_reported").and_then(Value::as_array);
            let is_missing = |key: &str| missing.is_some_and(|all| all.contains(&json!(key)));
            for key in ["L", "g", "G", "S", "o_s", "o_r", "EEL"] {
                assert_eq!(is_missing(key), told.get(key).is_none(), "{key}");
            }
            assert_eq!(told.get("o_s").is_some(), route.send_overhead(Bytes(1)).is_some());
        }
    }
}
