//! Requirements on every collected file, on a noisy machine too.

use super::running::{loggia, run};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const SCHEMA: &str = include_str!("../../shared/model/signature.schema.json");

/// The current file, which must be complete.
#[track_caller]
pub(crate) fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text)
        .unwrap_or_else(|e| panic!("{} is not complete: {e}", path.display()))
}

/// The file of a finished run: valid, with its samples, and without impossible numbers.
#[track_caller]
pub(crate) fn finished(path: &Path) -> Value {
    let file = valid(path);
    assert_eq!(file["collection"]["finished"], json!(true), "{}", path.display());
    file
}

/// The valid file of any run, finished or not.
#[track_caller]
pub(crate) fn valid(path: &Path) -> Value {
    let file = read(path);
    let schema = jsonschema::validator_for(&serde_json::from_str(SCHEMA).unwrap()).unwrap();
    if let Err(error) = schema.validate(&file) {
        panic!("{}: {}: {error}", path.display(), error.instance_path());
    }
    let samples = list(&file["samples"]);
    assert!(!samples.is_empty(), "no samples are kept");
    for sample in samples {
        let has_origin = ["tier", "op"].iter().any(|key| sample[key].is_string());
        assert!(has_origin || sample["ranks"].is_array(), "no tier, operation or ranks: {sample}");
        let times = list(&sample["times"]);
        assert!(!times.is_empty(), "{sample}");
        let is_possible = |time: &Value| time.as_f64().is_some_and(|t| t.is_finite() && t >= 0.0);
        assert!(times.iter().all(is_possible), "{sample}");
    }
    for tier in list(&file["tiers"]) {
        check_parameters(tier, &tier["name"]);
        assert!(tier["path"].is_string(), "the transport is missing: {tier}");
    }
    check_other_verbs(path);
    file
}

/// Every parameter has a verdict. An unusable parameter has no number. No number is outside its
/// interval or negative.
fn check_parameters(value: &Value, place: &Value) {
    if let Some(verdict) = value["verdict"].as_str() {
        let known = ["good", "uncertain", "unusable"].contains(&verdict);
        assert!(known, "{place}: {value}");
        assert!(value["source"].as_str().is_some_and(|s| !s.is_empty()), "{place}: {value}");
        if verdict == "unusable" {
            assert!(value["value"].is_null() && list(&value["points"]).is_empty(), "{value}");
        }
    }
    if let Some(number) = value["value"].as_f64() {
        let low = value["low"].as_f64().unwrap_or(number);
        let high = value["high"].as_f64().unwrap_or(number);
        assert!(0.0 <= low && low <= number && number <= high, "{place}: {value}");
    }
    for part in list(value) {
        check_parameters(part, place);
    }
    for part in value.as_object().into_iter().flat_map(|object| object.values()) {
        check_parameters(part, place);
    }
}

/// Other verbs must read the file.
#[track_caller]
fn check_other_verbs(path: &Path) {
    let folder = path.parent().unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let shown = run(&mut loggia(folder, &format!("show {name} --json"))).good();
    let shown: Value = serde_json::from_str(&shown.out).unwrap();
    let file = read(path);
    assert_eq!(shown["tiers"], file["tiers"], "show prints other tiers than the file holds");
    run(&mut loggia(folder, &format!("show {name}"))).good();
    let predicted = run(&mut loggia(folder, &format!("predict p2p {name} --bytes 8 --json")));
    let answer: Value = serde_json::from_str(&predicted.out).unwrap();
    match predicted.code {
        Some(0) => assert!(answer["time_us"].is_number() || answer["time_us"].is_null()),
        // The samples are too noisy for any model, and the error says so.
        Some(2) => assert!(answer["error"]["message"].is_string(), "{answer}"),
        _ => panic!("{predicted:?}"),
    }
}

/// The elements of an array; empty for any other value.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The tier with this name.
#[track_caller]
pub(crate) fn tier<'a>(file: &'a Value, name: &str) -> &'a Value {
    let found = list(&file["tiers"]).iter().find(|tier| tier["name"] == name);
    found.unwrap_or_else(|| panic!("no tier {name} in {}", file["tiers"]))
}

/// Names of the measurements, each with its round.
pub(crate) fn measured(file: &Value) -> Vec<&str> {
    let all = list(&file["collection"]["measured"]);
    all.iter().filter_map(|measured| measured["name"].as_str()).collect()
}

/// The distinct values of one field of the samples, in their order.
pub(crate) fn distinct<'a>(file: &'a Value, field: &str) -> Vec<&'a Value> {
    let mut found = Vec::new();
    for value in list(&file["samples"]).iter().map(|sample| &sample[field]) {
        if !value.is_null() && !found.contains(&value) {
            found.push(value);
        }
    }
    found
}
