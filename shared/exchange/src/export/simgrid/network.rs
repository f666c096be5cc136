//! The network's part of a message as lines over w, and as factors.
//!
//! Where a line would need a latency or a time per byte below zero, it is followed by shorter lines that
//! do not.

use super::factors::Factors;
use super::lines::{ENVELOPE, FLAT, LARGEST, Line, SMALL, merged};
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::units::Micros;

/// How far a shorter line may be off, and how often an interval is halved for it.
const CLOSE: f64 = 0.005;
const HALVINGS: u32 = 8;
/// Nothing is faster, in µs a byte.
const LEAST_PER_BYTE: f64 = 1e-9;

/// Lines over w.
#[derive(Default)]
pub(super) struct Network {
    /// Not every line could be taken as it is.
    is_bent: bool,
    lines: Vec<Line>,
}

impl Network {
    /// The line between two sizes.
    pub(super) fn add(
        &mut self,
        ends: [u64; 2],
        at: &impl Fn(u64) -> Result<f64, Error>,
    ) -> Result<(), Error> {
        self.halved(ends, HALVINGS, at)
    }

    fn halved(
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
            self.halved([ends[0], middle], halvings - 1, at)?;
            return self.halved([middle + 1, ends[1]], halvings - 1, at);
        }
        self.is_bent |= is_off || line.fixed < 0.0;
        self.lines.push(bent);
        Ok(())
    }

    /// What a platform says of them; what it says of processors is still to come.
    pub(super) fn factors(self, route: &Route, small: [f64; 2]) -> Factors {
        let lines = merged(self.lines);
        let per_byte = route.gap_per_byte().map(|gap| gap.value.0).filter(|gap| *gap > 0.0);
        let per_byte = per_byte.or(lines.last().map(|line| line.per_byte)).unwrap_or_default();
        // The link of a node is its network card, which its ranks share; a factor slows one message down.
        let card = route.node_gap_per_byte().map(|card| card.value.0);
        let per_byte = per_byte.min(card.unwrap_or(f64::INFINITY)).max(LEAST_PER_BYTE);
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
