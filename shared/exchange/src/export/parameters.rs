//! JSON: the known parameters of one tier and send mode, as plain numbers under the symbols of the
//! papers, with their meanings. An unknown parameter has no key, so the text is also a Python literal.

use loggia_model::Error;
use loggia_model::model::{Need, Route};
use loggia_model::signature::{
    Collective, Curve, Defaults, Form, ProgressKind, Quality, Reach, Signature,
};
use loggia_model::units::{Interval, Magnitude};
use serde::Serialize;
use std::collections::BTreeMap;

/// The meaning of each key.
const MEANING: [(&str, &str); 17] = [
    ("L", "network latency of one small message, us"),
    ("o_s", "send overhead: CPU time of the sender, us by message size"),
    ("o_r", "receive overhead: CPU time of the receiver, us by message size"),
    ("g", "gap: minimum time between two messages, us"),
    ("G", "time per byte of a long message, us/byte"),
    ("EEL", "end-to-end latency of 8 bytes, us"),
    ("g(m)", "gap by message size, us"),
    ("t_s", "startup of Hockney's line t_s + t_b m, us"),
    ("t_b", "time per byte of Hockney's line, us/byte"),
    ("S", "eager limit: largest eager message, bytes"),
    ("O'", "time to process a control message, us"),
    ("O_i", "time to start a transmission, us by message size"),
    ("O_c", "time to copy an eager message out of its buffer, us by message size"),
    ("progress", "DCP: protocols progress only inside MPI calls; ICP: independently"),
    ("transfer", "[size, mechanism]: the mechanism used from this size on"),
    ("collectives", "T(m, p) = T0(p) + t_b(p) m + t_c(p) m, us; bytes_are defines m"),
    (
        "sum",
        "sum of [coefficient, function of p, power]; one_over_sum: its reciprocal. Curves: points \
         [size, us], linear between points, constant outside, not interpolated across S if a \
         point is at S or S + 1; or fixed and per_byte. low and high: bounds of the source",
    ),
];

/// The exported object.
#[derive(Serialize)]
pub(super) struct Parameters<'a> {
    name: &'a str,
    title: &'a str,
    source: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    message: Option<Message<'a>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    collectives: BTreeMap<&'static str, Operation<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_reported: Vec<&'static str>,
    meaning: BTreeMap<&'static str, &'static str>,
}

/// The parameters of a message.
#[derive(Serialize)]
struct Message<'a> {
    tier: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    style: Option<&'a str>,
    /// Between nodes or inside one.
    reach: Reach,
    tiers: usize,
    #[serde(flatten)]
    numbers: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    low: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    high: BTreeMap<&'static str, f64>,
    #[serde(flatten)]
    curves: BTreeMap<&'static str, Shape>,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    transfer: Vec<(u64, &'static str)>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Shape {
    Points { points: Vec<(u64, f64)> },
    Line { fixed: f64, per_byte: f64 },
}

