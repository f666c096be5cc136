//! From a signature's prediction to SMPI's sections.
//!
//! What the model charges the two processors becomes `os` and `or`; the rest of an eager message, and
//! all of one that waits for its receiver, is the network's. Where the network's line would need a
//! latency or a time a byte below zero, it is followed by shorter lines that do not.

use super::lines::{Knots, LARGEST, Line, merged, stretches};
use crate::Error;
use crate::model::{self, Model, Prediction, Route};
use crate::signature::{Curve, Reach};
use crate::units::{Bytes, Micros};

/// What SMPI adds to every message, in bytes.
pub(super) const ENVELOPE: u64 = 16;
/// How far a shorter line may be off, and how often a stretch is halved for it.
const CLOSE: f64 = 0.005;
const HALVINGS: u32 = 8;
/// Every byte takes some time there: where the signature has none, this part of what else takes some.
const FLAT: f64 = 1e-6;
/// Nothing is faster, in µs a byte.
const LEAST_PER_BYTE: f64 = 1e-9;

/// All that a platform says of messages.
pub(super) struct Factors {
    pub(super) model: Option<Model>,
    /// lat
    pub(super) latency: Micros,
    /// 1/bw, in µs a byte
    pub(super) per_byte: f64,
    /// lf, as the fixed part of lines over w
    pub(super) latency_factors: Vec<Line>,
    /// bf, as the part a byte
    pub(super) bandwidth_factors: Vec<Line>,
    /// In µs, over k.
    pub(super) send: Vec<Line>,
    pub(super) isend: Vec<Line>,
    pub(super) recv: Vec<Line>,
    /// Smaller messages are eager.
    pub(super) threshold: u64,
    pub(super) loopback: Option<Loopback>,
    /// Not every line of the prediction could be taken as it is.
    pub(super) is_bent: bool,
}

/// Messages inside a node.
pub(super) struct Loopback {
    pub(super) tier: String,
    pub(super) latency: Micros,
    pub(super) per_byte: f64,
    /// Where it is exact.
    pub(super) sizes: [Bytes; 2],
}

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
        let stretches = stretches(&knots(route, limit));
        let mut network = Network { is_bent: false, lines: Vec::new() };
        let (mut send, mut recv) = (Vec::new(), Vec::new());
        for ends in &stretches {
            let at = |size| Ok::<_, Error>(parts(route, size)?.network(is_eager(size)));
            network.add(*ends, HALVINGS, &at)?;
            let [first, last] = [parts(route, ends[0])?, parts(route, ends[1])?];
            let overhead = |of: [f64; 2]| match is_eager(ends[0]) {
                true => Line::through(*ends, of),
                // There SMPI charges none.
                false => Line { after: ends[0] - 1, fixed: 0.0, per_byte: 0.0 },
            };
            send.push(overhead([first.send, last.send]));
            recv.push(overhead([first.recv, last.recv]));
        }
        let send = merged(send);
        let other = |name: &str| sends(route, name, limit, &parts);
        let name = route.style.map_or("", |style| style.name.0.as_str());
        let blocking = if name == "isend" { other("send")? } else { None };
        let non_blocking = if name == "send" { other("isend")? } else { None };
        let empty = parts(route, 0)?.total;
        let mut factors = network.factors(route, empty);
        factors.model = model::predict(route, None, Bytes(1))?.model;
        factors.threshold = limit.map_or(LARGEST, |limit| limit + 1);
        factors.send = blocking.unwrap_or_else(|| send.clone());
        factors.isend = non_blocking.unwrap_or(send);
        factors.recv = merged(recv);
        factors.loopback = Loopback::of(route, &factors, |route, size| parts(route, size));
        Ok(factors)
    }
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
    for ends in stretches(&knots(&other, limit)) {
        if limit.is_none_or(|limit| ends[0] <= limit) {
            let of = [parts(&other, ends[0])?.send, parts(&other, ends[1])?.send];
            lines.push(Line::through(ends, of));
        } else {
            lines.push(Line { after: ends[0] - 1, fixed: 0.0, per_byte: 0.0 });
        }
    }
    Ok(Some(merged(lines)))
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

/// Lines over w.
struct Network {
    is_bent: bool,
    lines: Vec<Line>,
}

impl Network {
    fn add(
        &mut self,
        ends: [u64; 2],
        halvings: u32,
        at: &impl Fn(u64) -> Result<f64, Error>,
    ) -> Result<(), Error> {
        let times = [at(ends[0])?, at(ends[1])?];
        let wire = ends.map(|size| size + ENVELOPE);
        let line = Line::through(wire, times);
        if line.fixed >= 0.0 && (line.per_byte > 0.0 || times == [0.0, 0.0]) {
            self.lines.push(line);
            return Ok(());
        }
        let bent = bent(line, wire, times);
        let middle = ((ends[0] as f64) * (ends[1] as f64)).sqrt() as u64;
        let mut is_off = false;
        for size in [ends[0], middle, ends[1]] {
            let (time, near) = (at(size)?, bent.at(size + ENVELOPE));
            is_off |= (near - time).abs() > CLOSE * time;
        }
        if is_off && halvings > 0 && ends[0] < middle && middle < ends[1] {
            self.add([ends[0], middle], halvings - 1, at)?;
            return self.add([middle + 1, ends[1]], halvings - 1, at);
        }
        self.is_bent |= is_off || line.fixed < 0.0;
        self.lines.push(bent);
        Ok(())
    }

