//! Properties that hold for every machine, size, number of processes and overlap method.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use loggia_exchange::export::{self, Target};
use loggia_link::state::State;
use loggia_model::model::composition::Question;
use loggia_model::model::exchange::{Arrivals, Costs, MessageProtocol, exchange};
use loggia_model::model::messages::{self, Demand};
use loggia_model::model::{Model, Prediction, Route, metrics};
use loggia_model::signature::{
    BytesAre, Curve, Defaults, DepthPoint, Operation, Parameter, Point, Progress, ProgressKind,
    Quality, Reach, Style, Tier, Transfer, TransferFrom,
};
use loggia_model::units::{Bytes, Micros, MicrosPerByte, Procs};
use loggia_model::{Signature, json, library, protocol};
use proptest::prelude::*;

/// A published machine, or a machine with arbitrary known parameters.
fn any_machine() -> impl Strategy<Value = Signature> {
    let published = prop::sample::select(library::names().collect::<Vec<_>>())
        .prop_map(|name| library::load(name).unwrap());
    prop_oneof![published, measured()]
}

fn quality() -> impl Strategy<Value = Quality> {
    use Quality::{Assumed, Good, Published, Uncertain, Unusable};
    prop::sample::select(vec![Published, Good, Good, Uncertain, Unusable, Assumed])
}

/// A value with bounds.
fn bounded(scale: f64) -> impl Strategy<Value = (f64, f64, f64)> {
    (0.0..scale, 0.0..0.5f64).prop_map(|(v, w)| (v * (1.0 - w), v, v * (1.0 + w)))
}

fn parameter(scale: f64) -> impl Strategy<Value = Option<Parameter<Micros>>> {
    let parameter = |((low, value, high), quality)| Parameter {
        value: Some(Micros(value)),
        low: Some(Micros(low)),
        high: Some(Micros(high)),
        quality,
        source: "any".to_owned(),
    };
    prop::option::of((bounded(scale), quality()).prop_map(parameter))
}

/// Increasing points, or fixed and per byte.
fn curve() -> impl Strategy<Value = Option<Curve>> {
    let points = prop::collection::btree_map(any_size(), bounded(1e4), 1..30).prop_map(|all| {
        let mut top = (0.0, 0.0, 0.0);
        let point = |(bytes, (low, value, high)): (Bytes, (f64, f64, f64))| {
            top = (top.0 + low, top.1 + value, top.2 + high);
            let [low, value, high] = [top.0, top.1, top.2].map(Micros);
            Point { bytes, value, low: Some(low), high: Some(high) }
        };
        let points = all.into_iter().map(point).collect();
        Curve { points, fixed: None, ..Curve::assumed(Micros(0.0)) }
    });
    let line = (0.0..100.0f64, 0.0..0.1f64).prop_map(|(fixed, per_byte)| Curve {
        per_byte: Some(MicrosPerByte(per_byte)),
        ..Curve::assumed(Micros(fixed))
    });
    let with_quality = |(curve, quality)| Curve { quality, ..curve };
    prop::option::weighted(0.8, (prop_oneof![points, line], quality()).prop_map(with_quality))
}

fn progress() -> impl Strategy<Value = Option<Progress>> {
    use ProgressKind::{Dependent, Independent};
    let kind = prop::option::weighted(0.9, prop::sample::select(vec![Dependent, Independent]));
    let transfer =
        prop::collection::btree_map(any_size(), prop::sample::select(Transfer::ALL.to_vec()), 0..3);
    let progress = |(kind, transfer, limit, control, initiation, copy): (
        _,
        std::collections::BTreeMap<_, _>,
        Bytes,
        _,
        _,
        _,
    )| Progress {
        eager_limit: Some(Parameter::assumed(limit)),
        kind,
        transfer: transfer
            .into_iter()
            .map(|(from, transfer)| TransferFrom { from, transfer })
            .collect(),
        control_overhead: control,
        initiation,
        copy,
        quality: Quality::Good,
        source: String::new(),
    };
    let all = (kind, transfer, any_size(), parameter(10.0), curve(), curve());
    prop::option::weighted(0.8, all.prop_map(progress))
}

