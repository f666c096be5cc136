//! Closed forms over p, from the simplest to those of Touriño & Doallo (Tables 2 to 4).

use loggia_model::signature::{Form, FormTerm, RankFunction};
use loggia_model::stats::least_squares::{Fit, Weights, least_squares};
use loggia_model::stats::{CONFIDENCE, Estimate};
use loggia_model::units::Procs;

/// The forms, simplest first.
const SHAPES: [Shape; 9] = [
    Shape::Sum(&[RankFunction::One], "a"),
    Shape::Sum(&[RankFunction::Log], "a log p"),
    Shape::Sum(&[RankFunction::P], "a p"),
    Shape::Sum(&[RankFunction::PLog], "a p log p"),
    Shape::Sum(&[RankFunction::Log, RankFunction::One], "a log p + b"),
    Shape::Sum(&[RankFunction::P, RankFunction::One], "a p + b"),
    Shape::Sum(&[RankFunction::PLog, RankFunction::One], "a p log p + b"),
    Shape::Power,
    Shape::Reciprocal,
];

/// A more complex form is preferred only if it improves AICc by more than this (Burnham & Anderson,
/// *Model Selection*, 2002, Section 2.6).
const MIN_IMPROVEMENT: f64 = 2.0;

/// Maximum relative error of a form through few points.
const MAX_ERROR: f64 = 0.1;

/// Number of Gauss–Newton steps for forms that are not linear in their coefficients.
const STEPS: usize = 30;

/// A closed form with unknown coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    /// A sum of multiples of simple functions.
    Sum(&'static [RankFunction], &'static str),
    /// a (log p)^k
    Power,
    /// 1/(a + b log p)
    Reciprocal,
}

/// A value to be fitted at p; its error is proportional to `size`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) procs: Procs,
    pub(super) value: f64,
    pub(super) size: f64,
}

/// A fitted form.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub(super) form: Form,
    shape: Shape,
    fit: Fit,
    /// The next best form, and the difference of its AICc.
    next: Option<(Shape, f64)>,
}

/// The best form by AICc; among equally good forms the simplest. `None` if no form is positive at
/// all p.
pub(super) fn choose(points: &[Point]) -> Option<Chosen> {
    let mut procs: Vec<Procs> = points.iter().map(|point| point.procs).collect();
    procs.sort();
    procs.dedup();
    let (first, last) = (*procs.first()?, *procs.last()?);
    // Every form is monotonic: positive at both ends implies positive between them.
    let is_positive = |form: &Form| {
        let at = |p| form.at(p).value;
        [first, last].into_iter().all(|p| at(p).is_finite() && at(p) > 0.0)
    };
    let fitted: Vec<(Shape, Form, Fit)> = SHAPES
        .into_iter()
        .filter(|shape| shape.coefficients() <= procs.len())
        .filter_map(|shape| shape.fit(points).map(|(form, fit)| (shape, form, fit)))
        .filter(|(_, form, _)| is_positive(form))
        .collect();
    let best = fitted.iter().map(|(.., fit)| fit.aicc).min_by(f64::total_cmp)?;
    // With too few points for AICc, all forms are equally good.
    let is_good = |fit: &Fit| fit.aicc <= best + MIN_IMPROVEMENT;
    let (shape, form, fit) = fitted.iter().find(|(.., fit)| is_good(fit))?.clone();
    let others = fitted.iter().filter(|(other, ..)| *other != shape);
    let worse = others.map(|(other, _, other_fit)| (*other, other_fit.aicc - fit.aicc));
    let next = worse.filter(|(_, by)| by.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1));
    Some(Chosen { form, shape, fit, next })
}

