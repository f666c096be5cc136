//! The ratio of a number on two machines, its interval, and whether it is a change.
//!
//! # Formula
//! The ratio is r = b/a. Its lower bound follows from
//!
//! ln r − ln r_low = k √(ln²(b/b_low) + ln²(a_high/a))
//!
//! and its upper bound likewise, with the other bounds. So independent errors are combined in
//! quadrature, as in [`stats::estimate`](crate::stats::estimate), but of logarithms: a ratio and
//! its inverse are equivalent, and no bound is below zero. Bounds that are not estimates are added
//! linearly, such as two sizes that enclose an eager limit, or a published range.
//!
//! k is the factor that widens intervals such that all m intervals of a comparison hold jointly
//! with 95% confidence (Bonferroni; Dunn, *Multiple Comparisons Among Means*, JASA 56, 1961): with
//! Student's t, k = t(1 − α/2m)/t(1 − α/2), α = 5%. So a comparison of an unchanged machine gives
//! "same" with at least 95% probability, for any m.
//!
//! A number has changed if the interval of its ratio excludes 1, and its two intervals do not
//! overlap. For k above √2, the first condition implies the second (Schenker & Gentleman, *On
//! Judging the Significance of Differences by Examining the Overlap Between Confidence Intervals*,
//! Am. Stat. 55, 2001).

use crate::signature::Quality;
use crate::stats::CONFIDENCE;
use crate::stats::distribution::two_sided;
use crate::units::Interval;
use crate::units::words::{counted, number};
use serde::Serialize;

/// Degrees of freedom of Student's t. Intervals are based on the rounds of a run: at most sixteen
/// blocks, six in a quick run. The interval alone does not give their number, so the minimum is
/// assumed.
const FREEDOM: f64 = 5.0;

/// A number to compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The value with its bounds.
    pub interval: Interval<f64>,
    /// The kind of its bounds.
    pub kind: Kind,
}

/// The kind of the bounds of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Estimated: a confidence interval at the level [`CONFIDENCE`].
    Estimated,
    /// Published, assumed, or enclosed: it is certainly within its bounds, which may be equal.
    Given,
    /// Measured, without an interval.
    Unbounded,
}

/// Whether a number has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No significant change.
    Same,
    Changed,
    /// No verdict.
    Unknown,
}

/// A number or word, compared with the first machine's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Ratio to the first machine's number.
    pub ratio: Option<f64>,
    /// Interval and verdict.
    #[serde(flatten)]
    pub judged: RatioVerdict,
}

/// The verdict on a ratio.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatioVerdict {
    /// Lower bound of the ratio, at the joint confidence.
    #[serde(rename = "ratio_low")]
    pub low: Option<f64>,
    /// Upper bound of the ratio; `None` if the first machine's number may be 0.
    #[serde(rename = "ratio_high")]
    pub high: Option<f64>,
    /// Whether a number has changed.
    pub verdict: Verdict,
    /// The reason for no verdict, or a limit of the verdict.
    pub why: Option<String>,
    /// Distance from 1 in units of the uncertainty, to find the most significant change.
    #[serde(skip)]
    pub distance: f64,
}

/// The criteria of verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strictness {
    /// Family-wise confidence (Bonferroni): the probability that no unchanged number is reported as
    /// changed.
    pub confidence: f64,
    /// Number of compared pairs whose intervals are estimates.
    pub compared: usize,
    /// Number of different pairs of which only one number has an interval.
    pub one_sided: usize,
    /// k: factor of the width of intervals, relative to a single comparison.
    pub widened: f64,
    /// Relative changes up to this are ignored.
    pub at_least: f64,
}

impl Verdict {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Changed => "changed",
            Verdict::Unknown => "unknown",
        }
    }
}

impl Strictness {
    /// For this number of comparisons; relative changes up to `at_least` are ignored.
    ///
    /// ```
    /// use loggia_model::compare::Strictness;
    /// assert_eq!(Strictness::of(1, 0.0).widened, 1.0);
    /// assert!(Strictness::of(100, 0.0).widened > 2.0);
    /// ```
    pub fn of(compared: usize, at_least: f64) -> Self {
        let outside = (1.0 - CONFIDENCE) / compared.max(1) as f64;
        let widened = two_sided(1.0 - outside, FREEDOM) / two_sided(CONFIDENCE, FREEDOM);
        Strictness { confidence: CONFIDENCE, compared, one_sided: 0, widened, at_least }
    }
}