fn tier(name: &'static str, reach: Reach) -> impl Strategy<Value = Tier> {
    let depths = prop::collection::btree_map(1..100u32, bounded(10.0), 0..5);
    let parameters = (parameter(100.0), parameter(10.0), parameter(1.0), parameter(100.0), depths);
    let curves = (curve(), curve(), curve(), progress());
    (parameters, curves).prop_map(
        move |((l, g, per_byte, eel, depths), (o_s, o_r, g_m, progress))| {
            let mut tier =
                Tier { reach, latency: l, gap: g, end_to_end_latency: eel, ..Tier::unknown(name) };
            tier.gap_per_byte = per_byte.map(|p| Parameter {
                value: p.value.map(|v| MicrosPerByte(v.0)),
                low: p.low.map(|v| MicrosPerByte(v.0)),
                high: p.high.map(|v| MicrosPerByte(v.0)),
                quality: p.quality,
                source: p.source,
            });
            let depth =
                |(depth, (_, gap, _))| DepthPoint { depth, gap: Parameter::assumed(Micros(gap)) };
            tier.gap_by_depth = depths.into_iter().map(depth).collect();
            tier.gap_by_size = g_m;
            tier.progress = progress;
            tier.styles =
                vec![Style { send_overhead: o_s, recv_overhead: o_r, ..Style::unknown("isend") }];
            tier
        },
    )
}

/// A machine with arbitrary known parameters: bounds, qualities, two tiers, LogGPO's parameters.
fn measured() -> impl Strategy<Value = Signature> {
    (tier("inter-node", Reach::Inter), prop::option::of(tier("intra-node", Reach::Intra))).prop_map(
        |(inter, intra)| {
            let mut signature = library::load("ibm-sp2").unwrap();
            signature.tiers = std::iter::once(inter).chain(intra).collect();
            signature.validate().unwrap();
            signature
        },
    )
}

fn any_size() -> impl Strategy<Value = Bytes> {
    prop_oneof![any::<u64>(), 0..70_000u64, Just(0), Just(1), Just(1 << 63), Just(u64::MAX)]
        .prop_map(Bytes)
}

fn any_procs() -> impl Strategy<Value = Procs> {
    prop_oneof![2..=200u32, 2..=u32::MAX, Just(u32::MAX)].prop_map(Procs)
}