/// A form through few points, one per p: the simplest form with errors up to 10%, or else the form
/// with the least error. Forms that decrease with p come last.
pub(super) fn through_few(points: &[Point]) -> Option<Chosen> {
    let mut procs: Vec<Procs> = points.iter().map(|point| point.procs).collect();
    procs.sort();
    procs.dedup();
    let max_error = |form: &Form| {
        let error = |point: &Point| (form.at(point.procs).value / point.value - 1.0).abs();
        points.iter().map(error).fold(0.0, f64::max)
    };
    // The time does not decrease with p; a decrease is noise.
    let is_nondecreasing = |form: &Form| {
        !form.reciprocal && form.terms.iter().all(|term| term.value >= 0.0 && term.power >= 0.0)
    };
    let fitted: Vec<(Shape, Form, Fit)> = SHAPES
        .into_iter()
        .filter(|shape| shape.coefficients() <= procs.len())
        .filter_map(|shape| shape.fit(points).map(|(form, fit)| (shape, form, fit)))
        .filter(|(_, form, _)| procs.iter().all(|p| form.at(*p).value > 0.0))
        .collect();
    let nondecreasing = || fitted.iter().filter(|(_, form, _)| is_nondecreasing(form));
    let close = nondecreasing().find(|(_, form, _)| max_error(form) <= MAX_ERROR);
    let least_error = |all: &mut dyn Iterator<Item = &'_ (Shape, Form, Fit)>| {
        all.min_by(|a, b| max_error(&a.1).total_cmp(&max_error(&b.1))).cloned()
    };
    let chosen = close
        .cloned()
        .or_else(|| least_error(&mut nondecreasing()))
        .or_else(|| least_error(&mut fitted.iter()));
    chosen.map(|(shape, form, fit)| Chosen { form, shape, fit, next: None })
}

impl Chosen {
    /// The value at p with its interval.
    pub(super) fn at(&self, procs: Procs) -> Estimate {
        let coefficients = &self.fit.coefficients;
        let half = self.fit.at(&self.shape.slopes(coefficients, procs), CONFIDENCE).half_width();
        Estimate::around(self.form.at(procs).value, half)
    }

    /// The form, and the next form if it fits as well.
    pub(super) fn words(&self) -> String {
        let shape = self.shape.words();
        match self.next {
            Some((next, by)) if by.abs() < MIN_IMPROVEMENT => {
                format!("{shape} ({} fits as well)", next.words())
            }
            _ => shape.to_owned(),
        }
    }
}

