//! `loggia score`: predictions against measured results.

use crate::run::{loggia, number, refusal, run_json, run_json_exiting};
use std::fs;

const TABLE: &str = "docs/tables/cluster.csv";

#[test]
fn a_signature_predicts_its_own_results() {
    let folder = tempfile::tempdir().unwrap();
    let sig = folder.path().join("cluster.json").display().to_string();
    run_json(&format!("import {TABLE} -o {sig}"));
    let answer = run_json(&format!("score {sig} {TABLE}"));
    assert_eq!((&answer["points"], &answer["in_signature"]), (&10.into(), &10.into()));
    assert!(number(&answer["all"], "maximum") > 0.1, "{answer}");
    // A closed form that is fitted to one point is no prediction of this point.
    let unanswered = answer["unanswered"].as_array().unwrap();
    let ops: Vec<&str> = unanswered.iter().map(|missing| missing["op"].as_str().unwrap()).collect();
    assert_eq!(ops, ["p2p", "barrier", "alltoall"], "{answer}");
    assert_eq!(answer["all"], run_json(&format!("score {sig}"))["all"]);
    let warning = answer["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("10 of 10 results are measurements of the signature"), "{answer}");
    assert_eq!(answer["results"][0], TABLE);
    let refused = refusal(&format!("score {sig} {TABLE} --fail-on all.median>20%"));
    assert_eq!(refused["where"], "--fail-on", "{refused}");
    assert!(refused["message"].as_str().unwrap().starts_with("all 10 results"), "{refused}");
    assert_eq!(answer["all"]["worst"].as_array().unwrap().len(), 5);
    let text = loggia(&format!("score {sig} {TABLE}"));
    assert_eq!(text.code, 0, "{}", text.err);
    assert!(text.out.contains("median error") && text.out.contains("allreduce"), "{}", text.out);

    let slow = folder.path().join("slow.csv");
    fs::write(&slow, "op,ranks,per_node,bytes,time_us\nallreduce,32,8,8,83\n").unwrap();
    let slow = slow.display().to_string();
    let failing = format!("score {sig} {slow} --fail-on allreduce.median>20%,all.inside<85%");
    let failed = run_json_exiting(&failing, 1);
    assert_eq!(failed["fail_on"][0]["holds"], true);
    assert_eq!(failed["fail_on"][1]["holds"], true);
    assert!((number(&failed["operations"][0], "median") - 1.0).abs() < 1e-9, "{failed}");
    let passed = run_json(&format!("score {sig} {slow} --fail-on allreduce.median>200%"));
    assert_eq!(passed["fail_on"][0]["holds"], false);
}

#[test]
fn invalid_conditions_and_results_are_refused() {
    for (arguments, place, help) in [
        ("score cray-t3d docs/tables/cluster.csv --fail-on p2p>20%", "--fail-on", "p2p.maximum"),
        ("score cray-t3d docs/tables/cluster.csv --fail-on scan.median>1%", "--fail-on", "p2p"),
        ("score cray-t3d docs/osu/osu_allreduce.4p.txt", "osu_allreduce.4p.txt", "--ranks 4"),
        ("score cray-t3d README.md", "README.md", "OSU"),
    ] {
        let refused = refusal(arguments);
        assert!(refused["where"].as_str().unwrap().contains(place), "{arguments}: {refused}");
        assert!(refused["help"].as_str().unwrap().contains(help), "{arguments}: {refused}");
    }
}
