//! Links open forever. These links must not be changed or removed; new links cover new features.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use loggia_link::state::{State, View};

use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    /// The purpose of the link.
    #[serde(rename = "holds")]
    purpose: String,
    link: String,
    /// The expected state; in version 2, default is the state of the same link of version 1.
    state: Option<State>,
}

fn golden(text: &str) -> Vec<Golden> {
    serde_json::from_str(text).unwrap()
}

fn version_1_links() -> Vec<Golden> {
    golden(include_str!("golden-links-1.json"))
}

fn version_2_links() -> Vec<Golden> {
    golden(include_str!("golden-links-2.json"))
}

fn opens_as(golden: &Golden, state: &State) {
    let Golden { purpose, link, .. } = golden;
    let opened = loggia_link::decode(link).unwrap_or_else(|error| panic!("{purpose}: {error}"));
    assert!(opened == *state, "{purpose}");
    let whole = format!("https://example.org/loggia/{link}");
    assert!(loggia_link::decode(&whole).as_ref() == Ok(state), "{purpose}");
}

#[test]
fn every_golden_link_opens_as_before() {
    let (version_1_links, version_2_links) = (version_1_links(), version_2_links());
    assert!(version_1_links.len() >= 14 && version_2_links.len() >= 14);
    for golden in version_1_links.iter().chain(&version_2_links) {
        let same = version_1_links.iter().find(|other| other.purpose == golden.purpose);
        let state = golden.state.as_ref().or_else(|| same?.state.as_ref());
        opens_as(golden, state.unwrap());
    }
}

/// A link that is opened and shared again keeps its state and stays short.
#[test]
fn a_link_that_is_encoded_again_keeps_its_state() {
    for golden in version_2_links() {
        let state = loggia_link::decode(&golden.link).unwrap();
        let (again, _) = loggia_link::encode(&state);
        assert!(loggia_link::decode(&again).unwrap() == state, "{}", golden.purpose);
        assert!(
            again.len() <= loggia_link::RECOMMENDED_LENGTH,
            "{}: {}",
            golden.purpose,
            again.len()
        );
    }
}

/// The JSON of a state (`loggia open`) keeps its keys and values; keys may be added, and views have
/// their current names.
#[test]
fn the_json_of_golden_states_keeps_keys_and_values() {
    let all: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("golden-links-1.json")).unwrap();
    for golden in all {
        let opened = loggia_link::decode(golden["link"].as_str().unwrap()).unwrap();
        let json = serde_json::to_value(&opened).unwrap();
        let mut before = golden["state"].clone();
        if let Some(view) = before.get_mut("view") {
            *view = View::named(view.as_str().unwrap()).unwrap().name().into();
        }
        assert!(contains(&json, &before), "{}", golden["holds"]);
    }
}

/// Whether `now` contains all keys of `before` with the same values.
fn contains(now: &serde_json::Value, before: &serde_json::Value) -> bool {
    use serde_json::Value::{Array, Object};
    match (now, before) {
        (Object(now), Object(before)) => {
            before.iter().all(|(key, before)| now.get(key).is_some_and(|now| contains(now, before)))
        }
        (Array(now), Array(before)) => {
            now.len() == before.len() && now.iter().zip(before).all(|(a, b)| contains(a, b))
        }
        (now, before) => now == before,
    }
}