impl Shape {
    fn words(self) -> &'static str {
        match self {
            Shape::Sum(_, words) => words,
            Shape::Power => "a (log p)^k",
            Shape::Reciprocal => "1/(a + b log p)",
        }
    }

    fn coefficients(self) -> usize {
        match self {
            Shape::Sum(bases, _) => bases.len(),
            Shape::Power | Shape::Reciprocal => 2,
        }
    }

    /// Least squares. Forms that are not linear in their coefficients use Gauss–Newton steps,
    /// starting from a linear fit of log y over log log p, or of 1/y over log p.
    fn fit(self, points: &[Point]) -> Option<(Form, Fit)> {
        let log_log = |procs| libm::log(at(RankFunction::Log, procs));
        let fit = match self {
            Shape::Sum(..) => solve(points, |p| (p.value, p.weight(), self.slopes(&[], p.procs)))?,
            Shape::Power => {
                let row = |procs| vec![1.0, log_log(procs)];
                let start = solve(points, |p| (libm::log(p.value), 1.0, row(p.procs)))?;
                let [log_a, k] = start.coefficients[..] else { return None };
                self.improve(points, vec![libm::exp(log_a), k])?
            }
            Shape::Reciprocal => {
                let row = |procs| vec![1.0, at(RankFunction::Log, procs)];
                let start = solve(points, |p| (1.0 / p.value, 1.0 / p.weight(), row(p.procs)))?;
                self.improve(points, start.coefficients)?
            }
        };
        Some((self.form(&fit), fit))
    }

    /// Gauss–Newton steps from initial coefficients.
    fn improve(self, points: &[Point], mut coefficients: Vec<f64>) -> Option<Fit> {
        for _ in 0..STEPS {
            let linearised = |point: &Point| {
                let slopes = self.slopes(&coefficients, point.procs);
                let linear: f64 = slopes.iter().zip(&coefficients).map(|(s, c)| s * c).sum();
                let residual = point.value - self.value(&coefficients, point.procs);
                (residual + linear, point.weight(), slopes)
            };
            let fit = solve(points, linearised)?;
            let moved = fit.coefficients.iter().zip(&coefficients).map(|(a, b)| (a - b).abs());
            let largest = moved.zip(&coefficients).map(|(moved, c)| moved / c.abs());
            if largest.fold(0.0, f64::max) < 1e-9 {
                return Some(fit);
            }
            coefficients = fit.coefficients;
        }
        None
    }

    /// The value at p.
    fn value(self, coefficients: &[f64], procs: Procs) -> f64 {
        match (self, coefficients) {
            (Shape::Power, [a, k]) => a * libm::pow(at(RankFunction::Log, procs), *k),
            (Shape::Reciprocal, [a, b]) => 1.0 / (a + b * at(RankFunction::Log, procs)),
            _ => {
                self.slopes(coefficients, procs).iter().zip(coefficients).map(|(s, c)| s * c).sum()
            }
        }
    }

    /// Derivatives of the value at p by each coefficient.
    fn slopes(self, coefficients: &[f64], procs: Procs) -> Vec<f64> {
        let log = at(RankFunction::Log, procs);
        match (self, coefficients) {
            (Shape::Sum(bases, _), _) => bases.iter().map(|basis| at(*basis, procs)).collect(),
            (Shape::Power, [a, k]) => {
                let power = libm::pow(log, *k);
                vec![power, a * power * libm::log(log)]
            }
            (_, coefficients) => {
                let value = self.value(coefficients, procs);
                vec![-value * value, -value * value * log]
            }
        }
    }

    /// The form with fitted coefficients and their intervals.
    fn form(self, fit: &Fit) -> Form {
        let term = |index: usize, times, power| {
            let chosen = fit.coefficient(index, CONFIDENCE);
            let bound = |bound: fn(&Estimate) -> f64| chosen.as_ref().map(bound);
            FormTerm {
                value: fit.coefficients.get(index).copied().unwrap_or_default(),
                low: bound(|e| e.low).filter(|low| low.is_finite()),
                high: bound(|e| e.high).filter(|high| high.is_finite()),
                times,
                power,
            }
        };
        match self {
            Shape::Sum(bases, _) => {
                let terms = bases.iter().enumerate().map(|(i, basis)| term(i, *basis, 1.0));
                Form { terms: terms.collect(), reciprocal: false }
            }
            Shape::Power => {
                let power = fit.coefficients.get(1).copied().unwrap_or(1.0);
                Form { terms: vec![term(0, RankFunction::Log, power)], reciprocal: false }
            }
            Shape::Reciprocal => {
                let terms = vec![term(0, RankFunction::One, 1.0), term(1, RankFunction::Log, 1.0)];
                Form { terms, reciprocal: true }
            }
        }
    }
}

impl Point {
    fn weight(&self) -> f64 {
        1.0 / (self.size * self.size)
    }
}

/// Least squares over the points; `row` gives value, weight and factors of the coefficients of a
/// point.
fn solve(points: &[Point], row: impl Fn(&Point) -> (f64, f64, Vec<f64>)) -> Option<Fit> {
    let (mut y, mut weights, mut columns) = (Vec::new(), Vec::new(), Vec::new());
    for (value, weight, row) in points.iter().map(row) {
        y.push(value);
        weights.push(weight);
        columns.resize_with(row.len(), Vec::new);
        columns.iter_mut().zip(row).for_each(|(column, x)| column.push(x));
    }
    let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    least_squares(&columns, &y, Weights::Given(&weights))
}

