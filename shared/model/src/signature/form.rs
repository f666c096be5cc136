//! Closed forms over p, as in papers: `26p + 8.6`, `0.0209 (log p)^-0.383`, `1/(a − b log p)`.

use crate::units::words::number;
use crate::units::{Interval, Procs};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A sum of terms over p, or its reciprocal. The owner determines the unit: µs or µs/byte.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// The summands.
    pub terms: Vec<FormTerm>,
    /// Whether the form is the reciprocal of the sum.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reciprocal: bool,
}

/// A coefficient times a power of a simple function of p.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FormTerm {
    /// The coefficient; it may be negative.
    pub value: f64,
    /// Lower bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Upper bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// The function of p that the coefficient multiplies.
    #[serde(default, skip_serializing_if = "RankFunction::is_one")]
    pub times: RankFunction,
    /// The exponent of this function.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub power: f64,
}

/// A simple function of p. `log` is log2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RankFunction {
    /// 1
    #[default]
    #[serde(rename = "1")]
    One,
    /// log2 p
    #[serde(rename = "log p")]
    Log,
    /// p
    #[serde(rename = "p")]
    P,
    /// p log2 p
    #[serde(rename = "p log p")]
    PLog,
}

fn one() -> f64 {
    1.0
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde requires a reference")]
fn is_one(power: &f64) -> bool {
    *power == 1.0
}

/// p and its logarithm, shared by several forms.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) procs: Procs,
    log: f64,
    log_log: f64,
}

/// Logarithms up to this p are tabulated, as computing one takes as long as the rest of a
/// prediction.
const USUAL_PROCS: u32 = 1024;
static USUAL: LazyLock<Vec<Scale>> =
    LazyLock::new(|| (0..=USUAL_PROCS).map(|p| Scale::computed(Procs(p))).collect());

impl Scale {
    pub(crate) fn of(procs: Procs) -> Self {
        USUAL.get(procs.0 as usize).copied().unwrap_or_else(|| Scale::computed(procs))
    }

    fn computed(procs: Procs) -> Self {
        let log = procs.log();
        Scale { procs, log, log_log: libm::log2(log) }
    }
}

impl RankFunction {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires a reference")]
    fn is_one(&self) -> bool {
        *self == RankFunction::One
    }

    /// The name in files.
    pub fn words(self) -> &'static str {
        match self {
            RankFunction::One => "1",
            RankFunction::Log => "log p",
            RankFunction::P => "p",
            RankFunction::PLog => "p log p",
        }
    }

    fn at(self, scale: Scale) -> f64 {
        match self {
            RankFunction::One => 1.0,
            RankFunction::Log => scale.log,
            RankFunction::P => scale.procs.count(),
            RankFunction::PLog => scale.procs.count() * scale.log,
        }
    }

    /// The logarithm of this function.
    fn log_at(self, scale: Scale) -> f64 {
        match self {
            RankFunction::One => 0.0,
            RankFunction::Log => scale.log_log,
            RankFunction::P => scale.log,
            RankFunction::PLog => scale.log + scale.log_log,
        }
    }
}

impl FormTerm {
    fn factor(&self, scale: Scale) -> f64 {
        if self.power == 1.0 {
            self.times.at(scale)
        } else {
            libm::exp2(self.power * self.times.log_at(scale))
        }
    }

    fn words(&self) -> String {
        let coefficient = number(self.value.abs(), 6);
        let function = match self.times {
            RankFunction::One => return coefficient,
            times => times.words(),
        };
        match (self.power == 1.0, self.times) {
            (true, _) => format!("{coefficient} {function}"),
            (false, RankFunction::P) => format!("{coefficient} p^{}", number(self.power, 6)),
            (false, _) => format!("{coefficient} ({function})^{}", number(self.power, 6)),
        }
    }
}

impl Form {
    /// The value for p processes. It may be negative or infinite outside the fitted range.
    pub fn at(&self, procs: Procs) -> Interval<f64> {
        self.at_scale(Scale::of(procs))
    }

    /// The value for p with a known logarithm.
    pub(crate) fn at_scale(&self, scale: Scale) -> Interval<f64> {
        let mut sum = Interval { value: 0.0, low: 0.0, high: 0.0 };
        for term in &self.terms {
            let factor = term.factor(scale);
            sum.value += term.value * factor;
            sum.low += term.low.unwrap_or(term.value) * factor;
            sum.high += term.high.unwrap_or(term.value) * factor;
        }
        if self.reciprocal {
            // If the bounds include zero, the reciprocal has no upper bound.
            let high = if sum.low > 0.0 || sum.value < 0.0 { 1.0 / sum.low } else { f64::INFINITY };
            Interval { value: 1.0 / sum.value, low: 1.0 / sum.high, high }
        } else {
            sum
        }
    }

