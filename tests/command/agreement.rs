//! One message has the same time in `predict p2p`, `predict protocol`, `predict messages`,
//! `simulate` and `compare`, on every built-in machine and on imported machines.

use crate::run::{loggia, number, run_json, with_input};
use serde_json::Value;
use std::path::{Path, PathBuf};

const SIZES: [u64; 4] = [1, 1025, 5000, 64_513];

/// GOAL program of one message.
fn one_message(bytes: u64) -> String {
    format!(
        "num_ranks 2\nrank 0 {{\nl1: send {bytes}b to 1\n}}\nrank 1 {{\nl1: recv {bytes}b from 0\n}}\n"
    )
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 2e-6 * b.abs() + 2e-6
}

/// Simulated time of one message; `None` if the signature lacks parameters of the model.
fn simulated(machine: &str, bytes: u64, rules: &str) -> Option<f64> {
    let answer = simulation(machine, bytes, rules)?;
    assert_eq!(answer["basis"], "modelled");
    Some(number(&answer, "time_us"))
}

fn simulation(machine: &str, bytes: u64, rules: &str) -> Option<Value> {
    let arguments = format!("simulate - {machine} --rules {rules} --json");
    let run = with_input(&arguments, one_message(bytes).as_bytes());
    (run.code == 0).then(|| serde_json::from_str(&run.out).unwrap())
}

/// Whether a simulation assumed costs of messages, with a warning.
fn has_assumed_costs(simulation: &Value) -> bool {
    let warnings = simulation["warnings"].as_array().unwrap();
    warnings.iter().any(|warning| warning.as_str().unwrap().contains("assumed from RTT/2"))
}

/// Checks that all verbs give the same time; returns the number of simulations.
#[track_caller]
fn agrees_where_measured(machine: &str) -> usize {
    let mut simulations = 0;
    for bytes in SIZES {
        let answer = run_json(&format!("predict p2p {machine} --bytes {bytes}"));
        let (time, basis) = (number(&answer, "time_us"), answer["basis"].as_str().unwrap());
        assert!(
            ["measured", "interpolated", "extrapolated"].contains(&basis),
            "{machine}: {answer}"
        );
        let terms = answer["terms"].as_array().unwrap();
        let sum: f64 = terms.iter().map(|t| number(t, "count") * number(t, "value_us")).sum();
        assert!(is_near(sum, time), "{machine}, {bytes} B: terms {sum}, time {time}");
        let messages = run_json(&format!("predict messages {machine} --bytes {bytes} --count 1"));
        let blocking = &messages["strategies"][0];
        assert!(is_near(number(blocking, "time_us"), time), "{machine}, {bytes} B: {blocking}");
        let protocol =
            loggia(&format!("predict protocol {machine} --protocol t --bytes {bytes} --json"));
        if protocol.code == 0 {
            let protocol: Value = serde_json::from_str(&protocol.out).unwrap();
            assert!(is_near(number(&protocol, "delivery_us"), time), "{machine}, {bytes} B: T");
        }
        for rules in ["logp", "loggp", "loggps", "loggpo"] {
            let Some(simulated) = simulated(machine, bytes, rules) else { continue };
            simulations += 1;
            assert!(is_near(simulated, time), "{machine}, {bytes} B, {rules}: {simulated}, {time}");
        }
        // The exit code is not 0 for different machines.
        let compared = loggia(&format!("compare {machine} cray-t3d --bytes {bytes} --json"));
        let compared: Value = serde_json::from_str(&compared.out).unwrap();
        assert!(has_number(&compared, time), "{machine}, {bytes} B: {time} is not in compare");
        let messages = compared["p2p"].as_array().unwrap();
        let message = messages.iter().find(|message| message["bytes"] == bytes).unwrap();
        assert_eq!(message["standings"][0]["basis"], basis, "{machine}, {bytes} B: {message}");
    }
    simulations
}

fn has_number(answer: &Value, expected: f64) -> bool {
    match answer {
        Value::Number(number) => number.as_f64().is_some_and(|number| is_near(number, expected)),
        Value::Array(values) => values.iter().any(|value| has_number(value, expected)),
        Value::Object(values) => values.values().any(|value| has_number(value, expected)),
        _ => false,
    }
}

