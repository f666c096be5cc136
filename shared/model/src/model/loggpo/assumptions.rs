//! Assumed values for unknown parameters of LogGPO. With them, eager messages take the time of
//! LogGP or of Hockney's line.

use super::super::{Need, Route};
use crate::signature::{Curve, Transfer};
use crate::units::words::number;
use crate::units::{Bytes, Micros};

/// An assumed value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The parameter, as [`Signature::set`](crate::Signature::set) knows it.
    pub symbol: &'static str,
    /// The value as the user would type it.
    pub value: String,
    /// The reason for this value.
    pub why: &'static str,
}

const SMALLEST: Bytes = Bytes(1);

/// All unknown parameters, with a value.
pub fn assumptions(route: &Route) -> Vec<Assumption> {
    let lacks = |need: Need| !route.has(need);
    let assume = |symbol, (value, why): (String, &'static str)| Assumption { symbol, value, why };
    let mut all = Vec::new();
    if lacks(Need::EagerLimit) {
        all.push(assume("S", ("16KiB".to_owned(), "a usual limit")));
    }
    if lacks(Need::ControlOverhead) {
        all.push(assume("O'", control(route)));
    }
    if lacks(Need::Initiation) {
        let send = route.style.and_then(|style| style.send_overhead.as_ref());
        all.push(assume("O_i", side(route, send, "o_s at every size")));
    }
    if lacks(Need::Copy) {
        let recv = route.style.and_then(|style| style.recv_overhead.as_ref());
        all.push(assume("O_c", side(route, recv, "o_r at every size")));
    }
    if lacks(Need::Latency) {
        all.push(assume("L", latency(route)));
    }
    if lacks(Need::GapPerByte) {
        all.push(assume("G", gap(route)));
    }
    if lacks(Need::ProgressKind) {
        all.push(assume(
            "progress",
            ("dependent".to_owned(), "as on both platforms of Chen et al. 2009"),
        ));
    }
    let largest = route.tier.progress.as_ref().and_then(|p| p.transfer_at(Bytes(u64::MAX)));
    if !matches!(largest, Some(Transfer::Rat | Transfer::Rta)) {
        all.push(assume("transfer", ("rat".to_owned(), "the case that Chen et al. 2009 work out")));
    }
    all
}

fn micros(value: Micros) -> String {
    format!("{}us", number(value.0, 12))
}

/// One third of Hockney's startup t_s, if only t_s is known.
fn third(route: &Route) -> (String, &'static str) {
    match route.startup() {
        Some(startup) => (micros(startup.value * (1.0 / 3.0)), "a third of t_s"),
        None => ("0us".to_owned(), "neglected"),
    }
}

fn control(route: &Route) -> (String, &'static str) {
    match route.mean_overhead() {
        Some(mean) => (micros(mean.value), "the mean of o_s and o_r of the smallest message"),
        None => third(route),
    }
}

fn side(route: &Route, overhead: Option<&Curve>, why: &'static str) -> (String, &'static str) {
    let Some(curve) = overhead.filter(|curve| curve.at(SMALLEST).is_some()) else {
        return third(route);
    };
    let points: Vec<String> =
        curve.points.iter().map(|p| format!("{}:{}", p.bytes.0, micros(p.value))).collect();
    if points.is_empty() {
        let fixed = curve.at(SMALLEST).map_or(Micros(0.0), |at| at.time.value);
        return (micros(fixed), why);
    }
    (points.join(","), why)
}

fn latency(route: &Route) -> (String, &'static str) {
    let overheads = route.send_overhead(SMALLEST).zip(route.recv_overhead(SMALLEST));
    match route.end_to_end_latency().zip(overheads) {
        Some((whole, (send, recv))) => {
            let left = whole.value - send.time.value - recv.time.value;
            (micros(left.max(Micros(0.0))), "EEL − o_s − o_r")
        }
        None => third(route),
    }
}

fn gap(route: &Route) -> (String, &'static str) {
    match route.per_byte() {
        Some(each) => (format!("{}ns", number(each.value.0 * 1e3, 12)), "t_b"),
        None => ("10ns".to_owned(), "100 MB/s, a round number"),
    }
}