    /// As text, in the notation of papers.
    pub fn words(&self) -> String {
        let mut text = String::new();
        for term in &self.terms {
            match (text.is_empty(), term.value < 0.0) {
                (true, false) => {}
                (true, true) => text.push('−'),
                (false, false) => text.push_str(" + "),
                (false, true) => text.push_str(" − "),
            }
            text.push_str(&term.words());
        }
        if self.reciprocal { format!("1/({text})") } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(value: f64, times: RankFunction, power: f64) -> FormTerm {
        FormTerm { value, low: None, high: None, times, power }
    }

    /// Hwang, Wang & Wang 1997, Table 3: total exchange on the T3D starts in 26p + 8.6 µs.
    #[test]
    fn a_line_over_p() {
        let form = Form {
            terms: vec![term(26.0, RankFunction::P, 1.0), term(8.6, RankFunction::One, 1.0)],
            reciprocal: false,
        };
        assert_eq!(form.at(Procs(64)).value, 26.0 * 64.0 + 8.6);
        assert_eq!(form.words(), "26 p + 8.6");
    }

    /// Touriño & Doallo 2001, Table 3: gather starts in 1/(0.0135 − 0.00296 log p), with a pole
    /// near p = 23.6.
    #[test]
    fn a_reciprocal_has_a_pole() {
        let form = Form {
            terms: vec![
                term(0.0135, RankFunction::One, 1.0),
                term(-0.00296, RankFunction::Log, 1.0),
            ],
            reciprocal: true,
        };
        assert_eq!(form.at(Procs(2)).value, 1.0 / (0.0135 - 0.00296));
        assert!(form.at(Procs(23)).value > 0.0);
        assert!(form.at(Procs(24)).value < 0.0);
        assert_eq!(form.words(), "1/(0.0135 − 0.00296 log p)");
    }

    /// Touriño & Doallo 2001, Table 3: a scattered byte costs 0.0209 (log p)^−0.3830.
    #[test]
    fn a_power_of_the_logarithm() {
        let form =
            Form { terms: vec![term(0.0209, RankFunction::Log, -0.3830)], reciprocal: false };
        assert_eq!(form.at(Procs(2)).value, 0.0209);
        assert!((form.at(Procs(4)).value - 0.0209 / 2f64.powf(0.3830)).abs() < 1e-15);
        assert_eq!(form.words(), "0.0209 (log p)^-0.383");
    }

    #[test]
    fn tabulated_logarithms_equal_computed_ones() {
        for p in [2, 3, 12, USUAL_PROCS, USUAL_PROCS + 1, u32::MAX].map(Procs) {
            let (tabulated, computed) = (Scale::of(p), Scale::computed(p));
            assert_eq!(
                (tabulated.procs, tabulated.log, tabulated.log_log),
                (p, computed.log, computed.log_log)
            );
        }
    }

    /// Every function to a power, compared with the standard library.
    #[test]
    fn powers_of_every_function() {
        let log = 12f64.log2();
        for (times, base) in [
            (RankFunction::One, 1.0),
            (RankFunction::Log, log),
            (RankFunction::P, 12.0),
            (RankFunction::PLog, 12.0 * log),
        ] {
            for power in [-0.383, 0.5, 1.0, 2.0] {
                let form = Form { terms: vec![term(1.0, times, power)], reciprocal: false };
                let (got, expected) = (form.at(Procs(12)).value, base.powf(power));
                assert!((got / expected - 1.0).abs() < 1e-14, "{times:?}^{power}: {got}");
            }
        }
    }

    #[test]
    fn bounds_of_a_reciprocal_are_swapped() {
        let wide =
            FormTerm { low: Some(1.0), high: Some(4.0), ..term(2.0, RankFunction::One, 1.0) };
        let form = Form { terms: vec![wide], reciprocal: true };
        let at = form.at(Procs(2));
        assert_eq!((at.low, at.value, at.high), (0.25, 0.5, 1.0));
        let wider = FormTerm { low: Some(-1.0), ..wide };
        let at = Form { terms: vec![wider], reciprocal: true }.at(Procs(2));
        assert_eq!((at.low, at.value, at.high), (0.25, 0.5, f64::INFINITY));
    }
}
