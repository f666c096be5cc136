//! `--transport synthetic`: a simulated machine follows a signature, with chosen noise.

use crate::lab::file::{finished, list, read, tier};
use crate::lab::running::{loggia, run};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Writes the signature that the machine follows.
fn write_truth(folder: &Path) {
    let number = |value: f64| json!({"value": value, "verdict": "assumed", "source": "made up"});
    let overhead = |value: f64| {
        let points = [json!({"bytes": 8, "value": value})];
        json!({"points": points, "verdict": "assumed", "source": "made up"})
    };
    let styles = ["isend", "send"].map(|name| {
        json!({"name": name, "send_overhead": overhead(2.0), "recv_overhead": overhead(3.0)})
    });
    let truth = json!({
        "loggia": 1,
        "name": "truth",
        "title": "Truth",
        "origin": {"kind": "assumption", "from": "a test"},
        "machine": {},
        "tiers": [{
            "name": "network",
            "reach": "inter",
            "latency": number(20.0),
            "gap": number(4.0),
            "gap_per_byte": number(0.01),
            "styles": styles,
            "progress": {
                "eager_limit": {"value": 16384, "verdict": "assumed", "source": "made up"},
                "kind": "dependent",
                "transfer": [{"from": 16385, "transfer": "rat"}],
                "control_overhead": number(1.0),
                "initiation": {"fixed": 2.0, "verdict": "assumed", "source": "made up"},
                "copy": {"fixed": 3.0, "verdict": "assumed", "source": "made up"},
                "verdict": "assumed",
                "source": "made up",
            },
        }],
    });
    std::fs::write(folder.join("truth.json"), truth.to_string()).unwrap();
    run(&mut loggia(folder, "show truth.json")).good();
}

fn collected(folder: &Path, name: &str, arguments: &str) -> Value {
    let start = "collect --transport synthetic --from truth.json --quick";
    run(&mut loggia(folder, &format!("{start} {arguments} -o {name}"))).good();
    finished(&folder.join(name))
}

#[test]
fn the_fit_finds_the_signature() {
    let folder = tempfile::tempdir().unwrap();
    write_truth(folder.path());
    let file = collected(folder.path(), "sig.json", "--noise 2% --seed 7");
    assert_eq!(file["collection"]["transport"], "synthetic");
    assert_eq!(file["collection"]["ranks"], 2);
    let tier = &list(&file["tiers"])[0];
    assert!(tier["path"].as_str().unwrap().contains("Truth"), "{}", tier["path"]);
    for (key, truth) in [("latency", 20.0), ("gap", 4.0), ("gap_per_byte", 0.01)] {
        let value = tier[key]["value"].as_f64().unwrap_or_else(|| panic!("{}", tier[key]));
        // A single run may miss its interval; tests/synthetic checks the coverage.
        assert!((value / truth - 1.0).abs() < 0.05, "{key} should be {truth}: {}", tier[key]);
    }
    let limit = &tier["progress"]["eager_limit"];
    let [low, high] = ["low", "high"].map(|end| limit[end].as_f64().unwrap());
    assert!(low <= 16384.0 && 16384.0 < high && high - low <= 0.02 * low, "{limit}");
    assert_eq!(tier["progress"]["kind"], "dependent");
}

/// Progress is assumed, and a warning says so.
#[test]
fn the_eager_limit_is_found_if_progress_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let new = "new mm --L 10us --o 2us --g 4us --G 5ns --S 8KiB -o mm.json";
    run(&mut loggia(folder.path(), new)).good();
    let machine = "--transport synthetic --from mm.json --noise 0% --outliers 0%";
    let found =
        run(&mut loggia(folder.path(), &format!("collect {machine} --quick -o found.json")));
    found.good().printed(&["! mm.json, network: progress is unknown"]);
    let file = finished(&folder.path().join("found.json"));
    let progress = &list(&file["tiers"])[0]["progress"];
    assert_eq!(progress["eager_limit"]["value"], 8192, "{progress}");
    assert_eq!(progress["kind"], "independent", "{progress}");

    let validated = run(&mut loggia(folder.path(), &format!("validate mm.json {machine} --json")));
    let checks: Value = serde_json::from_str(&validated.good().out).unwrap();
    for check in list(&checks["checks"]).iter().filter(|check| check["what"] == "ping-pong") {
        let error = check["predictions"]["loggps"]["error"].as_f64().unwrap();
        assert!(error.abs() < 1e-3, "{check}");
    }
}

