//! The end of a run as a function of one parameter, exactly: straight pieces, kinks and jumps.
//!
//! All times of a run are sums of parameters along one way or another, so as long as everything
//! happens in the same order, the end is a straight line. [`Watch`] notes how far the parameter can
//! grow until two times whose order mattered are equal; from there another run goes on. Where the
//! order changes, the end may jump, up or down: an earlier message can let a worse one go first.

use crate::observe::{Observer, Work};
use crate::time::{Moving, Time};

/// How far a parameter can grow: `ticks / per`, more than nothing.
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

/// Notes what the order of a run rests on.
///
/// What happens at one rank follows from what happened there and from what came to it; so only the
/// order at each rank matters, and that of numbers between things of the same time.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    until: Option<Distance>,
    /// Whether all ranks are looked at as one, as where time can go back.
    as_one: bool,
    /// Of each rank, what was taken and is not yet known to be followed by something later: in
    /// general the last only.
    taken: Vec<Vec<u32>>,
    pops: Vec<Pop>,
    /// Of each number, what was being handled when it was given; nothing for the first ones.
    given_by: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Pop {
    time: Moving,
    number: Option<u32>,
    rank: u32,
}

const START: u32 = u32::MAX;

impl Watch {
    /// For so many ranks. Under the rules of [`loggops`](crate::loggops), [time can go
    /// back](crate::loggops::time_goes_back).
    pub fn new(ranks: u32, time_goes_back: bool) -> Self {
        let lanes = if time_goes_back { 1 } else { ranks as usize };
        Watch { as_one: time_goes_back, taken: vec![Vec::new(); lanes], ..Watch::default() }
    }

    /// How much was taken from the queue: what the run has cost.
    pub fn work(&self) -> u64 {
        self.pops.len() as u64
    }

    /// The last whole tick by which the parameter can grow so that all stays in order; `None` where
    /// it can grow for ever.
    pub fn last_in_order(&self) -> Option<u64> {
        self.until.map(|until| until.ticks.div_ceil(until.per).saturating_sub(1))
    }

    fn meets(&mut self, earlier: Moving, later: Moving) {
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

    /// What the order of two things of one time rests on: who of those that gave them their numbers
    /// was first.
    fn follow(&mut self, a: Pop, b: Pop) {
        let (mut a, mut b) = (a, b);
        while a.time == b.time {
            let (Some(first), Some(second)) = (a.number, b.number) else { return };
            let [by, then_by] = [first, second].map(|number| self.given_by[number as usize]);
            if by == then_by || by == START || then_by == START {
                return;
            }
            let [giver, second_giver] = [by, then_by].map(|pop| self.pops[pop as usize]);
            if giver.rank == second_giver.rank {
                return;
            }
            (a, b) = (giver, second_giver);
        }
        if a.time < b.time {
            self.meets(a.time, b.time);
        }
    }
}

impl Observer<Moving> for Watch {
    const PARKS: bool = false;

    fn taken(&mut self, rank: u32, time: Moving, number: Option<u32>) {
        let pop = self.pops.len() as u32;
        self.pops.push(Pop { time, number, rank });
        self.follows(rank, pop);
    }

    fn touched(&mut self, rank: u32) {
        let pop = self.pops.len() as u32 - 1;
        if !self.as_one && self.pops[pop as usize].rank != rank {
            self.follows(rank, pop);
        }
    }

    fn numbered(&mut self, _: u32) {
        self.given_by.push((self.pops.len() as u32).checked_sub(1).unwrap_or(START));
    }

    fn begins(&mut self, _: Work, now: Moving, _: Moving) -> Moving {
        now
    }

    fn order(&mut self, earlier: Moving, later: Moving) {
        self.meets(earlier, later);
    }

    fn later(&mut self, a: Moving, b: Moving) -> Moving {
        self.meets(a.min(b), a.max(b));
        a.max(b)
    }
}

/// A straight piece, over whole ticks of the parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where it begins.
    pub from: u64,
    /// Where it ends; both belong to it.
    pub to: u64,
    /// The end of the run at `from`.
    pub end: u64,
    /// How much later the run ends for each tick of the parameter.
    pub slope: i64,
}

impl Piece {
    /// The end of the run at a value of the parameter in this piece.
    pub fn at(&self, value: u64) -> u64 {
        let grown = i128::from(value) - i128::from(self.from);
        (i128::from(self.end) + grown * i128::from(self.slope)) as u64
    }

    fn holds(&self, other: &Piece) -> bool {
        let same_slope = self.slope == other.slope || other.from == other.to;
        same_slope && self.at(other.from) == other.end
    }

    /// Whether the run's end jumps between this piece and the next: their lines do not meet
    /// between the last tick of this one and the first of that one.
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

/// The end of a run over a range of a parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Curve {
    /// Side by side.
    pub pieces: Vec<Piece>,
    /// Where it was broken off, if there were too many pieces: the last value that is known.
    pub broken_off: Option<u64>,
}

impl Curve {
    /// The curve between two values, both included, from runs: `at` gives the end at a value, and
    /// `beyond` the end right after it, with the last value up to which that stays a line. Once
    /// `goes_on` says no, it is broken off.
    pub fn trace(
        (from, to): (u64, u64),
        mut goes_on: impl FnMut() -> bool,
        mut at: impl FnMut(u64) -> u64,
        mut beyond: impl FnMut(u64) -> (Moving, Option<u64>),
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
            // A single value lies on the line that it begins.
            Some(last) if last.from == last.to && piece.at(last.from) == last.end => {
                *last = Piece { from: last.from, end: last.end, ..piece };
            }
            _ => self.pieces.push(piece),
        }
    }

    /// The end of the run at a value that the curve knows.
    pub fn at(&self, value: u64) -> Option<u64> {
        let piece = self.pieces.partition_point(|piece| piece.to < value);
        self.pieces.get(piece).filter(|piece| piece.from <= value).map(|piece| piece.at(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinks_are_told_from_jumps() {
        let piece = |from, to, end, slope| Piece { from, to, end, slope };
        assert!(!piece(0, 10, 100, 0).jumps_to(&piece(11, 20, 101, 1)));
        assert!(!piece(0, 10, 100, 0).jumps_to(&piece(11, 20, 102, 3)), "meets at 10⅓");
        assert!(piece(0, 10, 100, 0).jumps_to(&piece(11, 20, 105, 1)));
        assert!(piece(0, 10, 100, 2).jumps_to(&piece(11, 20, 121, 2)));
    }

    /// max(100, 3x) and, from 50 on, 1000 less.
    #[test]
    fn a_curve_is_traced_piece_by_piece() {
        let end = |x: u64| if x < 50 { 1100.max(1000 + 3 * x) } else { 3 * x };
        let beyond = |x: u64| match x {
            0..34 => (Moving::new(1100, 0), Some(33 - x)),
            34..50 => (Moving::new(end(x), 3), Some(49 - x)),
            _ => (Moving::new(end(x), 3), None),
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