#[derive(Serialize)]
struct Operation<'a> {
    bytes_are: &'static str,
    procs: [u32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<[u64; 2]>,
    #[serde(rename = "T0")]
    startup: Sum,
    #[serde(rename = "t_b", skip_serializing_if = "Option::is_none")]
    per_byte: Option<Sum>,
    #[serde(rename = "t_c", skip_serializing_if = "Option::is_none")]
    compute: Option<Sum>,
    source: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Sum {
    Sum(Vec<(f64, &'static str, f64)>),
    OneOverSum(Vec<(f64, &'static str, f64)>),
}

pub(super) fn json(signature: &Signature, defaults: Defaults) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(&Parameters::of(signature, defaults)?);
    // Serialising numbers and texts cannot fail.
    Ok(format!("{}\n", text.unwrap_or_default()))
}

impl<'a> Parameters<'a> {
    /// The parameters of one tier and send mode; a machine without tiers still has its collectives.
    fn of(signature: &'a Signature, defaults: Defaults) -> Result<Self, Error> {
        let route = match (signature.tiers.as_slice(), defaults.tier, defaults.style) {
            ([], None, None) => None,
            _ => Some(Route::of(signature, defaults.tier, defaults.style)?),
        };
        let numbers = [
            Need::Latency,
            Need::SendOverhead,
            Need::RecvOverhead,
            Need::Gap,
            Need::GapPerByte,
            Need::EndToEndLatency,
            Need::EagerLimit,
        ];
        let is_missing = |need: &Need| route.is_none_or(|route| !route.has(*need));
        Ok(Parameters {
            name: &signature.name,
            title: &signature.title,
            source: signature.origin.summary(),
            message: route.as_ref().map(Message::of),
            collectives: signature
                .collectives
                .iter()
                .map(|c| (c.op.name(), operation(c)))
                .collect(),
            not_reported: numbers.into_iter().filter(is_missing).map(Need::symbol).collect(),
            meaning: MEANING.into_iter().collect(),
        })
    }
}

impl<'a> Message<'a> {
    fn of(route: &Route<'a>) -> Self {
        let micros = |time: Option<Interval<_>>| time.map(magnitude);
        let intervals = [
            ("L", micros(route.latency())),
            ("g", micros(route.gap())),
            ("G", route.gap_per_byte().map(magnitude)),
            ("EEL", micros(route.end_to_end_latency())),
            ("t_s", micros(route.startup())),
            ("t_b", route.per_byte().map(magnitude)),
            ("S", route.eager_limit().map(magnitude)),
            ("O'", micros(route.control_overhead())),
        ];
        let known = intervals.into_iter().filter_map(|(symbol, value)| Some((symbol, value?)));
        let known: Vec<(&str, Interval<f64>)> = known.collect();
        let bounded = || known.iter().filter(|(_, value)| value.is_bounded());
        let progress = route.tier.progress.as_ref();
        let style = route.style;
        let curves = [
            ("o_s", style.and_then(|s| s.send_overhead.as_ref())),
            ("o_r", style.and_then(|s| s.recv_overhead.as_ref())),
            ("g(m)", route.tier.gap_by_size.as_ref()),
            ("O_i", progress.and_then(|p| p.initiation.as_ref())),
            ("O_c", progress.and_then(|p| p.copy.as_ref())),
        ];
        let curves =
            curves.into_iter().filter_map(|(symbol, curve)| Some((symbol, shape(curve?)?)));
        let transfer = progress.map(|p| p.transfer.as_slice()).unwrap_or_default();
        Message {
            tier: &route.tier.name,
            style: style.map(|style| style.name.0.as_str()),
            reach: route.tier.reach,
            tiers: route.signature.tiers.len(),
            low: bounded().map(|(symbol, value)| (*symbol, value.low)).collect(),
            high: bounded().map(|(symbol, value)| (*symbol, value.high)).collect(),
            numbers: known.iter().map(|(symbol, value)| (*symbol, value.value)).collect(),
            curves: curves.collect(),
            progress: progress.and_then(|p| p.kind).map(ProgressKind::symbol),
            transfer: transfer.iter().map(|t| (t.from.0, t.transfer.symbol())).collect(),
        }
    }
}

fn magnitude<U: Magnitude>(interval: Interval<U>) -> Interval<f64> {
    interval.map(U::magnitude)
}

/// `None` if the curve has no usable value.
fn shape(curve: &Curve) -> Option<Shape> {
    if curve.quality == Quality::Unusable {
        return None;
    }
    if let Some(fixed) = curve.fixed {
        return Some(Shape::Line {
            fixed: fixed.0,
            per_byte: curve.per_byte.unwrap_or_default().0,
        });
    }
    let points: Vec<(u64, f64)> = curve.points.iter().map(|p| (p.bytes.0, p.value.0)).collect();
    (!points.is_empty()).then_some(Shape::Points { points })
}

fn operation(form: &Collective) -> Operation<'_> {
    Operation {
        bytes_are: form.bytes_are.name(),
        procs: [form.procs.low.0, form.procs.high.0],
        bytes: form.bytes.as_ref().map(|bytes| [bytes.low.0, bytes.high.0]),
        startup: sum(&form.startup),
        per_byte: form.per_byte.as_ref().map(sum),
        compute: form.compute_per_byte.as_ref().map(sum),
        source: &form.source,
    }
}

fn sum(form: &Form) -> Sum {
    let terms = form.terms.iter().map(|t| (t.value, t.times.words(), t.power)).collect();
    if form.reciprocal { Sum::OneOverSum(terms) } else { Sum::Sum(terms) }
}
