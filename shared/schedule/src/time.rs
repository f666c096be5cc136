//! Time as an integer number of ticks, with or without an infinitesimal part.

use std::fmt::Debug;

/// A time or duration. Overflow wraps, as in LogGOPSim.
pub trait Time: Copy + Ord + Default + Debug {
    fn from_ticks(ticks: u64) -> Self;

    /// The duration of a computation of `units` units.
    #[must_use]
    #[inline]
    fn computation(units: u64, ticks_each: u64) -> Self {
        Self::from_ticks(units.wrapping_mul(ticks_each))
    }

    #[must_use]
    fn plus(self, span: Self) -> Self;

    #[must_use]
    fn minus(self, span: Self) -> Self;

    /// This time per byte times (bytes − 1); negative for an empty message.
    #[must_use]
    fn after_the_first(self, bytes: u64) -> Self;

    fn ticks(self) -> u64;

    /// 0 if both are equal, otherwise one more than the highest differing bit.
    fn distance(self, other: Self) -> usize;
}

impl Time for u64 {
    #[inline]
    fn from_ticks(ticks: u64) -> Self {
        ticks
    }

    #[inline]
    fn plus(self, span: Self) -> Self {
        self.wrapping_add(span)
    }

    #[inline]
    fn minus(self, span: Self) -> Self {
        self.wrapping_sub(span)
    }

    #[inline]
    fn after_the_first(self, bytes: u64) -> Self {
        self.wrapping_mul(bytes.wrapping_sub(1))
    }

    #[inline]
    fn ticks(self) -> u64 {
        self
    }

    #[inline]
    fn distance(self, other: Self) -> usize {
        (u64::BITS - (self ^ other).leading_zeros()) as usize
    }
}

/// `a + b·x` for an infinitesimal x > 0: a time with its derivative by a parameter. The upper half
/// of the integer is a, the lower half b, so that sums and comparisons are those of integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeWithSlope(u128);

impl TimeWithSlope {
    /// `ticks + slope·x`
    pub fn new(ticks: u64, slope: i64) -> Self {
        TimeWithSlope((u128::from(ticks) << 64).wrapping_add(slope as i128 as u128))
    }

    /// b
    #[inline]
    pub fn slope(self) -> i64 {
        self.0 as u64 as i64
    }
}

impl Time for TimeWithSlope {
    #[inline]
    fn from_ticks(ticks: u64) -> Self {
        TimeWithSlope(u128::from(ticks) << 64)
    }

    #[inline]
    fn plus(self, span: Self) -> Self {
        TimeWithSlope(self.0.wrapping_add(span.0))
    }

    #[inline]
    fn minus(self, span: Self) -> Self {
        TimeWithSlope(self.0.wrapping_sub(span.0))
    }

    #[inline]
    fn after_the_first(self, bytes: u64) -> Self {
        TimeWithSlope(self.0.wrapping_mul(u128::from(bytes).wrapping_sub(1)))
    }

    #[inline]
    fn ticks(self) -> u64 {
        let below_zero = u64::from(self.slope() < 0);
        ((self.0 >> 64) as u64).wrapping_add(below_zero)
    }

    #[inline]
    fn distance(self, other: Self) -> usize {
        (u128::BITS - (self.0 ^ other.0).leading_zeros()) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_with_slope_adds_both_parts() {
        let a = TimeWithSlope::new(10, -3);
        assert_eq!((a.ticks(), a.slope()), (10, -3));
        let sum = a.plus(TimeWithSlope::new(5, 7));
        assert_eq!((sum.ticks(), sum.slope()), (15, 4));
        let of_bytes = TimeWithSlope::new(2, 1).after_the_first(0);
        assert_eq!((of_bytes.ticks(), of_bytes.slope()), (2u64.wrapping_neg(), -1));
        assert!(a < TimeWithSlope::from_ticks(10) && a > TimeWithSlope::new(9, 1000));
        assert_eq!(TimeWithSlope::from_ticks(3).distance(TimeWithSlope::from_ticks(2)), 65);
    }
}
