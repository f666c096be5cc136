//! Links of version 1 open forever. None of these may be changed or taken away; what a later
//! version can say more is added to `golden-links-1.json` with new links.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use loggia_model::codec;
use loggia_model::state::State;
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    /// What the link is there for.
    holds: String,
    link: String,
    /// What it must open as.
    state: State,
}

#[test]
fn every_golden_link_opens_as_it_always_did() {
    let all: Vec<Golden> = serde_json::from_str(include_str!("golden-links-1.json")).unwrap();
    assert!(all.len() >= 14);
    for Golden { holds, link, state } in all {
        let opened = codec::decode(&link).unwrap_or_else(|error| panic!("{holds}: {error}"));
        assert_eq!(opened, state, "{holds}");
        let whole = format!("https://example.org/loggia/{link}");
        assert_eq!(codec::decode(&whole).as_ref(), Ok(&state), "{holds}");
    }
}

/// A state that is told as JSON, as by `loggia open`, is told as ever, too: only keys may come.
#[test]
fn every_golden_state_is_told_as_it_always_was() {
    let all: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("golden-links-1.json")).unwrap();
    for golden in all {
        let opened = codec::decode(golden["link"].as_str().unwrap()).unwrap();
        let told = serde_json::to_value(&opened).unwrap();
        assert!(holds(&told, &golden["state"]), "{}", golden["holds"]);
    }
}

/// Whether everything that was told before is there, with the same value.
fn holds(now: &serde_json::Value, before: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Object};
    match (now, before) {
        (Object(now), Object(before)) => {
            before.iter().all(|(key, before)| now.get(key).is_some_and(|now| holds(now, before)))
        }
        (Array(now), Array(before)) => {
            now.len() == before.len() && now.iter().zip(before).all(|(a, b)| holds(a, b))
        }
        (now, before) => now == before,
    }
}
