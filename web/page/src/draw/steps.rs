//! Values of sliders. Sizes and processes: whole numbers to 8, then eight per octave; others: nine
//! per decade.

use super::scale::Log;
use loggia_model::units::words;
use loggia_model::units::{Bytes, Micros, Procs};

/// The quantity of a slider or axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// Message sizes: 1 B to 16 MiB.
    Bytes,
    /// Numbers of processes: 2 to 1024.
    Procs,
    /// Number of messages: 1 to a million.
    Count,
    /// Computation per message: 10 ns to 100 ms, in whole ns.
    Compute,
    /// Messages in flight at once: 1 to 1024.
    Depth,
    /// Number of ranks of a plan: powers of two, 1 to 1,048,576.
    Ranks,
}

impl Axis {
    /// Smallest value.
    pub(crate) fn low(self) -> u64 {
        self.value(0)
    }

    /// Largest value.
    pub(crate) fn high(self) -> u64 {
        match self {
            Axis::Bytes => 16 << 20,
            Axis::Procs | Axis::Depth => 1024,
            Axis::Ranks => 1 << 20,
            Axis::Count => 1_000_000,
            Axis::Compute => 100_000_000,
        }
    }

    /// Logarithmic scale of all values.
    pub(crate) fn scale(self) -> Log {
        Log { low: self.low() as f64, high: self.high() as f64 }
    }

    /// Number of steps.
    pub(crate) fn steps(self) -> u32 {
        self.nearest(self.high())
    }

    /// The value at a step.
    pub(crate) fn value(self, step: u32) -> u64 {
        if self == Axis::Ranks {
            return 1 << step.min(59);
        }
        let step = step + self.skipped();
        if self.base() == 10 {
            return u64::from(step % 9 + 1) * 10_u64.saturating_pow(step / 9);
        }
        eight_an_octave(step)
    }

    /// The step with the nearest value on the slider.
    pub(crate) fn nearest(self, value: u64) -> u32 {
        let value = value.clamp(self.low(), self.high());
        let mut step = 0;
        while self.value(step + 1) <= value {
            step += 1;
        }
        let (below, above) = (self.value(step), self.value(step + 1));
        if above - value < value - below { step + 1 } else { step }
    }

    /// All values, ascending.
    pub(crate) fn values(self) -> impl Iterator<Item = u64> {
        (0..=self.steps()).map(move |step| self.value(step))
    }

    /// A value with its unit.
    pub(crate) fn words(self, value: u64) -> String {
        match self {
            Axis::Bytes => words::size(Bytes(value)),
            Axis::Procs | Axis::Depth | Axis::Count => value.to_string(),
            Axis::Compute => words::time(Axis::compute(value)),
            Axis::Ranks => ranks(value),
        }
    }

    /// A value with its unit, rounded for a sentence.
    pub(crate) fn rounded_words(self, value: u64) -> String {
        match self {
            Axis::Bytes => words::rounded_size(Bytes(value)),
            _ => self.words(value),
        }
    }

    /// Base of its round values.
    pub(crate) fn base(self) -> u64 {
        match self {
            Axis::Bytes | Axis::Procs | Axis::Depth | Axis::Ranks => 2,
            Axis::Count | Axis::Compute => 10,
        }
    }

    pub(crate) fn procs(value: u64) -> Procs {
        Procs(u32::try_from(value).unwrap_or(u32::MAX))
    }

    /// Computation as a time.
    pub(crate) fn compute(nanoseconds: u64) -> Micros {
        Micros(nanoseconds as f64 / 1e3)
    }

    /// A time in whole ns, a value of the axis of computation.
    pub(crate) fn nanoseconds(time: Micros) -> u64 {
        (time.0 * 1e3).round() as u64
    }

    /// Number of first steps that are left out: p = 1, and computation below 10 ns.
    fn skipped(self) -> u32 {
        match self {
            Axis::Bytes | Axis::Count | Axis::Depth | Axis::Ranks => 0,
            Axis::Procs => 1,
            Axis::Compute => 9,
        }
    }
}

