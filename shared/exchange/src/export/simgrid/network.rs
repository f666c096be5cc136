//! The network's share of a message time, as lines over w and as factors.
//!
//! A line with a negative latency or time per byte is approximated by shorter lines without
//! negative values.

use super::factors::Factors;
use super::lines::{ENVELOPE, FLAT, LARGEST, Line, SMALL, merged};
use loggia_model::Error;
use loggia_model::model::Route;
use loggia_model::units::Micros;

/// Maximum relative error of a shorter line, and maximum number of halvings of an interval.
const MAX_ERROR: f64 = 0.005;
const MAX_HALVINGS: u32 = 8;
/// Lower bound of the time per byte, in µs.
const MIN_PER_BYTE: f64 = 1e-9;

/// Lines over w.
#[derive(Default)]
pub(super) struct Network {
    /// Whether a line was approximated.
    is_bent: bool,
    lines: Vec<Line>,
}

impl Network {
    /// Adds the line between two sizes.
    pub(super) fn add(
        &mut self,
        ends: [u64; 2],
        at: &impl Fn(u64) -> Result<f64, Error>,
    ) -> Result<(), Error> {
        self.halved(ends, MAX_HALVINGS, at)
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
        let mut is_inaccurate = false;
        for size in [ends[0], middle, ends[1]] {
            let (time, approximated) = (at(size)?, bent.at(size + ENVELOPE));
            is_inaccurate |= (approximated - time).abs() > MAX_ERROR * time;
        }
        if is_inaccurate && halvings > 0 && middle < ends[1] {
            self.halved([ends[0], middle], halvings - 1, at)?;
            return self.halved([middle + 1, ends[1]], halvings - 1, at);
        }
        self.is_bent |= is_inaccurate || line.fixed < 0.0;
        self.lines.push(bent);
        Ok(())
    }

    /// The network's factors; the caller adds the overheads.
    pub(super) fn factors(self, route: &Route, small: [f64; 2]) -> Factors {
        let lines = merged(self.lines);
        let per_byte = route.gap_per_byte().map(|gap| gap.value.0).filter(|gap| *gap > 0.0);
        let per_byte = per_byte.or(lines.last().map(|line| line.per_byte)).unwrap_or_default();
        // A node's link is its shared network card; a factor slows down a single message.
        let card = route.node_gap_per_byte().map(|card| card.value.0);
        let per_byte = per_byte.min(card.unwrap_or(f64::INFINITY)).max(MIN_PER_BYTE);
        // Sections refer to w.
        let lines: Vec<Line> = of_small(small).into_iter().chain(lines).collect();
        let latency = route.latency().map(|l| l.value.0).filter(|latency| *latency > 0.0);
        let latency = latency.unwrap_or_else(|| lines.iter().map(|l| l.fixed).fold(0.0, f64::max));
        let lf = |fixed: f64| if latency > 0.0 { rounded(fixed / latency) } else { 1.0 };
        let bf = |each: f64| rounded(per_byte / each.max(per_byte * FLAT));
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

/// Lines for messages of 0 and 1 bytes: one line, or one for each.
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

/// Rounds a factor to 1 if it differs only by rounding errors.
fn rounded(factor: f64) -> f64 {
    if (factor - 1.0).abs() < 1e-9 { 1.0 } else { factor }
}

/// The nearest line without negative coefficients.
fn bent(line: Line, wire: [u64; 2], times: [f64; 2]) -> Line {
    let geometric_mean = |a: f64, b: f64| (a * b).sqrt();
    if line.fixed < 0.0 {
        let [low, high] = [0, 1].map(|end| times[end] / wire[end] as f64);
        return Line { fixed: 0.0, per_byte: geometric_mean(low, high), ..line };
    }
    let time = geometric_mean(times[0], times[1]);
    Line { fixed: time, per_byte: time * FLAT / wire[1] as f64, ..line }
}
