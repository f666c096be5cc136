//! `loggia replay` under a what-if.

use crate::run::{number, run_json};
use serde_json::{Value, json};
use std::fs;

/// A machine whose samples show that its library uses the flat broadcast.
fn machine_with_flat_broadcast() -> Value {
    let mut machine = run_json("show cray-t3d");
    let mut samples = Vec::new();
    for procs in [2, 4, 8] {
        for bytes in [0, 8, 1024, 16384] {
            let arguments = format!("--op bcast --algorithm flat --procs {procs} --bytes {bytes}");
            let time = number(&run_json(&format!("simulate {arguments} cray-t3d")), "time_us");
            samples.push(json!({
                "quantity": "collective", "op": "bcast", "procs": procs, "bytes": bytes,
                "statistic": "raw", "times": [time, time, time],
            }));
        }
    }
    machine["samples"] = samples.into();
    machine
}

#[test]
fn a_replay_on_more_ranks_than_measured_is_extrapolated() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace.txt");
    let ranks = (0..4).map(|rank| format!("{rank} init\n{rank} bcast 1000\n{rank} finalize\n"));
    fs::write(&trace, ranks.collect::<String>()).unwrap();
    let warnings = |machine: &str| {
        run_json(&format!("replay {} {machine}", trace.display()))["warnings"].to_string()
    };
    // The numbers of ranks with measurements.
    for (machine, is_beyond) in [("myrinet-gm", true), ("cray-t3d", false)] {
        let warnings = warnings(machine);
        assert_eq!(warnings.contains("beyond 2 ranks"), is_beyond, "{machine}: {warnings}");
    }
}

#[test]
fn a_what_if_keeps_the_identified_algorithm() {
    let folder = tempfile::tempdir().unwrap();
    let [trace, sig] = ["trace.txt", "sig.json"].map(|name| folder.path().join(name));
    let ranks = (0..4).map(|rank| format!("{rank} init\n{rank} bcast 1000\n{rank} finalize\n"));
    fs::write(&trace, ranks.collect::<String>()).unwrap();
    fs::write(&sig, machine_with_flat_broadcast().to_string()).unwrap();
    let replay = format!("replay {} {}", trace.display(), sig.display());
    for what_if in ["", "--scale-bandwidth 100", "--scale-overhead 50", "--scale-latency 10"] {
        let chosen = run_json(&format!("{replay} {what_if}"))["algorithms"][0].clone();
        assert_eq!(chosen["algorithm"], "flat", "{what_if}: {chosen}");
        assert_eq!(chosen["chooser"], "signature", "{what_if}: {chosen}");
    }
}