/// Every whole number to 8, then eight per octave.
pub(crate) fn eight_an_octave(step: u32) -> u64 {
    match step.checked_sub(7) {
        None => u64::from(step) + 1,
        Some(beyond) => u64::from(8 + beyond % 8) << (beyond / 8).min(59),
    }
}

/// Of these values, the one nearest to `to` on the slider, except the current one.
pub(crate) fn nearest_of(values: &[u64], now: u64, to: u64) -> u64 {
    let is_beyond = |value: &&u64| to == now || (to > now) == (**value > now) && **value != now;
    let far = |value: &u64| (*value as f64 / to.max(1) as f64).ln().abs();
    let nearest = values.iter().filter(is_beyond).min_by(|a, b| far(a).total_cmp(&far(b)));
    nearest.copied().unwrap_or(now)
}

/// A number of ranks as typed: digits up to a million, then for example `16Mi`.
fn ranks(value: u64) -> String {
    match value {
        1.. if value.is_multiple_of(1 << 20) => format!("{}Mi", value >> 20),
        _ => value.to_string(),
    }
}

/// Sorts and removes duplicates. Values are nearly sorted, so a library sort would be no faster,
/// and more code to load.
pub(crate) fn in_order<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut ordered = Vec::new();
    for value in values {
        if let Err(place) = ordered.binary_search(&value) {
            ordered.insert(place, value);
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reported_values_are_sorted_in_between() {
        assert_eq!(in_order([1, 2, 4, 8, 3, 4, 0]), [0, 1, 2, 3, 4, 8]);
        assert!(in_order::<u64>([]).is_empty());
    }

    #[test]
    fn sizes_are_round_and_grow() {
        let sizes: Vec<u64> = Axis::Bytes.values().collect();
        assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(sizes[..10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(sizes.last(), Some(&(16 << 20)));
        for power in 0..=24 {
            assert!(sizes.contains(&(1 << power)), "2^{power}");
        }
    }

    #[test]
    fn processes_begin_at_two() {
        assert_eq!(Axis::Procs.values().next(), Some(2));
        assert_eq!(Axis::Procs.values().last(), Some(1024));
        let ranks: Vec<u64> = Axis::Ranks.values().collect();
        assert_eq!((ranks[..3].to_vec(), ranks.len()), (vec![1, 2, 4], 21));
        assert_eq!([640, 1 << 14, 1 << 20].map(|p| Axis::Ranks.words(p)), ["640", "16384", "1Mi"]);
    }

    #[test]
    fn a_handle_moves_even_where_values_are_far_apart() {
        let values = [2, 4, 6, 12, 1000];
        let to = |now, to| nearest_of(&values, now, to);
        assert_eq!([to(6, 8), to(12, 16), to(1000, 512), to(1000, 2048)], [12, 1000, 12, 1000]);
        assert_eq!([to(4, 4), to(2, 1), to(4, 900)], [4, 2, 1000]);
    }

    #[test]
    fn counts_and_times_are_round_decimals() {
        let counts: Vec<u64> = Axis::Count.values().collect();
        assert_eq!(counts[8..11], [9, 10, 20]);
        assert_eq!(counts.last(), Some(&1_000_000));
        assert_eq!(Axis::Compute.values().next(), Some(10));
        assert_eq!(Axis::Compute.words(10_000), "10 µs");
    }

    #[test]
    fn a_value_between_two_steps_goes_to_the_nearer() {
        for axis in [Axis::Bytes, Axis::Procs, Axis::Count, Axis::Compute, Axis::Ranks] {
            for (step, value) in (0..).zip(axis.values()) {
                assert_eq!(axis.nearest(value), step);
            }
        }
        assert_eq!(Axis::Bytes.value(Axis::Bytes.nearest(1030)), 1024);
        assert_eq!(Axis::Bytes.value(Axis::Bytes.nearest(1150)), 1152);
        assert_eq!(Axis::Bytes.nearest(u64::MAX), Axis::Bytes.steps());
        assert_eq!(Axis::Bytes.nearest(0), 0);
    }
}
