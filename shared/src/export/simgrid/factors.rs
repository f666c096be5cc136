//! From a signature's prediction to SMPI's sections.
//!
//! What the model charges the two processors becomes `os` and `or`; the rest of an eager message, and
//! all of one that waits for its receiver, is the network's. Where the network's line would need a
//! latency or a time a byte below zero, it is followed by shorter lines that do not.

use super::lines::{Knots, LARGEST, Line, SMALL, merged, stretches};
use crate::Error;
use crate::model::{self, Model, Prediction, Route};
use crate::signature::{Curve, Reach, Tier};
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
    /// What messages of two sizes take there, and what they should.
    pub(super) times: [(Bytes, Micros, Micros); 2],
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
            let is_eager = is_eager(ends[0]);
            let mut of = [parts(route, ends[0])?, parts(route, ends[1])?];
            let spared = if is_eager { spared(*ends, &mut of) } else { 0.0 };
            let at = |size| Ok::<_, Error>(parts(route, size)?.network(is_eager) + spared);
            network.add(*ends, HALVINGS, &at)?;
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
        factors.loopback = Loopback::of(route, &factors, |route, size| parts(route, size));
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
    for ends in stretches(&knots(&other, limit)) {
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
        if line.is_possible() || times == [0.0, 0.0] {
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
        if is_off && halvings > 0 && middle < ends[1] {
            self.add([ends[0], middle], halvings - 1, at)?;
            return self.add([middle + 1, ends[1]], halvings - 1, at);
        }
        self.is_bent |= is_off || line.fixed < 0.0;
        self.lines.push(bent);
        Ok(())
    }

    fn factors(self, route: &Route, small: [f64; 2]) -> Factors {
        let lines = merged(self.lines);
        let per_byte = route.gap_per_byte().map(|gap| gap.value.0).filter(|gap| *gap > 0.0);
        let per_byte = per_byte.or(lines.last().map(|line| line.per_byte)).unwrap_or_default();
        let per_byte = per_byte.max(LEAST_PER_BYTE);
        // Sections are counted over w.
        let lines: Vec<Line> = of_small(small).into_iter().chain(lines).collect();
        let latency = route.latency().map(|l| l.value.0).filter(|latency| *latency > 0.0);
        let latency = latency.unwrap_or_else(|| lines.iter().map(|l| l.fixed).fold(0.0, f64::max));
        let lf = |fixed: f64| if latency > 0.0 { whole(fixed / latency) } else { 1.0 };
        let bf = |each: f64| whole(per_byte / each.max(per_byte * FLAT));
        let section = |line: &Line| Line {
            after: line.after,
            fixed: lf(line.fixed),
            per_byte: bf(line.per_byte),
        };
        let all: Vec<Line> = lines.iter().map(section).collect();
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

/// Messages of 0 and of 1 bytes: on a line, or each for itself.
fn of_small(times: [f64; 2]) -> Vec<Line> {
    let wire = [ENVELOPE, ENVELOPE + SMALL];
    let line = Line { after: 0, ..Line::through(wire, times) };
    if line.is_possible() {
        return vec![line];
    }
    let flat = |after, place: usize| {
        let line = Line { after, fixed: times[place], per_byte: 0.0 };
        bent(line, [wire[place]; 2], [times[place]; 2])
    };
    vec![flat(0, 0), flat(ENVELOPE, 1)]
}

/// A factor without what rounding left beside 1.
fn whole(factor: f64) -> f64 {
    if (factor - 1.0).abs() < 1e-9 { 1.0 } else { factor }
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
        let is_it = |tier: &&Tier| tier.reach == Reach::Intra && tier.name != route.tier.name;
        let tier = route.signature.tiers.iter().find(is_it)?;
        let style = route.style.map(|style| style.name.0.as_str());
        let inside = Route::near(route.signature, Some(&tier.name), style).ok()?;
        let [small, large] = [8, 1 << 20].map(|size| factors.shares(size));
        let total = |size| Some(parts(&inside, size).ok()?.total);
        let totals = [total(8)?, total(1 << 20)?];
        // overheads + lf·lat + each/bw = total, at both sizes.
        let rest = [totals[0] - small.overheads, totals[1] - large.overheads];
        let latency = (rest[0] * large.each - rest[1] * small.each)
            / (small.lf * large.each - large.lf * small.each);
        let latency = if latency.is_finite() { latency.max(0.0) } else { 0.0 };
        let per_byte = (rest[1] - large.lf * latency) / large.each;
        let per_byte = per_byte.max(factors.per_byte * FLAT);
        let times =
            [(8, &small, totals[0]), (1 << 20, &large, totals[1])].map(|(size, at, total)| {
                let theirs = at.overheads + at.lf * latency + at.each * per_byte;
                (Bytes(size), Micros(theirs), Micros(total))
            });
        Some(Loopback { tier: tier.name.clone(), latency: Micros(latency), per_byte, times })
    }
}

/// What SMPI makes of a message of one size.
struct Shares {
    overheads: f64,
    lf: f64,
    /// w/bf
    each: f64,
}

impl Factors {
    fn shares(&self, size: u64) -> Shares {
        let of = |lines: &[Line]| last(lines, size).map_or(0.0, |line| line.at(size));
        let is_eager = size < self.threshold;
        let wire = size + ENVELOPE;
        let factor = |lines: &[Line], part: fn(&Line) -> f64| last(lines, wire).map_or(1.0, part);
        Shares {
            overheads: if is_eager { of(&self.send) + of(&self.recv) } else { 0.0 },
            lf: factor(&self.latency_factors, |line| line.fixed),
            each: wire as f64 / factor(&self.bandwidth_factors, |line| line.per_byte),
        }
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
