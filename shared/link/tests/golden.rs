//! Links open forever. None of these may be changed or taken away; what a later version can say
//! more is added with new links.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use loggia_link::state::{State, View};

use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    /// What the link is there for.
    holds: String,
    link: String,
    /// What it must open as; in version 2, it may be what that of version 1 opens as.
    state: Option<State>,
}

fn golden(text: &str) -> Vec<Golden> {
    serde_json::from_str(text).unwrap()
}

fn first() -> Vec<Golden> {
    golden(include_str!("golden-links-1.json"))
}

fn second() -> Vec<Golden> {
    golden(include_str!("golden-links-2.json"))
}

fn opens_as(golden: &Golden, state: &State) {
    let Golden { holds, link, .. } = golden;
    let opened = loggia_link::decode(link).unwrap_or_else(|error| panic!("{holds}: {error}"));
    assert!(opened == *state, "{holds}");
    let whole = format!("https://example.org/loggia/{link}");
    assert!(loggia_link::decode(&whole).as_ref() == Ok(state), "{holds}");
}

#[test]
fn every_golden_link_opens_as_it_always_did() {
    let (first, second) = (first(), second());
    assert!(first.len() >= 14 && second.len() >= 14);
    for golden in first.iter().chain(&second) {
        let same = first.iter().find(|other| other.holds == golden.holds);
        let state = golden.state.as_ref().or_else(|| same?.state.as_ref());
        opens_as(golden, state.unwrap());
    }
}

/// What a program wrote, it writes again: a link that is opened and shared does not change what it
/// says, and stays short.
#[test]
fn a_link_that_is_written_again_says_the_same() {
    for golden in second() {
        let state = loggia_link::decode(&golden.link).unwrap();
        let (again, _) = loggia_link::encode(&state);
        assert!(loggia_link::decode(&again).unwrap() == state, "{}", golden.holds);
        assert!(again.len() <= loggia_link::DIGNIFIED_LENGTH, "{}: {}", golden.holds, again.len());
    }
}

/// A state that is told as JSON, as by `loggia open`, is told as ever, too: only keys may come, and
/// a view is told by the name that it has now.
#[test]
fn every_golden_state_is_told_as_it_always_was() {
    let all: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("golden-links-1.json")).unwrap();
    for golden in all {
        let opened = loggia_link::decode(golden["link"].as_str().unwrap()).unwrap();
        let told = serde_json::to_value(&opened).unwrap();
        let mut before = golden["state"].clone();
        if let Some(view) = before.get_mut("view") {
            *view = View::named(view.as_str().unwrap()).unwrap().name().into();
        }
        assert!(holds(&told, &before), "{}", golden["holds"]);
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