/// The value of a basis function at p.
fn at(basis: RankFunction, procs: Procs) -> f64 {
    let term = FormTerm { value: 1.0, low: None, high: None, times: basis, power: 1.0 };
    Form { terms: vec![term], reciprocal: false }.at(procs).value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six values at each p, within a few percent of the true value.
    fn points(procs: &[u32], truth: impl Fn(Procs) -> f64) -> Vec<Point> {
        let noise = [1.01, 0.985, 1.02, 0.99, 1.005, 0.99];
        let mut all = Vec::new();
        for (i, &p) in procs.iter().enumerate() {
            let size = truth(Procs(p));
            all.extend((0..6).map(|j| Point {
                procs: Procs(p),
                value: size * noise[(j + i) % 6],
                size,
            }));
        }
        all
    }

    fn shape(procs: &[u32], truth: impl Fn(Procs) -> f64) -> &'static str {
        choose(&points(procs, truth)).unwrap().shape.words()
    }

    #[test]
    fn every_shape_is_distinguished() {
        let p = [2, 4, 8, 16, 32, 64];
        assert_eq!(shape(&p, |_| 3.0), "a");
        assert_eq!(shape(&p, |p| 69.0 * p.log()), "a log p");
        assert_eq!(shape(&p, |p| 22.0 * p.count()), "a p");
        assert_eq!(shape(&p, |p| 2.0 * p.count() * p.log()), "a p log p");
        assert_eq!(shape(&p, |p| 123.0 * p.log() - 90.0), "a log p + b");
        assert_eq!(shape(&p, |p| 3.7 * p.count() + 128.0), "a p + b");
        assert_eq!(shape(&p, |p| 3.0 * p.count() * p.log() + 40.0), "a p log p + b");
    }

    /// Touriño & Doallo, Table 3.
    #[test]
    fn the_shapes_of_the_ap3000_are_found() {
        let p = [2, 4, 6, 8, 10, 12];
        let power = choose(&points(&p, |p| 0.0209 * libm::pow(p.log(), -0.383))).unwrap();
        assert_eq!(power.shape, Shape::Power);
        let term = power.form.terms[0];
        assert!((term.power + 0.383).abs() < 0.02, "{term:?}");
        assert!(term.low.unwrap() < 0.0209 && term.high.unwrap() > 0.0209, "{term:?}");
        let gather = choose(&points(&p, |p| 1.0 / (0.0135 - 0.00296 * p.log()))).unwrap();
        assert_eq!(gather.shape, Shape::Reciprocal);
        for (term, truth) in gather.form.terms.iter().zip([0.0135, -0.00296]) {
            assert!(term.low.unwrap() < truth && term.high.unwrap() > truth, "{term:?}");
        }
    }

    #[test]
    fn intervals_contain_the_true_coefficients() {
        let chosen = choose(&points(&[2, 4, 8, 16, 32], |p| 55.0 * p.log() + 30.0)).unwrap();
        for (term, truth) in chosen.form.terms.iter().zip([55.0, 30.0]) {
            assert!(term.low.unwrap() < truth && term.high.unwrap() > truth, "{term:?}");
        }
        let at = chosen.at(Procs(16));
        assert!(at.contains(250.0) && at.relative_width() < 0.1, "{at:?}");
    }

    #[test]
    fn few_values_of_p_allow_few_coefficients() {
        assert_eq!(shape(&[2], |p| 22.0 * p.count()), "a");
        // With p = 2 and 4, log p and p are proportional.
        let two = choose(&points(&[2, 4], |p| 22.0 * p.count())).unwrap();
        assert_eq!(two.words(), "a log p (a p fits as well)");
        assert_eq!(shape(&[2, 4, 8], |p| 100.0 + 3.0 * p.count()), "a p + b");
    }

    #[test]
    fn a_form_is_positive_at_all_p() {
        assert!(choose(&points(&[2, 4, 8], |_| -1.0)).is_none());
        assert!(choose(&[]).is_none());
        // The published 0.082 p − 0.29 of the SP2 is negative for p < 4.
        let chosen = choose(&points(&[4, 8, 16, 32], |p| 0.082 * p.count() - 0.29)).unwrap();
        assert!(chosen.form.at(Procs(4)).value > 0.0);
    }
}
