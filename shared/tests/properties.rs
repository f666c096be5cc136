//! Laws that hold for every machine, size, number of processes and way of overlapping.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use loggia_model::model::composition::Question;
use loggia_model::model::loggpo::{Arrivals, Costs, Way, exchange};
use loggia_model::model::{Model, Prediction, Route, metrics};
use loggia_model::signature::{BytesAre, Operation, ProgressKind, Transfer};
use loggia_model::state::State;
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_model::{Signature, codec, library, protocol};
use proptest::prelude::*;

fn any_machine() -> impl Strategy<Value = Signature> {
    prop::sample::select(library::names().collect::<Vec<_>>())
        .prop_map(|name| library::load(name).unwrap())
}

fn any_size() -> impl Strategy<Value = Bytes> {
    prop_oneof![any::<u64>(), 0..70_000u64, Just(0), Just(1), Just(1 << 63), Just(u64::MAX)]
        .prop_map(Bytes)
}

fn any_procs() -> impl Strategy<Value = Procs> {
    prop_oneof![2..=200u32, 2..=u32::MAX, Just(u32::MAX)].prop_map(Procs)
}

/// The terms add up to the total, which lies between its bounds and is finite.
fn is_sound(prediction: &Prediction) -> Result<(), TestCaseError> {
    let total = prediction.total.unwrap();
    let sum: f64 = prediction.terms.iter().map(|t| t.count * t.each.value.0).sum();
    prop_assert!((sum - total.value.0).abs() <= 1e-9 * sum.abs().max(1.0));
    prop_assert!(total.low.0 <= total.value.0 && total.value.0 <= total.high.0);
    prop_assert!(total.value.0.is_finite() && total.value.0 >= 0.0);
    prop_assert!(prediction.formula().ends_with("µs"));
    Ok(())
}

