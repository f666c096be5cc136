//! A piecewise linear time over message size.

use std::collections::BTreeSet;

/// A linear piece that starts at the size `after` + 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) after: u64,
    pub(super) fixed: f64,
    pub(super) per_byte: f64,
}

/// The envelope that SMPI adds to every message, in bytes.
pub(super) const ENVELOPE: u64 = 16;
/// SimGrid needs a positive time per byte: this fraction of the other times replaces 0.
pub(super) const FLAT: f64 = 1e-6;

/// The largest size whose wire size fits SimGrid's sections.
pub(super) const LARGEST: u64 = i32::MAX as u64 - ENVELOPE;

/// Messages up to this size have their own section.
pub(super) const SMALL: u64 = 1;

/// Sizes where the slope of a time may change, and sizes after which the time may jump.
#[derive(Default)]
pub(super) struct Knots {
    pub(super) turns: BTreeSet<u64>,
    pub(super) jumps: BTreeSet<u64>,
}

/// The first and last size of each linear interval.
pub(super) fn intervals(knots: &Knots) -> Vec<[u64; 2]> {
    let Knots { turns, jumps } = knots;
    let mut ends = vec![SMALL];
    for knot in turns.union(jumps).copied().filter(|knot| (SMALL + 1..LARGEST).contains(knot)) {
        // An interval of one size is needed only before a jump: otherwise the next line covers
        // it, with an error of at most one byte's time.
        let is_alone = ends.last().is_some_and(|last| *last + 1 == knot);
        if jumps.contains(&knot) || !(is_alone || jumps.contains(&(knot + 1))) {
            ends.push(knot);
        }
    }
    ends.push(LARGEST);
    ends.windows(2).map(|pair| [pair[0] + 1, pair[1]]).collect()
}

impl Line {
    /// The line through the times at both ends of an interval.
    pub(super) fn through([first, last]: [u64; 2], [low, high]: [f64; 2]) -> Self {
        let per_byte = if last > first { (high - low) / (last - first) as f64 } else { 0.0 };
        Line { after: first - 1, fixed: low - per_byte * first as f64, per_byte }
    }

    /// Whether a link can have these values: no negative latency, a positive time per byte.
    pub(super) fn is_possible(&self) -> bool {
        self.fixed >= 0.0 && self.per_byte > 0.0
    }

    pub(super) fn at(&self, size: u64) -> f64 {
        self.fixed + self.per_byte * size as f64
    }
}

/// Merges adjacent lines with equal coefficients.
pub(super) fn merged(lines: Vec<Line>) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        let is_equal = kept.last().is_some_and(|last| {
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
            near(last.fixed, line.fixed) && near(last.per_byte, line.per_byte)
        });
        if !is_equal {
            kept.push(line);
        }
    }
    kept
}
