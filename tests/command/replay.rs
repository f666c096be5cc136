//! `loggia replay`: what if the machine were another.

use crate::run::{ask, number};
use serde_json::{Value, json};
use std::fs;

/// A machine whose library broadcasts in a way of its own, as its samples show.
fn measured() -> Value {
    let mut machine = ask("show cray-t3d");
    let mut samples = Vec::new();
    for procs in [2, 4, 8] {
        for bytes in [0, 8, 1024, 16384] {
            let what = format!("--op bcast --algorithm flat --procs {procs} --bytes {bytes}");
            let time = number(&ask(&format!("simulate {what} cray-t3d")), "time_us");
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
fn a_machine_that_might_be_has_the_library_of_the_one_that_is() {
    let folder = tempfile::tempdir().unwrap();
    let [trace, sig] = ["trace.txt", "sig.json"].map(|name| folder.path().join(name));
    let ranks = (0..4).map(|rank| format!("{rank} init\n{rank} bcast 1000\n{rank} finalize\n"));
    fs::write(&trace, ranks.collect::<String>()).unwrap();
    fs::write(&sig, measured().to_string()).unwrap();
    let replay = format!("replay {} {}", trace.display(), sig.display());
    for what_if in ["", "--scale-bandwidth 100", "--scale-overhead 50", "--scale-latency 10"] {
        let chosen = ask(&format!("{replay} {what_if}"))["algorithms"][0].clone();
        assert_eq!(chosen["algorithm"], "flat", "{what_if}: {chosen}");
        assert_eq!(chosen["chooser"], "signature", "{what_if}: {chosen}");
    }
}
