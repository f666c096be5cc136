//! Converts a signature's prediction to SMPI's sections.
//!
//! The CPU times of the model become `os` and `or`. The network is charged the rest of an eager
//! message, and the whole time of a rendezvous message.

use super::factors::Factors;
use super::lines::{ENVELOPE, Knots, LARGEST, Line, SMALL, intervals, merged};
use super::loopback::loopback;
use super::network::Network;
use crate::error::ExportError;
use loggia_model::Error;
use loggia_model::model::{self, Model, Prediction, Route};
use loggia_model::signature::Curve;
use loggia_model::units::Bytes;

/// The total time of a message and its CPU times, in µs.
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

    /// The network's share; the total time for a rendezvous message.
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
            Parts::of(&prediction).ok_or_else(|| no_time(route, size))
        };
        let intervals = intervals(&knots(route, limit));
        let mut network = Network::default();
        let (mut send, mut recv) = (Vec::new(), Vec::new());
        for ends in &intervals {
            let is_eager = is_eager(ends[0]);
            let mut end_parts = [parts(route, ends[0])?, parts(route, ends[1])?];
            let moved = if is_eager { move_to_network(*ends, &mut end_parts) } else { 0.0 };
            let at = |size| Ok::<_, Error>(parts(route, size)?.network(is_eager) + moved);
            network.add(*ends, &at)?;
            // SMPI charges no overhead for rendezvous messages.
            let no_overhead = Line { after: ends[0] - 1, fixed: 0.0, per_byte: 0.0 };
            let overhead = |part: fn(&Parts) -> f64| match is_eager {
                true => Line::through(*ends, end_parts.each_ref().map(part)),
                false => no_overhead,
            };
            send.push(overhead(|parts| parts.send));
            recv.push(overhead(|parts| parts.recv));
        }
        let [send, recv] = [send, recv].map(overheads);
        let other = |name: &str| send_overheads_of(route, name, limit, &parts);
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

/// The bytes of SMPI's envelope may take longer than the network's latency. Then the missing time is
/// moved from the receiver's, then the sender's overhead to the network; returns it, in µs.
fn move_to_network(ends: [u64; 2], end_parts: &mut [Parts; 2]) -> f64 {
    let times = end_parts.each_ref().map(|parts| parts.network(true));
    let missing = -Line::through(ends.map(|size| size + ENVELOPE), times).fixed;
    let [first, last] = end_parts;
    let mut moved = 0.0;
    for [first, last] in [[&mut first.recv, &mut last.recv], [&mut first.send, &mut last.send]] {
        let share = (missing - moved).min(first.min(*last)).max(0.0);
        *first -= share;
        *last -= share;
        moved += share;
    }
    moved
}

/// The overheads of one CPU, from the smallest size on.
fn overheads(mut lines: Vec<Line>) -> Vec<Line> {
    lines.insert(0, Line { after: 0, fixed: 0.0, per_byte: 0.0 });
    merged(lines)
}

/// The send overheads of another send mode, if the tier has it.
fn send_overheads_of(
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
            let times = [parts(&other, ends[0])?.send, parts(&other, ends[1])?.send];
            lines.push(Line::through(ends, times));
        } else {
            lines.push(Line { after: ends[0] - 1, fixed: 0.0, per_byte: 0.0 });
        }
    }
    Ok(Some(overheads(lines)))
}

/// Sizes where a prediction may change its slope or jump.
fn knots(route: &Route, limit: Option<u64>) -> Knots {
    let style = route.style.into_iter().flat_map(|s| [&s.send_overhead, &s.recv_overhead]);
    let progress = route.tier.progress.iter();
    let steps = progress.clone().flat_map(|p| [&p.initiation, &p.copy]);
    let curves = style.chain(steps).chain([&route.tier.gap_by_size]).flatten();
    let points = curves.flat_map(|curve: &Curve| curve.points.iter().map(|point| point.bytes.0));
    let changes = progress.flat_map(|p| p.transfer.iter().map(|t| t.from.0.saturating_sub(1)));
    Knots { turns: points.collect(), jumps: changes.chain(limit).collect() }
}

fn no_time(route: &Route, bytes: u64) -> Error {
    ExportError::NoTime { place: route.place(), bytes }.into()
}
