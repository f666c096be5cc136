//! One message has one time, whoever is asked: `predict p2p`, `predict protocol`, `predict messages`,
//! `simulate` and `compare`, on every built-in and on imported machines.

use crate::run::{ask, loggia, number, with_input};
use serde_json::Value;
use std::path::{Path, PathBuf};

const SIZES: [u64; 4] = [1, 1025, 5000, 64_513];

/// A program of one message.
fn one_message(bytes: u64) -> String {
    format!(
        "num_ranks 2\nrank 0 {{\nl1: send {bytes}b to 1\n}}\nrank 1 {{\nl1: recv {bytes}b from 0\n}}\n"
    )
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 2e-6 * other.abs() + 2e-6
}

/// What a simulation of one message answers, where the machine knows enough for one.
fn simulated(machine: &str, bytes: u64, rules: &str) -> Option<f64> {
    let words = format!("simulate - {machine} --rules {rules} --json");
    let run = with_input(&words, one_message(bytes).as_bytes());
    (run.code == 0).then(|| {
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(answer["basis"], "modelled");
        number(&answer, "time_us")
    })
}

/// Measured machines answer the same everywhere; how often they were asked by a simulation.
#[track_caller]
fn agrees_where_measured(machine: &str) -> usize {
    let mut by_simulation = 0;
    for bytes in SIZES {
        let told = ask(&format!("predict p2p {machine} --bytes {bytes}"));
        let (time, basis) = (number(&told, "time_us"), told["basis"].as_str().unwrap());
        assert!(["measured", "interpolated", "extrapolated"].contains(&basis), "{machine}: {told}");
        let terms = told["terms"].as_array().unwrap();
        let sum: f64 = terms.iter().map(|t| number(t, "count") * number(t, "value_us")).sum();
        assert!(is_near(sum, time), "{machine}, {bytes} B: terms {sum}, time {time}");
        let messages = ask(&format!("predict messages {machine} --bytes {bytes} --count 1"));
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
            by_simulation += 1;
            assert!(is_near(simulated, time), "{machine}, {bytes} B, {rules}: {simulated}, {time}");
        }
        // It ends with another code where machines differ.
        let compared = loggia(&format!("compare {machine} cray-t3d --bytes {bytes} --json"));
        let compared: Value = serde_json::from_str(&compared.out).unwrap();
        assert!(has_number(&compared, time), "{machine}, {bytes} B: {time} is not in compare");
        let messages = compared["p2p"].as_array().unwrap();
        let message = messages.iter().find(|message| message["bytes"] == bytes).unwrap();
        assert_eq!(message["standings"][0]["basis"], basis, "{machine}, {bytes} B: {message}");
    }
    by_simulation
}

fn has_number(answer: &Value, wanted: f64) -> bool {
    match answer {
        Value::Number(number) => number.as_f64().is_some_and(|number| is_near(number, wanted)),
        Value::Array(all) => all.iter().any(|one| has_number(one, wanted)),
        Value::Object(all) => all.values().any(|one| has_number(one, wanted)),
        _ => false,
    }
}

fn imported(file: &Path, folder: &Path) -> PathBuf {
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    let made = folder.join(format!("{name}.json"));
    let words = format!("import {} -o {} --leave-out", file.display(), made.display());
    let run = loggia(&words);
    assert_eq!(run.code, 0, "{words}: {}", run.err);
    made
}

#[test]
fn a_measured_machine_has_one_time_for_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("made.json");
    let words = "collect --transport synthetic --from cray-t3d --quick";
    let run = loggia(&format!("{words} -o {}", made.display()));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(agrees_where_measured(&made.display().to_string()) > 0);
    let osu = Path::new("docs/osu/osu_latency.txt");
    agrees_where_measured(&imported(osu, folder.path()).display().to_string());
}

/// Ten machines whose calls contain the transfer above the eager limit.
#[test]
fn netgauge_machines_are_answered_as_they_were_measured() {
    let netgauge = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/machines/netgauge");
    let Ok(files) = std::fs::read_dir(&netgauge) else {
        println!("skipped: machines measured by Netgauge, as {} is absent", netgauge.display());
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mut by_simulation = 0;
    for file in files.flatten().map(|file| file.path()) {
        let machine = imported(&file, folder.path()).display().to_string();
        by_simulation += agrees_where_measured(&machine);
        let text = std::fs::read_to_string(&file).unwrap();
        for row in text.lines().filter(|line| !line.starts_with('#')).step_by(9) {
            let cells: Vec<&str> = row.split_ascii_whitespace().collect();
            let measured = cells[2].parse::<f64>().unwrap() / 2.0;
            let told = ask(&format!("predict p2p {machine} --bytes {}", cells[0]));
            let error = (number(&told, "time_us") / measured - 1.0).abs();
            assert!(error <= 0.05, "{machine}, {} B: error {error}", cells[0]);
        }
    }
    assert!(by_simulation >= 40, "only {by_simulation} simulations");
}

/// A plan of one collective operation takes what `predict collective` answers: as measured, or by the
/// fastest method.
#[test]
fn a_plan_and_a_prediction_of_one_collective_agree() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("cluster.json").display().to_string();
    assert_eq!(loggia(&format!("import docs/tables/cluster.csv -o {made}")).code, 0);
    for (machine, how) in [(made.as_str(), ""), ("cray-t3d", "--algorithm best")] {
        for (op, bytes, procs) in [("allreduce", 65536, 32), ("alltoall", 1024, 32)] {
            let words = format!(
                "predict collective {machine} --op {op} --procs {procs} --bytes {bytes} {how}"
            );
            let asked = number(&ask(&words), "time_us");
            let words = format!("plan - {machine} --procs {procs} --json");
            let sketch = format!("[[step]]\n{op} = {bytes}\n");
            let planned: Value =
                serde_json::from_str(&with_input(&words, sketch.as_bytes()).out).unwrap();
            let planned = number(&planned["plans"][0]["points"][0], "time_us");
            assert!(is_near(planned, asked), "{machine}, {op}: {planned}, {asked}");
        }
    }
}

/// Of published machines, a model's closed form is what a simulation of one message by its rules takes.
#[test]
fn a_published_machine_has_one_time_for_each_model() {
    let mut compared = 0;
    for machine in ask("list").as_array().unwrap() {
        // Where there are tables, they answer: see above.
        if machine["found"] == "measured" {
            continue;
        }
        let machine = machine["name"].as_str().unwrap();
        for model in ["loggp", "loggps", "loggpo"] {
            for bytes in SIZES {
                let words = format!("predict p2p {machine} --bytes {bytes} --model {model} --json");
                let run = loggia(&words);
                let Some(simulated) = simulated(machine, bytes, model) else { continue };
                assert_eq!(run.code, 0, "{words}");
                let told: Value = serde_json::from_str(&run.out).unwrap();
                assert_eq!(told["basis"], "published");
                assert!(is_near(number(&told, "time_us"), simulated), "{words}: {simulated}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 12, "only {compared} were compared");
}
