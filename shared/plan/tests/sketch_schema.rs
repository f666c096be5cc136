//! The published JSON schema of sketches agrees with the parser: both accept the examples and
//! refuse the same keys.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use loggia_model::library;
use loggia_model::units::Procs;
use loggia_plan::request::Request;
use loggia_plan::sketch::edit::{ALWAYS, actions, takes};
use loggia_plan::sketch::{EXAMPLES, Sketch, schema};
use serde_json::Value;
use toml::de::{DeTable, DeValue};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/sketch.schema.json");

#[test]
fn the_published_schema_is_current() {
    if std::env::var_os("LOGGIA_WRITE_SCHEMA").is_some() {
        std::fs::write(FILE, schema::json()).unwrap();
    }
    let published = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        published == schema::json(),
        "sketch.schema.json is outdated: write it again with \
         LOGGIA_WRITE_SCHEMA=1 cargo test -p loggia-plan --test sketch_schema"
    );
}

fn table(table: &DeTable<'_>) -> Value {
    let pairs =
        table.iter().map(|(name, value)| (name.get_ref().to_string(), json(value.get_ref())));
    Value::Object(pairs.collect())
}

fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => text.to_string().into(),
        DeValue::Integer(number) => number.as_str().parse::<i64>().unwrap().into(),
        DeValue::Float(number) => number.as_str().parse::<f64>().unwrap().into(),
        DeValue::Boolean(is) => (*is).into(),
        DeValue::Datetime(time) => time.to_string().into(),
        DeValue::Array(all) => all.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Table(inner) => table(inner),
    }
}

/// Whether schema and parser accept a sketch; they must agree.
#[track_caller]
fn accepted(text: &str) -> bool {
    let schema: Value = serde_json::from_str(&schema::json()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let value = table(DeTable::parse(text).unwrap().get_ref());
    let errors: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
    let read = Sketch::read(text);
    assert_eq!(errors.is_empty(), read.is_ok(), "{text}\n{errors:?}\n{:?}", read.err());
    errors.is_empty()
}

#[test]
fn the_schema_accepts_the_examples() {
    for (name, text) in EXAMPLES {
        assert!(accepted(text), "{name}");
        assert!(text.starts_with("#:schema "), "{name} does not name its schema to editors");
    }
}

/// A valid value of a key.
fn value(word: &str) -> &'static str {
    match word {
        "corners" | "periodic" => "true",
        "algorithm" | "name" => "\"best\"",
        "steps" => "[{ compute = 1 }]",
        "cells" | "block" => "[64, 64]",
        _ => "8",
    }
}

/// Required options of an action.
fn required(action: &str) -> &'static [&'static str] {
    if action == "wavefront" { &["blocks", "work"] } else { &[] }
}

#[test]
fn schema_and_parser_know_the_same_keys_of_steps() {
    let more = ["during", "times", "every", "algorithm", "corners", "blocks", "work"];
    for action in actions() {
        let own: Vec<&str> = required(action).to_vec();
        for word in more.into_iter().chain(["colour"]).chain(actions()) {
            if word == action {
                continue;
            }
            let mut text = "[grid]\ncells = [64, 64]\n[[step]]\n".to_owned();
            for word in [action, word].into_iter().chain(own.iter().copied().filter(|o| *o != word))
            {
                text += &format!("{word} = {}\n", value(word));
            }
            let fits = takes(action).contains(&word) || ALWAYS.contains(&word);
            assert_eq!(accepted(&text), fits, "{word} with {action}");
        }
    }
}

#[test]
fn schema_and_parser_agree() {
    let step = "[[step]]\ncompute = \"1ms / p\"\n";
    for good in [
        format!("name = \"a\"\niterations = 3\nranks_per_node = 8\n{step}"),
        format!("{step}times = \"log2(p)\"\nevery = 2"),
        format!("[grid]\nblock = [8]\nperiodic = true\n[let]\nwork = \"?\"\nx_1 = 3.5\n{step}"),
        "[[step]]\nsteps = [{ compute = 1 }, { steps = [{ barrier = 0 }] }]".to_owned(),
    ] {
        assert!(accepted(&good), "{good}");
    }
    for bad in [
        String::new(),
        "step = []".to_owned(),
        "[[step]]\n".to_owned(),
        "[[step]]\ntimes = 3".to_owned(),
        "[[step]]\ncompute = true".to_owned(),
        "[[step]]\nsteps = []".to_owned(),
        "[[step]]\nsteps = [{ compute = 1, colour = 1 }]".to_owned(),
        format!("iterations = 0\n{step}"),
        format!("iterations = \"many\"\n{step}"),
        format!("wormholes = 1\n{step}"),
        format!("name = 7\n{step}"),
        format!("{step}every = 0"),
        format!("{step}every = 1.5"),
        format!("[grid]\n{step}"),
        format!("[grid]\ncells = [8, 8]\nblock = [8, 8]\n{step}"),
        format!("[grid]\ncells = [8, 8, 8, 8]\n{step}"),
        format!("[grid]\ncells = []\n{step}"),
        format!("[grid]\ncells = [8, 0]\n{step}"),
        format!("[grid]\ncells = 8\n{step}"),
        format!("[grid]\ncells = [8]\nperiodic = 1\n{step}"),
        format!("[let]\n\"1x\" = 2\n{step}"),
        format!("[let]\nx = true\n{step}"),
        "[grid]\ncells = [8, 8]\n[[step]]\nwavefront = 8\nblocks = 8".to_owned(),
    ] {
        assert!(!accepted(&bad), "{bad}");
    }
}

/// Every sketch in docs/sketch.md is valid and can be planned.
#[test]
fn sketches_of_the_reference_can_be_planned() {
    let reference = include_str!("../../../docs/sketch.md");
    let machine = library::load("cray-t3d").unwrap();
    let blocks: Vec<&str> =
        reference.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 4);
    for text in blocks {
        assert!(accepted(text), "{text}");
        let sketch = Sketch::read(text).unwrap();
        let plan = Request::of(&sketch, &machine).over(&[Procs(1), Procs(6), Procs(1 << 20)]);
        assert!(plan.is_ok(), "{text}: {plan:?}");
    }
    // The reference has every key.
    for word in actions().chain(actions().flat_map(takes).copied()).chain(ALWAYS) {
        assert!(reference.contains(&format!("`{word}`")), "{word} is not in docs/sketch.md");
    }
}