#[test]
fn the_same_seed_gives_the_same_samples() {
    let folder = tempfile::tempdir().unwrap();
    write_truth(folder.path());
    let arguments = "--only ping-pong --sizes 8,1KiB --seed";
    let [one, same, other] = [("a.json", 1), ("b.json", 1), ("c.json", 2)]
        .map(|(name, seed)| collected(folder.path(), name, &format!("{arguments} {seed}")));
    assert_eq!(one["samples"], same["samples"]);
    assert_eq!(one["tiers"], same["tiers"]);
    assert_ne!(one["samples"], other["samples"]);
}

#[test]
fn too_much_noise_gives_no_good_latency() {
    let folder = tempfile::tempdir().unwrap();
    write_truth(folder.path());
    let file = collected(folder.path(), "sig.json", "--noise 100% --outliers 30%");
    let latency = &list(&file["tiers"])[0]["latency"];
    // With this noise, the latency cannot be distinguished from 0.
    assert_ne!(latency["verdict"], "good", "{latency}");
}

#[test]
fn more_ranks() {
    let folder = tempfile::tempdir().unwrap();
    write_truth(folder.path());
    let file = collected(folder.path(), "sig.json", "--procs 4 --only ping-pong --sizes 8");
    assert_eq!(file["collection"]["ranks"], 4);
    tier(&file, "network");
}

/// Collective operations are timed within a node and across nodes; samples and tables name the
/// groups.
#[test]
fn groups_are_within_a_node_and_across() {
    let folder = tempfile::tempdir().unwrap();
    write_truth(folder.path());
    let mut truth = read(&folder.path().join("truth.json"));
    let mut inside = truth["tiers"][0].clone();
    (inside["name"], inside["reach"]) = (json!("node"), json!("intra"));
    inside["latency"]["value"] = json!(1.0);
    truth["tiers"].as_array_mut().unwrap().push(inside);
    truth["machine"]["cores_per_node"] = json!(2);
    std::fs::write(folder.path().join("truth.json"), truth.to_string()).unwrap();
    let arguments = "--noise 0% --only collectives --procs 6 --sizes 8";
    let file = collected(folder.path(), "sig.json", arguments);
    let groups_of = |list_of_samples: &Value| {
        let bcast = list(list_of_samples).iter().filter(|samples| samples["op"] == "bcast");
        let groups =
            bcast.map(|samples| [&samples["procs"], &samples["per_node"]].map(Value::as_u64));
        groups.collect::<BTreeSet<_>>()
    };
    let groups = [[2, 1], [3, 1], [2, 2], [4, 2], [6, 2]].map(|group| group.map(Some));
    assert_eq!(groups_of(&file["samples"]), BTreeSet::from(groups));
    assert_eq!(groups_of(&file["tables"]), BTreeSet::from(groups));
    let predicted = |nodes: &str| -> Value {
        let arguments = format!(
            "predict collective sig.json --op bcast --procs 2 --bytes 8 --nodes block:{nodes} --json"
        );
        serde_json::from_str(&run(&mut loggia(folder.path(), &arguments)).good().out).unwrap()
    };
    let [across, inside] = [predicted("1"), predicted("2")];
    assert_eq!([&across["basis"], &inside["basis"]], ["measured"; 2]);
    let [across, inside] = [across, inside].map(|answer| answer["time_us"].as_f64().unwrap());
    // 20 µs and 1 µs of latency, and overheads of 2 and 3 µs.
    assert!((across - 25.0).abs() < 1.0 && (inside - 6.0).abs() < 1.0, "{across} {inside}");
}

#[test]
fn invalid_options_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    write_truth(folder.path());
    for (arguments, error) in [
        ("", "--from"),
        ("--from nowhere.json", "nowhere.json"),
        ("--from truth.json --noise lots", "lots"),
        ("--from truth.json --procs 1", "needs 2 ranks or more"),
    ] {
        let arguments = format!("collect --transport synthetic {arguments} --quick -o sig.json");
        run(&mut loggia(folder.path(), &arguments)).exited(2, &[error]);
        assert!(!folder.path().join("sig.json").exists(), "{arguments}");
    }
}
