//! Exact completion time as a function of one parameter: linear pieces, kinks and jumps.
//!
//! All times of a run are sums of parameters along a path. So the completion time is linear as long
//! as the order of events stays the same. [`Watch`] computes how far the parameter can grow until
//! two times whose order matters are equal; there, another run starts. Where the order changes, the
//! completion time may jump up or down: an earlier message can be processed before a more critical
//! one.

use crate::observe::{Observer, Work};
use crate::time::{Time, TimeWithSlope};

/// Growth of the parameter until two times are equal: `ticks / per`, more than 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Distance {
    ticks: u64,
    per: u64,
}

impl Distance {
    fn is_less(self, other: Self) -> bool {
        u128::from(self.ticks) * u128::from(other.per)
            < u128::from(other.ticks) * u128::from(self.per)
    }
}

/// Observes for which growth of the parameter the order of events stays the same.
///
/// Events of a rank depend only on earlier events there and on arriving messages. So only the order
/// at each rank matters, and the order of numbers between events at the same time.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    until: Option<Distance>,
    /// Whether all ranks are treated as one, because [time can go
    /// back](crate::loggops::time_goes_back).
    as_one: bool,
    /// For each rank, events from the queue that another event at the same time may still follow:
    /// usually only the last one.
    taken: Vec<Vec<u32>>,
    pops: Vec<Pop>,
    /// For each event number, the event that assigned it; [`START`] for the first numbers.
    assigned_by: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Pop {
    time: TimeWithSlope,
    number: Option<u32>,
    rank: u32,
}

const START: u32 = u32::MAX;

impl Watch {
    /// A watch for this many ranks; see [`time_goes_back`](crate::loggops::time_goes_back).
    pub fn new(ranks: u32, time_goes_back: bool) -> Self {
        let lanes = if time_goes_back { 1 } else { ranks as usize };
        Watch { as_one: time_goes_back, taken: vec![Vec::new(); lanes], ..Watch::default() }
    }

    /// Number of events taken from the queue: the cost of the run.
    pub fn work(&self) -> u64 {
        self.pops.len() as u64
    }

    /// The last whole tick up to which the parameter can grow without a change of order; `None` if
    /// it can grow for ever.
    pub fn last_in_order(&self) -> Option<u64> {
        self.until.map(|until| until.ticks.div_ceil(until.per).saturating_sub(1))
    }

    fn limit(&mut self, earlier: TimeWithSlope, later: TimeWithSlope) {
        let closing = earlier.slope().wrapping_sub(later.slope());
        let Ok(per) = u64::try_from(closing) else { return };
        let ticks = later.ticks().wrapping_sub(earlier.ticks());
        let distance = Distance { ticks, per };
        if per > 0 && self.until.is_none_or(|until| distance.is_less(until)) {
            self.until = Some(distance);
        }
    }

    fn follows(&mut self, rank: u32, pop: u32) {
        let lane = if self.as_one { 0 } else { rank as usize };
        let mut before = std::mem::take(&mut self.taken[lane]);
        while let Some(&last) = before.last() {
            let [a, b] = [last, pop].map(|pop| self.pops[pop as usize]);
            if a.time > b.time {
                break;
            }
            self.follow(a, b);
            before.pop();
        }
        before.push(pop);
        self.taken[lane] = before;
    }

    /// Events at the same time are ordered by their numbers, so the order of the events that
    /// assigned the numbers matters.
    fn follow(&mut self, a: Pop, b: Pop) {
        let (mut a, mut b) = (a, b);
        while a.time == b.time {
            let (Some(first), Some(second)) = (a.number, b.number) else { return };
            let [first_assigner, second_assigner] =
                [first, second].map(|number| self.assigned_by[number as usize]);
            if first_assigner == second_assigner
                || first_assigner == START
                || second_assigner == START
            {
                return;
            }
            let [first, second] =
                [first_assigner, second_assigner].map(|pop| self.pops[pop as usize]);
            if first.rank == second.rank {
                return;
            }
            (a, b) = (first, second);
        }
        if a.time < b.time {
            self.limit(a.time, b.time);
        }
    }
}

impl Observer<TimeWithSlope> for Watch {
    fn parks(&self) -> bool {
        false
    }

    fn taken(&mut self, rank: u32, time: TimeWithSlope, number: Option<u32>) {
        let pop = self.pops.len() as u32;
        self.pops.push(Pop { time, number, rank });
        self.follows(rank, pop);
    }

    fn affected(&mut self, rank: u32) {
        let pop = self.pops.len() as u32 - 1;
        if !self.as_one && self.pops[pop as usize].rank != rank {
            self.follows(rank, pop);
        }
    }

    fn numbered(&mut self, _: u32) {
        self.assigned_by.push((self.pops.len() as u32).checked_sub(1).unwrap_or(START));
    }

    fn begins(&mut self, _: Work, now: TimeWithSlope, _: TimeWithSlope) -> TimeWithSlope {
        now
    }

    fn order(&mut self, earlier: TimeWithSlope, later: TimeWithSlope) {
        self.limit(earlier, later);
    }