/// The terms sum to the total, which is finite and within its bounds.
fn is_sound(prediction: &Prediction) -> Result<(), TestCaseError> {
    let total = prediction.total.unwrap();
    let sum: f64 = prediction.terms.iter().map(|t| t.count * t.each.value.0).sum();
    prop_assert!((sum - total.value.0).abs() <= 1e-9 * sum.abs().max(1.0));
    prop_assert!(total.low.0 <= total.value.0 && total.value.0 <= total.high.0);
    prop_assert!(total.value.0.is_finite() && total.value.0 >= 0.0);
    let formula = prediction.formula();
    prop_assert!(formula.ends_with(" µs") || formula.ends_with(" ns"));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_message_has_a_sound_time_or_a_reason(machine in any_machine(), bytes in any_size()) {
        for tier in &machine.tiers {
            for style in &tier.styles {
                let route = Route::of(&machine, Some(&tier.name), Some(&style.name.0)).unwrap();
                for model in Model::ALL {
                    match model.predict(&route, bytes) {
                        Ok(prediction) => is_sound(&prediction)?,
                        Err(error) => {
                            let transfer = error.message.contains("transfer (RAT or RTA)");
                            prop_assert!(!model.is_possible(&route) || transfer, "{}", error);
                            let reasons = ["unknown", "unusable"];
                            let has_reason = reasons.iter().any(|reason| error.message.contains(reason));
                            prop_assert!(has_reason, "{}", error);
                        }
                    }
                }
                if let Err(error) = metrics::point_to_point(&route, None) {
                    prop_assert!(error.message.contains("transfer"), "{}", error);
                }
            }
        }
    }

    /// No export contains NaN or infinity.
    #[test]
    fn every_machine_is_exported_or_refused(machine in any_machine()) {
        for tier in &machine.tiers {
            for style in &tier.styles {
                for target in Target::ALL {
                    let defaults = Defaults { tier: Some(&tier.name), style: Some(&style.name.0) };
                    match export::export(&machine, target, defaults, export::NODES) {
                        Ok(text) if target == Target::SimGrid => {
                            let values = text.lines().filter(|line| !line.starts_with("<!--"));
                            for invalid in ["—", "NaN", "inf"] {
                                prop_assert!(!values.clone().any(|l| l.contains(invalid)), "{}", text);
                            }
                        }
                        Ok(text) => prop_assert!(!text.contains("NaN"), "{}", text),
                        Err(error) => prop_assert!(!error.place.is_nowhere(), "{}", error),
                    }
                }
            }
        }
    }

    #[test]
    fn more_bytes_never_take_less(machine in any_machine(), a in any_size(), b in any_size()) {
        // Measured tables may decrease with size.
        prop_assume!(library::entry(&machine.name).is_none_or(|e| e.found != library::Found::Measured));
        for tier in &machine.tiers {
            let route = Route::of(&machine, Some(&tier.name), None).unwrap();
            // In LogGPO, the copy of an eager message may take longer than the handshake above the
            // limit.
            for model in Model::ALL.into_iter().filter(|m| *m != Model::LogGpo && m.is_possible(&route)) {
                let time = |bytes| model.predict(&route, bytes).unwrap().time().unwrap().0;
                prop_assert!(time(a.min(b)) <= time(a.max(b)) * (1.0 + 1e-12), "{:?}", model);
            }
        }
    }

    #[test]
    fn the_end_of_a_timeline_equals_its_equation(machine in any_machine(), bytes in any_size()) {
        for tier in &machine.tiers {
            let route = Route::of(&machine, Some(&tier.name), None).unwrap();
            for transfer in Transfer::ALL {
                let Ok(protocol) = protocol::predict(&route, transfer, bytes) else { continue };
                is_sound(&protocol.sender)?;
                is_sound(&protocol.delivery)?;
                let last = protocol.timeline.spans.iter().fold(0.0, |end: f64, s| end.max(s.end.0));
                let expected = [&protocol.sender, &protocol.delivery]
                    .map(|p| p.time().unwrap().0)
                    .into_iter()
                    .fold(0.0, f64::max);
                prop_assert!((last - expected).abs() <= 1e-9 * expected.max(1.0));
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
        let question = Question::of(&machine, op, procs, bytes, Some(bytes_are));
        prop_assert_eq!(question.is_ok(), op.counts().contains(&bytes_are));
        let Ok(question) = question else { return Ok(()) };
        let Ok(ranking) = question.ranking(&machine) else { return Ok(()) };
        let mut before = 0.0;
        for algorithm in &ranking {
        match algorithm.time() {
                Some(time) => {
                    prop_assert!(time.0 >= before, "the ranking is in order");
                    before = time.0;
                    for part in &algorithm.parts {
                        is_sound(&part.prediction)?;
                    }
                }
                None => {
                    before = f64::INFINITY;
                    prop_assert!(algorithm.warnings().iter().any(|w| w.contains("no time")));
                }
            }
        }
        if let Some(form) = machine.collective(op) {
            metrics::of_collective(form, procs);
        }
    }

    /// Dependent progress never ends earlier; no wait ends before it starts; no message arrives
    /// before its bytes can.
    #[test]
    fn overlap_is_causal(
        numbers in prop::array::uniform9(0.0..1000.0f64),
        protocol in prop::sample::select(vec![MessageProtocol::Eager, MessageProtocol::Rat, MessageProtocol::Rta]),
    ) {
        let [control, initiation, copy, latency, bytes, send, recv, send_compute, recv_compute] =
            numbers.map(Micros);
        let costs = Costs { control, initiation, copy, latency, bytes };
        let at = Arrivals::around(protocol, &costs, [send, recv], [send_compute, recv_compute]);
        let ends = [ProgressKind::Dependent, ProgressKind::Independent]
            .map(|progress| exchange(protocol, progress, &costs, &at));
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

    /// Overlap never takes longer, and each strategy has a time or missing parameters.
    #[test]
    fn strategies_keep_their_order(
        machine in any_machine(),
        bytes in 0..100_000u64,
        messages in 1..1000u64,
        compute in 0.0..1e3f64,
        depth in prop::option::of(1..100u32),
    ) {
        for tier in &machine.tiers {
            let route = Route::of(&machine, Some(&tier.name), None).unwrap();
            let demand = Demand { messages, bytes: Bytes(bytes), compute: Micros(compute), depth };
            let Ok(all) = messages::compare(&route, &demand) else { continue };
            let time = |i: usize| all.strategies[i].time.map(|t| t.0);
            if let (Some(pipelined), Some(both)) = (time(2), time(3)) {
                prop_assert!(both <= pipelined * (1.0 + 1e-12));
            }
            for strategy in &all.strategies {
                prop_assert_eq!(strategy.time.is_none(), !strategy.missing.is_empty());
            }
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in ".{0,200}") {
        let _ = json::from_json(&text);
        let _ = loggia_link::decode(&text);
        let _ = loggia_link::decode(&format!("#1.{text}"));
        let _ = loggia_link::decode(&format!("#2.{text}"));
        let _ = text.parse::<Bytes>();
        let _ = text.parse::<Micros>();
        let _ = text.parse::<Procs>();
        let mut state = State::default();
        let _ = state.set(&text, &text);
        let _ = state.set("o_s", &text);
    }

    #[test]
    fn no_change_of_a_file_makes_the_parser_panic(
        machine in any_machine(),
        at in any::<prop::sample::Index>(),
        with in prop::sample::select(vec!["", "-", "9", "\"", "{", "]", "null", "1e308", "\u{0}", "é"]),
    ) {
        let text = json::to_json(&machine);
        let places: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
        let i = places[at.index(places.len())];
        let end = i + text[i..].chars().next().map_or(0, char::len_utf8);
        let changed = format!("{}{with}{}", &text[..i], &text[end..]);
        if let Err(error) = json::from_json(&changed) {
            prop_assert!(!error.message.is_empty() && !error.help.is_empty());
        }
    }
}

proptest! {
    // Links are the slowest part: each decoding reads a dictionary.
    #![proptest_config(ProptestConfig {
        cases: 24, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// A link has published and typed numbers exactly, measured numbers within 0.1%, and curves
    /// within 1% or a quarter of their half-width.
    #[test]
    fn links_keep_measured_numbers_within_their_precision(machine in measured(), bytes in any_size()) {
        let (link, _) = loggia_link::encode(&State::of(machine.clone()));
        let decoded = loggia_link::decode(&link).unwrap().signatures.remove(0);
        for (before, after) in machine.tiers.iter().zip(&decoded.tiers) {
            let [before, after] = [(&machine, before), (&decoded, after)]
                .map(|(signature, tier)| Route::of(signature, Some(&tier.name), None).unwrap());
            if let Some((a, b)) = before.latency().zip(after.latency()) {
                prop_assert!((a.value.0 - b.value.0).abs() <= 1e-3 * a.value.0);
            }
            let [a, b] = [&before, &after].map(|route| route.send_overhead(bytes));
            prop_assert_eq!(a.is_some(), b.is_some());
            if let Some((a, b)) = a.zip(b) {
                let half_width = (a.time.high - a.time.low).0 / 2.0 * 0.25;
                let (a, b) = (a.time.value.0, b.time.value.0);
                prop_assert!((a - b).abs() <= 1.01 * half_width.max(0.01 * a), "{} {}", a, b);
            }
        }
    }

    #[test]
    fn files_and_links_are_exact(
        machine in prop::sample::select(library::names().collect::<Vec<_>>()),
        latency in 0.0..1e9f64,
        overhead in 0.0..1e-3f64,
        limit in any::<u64>(),
    ) {
        let mut machine = library::load(machine).unwrap();
        machine.set("L", &latency.to_string()).unwrap();
        machine.set("O'", &overhead.to_string()).unwrap();
        machine.set("S", &limit.to_string()).unwrap();
        prop_assert_eq!(&json::from_json(&json::to_json(&machine)).unwrap(), &machine);
        // Links thin measured tables.
        machine.samples.clear();
        machine.tables.clear();
        let state = State::of(machine);
        prop_assert_eq!(loggia_link::decode(&loggia_link::encode(&state).0).unwrap(), state);
    }
}
