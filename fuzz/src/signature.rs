//! Signatures: read, written, exported and used for predictions.

use super::check_error;
use loggia_exchange::export::{NODES, Target, export};
use loggia_model::json::{from_json, to_json};
use loggia_model::measured::Basis;
use loggia_model::model::{Model, Prediction, Route};
use loggia_model::signature::{Defaults, Transfer};
use loggia_model::units::{Bytes, Micros};
use loggia_model::{Signature, model, protocol};

pub(crate) fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match from_json(&text) {
        Ok(signature) => {
            written(&signature);
            exported(&signature);
            predicted(&signature);
        }
        Err(error) => check_error(&error),
    }
}

/// Checks that a written signature reads back unchanged.
pub(crate) fn written(signature: &Signature) {
    let text = to_json(signature);
    let reread = from_json(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    assert_eq!(&reread, signature, "{text}");
}

/// Checks that each export returns a file or an error.
fn exported(signature: &Signature) {
    for target in Target::ALL {
        match export(signature, target, Defaults::default(), NODES) {
            Ok(text) if target == Target::Json => {
                let read = serde_json::from_str::<serde_json::Value>(&text);
                assert!(read.is_ok(), "{read:?}\n{text}");
            }
            Ok(text) => assert!(!text.is_empty(), "{target:?}"),
            Err(error) => check_error(&error),
        }
    }
}

/// Sizes around protocol changes, and the extremes.
const SIZES: [u64; 12] =
    [0, 1, 2, 8, 1 << 10, 8192, 8193, 65_536, 65_537, 1 << 20, 1 << 40, u64::MAX];

fn predicted(signature: &Signature) {
    for tier in &signature.tiers {
        let names = tier.styles.iter().map(|style| Some(style.name.0.as_str()));
        for style in names.chain([None]) {
            let Ok(route) = Route::of(signature, Some(&tier.name), style) else { continue };
            for model in Model::ALL.map(Some).into_iter().chain([None]) {
                times(&route, model);
            }
            Transfer::ALL.into_iter().for_each(|transfer| protocol(&route, transfer));
        }
    }
}

/// Checks that a protocol's times are valid, and grow with the message if no curve falls and no time
/// was measured.
fn protocol(route: &Route, transfer: Transfer) {
    let mut before: Option<(Bytes, [Micros; 2])> = None;
    for bytes in SIZES.map(Bytes) {
        let Ok(found) = protocol::predict(route, transfer, bytes) else { continue };
        let both = [&found.sender, &found.delivery];
        both.into_iter().for_each(check_prediction);
        let [Some(sender), Some(delivery)] = both.map(Prediction::time) else { continue };
        if !matches!(found.delivery.basis, Basis::Modelled | Basis::Published) {
            continue;
        }
        if let Some((smaller, times)) = before
            && curves_rise(route, smaller, bytes)
        {
            let grow = times
                .iter()
                .zip([sender, delivery])
                .all(|(shorter, time)| shorter.0 <= time.0 * (1.0 + 1e-9));
            assert!(grow, "{transfer:?}: {smaller:?}, {bytes:?}");
        }
        before = Some((bytes, [sender, delivery]));
    }
}

/// Checks that a model's times are finite and not negative, and grow with the message within one
/// protocol.
fn times(route: &Route, model: Option<Model>) {
    let limit = route.eager_limit().map(|limit| limit.value.0);
    let is_eager = |bytes: u64| limit.is_none_or(|limit| bytes <= limit);
    let mut before: Option<(u64, Micros)> = None;
    for bytes in SIZES {
        let Ok(prediction) = model::predict(route, model, Bytes(bytes)) else { continue };
        check_prediction(&prediction);
        // Without a model, measured times are used, and these may fall.
        let Some(time) = prediction.time().filter(|_| model.is_some()) else { continue };
        if let Some((smaller, shorter)) = before
            && is_eager(smaller) == is_eager(bytes)
            && curves_rise(route, Bytes(smaller), Bytes(bytes))
        {
            assert!(shorter.0 <= time.0 * (1.0 + 1e-9), "{model:?}: {smaller} B, {bytes} B");
        }
        before = Some((bytes, time));
    }
}

/// Whether no curve of a route falls between two sizes; measured curves may fall.
fn curves_rise(route: &Route, smaller: Bytes, larger: Bytes) -> bool {
    let curves =
        [Route::send_overhead, Route::recv_overhead, Route::gap_at, Route::initiation, Route::copy];
    curves.iter().all(|curve| match (curve(route, smaller), curve(route, larger)) {
        (Some(a), Some(b)) => a.time.value <= b.time.value,
        _ => true,
    })
}

fn check_prediction(prediction: &Prediction) {
    let Some(total) = prediction.total else { return };
    for time in [total.low, total.value, total.high] {
        assert!(time.0.is_finite() && time.0 >= 0.0, "{total:?}: {prediction:?}");
    }
    assert!(total.low.0 <= total.value.0 && total.value.0 <= total.high.0, "{total:?}");
    assert!(!prediction.formula().contains("NaN"));
}
