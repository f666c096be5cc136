//! The published schema equals that of the types, accepts every built-in signature, and refuses the
//! same errors as the reader.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use loggia_model::{json, library, schema};
use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/signature.schema.json");

#[test]
fn the_published_file_is_the_types_schema() {
    if std::env::var_os("LOGGIA_WRITE_SCHEMA").is_some() {
        std::fs::write(FILE, schema::json()).unwrap();
    }
    let published = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        published == schema::json(),
        "signature.schema.json differs from the types: generate it with \
         LOGGIA_WRITE_SCHEMA=1 cargo test -p loggia-model --test schema"
    );
}

fn published() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&schema::json()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn t3d() -> Value {
    serde_json::from_str(&json::to_json(&library::load("cray-t3d").unwrap())).unwrap()
}

#[test]
fn it_accepts_every_built_in_signature() {
    let validator = published();
    for name in library::names() {
        let text = json::to_json(&library::load(name).unwrap());
        let value: Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}

#[test]
fn schema_and_reader_refuse_the_same() {
    let validator = published();
    assert!(validator.is_valid(&t3d()));
    for (path, wrong) in [
        ("/title", json!(7)),
        ("/name", json!("Our Cluster")),
        ("/tiers/0/latency/value", json!(-3.1)),
        ("/samples/0/times/0", json!(-1)),
        ("/loggia", json!(2)),
        ("/tiers/0/latency/value", json!("fast")),
        ("/tiers/0/latency/verdict", json!("perhaps")),
        ("/collectives/0/op", json!("gossip")),
        ("/collectives/0/procs/low", json!(-2)),
        ("/collectives/0/startup/terms", json!({})),
        ("/samples/0/times", json!([null])),
        ("/origin/kind", json!("rumour")),
    ] {
        let mut value = t3d();
        *value.pointer_mut(path).unwrap() = wrong;
        assert!(!validator.is_valid(&value), "the schema accepts a wrong {path}");
        assert!(json::from_json(&value.to_string()).is_err(), "the reader accepts a wrong {path}");
    }
    for parent in ["", "/tiers/0", "/tiers/0/latency", "/collectives/0", "/samples/0", "/machine"] {
        let mut value = t3d();
        value.pointer_mut(parent).unwrap()["wormholes"] = json!(1);
        assert!(!validator.is_valid(&value), "the schema accepts an unknown field in {parent:?}");
        assert!(
            json::from_json(&value.to_string()).is_err(),
            "the reader accepts it in {parent:?}"
        );
    }
}
