//! Which values a slider offers: every whole number to 8, then eight round ones an octave.

use loggia_model::units::words;
use loggia_model::units::{Bytes, Procs};

/// What a slider is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Axis {
    /// Message sizes: 1 B to 16 MiB.
    Bytes,
    /// Numbers of processes: 2 to 1024.
    Procs,
    /// Messages under way at once: 1 to 1024.
    Depth,
}

impl Axis {
    /// The least value offered.
    pub(crate) fn low(self) -> u64 {
        self.value(0)
    }

    /// The greatest value offered.
    pub(crate) fn high(self) -> u64 {
        match self {
            Axis::Bytes => 16 << 20,
            Axis::Procs | Axis::Depth => 1024,
        }
    }

    /// How many steps it takes from the least to the greatest.
    pub(crate) fn steps(self) -> u32 {
        self.nearest(self.high())
    }

    /// The value at a step.
    pub(crate) fn value(self, step: u32) -> u64 {
        let step = step + self.skipped();
        if step < 7 {
            return u64::from(step) + 1;
        }
        u64::from(8 + (step - 7) % 8) << ((step - 7) / 8).min(59)
    }

    /// The step whose value is nearest, on the slider.
    pub(crate) fn nearest(self, value: u64) -> u32 {
        let value = value.clamp(self.low(), self.high());
        let mut step = 0;
        while self.value(step + 1) <= value {
            step += 1;
        }
        let (below, above) = (self.value(step), self.value(step + 1));
        if above - value < value - below { step + 1 } else { step }
    }

    /// All values, least first.
    pub(crate) fn values(self) -> impl Iterator<Item = u64> {
        (0..=self.steps()).map(move |step| self.value(step))
    }

    /// A value as people read it.
    pub(crate) fn words(self, value: u64) -> String {
        match self {
            Axis::Bytes => words::size(Bytes(value)),
            Axis::Procs | Axis::Depth => value.to_string(),
        }
    }

    /// As the unit's type, for whoever needs one.
    pub(crate) fn procs(value: u64) -> Procs {
        Procs(u32::try_from(value).unwrap_or(u32::MAX))
    }

    /// One process has nobody to talk to.
    fn skipped(self) -> u32 {
        match self {
            Axis::Bytes | Axis::Depth => 0,
            Axis::Procs => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }

    #[test]
    fn a_value_between_two_steps_goes_to_the_nearer() {
        for axis in [Axis::Bytes, Axis::Procs] {
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