impl Strictness {
    /// An explanation.
    pub fn words(&self) -> String {
        let compared = (self.compared > 0).then(|| {
            format!(
                "{} numbers are compared at once, so each ratio's interval is {} times as \
                 wide as it would be alone",
                self.compared,
                number(self.widened, 2)
            )
        });
        let one_sided = (self.one_sided > 0).then(|| {
            let have = if self.one_sided == 1 { "has" } else { "have" };
            format!(
                "{} {have} a confidence interval on one machine only: the change is unknown",
                counted(self.one_sided as u64, "number")
            )
        });
        match (compared, one_sided) {
            (None, None) => {
                "no number here has a confidence interval: all are taken as exact".to_owned()
            }
            (compared, one_sided) => {
                compared.into_iter().chain(one_sided).collect::<Vec<_>>().join("\n")
            }
        }
    }
}

impl Number {
    /// A reported number: estimated if it was measured.
    pub fn reported(interval: Interval<f64>, quality: Quality) -> Self {
        let kind = match quality {
            Quality::Good | Quality::Uncertain if interval.is_bounded() => Kind::Estimated,
            Quality::Good | Quality::Uncertain => Kind::Unbounded,
            _ => Kind::Given,
        };
        Number { interval, kind }
    }

    /// Multiplied by a factor.
    pub(super) fn times(self, factor: f64) -> Self {
        Number { interval: self.interval.map(|value| value * factor), ..self }
    }

    /// A number that is certainly within its bounds.
    pub fn given(interval: Interval<f64>) -> Self {
        Number { interval, kind: Kind::Given }
    }
}

/// Whether the comparison of two numbers may err, which needs an estimate.
pub(super) fn may_err(a: &Number, b: &Number) -> bool {
    let is = |kind| a.kind == kind || b.kind == kind;
    is(Kind::Estimated) && !is(Kind::Unbounded)
}

/// Whether two different numbers cannot be compared, as only one of them has an interval.
pub(super) fn is_one_sided(a: &Number, b: &Number) -> bool {
    let is = |kind| a.kind == kind || b.kind == kind;
    is(Kind::Estimated) && is(Kind::Unbounded) && a.interval.value != b.interval.value
}

impl Change {
    /// The change from `a` to `b`.
    ///
    /// ```
    /// use loggia_model::compare::{Change, Number, Strictness, Verdict};
    /// use loggia_model::signature::Quality::Good;
    /// use loggia_model::units::Interval;
    /// let around = |value: f64| Number::reported(Interval::around(value, 0.02 * value), Good);
    /// let strict = Strictness::of(1, 0.0);
    /// let change = Change::of(&around(10.0), &around(10.2), &strict);
    /// assert_eq!(change.judged.verdict, Verdict::Same);
    /// let change = Change::of(&around(10.0), &around(10.5), &strict);
    /// assert_eq!((change.ratio, change.judged.verdict), (Some(1.05), Verdict::Changed));
    /// // √2 · 2% to either side
    /// assert_eq!(change.words(), "×1.050 (1.021–1.080)");
    /// ```
    pub fn of(a: &Number, b: &Number, strict: &Strictness) -> Self {
        match a.interval.value > 0.0 && b.interval.value > 0.0 {
            true => Change::by_ratio(a, b, strict),
            false => Change::by_difference(a, b, strict),
        }
    }

    fn by_ratio(a: &Number, b: &Number, strict: &Strictness) -> Self {
        let log = |x: f64, y: f64| libm::log(x.max(0.0) / y.max(0.0));
        let (one, other) = (&a.interval, &b.interval);
        let below = [(b.kind, log(other.value, other.low)), (a.kind, log(one.high, one.value))];
        let above = [(b.kind, log(other.high, other.value)), (a.kind, log(one.value, one.low))];
        let [below, above] = [below, above].map(|parts| uncertainty(parts, strict.widened));
        let ratio = other.value / one.value;
        let away = libm::log(ratio);
        // `least` is the minimum distance of a change.
        let (width, least) = match away > 0.0 {
            true => (below, libm::log1p(strict.at_least)),
            false => (above, -libm::log((1.0 - strict.at_least).max(0.0))),
        };
        let bound = |logarithm: f64| Some(ratio * libm::exp(logarithm)).filter(|r| r.is_finite());
        let mut judged = RatioVerdict::of(a, b, away.abs(), width, least);
        let is_known = below.is_finite() || above.is_finite();
        if judged.verdict == Verdict::Same && away != 0.0 && !is_known {
            (judged.verdict, judged.why) = (Verdict::Unknown, Some(NO_BOUND.to_owned()));
        }
        Change {
            ratio: Some(ratio),
            judged: RatioVerdict { low: bound(-below), high: bound(above), ..judged },
        }
    }

