//! From a signature's prediction to SMPI's sections.
//!
//! What the model charges the two processors becomes `os` and `or`; the rest of an eager message, and
//! all of one that waits for its receiver, is the network's.

use super::factors::Factors;
use super::lines::{ENVELOPE, Knots, LARGEST, Line, SMALL, intervals, merged};
use super::loopback::loopback;
use super::network::Network;
use crate::error::ExportError;
use loggia_model::Error;
use loggia_model::model::{self, Model, Prediction, Route};
use loggia_model::signature::Curve;
use loggia_model::units::Bytes;

/// What a message costs, and whom, in µs.
#[derive(Clone, Copy)]
struct Parts {
    total: f64,
    send: f64,
    recv: f64,
}

impl Parts {
    fn of(prediction: &Prediction) -> Option<Self> {
        let first = |symbols: [&str; 3]| {
            let term = prediction.terms.iter().find(|term| symbols.contains(&term.symbol));
            term.map_or(0.0, |term| term.each.value.0)
        };
        let total = prediction.time()?.0;
        Some(Parts {
            total,
            send: first(["o_s", "s_s", "O_i"]),
            recv: first(["o_r", "s_r", "O_c"]),
        })
    }

    /// What neither processor pays; all of it where they wait for each other.
    fn network(&self, is_eager: bool) -> f64 {
        if is_eager { (self.total - self.send - self.recv).max(0.0) } else { self.total }
    }
}

impl Factors {
    pub(super) fn of(route: &Route) -> Result<Self, Error> {
        let limit = route.eager_limit().map(|limit| limit.value.0).filter(|s| *s < LARGEST);
        let is_eager = |size: u64| limit.is_none_or(|limit| size <= limit);
        let parts = |route: &Route, size: u64| {
            let prediction = model::predict(route, None, Bytes(size))?;
            Parts::of(&prediction).ok_or_else(|| no_number(route, size))
        };
        let intervals = intervals(&knots(route, limit));
        let mut network = Network::default();
        let (mut send, mut recv) = (Vec::new(), Vec::new());
        for ends in &intervals {
            let is_eager = is_eager(ends[0]);
            let mut of = [parts(route, ends[0])?, parts(route, ends[1])?];
            let spared = if is_eager { spared(*ends, &mut of) } else { 0.0 };
            let at = |size| Ok::<_, Error>(parts(route, size)?.network(is_eager) + spared);
            network.add(*ends, &at)?;
            // There SMPI charges none.
            let nothing = Line { after: ends[0] - 1, fixed: 0.0, per_byte: 0.0 };
            let overhead = |part: fn(&Parts) -> f64| match is_eager {
                true => Line::through(*ends, of.each_ref().map(part)),
                false => nothing,
            };
            send.push(overhead(|parts| parts.send));
            recv.push(overhead(|parts| parts.recv));
        }
        let [send, recv] = [send, recv].map(overheads);
        let other = |name: &str| sends(route, name, limit, &parts);
        let name = route.style.map_or("", |style| style.name.0.as_str());
        let blocking = if name == "isend" { other("send")? } else { None };
        let non_blocking = if name == "send" { other("isend")? } else { None };
        let small = [parts(route, 0)?.total, parts(route, SMALL)?.total];
        let mut factors = network.factors(route, small);
        factors.model = model::predict(route, None, Bytes(1))?.model;
        factors.threshold = limit.map_or(LARGEST, |limit| limit + 1);
        factors.send = blocking.unwrap_or_else(|| send.clone());
        factors.isend = non_blocking.unwrap_or(send);
        factors.recv = recv;
        factors.loopback = loopback(route, &factors);
        Ok(factors)
    }
}

/// The bytes of SMPI's envelope may take longer than the network's latency: what is missing is spared
/// by the receiver, then by the sender. So much is then the network's, in µs.
fn spared(ends: [u64; 2], of: &mut [Parts; 2]) -> f64 {
    let times = of.each_ref().map(|parts| parts.network(true));
    let missing = -Line::through(ends.map(|size| size + ENVELOPE), times).fixed;
    let [first, last] = of;
    let mut spared = 0.0;
    for [first, last] in [[&mut first.recv, &mut last.recv], [&mut first.send, &mut last.send]] {
        let share = (missing - spared).min(first.min(*last)).max(0.0);
        *first -= share;
        *last -= share;
        spared += share;
    }
    spared
}

/// What a processor pays, from the smallest size on.
fn overheads(mut lines: Vec<Line>) -> Vec<Line> {
    lines.insert(0, Line { after: 0, fixed: 0.0, per_byte: 0.0 });
    merged(lines)
}

/// What another style's sender pays, if there is one.
fn sends(
    route: &Route,
    name: &str,
    limit: Option<u64>,
    parts: &impl Fn(&Route, u64) -> Result<Parts, Error>,
) -> Result<Option<Vec<Line>>, Error> {
    let Some(style) = route.tier.styles.iter().find(|style| style.name.0 == name) else {
        return Ok(None);
    };
    let other = Route { style: Some(style), ..*route };
    if Model::richest(&other) != Model::richest(route) {
        return Ok(None);
    }
    let mut lines = Vec::new();
    for ends in intervals(&knots(&other, limit)) {
        if limit.is_none_or(|limit| ends[0] <= limit) {
            let of = [parts(&other, ends[0])?.send, parts(&other, ends[1])?.send];
            lines.push(Line::through(ends, of));
        } else {
            lines.push(Line { after: ends[0] - 1, fixed: 0.0, per_byte: 0.0 });
        }
    }
    Ok(Some(overheads(lines)))
}

/// Where a prediction may turn or jump.
fn knots(route: &Route, limit: Option<u64>) -> Knots {
    let style = route.style.into_iter().flat_map(|s| [&s.send_overhead, &s.recv_overhead]);
    let progress = route.tier.progress.iter();
    let steps = progress.clone().flat_map(|p| [&p.initiation, &p.copy]);
    let curves = style.chain(steps).chain([&route.tier.gap_by_size]).flatten();
    let points = curves.flat_map(|curve: &Curve| curve.points.iter().map(|point| point.bytes.0));
    let changes = progress.flat_map(|p| p.transfer.iter().map(|t| t.from.0.saturating_sub(1)));
    Knots { turns: points.collect(), jumps: changes.chain(limit).collect() }
}

fn no_number(route: &Route, bytes: u64) -> Error {
    ExportError::NoTime { place: route.place(), bytes }.into()
}
