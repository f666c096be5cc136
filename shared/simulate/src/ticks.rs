//! The unit of time of a run.

use crate::error::SimulationError;
use loggia_model::units::Micros;
use loggia_schedule::schedule::CalcUnit;

/// Duration of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ticks {
    /// 10⁻⁹ s
    Nanoseconds,
    /// 10⁻¹² s
    Picoseconds,
    /// 10⁻¹⁵ s
    Femtoseconds,
}

impl Ticks {
    /// All units, the longest first.
    pub(super) const ALL: [Ticks; 3] =
        [Ticks::Nanoseconds, Ticks::Picoseconds, Ticks::Femtoseconds];

    fn per_micro(self) -> f64 {
        match self {
            Ticks::Nanoseconds => 1e3,
            Ticks::Picoseconds => 1e6,
            Ticks::Femtoseconds => 1e9,
        }
    }

    /// A number of ticks in µs.
    pub fn micros(self, ticks: u64) -> Micros {
        Micros(ticks as f64 / self.per_micro())
    }

    /// A time, rounded to ticks.
    pub fn of(self, time: Micros) -> Result<u64, SimulationError> {
        let ticks = (time.0 * self.per_micro()).round();
        if (0.0..=9e18).contains(&ticks) {
            return Ok(ticks as u64);
        }
        Err(SimulationError::TimeTooLong(time))
    }

    /// Whether a time is a whole number of ticks, within rounding errors.
    pub(super) fn divide(self, time: f64) -> bool {
        let ticks = time * self.per_micro();
        (ticks - ticks.round()).abs() <= 1e-9 * ticks.abs()
    }

    /// The maximum sum of times, with a safety margin.
    pub(super) fn longest(self) -> &'static str {
        match self {
            Ticks::Nanoseconds => "146 years",
            Ticks::Picoseconds => "53 days",
            Ticks::Femtoseconds => "76 minutes",
        }
    }

    /// Ticks per unit of a schedule's computations.
    pub(super) fn in_calc(self, unit: CalcUnit) -> Option<u64> {
        match (unit, self) {
            (CalcUnit::Nanoseconds, Ticks::Nanoseconds) => Some(1),
            (CalcUnit::Nanoseconds, Ticks::Picoseconds) => Some(1000),
            (CalcUnit::Nanoseconds, Ticks::Femtoseconds) => Some(1_000_000),
            (CalcUnit::Picoseconds, Ticks::Nanoseconds) => None,
            (CalcUnit::Picoseconds, Ticks::Picoseconds) => Some(1),
            (CalcUnit::Picoseconds, Ticks::Femtoseconds) => Some(1000),
        }
    }
}