    /// By the difference, as numbers that are not above 0 have no ratio.
    fn by_difference(a: &Number, b: &Number, strict: &Strictness) -> Self {
        let away = b.interval.value - a.interval.value;
        let below = |of: &Number| (of.kind, of.interval.value - of.interval.low);
        let above = |of: &Number| (of.kind, of.interval.high - of.interval.value);
        let parts = if away > 0.0 { [below(b), above(a)] } else { [above(b), below(a)] };
        let judged = RatioVerdict::of(a, b, away.abs(), uncertainty(parts, strict.widened), 0.0);
        Change { ratio: None, judged }
    }

    /// The change of a word; each word with whether it is certain.
    pub fn of_words(a: (&str, bool), b: (&str, bool)) -> Self {
        let (verdict, why) = match (a.0 == b.0, a.1 && b.1) {
            (true, _) => (Verdict::Same, None),
            (false, true) => (Verdict::Changed, None),
            (false, false) => (Verdict::Unknown, Some("one of them is uncertain")),
        };
        Change { ratio: None, judged: RatioVerdict::without_ratio(verdict, why) }
    }

    /// No verdict, for this reason.
    pub fn unknown(why: &str) -> Self {
        Change { ratio: None, judged: RatioVerdict::without_ratio(Verdict::Unknown, Some(why)) }
    }

    /// The ratio with its interval, or an empty text.
    pub fn words(&self) -> String {
        self.ratio.map(|ratio| self.judged.words(ratio)).unwrap_or_default()
    }
}

impl RatioVerdict {
    /// Verdict from the distance of two numbers, their uncertainty, and the minimum distance of a
    /// change.
    fn of(a: &Number, b: &Number, away: f64, width: f64, least: f64) -> Self {
        let is_apart = away > width + least && !a.interval.overlaps(&b.interval);
        let is_bare = [a, b].iter().all(|of| !of.interval.is_bounded());
        let is_unbounded = [a, b].iter().any(|of| of.kind == Kind::Unbounded);
        let (verdict, why) = match is_apart {
            _ if away == 0.0 => (Verdict::Same, None),
            _ if is_one_sided(a, b) => (Verdict::Unknown, Some(ONE_INTERVAL)),
            _ if is_unbounded => (Verdict::Unknown, Some(NO_INTERVAL)),
            true => (Verdict::Changed, is_bare.then_some(NO_INTERVAL)),
            false => (Verdict::Same, None),
        };
        let distance = if away == 0.0 { 0.0 } else { away / width };
        RatioVerdict { distance, ..RatioVerdict::without_ratio(verdict, why) }
    }

    fn without_ratio(verdict: Verdict, why: Option<&str>) -> Self {
        let distance = if verdict == Verdict::Changed { f64::INFINITY } else { 0.0 };
        RatioVerdict { low: None, high: None, verdict, why: why.map(str::to_owned), distance }
    }

    /// The verdict, or the reason for no verdict.
    pub fn outcome(&self) -> String {
        match (&self.why, self.verdict) {
            (Some(why), Verdict::Unknown) => why.clone(),
            _ => self.verdict.name().to_owned(),
        }
    }

    /// A ratio with its interval: `×1.050 (1.021–1.080)`.
    pub fn words(&self, ratio: f64) -> String {
        let bound = |bound: Option<f64>| bound.map_or_else(|| "∞".to_owned(), decimals);
        match (self.low, self.high) {
            (None, None) => format!("×{}", decimals(ratio)),
            (Some(low), Some(high)) if low == high => format!("×{}", decimals(ratio)),
            (low, high) => {
                let low = decimals(low.unwrap_or_default());
                format!("×{} ({low}–{})", decimals(ratio), bound(high))
            }
        }
    }
}

/// Numbers without an interval.
const NO_INTERVAL: &str = "no interval is known";

/// Two numbers of which one has an interval.
const ONE_INTERVAL: &str = "only one has an interval";

/// Intervals that include 0.
const NO_BOUND: &str = "no bound of the ratio is known";

/// Ratios near 1 have three decimals, so that they align in a column.
fn decimals(ratio: f64) -> String {
    match ratio {
        0.0 => "0".to_owned(),
        near if (0.1..10.0).contains(&near) => format!("{near:.3}"),
        far => number(far, 3),
    }
}

