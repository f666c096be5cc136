//! Rounding of computation times: GOAL counts nanoseconds, a schedule may count picoseconds.

use crate::schedule::{CalcUnit, Kind, Op, Schedule};

/// The size of an operation in GOAL: a time is rounded to the nearest nanosecond, halves up.
pub(super) fn size(op: &Op, unit: CalcUnit) -> u64 {
    match (op.kind, unit) {
        (Kind::Calc, CalcUnit::Picoseconds) => op.size / 1000 + u64::from(op.size % 1000 >= 500),
        _ => op.size,
    }
}

/// Warnings about rounded times of a written schedule.
pub(super) fn warnings(schedule: &Schedule) -> Vec<String> {
    if schedule.calc_unit() == CalcUnit::Nanoseconds {
        return Vec::new();
    }
    let (mut all, mut rounded) = (0usize, 0usize);
    for op in schedule.ops().iter().filter(|op| op.kind == Kind::Calc) {
        all += 1;
        rounded += usize::from(op.size % 1000 != 0);
    }
    if rounded == 0 {
        return Vec::new();
    }
    let of = if all == 1 { "the only computation" } else { "computations" };
    let count = if all == 1 { String::new() } else { format!("{rounded} of {all} ") };
    vec![format!("{count}{of} rounded to the nearest nanosecond: GOAL counts whole nanoseconds")]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::schedule::{Builder, Step};

    fn counting(unit: CalcUnit, times: &[u64]) -> Schedule {
        let mut builder = Builder::counting(unit);
        builder.rank();
        builder.push(Step::send(1499, 0));
        for time in times {
            builder.push(Step::calc(*time));
        }
        builder.finish().unwrap()
    }

    #[test]
    fn picoseconds_are_rounded_with_a_warning() {
        let times = [0, 499, 500, 1499, 1500, 7000, u64::MAX];
        let schedule = counting(CalcUnit::Picoseconds, &times);
        let sizes: Vec<u64> =
            schedule.ops().iter().map(|op| size(op, CalcUnit::Picoseconds)).collect();
        assert_eq!(sizes, [1499, 0, 0, 1, 1, 2, 7, u64::MAX / 1000 + 1]);
        assert_eq!(
            warnings(&schedule),
            [
                "5 of 7 computations rounded to the nearest nanosecond: GOAL counts whole nanoseconds"
            ]
        );
    }

    #[test]
    fn whole_nanoseconds_give_no_warning() {
        assert!(warnings(&counting(CalcUnit::Picoseconds, &[1000, 0])).is_empty());
        assert!(warnings(&counting(CalcUnit::Nanoseconds, &[1, 2])).is_empty());
    }
}
