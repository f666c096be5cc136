//! JSON: what is known of one way between two processes, as plain numbers under the papers'
//! symbols, each explained in the same object. An unknown parameter has no key, so the text is a
//! Python literal, too.

use loggia_model::Error;
use loggia_model::model::{Need, Route};
use loggia_model::signature::{
    Collective, Curve, Defaults, Form, ProgressKind, Quality, Reach, Signature,
};
use loggia_model::units::{Interval, Magnitude};
use serde::Serialize;
use std::collections::BTreeMap;

/// What each key holds.
const MEANING: [(&str, &str); 17] = [
    ("L", "latency of the network for one small message, us"),
    ("o_s", "the sender's processor is busy so long, us by message size"),
    ("o_r", "the receiver's processor is busy so long, us by message size"),
    ("g", "the least time between two messages, us"),
    ("G", "time per byte of a long message, us/byte"),
    ("EEL", "end-to-end latency of 8 bytes, us"),
    ("g(m)", "gap by message size, us"),
    ("t_s", "startup of Hockney's line t_s + t_b m, us"),
    ("t_b", "time per byte of Hockney's line, us/byte"),
    ("S", "the largest eager message"),
    ("O'", "processing a control message, us"),
    ("O_i", "starting a transmission, us by message size"),
    ("O_c", "copying an eager message out of its buffer, us by message size"),
    ("progress", "DCP: a protocol moves on in calls only; ICP: by itself"),
    ("transfer", "[size, mechanism]: from that size on"),
    ("collectives", "T(m, p) = T0(p) + t_b(p) m + t_c(p) m, us; m counts what bytes_are says"),
    (
        "sum",
        "[coefficient, function of p, power], summed; one_over_sum: one over that. Curves: points \
         [size, us], linear between, constant outside, never across S where a point is at S or \
         S + 1; or fixed and per_byte. low and high: bounds that the source gives",
    ),
];

/// All of it.
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

/// Of one message.
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

/// As JSON text.
pub(super) fn json(signature: &Signature, way: Defaults) -> Result<String, Error> {
    let text = serde_json::to_string_pretty(&Parameters::of(signature, way)?);
    // Numbers and texts are always JSON.
    Ok(format!("{}\n", text.unwrap_or_default()))
}

impl<'a> Parameters<'a> {
    /// Of that way; a machine without any has its collective operations still.
    fn of(signature: &'a Signature, way: Defaults) -> Result<Self, Error> {
        let route = match (signature.tiers.as_slice(), way.tier, way.style) {
            ([], None, None) => None,
            _ => Some(Route::of(signature, way.tier, way.style)?),
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
        let us = |time: Option<Interval<_>>| time.map(plain);
        let intervals = [
            ("L", us(route.latency())),
            ("g", us(route.gap())),
            ("G", route.gap_per_byte().map(plain)),
            ("EEL", us(route.end_to_end_latency())),
            ("t_s", us(route.startup())),
            ("t_b", route.per_byte().map(plain)),
            ("S", route.eager_limit().map(plain)),
            ("O'", us(route.control_overhead())),
        ];
        let known = intervals.into_iter().filter_map(|(symbol, of)| Some((symbol, of?)));
        let known: Vec<(&str, Interval<f64>)> = known.collect();
        let bounded = || known.iter().filter(|(_, of)| of.is_bounded());
        let progress = route.tier.progress.as_ref();
        let style = route.style;
        let curves = [
            ("o_s", style.and_then(|s| s.send_overhead.as_ref())),
            ("o_r", style.and_then(|s| s.recv_overhead.as_ref())),
            ("g(m)", route.tier.gap_by_size.as_ref()),
            ("O_i", progress.and_then(|p| p.initiation.as_ref())),
            ("O_c", progress.and_then(|p| p.copy.as_ref())),
        ];
        let curves = curves.into_iter().filter_map(|(symbol, of)| Some((symbol, shape(of?)?)));
        let transfer = progress.map(|p| p.transfer.as_slice()).unwrap_or_default();
        Message {
            tier: &route.tier.name,
            style: style.map(|style| style.name.0.as_str()),
            reach: route.tier.reach,
            tiers: route.signature.tiers.len(),
            low: bounded().map(|(symbol, of)| (*symbol, of.low)).collect(),
            high: bounded().map(|(symbol, of)| (*symbol, of.high)).collect(),
            numbers: known.iter().map(|(symbol, of)| (*symbol, of.value)).collect(),
            curves: curves.collect(),
            progress: progress.and_then(|p| p.kind).map(ProgressKind::symbol),
            transfer: transfer.iter().map(|t| (t.from.0, t.transfer.symbol())).collect(),
        }
    }
}

fn plain<U: Magnitude>(of: Interval<U>) -> Interval<f64> {
    of.map(U::magnitude)
}

/// None where there is no value.
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