proptest! {
    #[test]
    fn a_message_has_a_sound_time_or_a_reason(machine in any_machine(), bytes in any_size()) {
        for tier in &machine.tiers {
            for style in &tier.styles {
                let route = Route::of(&machine, Some(&tier.name), Some(&style.name.0)).unwrap();
                for model in Model::ALL {
                    match model.predict(&route, bytes) {
                        Ok(prediction) => is_sound(&prediction)?,
                        Err(error) => {
                            prop_assert!(!model.is_possible(&route));
                            prop_assert!(error.message.contains("not reported"), "{}", error);
                        }
                    }
                }
                metrics::point_to_point(&route, None).unwrap();
            }
        }
    }

    #[test]
    fn more_bytes_never_take_less(machine in any_machine(), a in any_size(), b in any_size()) {
        for tier in &machine.tiers {
            let route = Route::of(&machine, Some(&tier.name), None).unwrap();
            let Some(model) = Model::richest(&route) else { continue };
            let time = |bytes| model.predict(&route, bytes).unwrap().time().unwrap().0;
            prop_assert!(time(a.min(b)) <= time(a.max(b)));
        }
    }

    #[test]
    fn a_timeline_ends_where_its_equation_says(machine in any_machine(), bytes in any_size()) {
        for tier in &machine.tiers {
            let route = Route::of(&machine, Some(&tier.name), None).unwrap();
            for transfer in Transfer::ALL {
                let Ok(protocol) = protocol::predict(&route, transfer, bytes) else { continue };
                is_sound(&protocol.sender)?;
                is_sound(&protocol.delivery)?;
                let last = protocol.timeline.spans.iter().fold(0.0, |end: f64, s| end.max(s.end.0));
                let told = [&protocol.sender, &protocol.delivery]
                    .map(|p| p.time().unwrap().0)
                    .into_iter()
                    .fold(0.0, f64::max);
                prop_assert!((last - told).abs() <= 1e-9 * told.max(1.0));
            }
        }
    }

    #[test]
    fn a_collective_has_a_sound_time_or_names_the_term(
        machine in any_machine(),
        procs in any_procs(),
        bytes in any_size(),
        bytes_are in prop::sample::select(BytesAre::ALL.to_vec()),
        op in prop::sample::select(Operation::ALL.to_vec()),
    ) {
        let question = Question::of(&machine, op, procs, bytes, Some(bytes_are)).unwrap();
        let Ok(ways) = question.ranking(&machine) else { return Ok(()) };
        let mut before = 0.0;
        for way in &ways {
            match way.time() {
                Some(time) => {
                    prop_assert!(time.0 >= before, "the ranking is in order");
                    before = time.0;
                    for part in &way.parts {
                        is_sound(&part.prediction)?;
                    }
                }
                None => {
                    before = f64::INFINITY;
                    prop_assert!(way.warnings().iter().any(|w| w.contains("no number")));
                }
            }
        }
        if let Some(form) = machine.collective(op) {
            metrics::of_collective(form, procs);
        }
    }

    /// What depends on progress can only wait longer; nobody's wait ends before it began; and no
    /// message is there before its bytes could be.
    #[test]
    fn overlap_is_causal(
        numbers in prop::array::uniform9(0.0..1000.0f64),
        way in prop::sample::select(vec![Way::Eager, Way::Rat, Way::Rta]),
    ) {
        let [control, initiation, copy, latency, bytes, send, recv, send_compute, recv_compute] =
            numbers.map(Micros);
        let costs = Costs { control, initiation, copy, latency, bytes };
        let at = Arrivals::around(way, &costs, [send, recv], [send_compute, recv_compute]);
        let ends = [ProgressKind::Dependent, ProgressKind::Independent]
            .map(|progress| exchange(way, progress, &costs, &at));
        for end in &ends {
            prop_assert!(end.sender_end.0 >= at.send_wait.0 - 1e-9);
            prop_assert!(end.receiver_end.0 >= at.recv_wait.0 - 1e-9);
            prop_assert!(end.receiver_end.0 >= end.delivered.0 - 1e-9);
            prop_assert!(end.delivered.0 >= send.0 + initiation.0 + latency.0 + bytes.0 - 1e-9);
            for cost in [end.send, end.recv, end.send_wait, end.recv_wait, end.cost] {
                prop_assert!(cost.0 >= 0.0);
            }
        }
        prop_assert!(ends[1].delivered.0 <= ends[0].delivered.0 + 1e-9);
        prop_assert!(ends[1].sender_end.0 <= ends[0].sender_end.0 + 1e-9);
        prop_assert!(ends[1].receiver_end.0 <= ends[0].receiver_end.0 + 1e-9);
    }

    #[test]
    fn files_and_links_carry_every_bit(
        machine in any_machine(),
        latency in 0.0..1e9f64,
        overhead in 0.0..1e-3f64,
        limit in any::<u64>(),
    ) {
        let mut machine = machine;
        machine.set("L", &latency.to_string()).unwrap();
        machine.set("O'", &overhead.to_string()).unwrap();
        machine.set("S", &limit.to_string()).unwrap();
        prop_assert_eq!(&codec::from_json(&codec::to_json(&machine)).unwrap(), &machine);
        machine.samples.clear();
        let state = State::of(machine);
        prop_assert_eq!(codec::decode(&codec::encode(&state).0).unwrap(), state);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in ".{0,200}") {
        let _ = codec::from_json(&text);
        let _ = codec::decode(&text);
        let _ = codec::decode(&format!("#1.{text}"));
        let _ = text.parse::<Bytes>();
        let _ = text.parse::<Micros>();
        let _ = text.parse::<Procs>();
        let mut state = State::default();
        let _ = state.set(&text, &text);
        let _ = state.set("o_s", &text);
    }

    #[test]
    fn no_change_of_a_file_makes_the_reader_panic(
        machine in any_machine(),
        at in any::<prop::sample::Index>(),
        with in prop::sample::select(vec!["", "-", "9", "\"", "{", "]", "null", "1e308", "\u{0}", "é"]),
    ) {
        let text = codec::to_json(&machine);
        let places: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
        let i = places[at.index(places.len())];
        let end = i + text[i..].chars().next().map_or(0, char::len_utf8);
        let changed = format!("{}{with}{}", &text[..i], &text[end..]);
        if let Err(error) = codec::from_json(&changed) {
            prop_assert!(!error.message.is_empty() && !error.help.is_empty());
        }
    }
}