    fn later(&mut self, a: TimeWithSlope, b: TimeWithSlope) -> TimeWithSlope {
        self.limit(a.min(b), a.max(b));
        a.max(b)
    }
}

/// A linear piece, over whole ticks of the parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// First tick.
    pub from: u64,
    /// Last tick; included.
    pub to: u64,
    /// Completion time at `from`.
    pub end: u64,
    /// Increase of the completion time per tick of the parameter.
    pub slope: i64,
}

impl Piece {
    /// Completion time at a value in this piece.
    pub fn at(&self, value: u64) -> u64 {
        let grown = i128::from(value) - i128::from(self.from);
        (i128::from(self.end) + grown * i128::from(self.slope)) as u64
    }

    fn holds(&self, other: &Piece) -> bool {
        let same_slope = self.slope == other.slope || other.from == other.to;
        same_slope && self.at(other.from) == other.end
    }

    /// Whether the curve jumps between this piece and the next: their lines do not intersect
    /// between the last tick of this piece and the first tick of the next.
    pub fn jumps_to(&self, next: &Piece) -> bool {
        let [rise, fall] = [self.slope, next.slope].map(i128::from);
        let apart = i128::from(next.end) - i128::from(self.at(self.to)) - fall;
        let closing = rise - fall;
        match closing.signum() {
            0 => true,
            1 => !(0..=closing).contains(&apart),
            _ => !(closing..=0).contains(&apart),
        }
    }
}

/// Completion time over a range of a parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Curve {
    /// Adjacent pieces.
    pub pieces: Vec<Piece>,
    /// The last computed value, if there were too many pieces.
    pub broken_off: Option<u64>,
}

impl Curve {
    /// Computes the curve between two values, both included. `at` returns the completion time at a
    /// value; `beyond` returns the completion time right after it, and how far the curve stays
    /// linear. Stops early when `goes_on` returns false.
    pub fn trace(
        (from, to): (u64, u64),
        mut goes_on: impl FnMut() -> bool,
        mut at: impl FnMut(u64) -> u64,
        mut beyond: impl FnMut(u64) -> (TimeWithSlope, Option<u64>),
    ) -> Self {
        let mut curve = Curve::default();
        let mut value = from;
        while value <= to {
            if value > from && !goes_on() {
                curve.broken_off = Some(value - 1);
                break;
            }
            let (end, in_order) = beyond(value);
            let here = Piece { from: value, to: value, end: at(value), slope: end.slope() };
            let last = in_order.map_or(to, |more| value.saturating_add(more)).min(to);
            curve.add(here);
            if last > value {
                let line = Piece { end: end.ticks(), ..here };
                let from = value + 1;
                curve.add(Piece { from, to: last, end: line.at(from), ..line });
            }
            let Some(next) = last.checked_add(1) else { break };
            value = next;
        }
        curve
    }

    fn add(&mut self, piece: Piece) {
        match self.pieces.last_mut() {
            Some(last) if last.holds(&piece) => last.to = piece.to,
            // A piece of a single value may belong to the next line.
            Some(last) if last.from == last.to && piece.at(last.from) == last.end => {
                *last = Piece { from: last.from, end: last.end, ..piece };
            }
            _ => self.pieces.push(piece),
        }
    }

    /// Completion time at a value, if it was computed.
    pub fn at(&self, value: u64) -> Option<u64> {
        let piece = self.pieces.partition_point(|piece| piece.to < value);
        self.pieces.get(piece).filter(|piece| piece.from <= value).map(|piece| piece.at(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinks_are_distinguished_from_jumps() {
        let piece = |from, to, end, slope| Piece { from, to, end, slope };
        assert!(!piece(0, 10, 100, 0).jumps_to(&piece(11, 20, 101, 1)));
        assert!(!piece(0, 10, 100, 0).jumps_to(&piece(11, 20, 102, 3)), "meets at 10⅓");
        assert!(piece(0, 10, 100, 0).jumps_to(&piece(11, 20, 105, 1)));
        assert!(piece(0, 10, 100, 2).jumps_to(&piece(11, 20, 121, 2)));
    }

    /// max(1100, 1000 + 3x); from 50 on, 1000 less.
    #[test]
    fn a_curve_is_traced_piece_by_piece() {
        let end = |x: u64| if x < 50 { 1100.max(1000 + 3 * x) } else { 3 * x };
        let beyond = |x: u64| match x {
            0..34 => (TimeWithSlope::new(1100, 0), Some(33 - x)),
            34..50 => (TimeWithSlope::new(end(x), 3), Some(49 - x)),
            _ => (TimeWithSlope::new(end(x), 3), None),
        };
        let curve = Curve::trace((0, 90), || true, end, beyond);
        assert_eq!(curve.pieces.len(), 3, "{curve:?}");
        assert!((0..=90).all(|x| curve.at(x) == Some(end(x))));
        assert!(!curve.pieces[0].jumps_to(&curve.pieces[1]));
        assert!(curve.pieces[1].jumps_to(&curve.pieces[2]));
        assert_eq!(curve.at(91), None);
        let broken = Curve::trace((0, 90), || false, end, beyond);
        assert_eq!(broken.broken_off, Some(33));
    }
}
