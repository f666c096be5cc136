//! The quality of an estimate, with a reason.

use super::estimate::Estimate;
use crate::signature::Quality;
use crate::units::words::{number, unsigned_percent};

/// The required precision of an estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// The estimate is uncertain if the width of its interval, relative to the value, exceeds this
    /// …
    pub uncertain: f64,
    /// … and unusable if it exceeds this.
    pub unusable: f64,
    /// Whether the quantity must be above 0, such as a time.
    pub positive: bool,
}

impl Default for Tolerances {
    /// A tenth, a half, and positive.
    fn default() -> Self {
        Tolerances { uncertain: 0.1, unusable: 0.5, positive: true }
    }
}

/// Quality of an estimate, with a reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Good, uncertain or unusable.
    pub quality: Quality,
    pub reason: String,
}

impl Judgement {
    fn new(quality: Quality, reason: impl Into<String>) -> Self {
        Judgement { quality, reason: reason.into() }
    }

    /// The worse quality of two, with all reasons except for good.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (badness(self.quality), badness(other.quality)) {
            (_, 0) => self,
            (0, _) => other,
            (one, another) => {
                let quality = if one < another { other.quality } else { self.quality };
                Judgement { quality, reason: format!("{}; {}", self.reason, other.reason) }
            }
        }
    }
}

fn badness(quality: Quality) -> u8 {
    match quality {
        Quality::Unusable => 2,
        Quality::Uncertain => 1,
        Quality::Published | Quality::Good | Quality::Assumed => 0,
    }
}

/// Whether an estimate is good, uncertain or unusable.
///
/// # Example
/// ```
/// use loggia_model::signature::Quality;
/// use loggia_model::stats::Estimate;
/// use loggia_model::stats::quality::{Tolerances, judge};
/// let found = judge(&Estimate::around(2.0, 0.2), &Tolerances::default());
/// assert_eq!(found.quality, Quality::Uncertain);
/// assert_eq!(found.reason, "noisy: the interval, 1.8 to 2.2, is 20% of the value wide");
/// ```
#[must_use]
pub fn judge(estimate: &Estimate, tolerances: &Tolerances) -> Judgement {
    let Estimate { value, low, high } = *estimate;
    if !value.is_finite() || low.is_nan() || high.is_nan() {
        return Judgement::new(Quality::Unusable, "the measurement gave no number");
    }
    let value_text = number(value, 4);
    if tolerances.positive && value <= 0.0 {
        let reason = format!("impossible: the result, {value_text}, is not above zero");
        return Judgement::new(Quality::Unusable, reason);
    }
    if low.is_infinite() || high.is_infinite() {
        let reason = format!("too few measurements for the interval of {value_text}");
        return Judgement::new(Quality::Unusable, reason);
    }
    let width = estimate.relative_width();
    let quality = match width {
        _ if width > tolerances.unusable => Quality::Unusable,
        _ if width > tolerances.uncertain => Quality::Uncertain,
        _ => Quality::Good,
    };
    Judgement::new(quality, reason(estimate, quality, width)).and(sign(estimate, tolerances))
}

const NOISY: &str = "noisy";
const INTERVAL: &str = ": the interval, ";

fn reason(estimate: &Estimate, quality: Quality, width: f64) -> String {
    let judgement = match quality {
        Quality::Unusable => "too noisy",
        Quality::Uncertain => NOISY,
        _ => "steady",
    };
    let (low, high) = (number(estimate.low, 4), number(estimate.high, 4));
    let part = match width {
        _ if width.is_infinite() => "infinitely wide".to_owned(),
        _ => format!("{} of the value wide", unsigned_percent(width)),
    };
    format!("{judgement}{INTERVAL}{low} to {high}, is {part}")
}

/// A source without the clauses that only repeat the value and bounds.
pub fn without_widths(source: &str) -> String {
    let repeats = |clause: &&str| clause.starts_with(NOISY) && clause.contains(INTERVAL);
    source.split("; ").filter(|clause| !repeats(clause)).collect::<Vec<_>>().join("; ")
}

/// A time that may be 0 is uncertain, whatever the tolerances.
fn sign(estimate: &Estimate, tolerances: &Tolerances) -> Judgement {
    if !tolerances.positive || estimate.low > 0.0 {
        return Judgement::new(Quality::Good, "");
    }
    Judgement::new(Quality::Uncertain, "indistinguishable from zero")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(value: f64, low: f64, high: f64) -> (Quality, String) {
        let judgement = judge(&Estimate { value, low, high }, &Tolerances::default());
        (judgement.quality, judgement.reason)
    }

    #[test]
    fn widths_determine_the_quality() {
        let (quality, reason) = judged(10.0, 9.8, 10.3);
        assert_eq!(quality, Quality::Good);
        assert_eq!(reason, "steady: the interval, 9.8 to 10.3, is 5% of the value wide");
        assert_eq!(judged(10.0, 9.0, 11.0).0, Quality::Uncertain);
        let (quality, reason) = judged(10.0, 6.0, 13.0);
        assert_eq!(quality, Quality::Unusable);
        assert_eq!(reason, "too noisy: the interval, 6 to 13, is 70% of the value wide");
        assert_eq!(judged(10.0, 10.0, 10.0).0, Quality::Good);
    }

    #[test]
    fn positive_quantities_are_uncertain_near_zero() {
        let (quality, reason) = judged(1.0, -0.1, 1.9);
        assert_eq!(quality, Quality::Unusable);
        assert!(reason.ends_with("is 200% of the value wide; indistinguishable from zero"));
        let (quality, reason) = judged(-0.03, -0.04, -0.02);
        assert_eq!(quality, Quality::Unusable);
        assert_eq!(reason, "impossible: the result, -0.03, is not above zero");
        let patient = Tolerances { uncertain: 5.0, unusable: 9.0, positive: true };
        let found = judge(&Estimate::around(1.0, 1.0), &patient);
        assert_eq!(found.quality, Quality::Uncertain);
        assert_eq!(found.reason, "indistinguishable from zero");
        let signed = Tolerances { positive: false, ..Tolerances::default() };
        assert_eq!(judge(&Estimate::around(-2.0, 0.05), &signed).quality, Quality::Good);
        assert_eq!(judge(&Estimate::around(0.0, 0.05), &signed).quality, Quality::Unusable);
    }

    #[test]
    fn no_number_and_no_bounds_are_unusable() {
        assert_eq!(judged(f64::NAN, 0.0, 1.0).0, Quality::Unusable);
        let (quality, reason) = judged(3.0, f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(quality, Quality::Unusable);
        assert_eq!(reason, "too few measurements for the interval of 3");
    }

    #[test]
    fn reasons_are_combined() {
        let good = judge(&Estimate::around(10.0, 0.1), &Tolerances::default());
        let drifts = Judgement::new(Quality::Uncertain, "it drifts by 8% over the run");
        let doubted = good.clone().and(drifts);
        assert_eq!(doubted.quality, Quality::Uncertain);
        assert_eq!(doubted.reason, "it drifts by 8% over the run");
        let noisy = judge(&Estimate::around(10.0, 5.0), &Tolerances::default());
        let both = doubted.and(noisy.clone());
        assert_eq!(both.quality, Quality::Unusable);
        assert!(both.reason.starts_with("it drifts by 8% over the run; too noisy"));
        assert_eq!(noisy.clone().and(good), noisy);
    }
}
