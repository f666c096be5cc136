//! Typed input: units, numbers of ranks, placements, inputs, measured runs, codes of students.

use super::check_error;
use loggia_lesson::class::find;
use loggia_lesson::library as lessons;
use loggia_link::state::State;
use loggia_model::placement::{Nodes, Placement};
use loggia_model::ranks::{parse_procs, ranks};
use loggia_model::units::{Bytes, Count, Micros, MicrosPerByte, Procs};
use loggia_model::{Error, json, library};
use loggia_plan::fit;
use std::str::FromStr;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    parsed::<Bytes>(text);
    parsed::<Micros>(text);
    parsed::<Procs>(text);
    parsed::<Count>(text);
    parsed::<MicrosPerByte>(text);
    let _ = (parse_procs(text), ranks(text).map_err(|error| check_error(&error)));
    let _ = Placement::parse(text).map_err(|error| check_error(&error));
    let _ = Nodes::parse(text, 12).map_err(|error| check_error(&error));
    let _ = fit::read(text).map_err(|error| check_error(&error));
    for (_, code) in find(text) {
        let _ = lessons::named("four-numbers").map(|lesson| lesson.progress(&code));
    }
    if let Some((key, value)) = text.split_once('=') {
        set(key, value);
    }
}

fn parsed<U: FromStr<Err = Error>>(text: &str) {
    let _ = text.parse::<U>().map_err(|error| check_error(&error));
}

/// Sets an input of the page or a parameter of a machine; a refused value changes nothing.
fn set(key: &str, value: &str) {
    let mut state = State::of(library::load("cray-t3d").expect("a built-in machine"));
    let before = state.clone();
    match state.set(key, value) {
        Ok(()) => {
            let text = json::to_json(&state.signatures[0]);
            assert_eq!(json::from_json(&text).as_ref(), Ok(&state.signatures[0]), "{key}={value}");
            assert_eq!(state.validate(), Ok(()), "{key}={value}");
        }
        Err(error) => {
            check_error(&error);
            assert_eq!(state, before);
        }
    }
}