/// Uncertainty of two parts: estimates combined in quadrature and widened, bounds added.
fn uncertainty(parts: [(Kind, f64); 2], widened: f64) -> f64 {
    let (mut squares, mut plain) = (0.0, 0.0);
    for (kind, uncertainty) in parts {
        match kind {
            Kind::Estimated => squares = libm::hypot(squares, uncertainty),
            _ => plain += uncertainty,
        }
    }
    plain + widened * squares
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALONE: Strictness = Strictness { compared: 1, ..EXACT };
    const EXACT: Strictness = Strictness {
        confidence: CONFIDENCE,
        compared: 0,
        one_sided: 0,
        widened: 1.0,
        at_least: 0.0,
    };

    fn estimated(value: f64, low: f64, high: f64) -> Number {
        Number::reported(Interval { value, low, high }, Quality::Good)
    }

    fn exact(value: f64) -> Number {
        Number::reported(Interval::exact(value), Quality::Published)
    }

    fn verdict(a: Number, b: Number, strict: &Strictness) -> Verdict {
        Change::of(&a, &b, strict).judged.verdict
    }

    /// Quantiles of Student's t with five degrees of freedom, from a table: 2.5706 at 97.5%, 4.0321
    /// at 99.5%, 6.8688 at 99.95%.
    #[test]
    fn intervals_widen_with_the_number_of_comparisons() {
        for (compared, t) in [(1, 2.5706), (5, 4.0321), (50, 6.8688)] {
            let widened = Strictness::of(compared, 0.0).widened;
            assert!((widened - t / 2.5706).abs() < 1e-4, "{compared}: {widened}");
        }
        assert_eq!(Strictness::of(0, 0.0).widened, 1.0);
    }

    /// 3% and 4% per side are 5%, in logarithms.
    #[test]
    fn independent_parts_are_added_in_quadrature() {
        let by = |percent: f64| {
            let factor = libm::exp(percent / 100.0);
            estimated(10.0, 10.0 / factor, 10.0 * factor)
        };
        let change = Change::of(&by(3.0), &by(4.0), &ALONE);
        let bounds = [change.judged.low.unwrap(), change.judged.high.unwrap()];
        assert!(
            (libm::log(bounds[1]) - 0.05).abs() < 1e-12 && (bounds[0] * bounds[1] - 1.0) < 1e-12
        );
        let wide = Change::of(&by(3.0), &by(4.0), &Strictness { widened: 2.0, ..ALONE });
        assert!((libm::log(wide.judged.high.unwrap()) - 0.1).abs() < 1e-12);
    }

    #[test]
    fn the_reverse_comparison_is_the_inverse() {
        let (a, b) = (estimated(10.0, 9.0, 10.5), estimated(14.0, 13.0, 16.0));
        let (there, back) = (Change::of(&a, &b, &ALONE), Change::of(&b, &a, &ALONE));
        let of = |change: &Change| (change.judged.low.unwrap(), change.judged.high.unwrap());
        let ((low, high), (other_low, other_high)) = (of(&there), of(&back));
        assert!((low * other_high - 1.0).abs() < 1e-12 && (high * other_low - 1.0).abs() < 1e-12);
        assert_eq!(there.judged.verdict, Verdict::Changed);
        assert_eq!(back.judged.verdict, Verdict::Changed);
    }

    /// The interval of the ratio may exclude 1 although the two intervals overlap: not a change.
    #[test]
    fn overlapping_intervals_are_no_change() {
        let (a, b) = (estimated(100.0, 98.0, 102.0), estimated(103.5, 101.5, 105.5));
        let change = Change::of(&a, &b, &ALONE);
        assert!(change.judged.low > Some(1.0), "{change:?}");
        assert_eq!(change.judged.verdict, Verdict::Same);
    }

    #[test]
    fn a_ratio_to_a_possible_zero_has_no_upper_bound() {
        let change = Change::of(&estimated(0.1, 0.0, 0.3), &estimated(5.0, 4.8, 5.2), &ALONE);
        assert_eq!((change.judged.high, change.judged.verdict), (None, Verdict::Changed));
        assert!(change.words().ends_with("–∞)"), "{}", change.words());
        let back = Change::of(&estimated(5.0, 4.8, 5.2), &estimated(0.1, 0.0, 0.3), &ALONE);
        assert_eq!((back.judged.low, back.judged.verdict), (Some(0.0), Verdict::Changed));
    }

    #[test]
    fn zeros_are_compared_by_differences() {
        let nothing = estimated(0.0, 0.0, 0.5);
        assert_eq!(verdict(nothing, nothing, &ALONE), Verdict::Same);
        assert_eq!(verdict(nothing, estimated(0.3, 0.1, 0.6), &ALONE), Verdict::Same);
        let change = Change::of(&nothing, &estimated(2.0, 1.9, 2.1), &ALONE);
        assert_eq!((change.ratio, change.judged.verdict), (None, Verdict::Changed));
        assert_eq!(verdict(estimated(2.0, 1.9, 2.1), nothing, &ALONE), Verdict::Changed);
    }

    /// Two sizes that enclose a limit are bounds, whatever the number of comparisons.
    #[test]
    fn enclosing_bounds_are_not_widened() {
        let between = |low: f64, high: f64| Number::given(Interval { value: low, low, high });
        let strict = Strictness::of(1000, 0.0);
        assert_eq!(
            verdict(between(8192.0, 8193.0), between(8192.0, 16383.0), &strict),
            Verdict::Same
        );
        let moved = Change::of(&between(8192.0, 8193.0), &between(16384.0, 16385.0), &strict);
        assert_eq!((moved.ratio, moved.judged.verdict), (Some(2.0), Verdict::Changed));
    }

    #[test]
    fn published_numbers_are_exact_and_unbounded_ones_give_no_verdict() {
        let change = Change::of(&exact(3.1), &exact(3.2), &ALONE);
        assert_eq!(change.judged.verdict, Verdict::Changed);
        assert_eq!(change.judged.why.as_deref(), Some("no interval is known"));
        assert_eq!(verdict(exact(3.1), exact(3.1), &ALONE), Verdict::Same);
        let measured = Number::reported(Interval::exact(3.1), Quality::Good);
        assert_eq!(verdict(measured, exact(3.2), &ALONE), Verdict::Unknown);
        assert_eq!(verdict(measured, exact(3.1), &ALONE), Verdict::Same);
        // One number is an estimate, so its uncertainty counts.
        assert_eq!(verdict(exact(3.1), estimated(3.2, 3.0, 3.4), &ALONE), Verdict::Same);
    }

    /// The sentence below a comparison does not contradict its table.
    #[test]
    fn intervals_on_one_machine_only_are_counted() {
        let bare = Number::reported(Interval::exact(3.1), Quality::Good);
        let wide = estimated(3.2, 3.0, 3.4);
        assert!(is_one_sided(&bare, &wide) && is_one_sided(&wide, &bare));
        assert!(!is_one_sided(&bare, &bare) && !is_one_sided(&exact(3.1), &wide));
        assert!(!is_one_sided(&bare, &estimated(3.1, 3.0, 3.4)), "equal numbers are the same");
        let judged = Change::of(&bare, &wide, &ALONE).judged;
        assert_eq!(judged.outcome(), "only one has an interval");
        assert!(EXACT.words().contains("all are taken as exact"));
        let one = Strictness { one_sided: 1, ..EXACT };
        assert_eq!(
            one.words(),
            "1 number has a confidence interval on one machine only: the change is unknown"
        );
        let both = Strictness { one_sided: 2, ..ALONE };
        assert!(both.words().contains("1 numbers are compared at once"), "{}", both.words());
        assert!(both.words().ends_with(
            "2 numbers have a confidence interval on one machine only: the change is unknown"
        ));
    }

    #[test]
    fn a_small_change_may_be_ignored() {
        let (a, b) = (estimated(100.0, 99.9, 100.1), estimated(101.0, 100.9, 101.1));
        assert_eq!(verdict(a, b, &ALONE), Verdict::Changed);
        let tolerant = Strictness { at_least: 0.02, ..ALONE };
        assert_eq!(verdict(a, b, &tolerant), Verdict::Same);
        assert_eq!(verdict(b, a, &tolerant), Verdict::Same);
        let more = estimated(103.0, 102.9, 103.1);
        assert_eq!(verdict(a, more, &tolerant), Verdict::Changed);
        assert_eq!(verdict(more, a, &Strictness { at_least: 1.0, ..ALONE }), Verdict::Same);
    }

    #[test]
    fn words_are_equal_or_changed() {
        let of = |a, b| Change::of_words(a, b).judged.verdict;
        assert_eq!(of(("DCP", true), ("DCP", false)), Verdict::Same);
        assert_eq!(of(("DCP", true), ("ICP", true)), Verdict::Changed);
        assert_eq!(of(("DCP", true), ("ICP", false)), Verdict::Unknown);
    }

    #[test]
    fn ratios_align_in_a_column() {
        let words = |ratio: f64| Change::of(&exact(1.0), &exact(ratio), &ALONE).words();
        assert_eq!(
            ["×0.998", "×1.040", "×40", "×0.0123"],
            [0.998, 1.04, 40.0, 0.0123].map(words)[..]
        );
    }
}