    fn factors(self, route: &Route, empty: f64) -> Factors {
        let lines = merged(self.lines);
        let per_byte = route.gap_per_byte().map(|gap| gap.value.0).filter(|gap| *gap > 0.0);
        let per_byte = per_byte.or(lines.last().map(|line| line.per_byte)).unwrap_or_default();
        let per_byte = per_byte.max(LEAST_PER_BYTE);
        let latency = route.latency().map(|l| l.value.0).filter(|latency| *latency > 0.0);
        let latency = latency.unwrap_or_else(|| lines.iter().map(|l| l.fixed).fold(0.0, f64::max));
        let lf = |fixed: f64| if latency > 0.0 { fixed / latency } else { 1.0 };
        let bf = |each: f64| per_byte / each.max(per_byte * FLAT);
        // Sections are counted over w, and the first holds for empty messages alone, whose
        // processors SMPI charges nothing.
        let first = lines.first().map_or(0.0, |line| line.per_byte);
        let of_empty = (empty - first * ENVELOPE as f64).max(0.0);
        let nothing = Line { after: 0, fixed: lf(of_empty), per_byte: bf(first) };
        let section = |line: &Line| Line {
            after: line.after,
            fixed: lf(line.fixed),
            per_byte: bf(line.per_byte),
        };
        let all: Vec<Line> = std::iter::once(nothing).chain(lines.iter().map(section)).collect();
        let only = |keep: fn(Line) -> Line| merged(all.iter().copied().map(keep).collect());
        Factors {
            model: None,
            latency: Micros(latency),
            per_byte,
            latency_factors: only(|line| Line { per_byte: 0.0, ..line }),
            bandwidth_factors: only(|line| Line { fixed: 0.0, ..line }),
            send: Vec::new(),
            isend: Vec::new(),
            recv: Vec::new(),
            threshold: LARGEST,
            loopback: None,
            is_bent: self.is_bent,
        }
    }
}

/// The nearest line that has no part below zero.
fn bent(line: Line, wire: [u64; 2], times: [f64; 2]) -> Line {
    let middle = |a: f64, b: f64| (a * b).sqrt();
    if line.fixed < 0.0 {
        let [low, high] = [0, 1].map(|end| times[end] / wire[end] as f64);
        return Line { fixed: 0.0, per_byte: middle(low, high), ..line };
    }
    let time = middle(times[0], times[1]);
    Line { fixed: time, per_byte: time * FLAT / wire[1] as f64, ..line }
}

impl Loopback {
    /// The tier inside a node, if it is another than the route's.
    fn of(
        route: &Route,
        factors: &Factors,
        parts: impl Fn(&Route, u64) -> Result<Parts, Error>,
    ) -> Option<Self> {
        let is_it = |tier: &&crate::signature::Tier| {
            tier.reach == Reach::Intra && tier.name != route.tier.name
        };
        let tier = route.signature.tiers.iter().find(is_it)?;
        let style = route.style.map(|style| style.name.0.as_str());
        let inside = Route::near(route.signature, Some(&tier.name), style).ok()?;
        let sizes = [1, 1 << 20];
        let mut rest = [0.0; 2];
        for (rest, size) in rest.iter_mut().zip(sizes) {
            let of = |lines: &[Line], size| last(lines, size).map_or(0.0, |line| line.at(size));
            let overheads = match size < factors.threshold {
                true => of(&factors.send, size) + of(&factors.recv, size),
                false => 0.0,
            };
            *rest = (parts(&inside, size).ok()?.total - overheads).max(0.0);
        }
        // lf·lat + w/bf·(1/bw) = rest, at both sizes.
        let wire = sizes.map(|size| size + ENVELOPE);
        let lf = wire.map(|w| last(&factors.latency_factors, w).map_or(1.0, |line| line.fixed));
        let each = wire.map(|w| {
            w as f64 / last(&factors.bandwidth_factors, w).map_or(1.0, |line| line.per_byte)
        });
        let determinant = lf[0] * each[1] - lf[1] * each[0];
        let latency = (rest[0] * each[1] - rest[1] * each[0]) / determinant;
        let latency = if latency.is_finite() { latency.max(0.0) } else { 0.0 };
        let per_byte = (rest[1] - lf[1] * latency) / each[1];
        let per_byte = per_byte.max(factors.per_byte * FLAT);
        Some(Loopback {
            tier: tier.name.clone(),
            latency: Micros(latency),
            per_byte,
            sizes: sizes.map(Bytes),
        })
    }
}

/// The line that holds at a size.
fn last(lines: &[Line], size: u64) -> Option<&Line> {
    lines.iter().rev().find(|line| line.after < size)
}

fn no_number(route: &Route, size: u64) -> Error {
    Error::new(
        format!("the time of a message of {size} bytes is no number"),
        route.place(),
        "look at the signature's parameters: is one of them in another unit?",
    )
}