fn imported(file: &Path, folder: &Path) -> PathBuf {
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    let made = folder.join(format!("{name}.json"));
    let arguments = format!("import {} -o {} --leave-out", file.display(), made.display());
    let run = loggia(&arguments);
    assert_eq!(run.code, 0, "{arguments}: {}", run.err);
    made
}

#[test]
fn a_measured_machine_has_one_time_for_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("made.json");
    let arguments = "collect --transport synthetic --from cray-t3d --quick";
    let run = loggia(&format!("{arguments} -o {}", made.display()));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(agrees_where_measured(&made.display().to_string()) > 0);
    let osu = Path::new("docs/osu/osu_latency.txt");
    agrees_where_measured(&imported(osu, folder.path()).display().to_string());
}

/// Ten machines whose calls contain the transfer above the eager limit.
#[test]
fn answers_for_netgauge_machines_equal_their_measurements() {
    let netgauge = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/machines/netgauge");
    let Ok(files) = std::fs::read_dir(&netgauge) else {
        println!("skipped: machines measured by Netgauge, as {} is absent", netgauge.display());
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut simulations = 0;
    for file in files.flatten().map(|file| file.path()) {
        let machine = imported(&file, folder.path()).display().to_string();
        simulations += agrees_where_measured(&machine);
        let text = std::fs::read_to_string(&file).unwrap();
        for row in text.lines().filter(|line| !line.starts_with('#')).step_by(9) {
            let cells: Vec<&str> = row.split_ascii_whitespace().collect();
            let measured = cells[2].parse::<f64>().unwrap() / 2.0;
            let answer = run_json(&format!("predict p2p {machine} --bytes {}", cells[0]));
            let error = (number(&answer, "time_us") / measured - 1.0).abs();
            assert!(error <= 0.05, "{machine}, {} B: error {error}", cells[0]);
        }
    }
    assert!(simulations >= 40, "only {simulations} simulations");
}

/// A plan of one collective operation takes the time of `predict collective`: measured, or of the
/// fastest method.
#[test]
fn a_plan_and_a_prediction_of_one_collective_agree() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("cluster.json").display().to_string();
    assert_eq!(loggia(&format!("import docs/tables/cluster.csv -o {made}")).code, 0);
    for (machine, method) in [(made.as_str(), ""), ("cray-t3d", "--algorithm best")] {
        for (op, bytes, procs) in [("allreduce", 65536, 32), ("alltoall", 1024, 32)] {
            let arguments = format!(
                "predict collective {machine} --op {op} --procs {procs} --bytes {bytes} {method}"
            );
            let predicted = number(&run_json(&arguments), "time_us");
            let arguments = format!("plan - {machine} --procs {procs} --json");
            let sketch = format!("[[step]]\n{op} = {bytes}\n");
            let planned: Value =
                serde_json::from_str(&with_input(&arguments, sketch.as_bytes()).out).unwrap();
            let planned = number(&planned["plans"][0]["points"][0], "time_us");
            assert!(is_near(planned, predicted), "{machine}, {op}: {planned}, {predicted}");
        }
    }
}

/// On published machines, a model's closed form equals the simulation of one message under that
/// model.
#[test]
fn a_published_machine_has_one_time_for_each_model() {
    let mut compared = 0;
    for machine in run_json("list").as_array().unwrap() {
        // Measured tables take precedence: see above.
        if machine["found"] == "measured" {
            continue;
        }
        let machine = machine["name"].as_str().unwrap();
        for model in ["loggp", "loggps", "loggpo"] {
            for bytes in SIZES {
                let arguments =
                    format!("predict p2p {machine} --bytes {bytes} --model {model} --json");
                let run = loggia(&arguments);
                let Some(simulation) = simulation(machine, bytes, model) else { continue };
                assert_eq!(run.code != 0, has_assumed_costs(&simulation), "{arguments}");
                if run.code != 0 {
                    continue;
                }
                let simulated = number(&simulation, "time_us");
                let answer: Value = serde_json::from_str(&run.out).unwrap();
                assert_eq!(answer["basis"], "published");
                assert!(is_near(number(&answer, "time_us"), simulated), "{arguments}: {simulated}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 12, "only {compared} were compared");
}
