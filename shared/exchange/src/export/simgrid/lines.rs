//! A time over message size as lines, each from one size to another.

use std::collections::BTreeSet;

/// From the byte after a size on: so much, and so much a byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) after: u64,
    pub(super) fixed: f64,
    pub(super) per_byte: f64,
}

/// What SMPI adds to every message, in bytes.
pub(super) const ENVELOPE: u64 = 16;
/// Every byte takes some time there: where the signature has none, this part of what else takes some.
pub(super) const FLAT: f64 = 1e-6;

/// The largest size that SimGrid's sections can name, with the envelope.
pub(super) const LARGEST: u64 = i32::MAX as u64 - ENVELOPE;

/// Messages of up to this size are a section of their own.
pub(super) const SMALL: u64 = 1;

/// Where a time over size may turn, and after which sizes it may jump.
#[derive(Default)]
pub(super) struct Knots {
    pub(super) turns: BTreeSet<u64>,
    pub(super) jumps: BTreeSet<u64>,
}

/// Sizes between which a time is a line: the first and last of each interval.
pub(super) fn intervals(knots: &Knots) -> Vec<[u64; 2]> {
    let Knots { turns, jumps } = knots;
    let mut ends = vec![SMALL];
    for knot in turns.union(jumps).copied().filter(|knot| (SMALL + 1..LARGEST).contains(knot)) {
        // An interval of one size is worth it before a jump only: else the line through the ends of
        // the next goes through it, too, or is off at that size by what a byte makes.
        let is_alone = ends.last().is_some_and(|last| *last + 1 == knot);
        if jumps.contains(&knot) || !(is_alone || jumps.contains(&(knot + 1))) {
            ends.push(knot);
        }
    }
    ends.push(LARGEST);
    ends.windows(2).map(|pair| [pair[0] + 1, pair[1]]).collect()
}

impl Line {
    /// Through the times at the two ends of an interval.
    pub(super) fn through([first, last]: [u64; 2], [low, high]: [f64; 2]) -> Self {
        let per_byte = if last > first { (high - low) / (last - first) as f64 } else { 0.0 };
        Line { after: first - 1, fixed: low - per_byte * first as f64, per_byte }
    }

    /// Whether a link could be so: it takes some time for a byte.
    pub(super) fn is_possible(&self) -> bool {
        self.fixed >= 0.0 && self.per_byte > 0.0
    }

    pub(super) fn at(&self, size: u64) -> f64 {
        self.fixed + self.per_byte * size as f64
    }
}

/// Without those that go on as the one before does.
pub(super) fn merged(lines: Vec<Line>) -> Vec<Line> {
    let mut kept: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        let goes_on = kept.last().is_some_and(|last| {
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
            near(last.fixed, line.fixed) && near(last.per_byte, line.per_byte)
        });
        if !goes_on {
            kept.push(line);
        }
    }
    kept
}
