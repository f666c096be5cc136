//! Closed forms of collective operations from measured times (Hwang, Wang & Wang, Section 3;
//! Touriño & Doallo, Section 4).
//!
//! # Formula
//! T(m, p) = T0(p) + t_b(p) m + t_c(p) m. At each p, with m0 the shortest message:
//! - slope: T(m) − T(m0) = b (m − m0) by relative least squares
//! - T0 = T(m0) − b m0: Hwang, Wang & Wang take the startup from a zero-byte or short message
//! - reductions: t_b = b with an empty reduction operator, t_c = b − t_b with a real operator
//!   (Touriño & Doallo, Section 4.3)
//!
//! Other tools print one number per p and m: then T0 and b are those of the line through all sizes.
//!
//! Each quantity is estimated several times, from parts of the samples taken at different times;
//! the spread gives the interval. Then a closed form over p is fitted to each quantity ([`shape`]).

pub mod conditions;
mod measured;
#[cfg(test)]
mod published;
mod shape;

pub use measured::measured;

use super::states::States;
use conditions::{Conditions, Curve};
use loggia_model::model::collective::cost;
use loggia_model::signature::{Collective, Operation, Quality, Samples};
use loggia_model::stats::CONFIDENCE;
use loggia_model::stats::change::changes;
use loggia_model::stats::least_squares::{Weights, least_squares};
use loggia_model::stats::line::steady_line;
use loggia_model::stats::quality::{Tolerances, judge};
use loggia_model::stats::quantile::median;
use loggia_model::units::words::{number, unsigned_percent};
use loggia_model::units::{Bytes, Procs};
use shape::{Chosen, Point};
use std::collections::BTreeMap;

/// Minimum relative height of a reported jump in a curve over sizes.
const JUMP: f64 = 0.25;
/// A form is uncertain if its median error exceeds this …
const UNCERTAIN_MEDIAN_ERROR: f64 = 0.1;
/// … or its maximum error exceeds this.
const UNCERTAIN_MAXIMUM_ERROR: f64 = 0.25;
/// A form is dropped if its median error exceeds this.
const DROPPED_MEDIAN_ERROR: f64 = 0.5;

/// With fewer values of p, printed numbers cannot distinguish forms.
const FEW_PROCS: usize = 6;

/// The fitted collective operations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forms {
    pub collectives: Vec<Collective>,
    /// Reasons for missing forms and large errors.
    pub remarks: Vec<String>,
}

/// The closed forms of all operations among the samples.
///
/// # Example
/// ```
/// use loggia_fit::collective::collectives;
/// use loggia_model::signature::{Quantity, Samples};
/// use loggia_model::units::{Bytes, Micros, Procs};
/// let times = |p: u32, m: u64| Samples {
///     op: Some("alltoall".to_owned()),
///     procs: Some(Procs(p)),
///     bytes: Some(Bytes(m)),
///     // Hwang, Wang & Wang, Table 3, T3D
///     times: [0.99, 1.0, 1.0, 1.0, 1.0, 1.01]
///         .map(|noise| Micros(noise * (26.0 * f64::from(p) + 8.6 + 0.01 * m as f64)))
///         .to_vec(),
///     ..Samples::raw(Quantity::Collective)
/// };
/// let samples: Vec<Samples> = [2, 4, 8, 16]
///     .into_iter()
///     .flat_map(|p| [0, 64, 4096, 65536].map(|m| times(p, m)))
///     .collect();
/// let forms = collectives(&samples);
/// assert_eq!(forms.collectives[0].startup.words(), "26 p + 8.6");
/// assert_eq!(forms.collectives[0].per_byte.as_ref().unwrap().words(), "0.01");
/// ```
#[must_use]
pub fn collectives(samples: &[Samples]) -> Forms {
    let mut forms = Forms::default();
    let states = States::of(samples.iter());
    for op in Operation::ALL {
        let samples = of_one_placement(op, samples);
        let Some(conditions) = Conditions::of(op, samples, &states) else { continue };
        let mut remarks = Vec::new();
        forms.collectives.extend(Fitting { op, conditions }.fit(&mut remarks));
        let named = |remark| format!("{}: {remark}", op.name());
        forms.remarks.extend(remarks.into_iter().map(named));
    }
    forms
}

/// Name of the measurement procedure of the operation.
#[must_use]
pub fn procedure(op: Operation, samples: &[Samples]) -> Option<&str> {
    Conditions::of(op, of_one_placement(op, samples), &States::default())?.procedure
}

/// An operation's samples of one placement, since a form is valid for one placement: the ranks per
/// node of the largest number of ranks.
fn of_one_placement(op: Operation, samples: &[Samples]) -> impl Iterator<Item = &Samples> {
    let of_op = move || samples.iter().filter(move |s| s.op.as_deref() == Some(op.name()));
    let per_node = of_op().max_by_key(|s| (s.procs, s.per_node)).and_then(|s| s.per_node);
    of_op().filter(move |samples| samples.per_node == per_node)
}

/// The fit of one operation.
struct Fitting<'a> {
    op: Operation,
    conditions: Conditions<'a>,
}

/// A quantity by p, with one estimate per part of the samples.
type Values = BTreeMap<Procs, Vec<f64>>;

/// The form of a term with its quality, or the reason for a missing form.
type FittedTerm = Result<(Chosen, Quality), String>;

impl Fitting<'_> {
    fn fit(&self, remarks: &mut Vec<String>) -> Option<Collective> {
        let lines = |curves| match self.conditions.tool {
            None => (startups(curves), slopes(curves)),
            Some(_) => printed(curves),
        };
        let (mut startup, mut slope) = lines(&self.conditions.real);
        let mut compute = None;
        if !self.conditions.empty.is_empty() {
            let (empty_startup, transmission) = lines(&self.conditions.empty);
            match self.term("t_c", &subtract(&slope, &transmission), &slope) {
                Ok(term) => {
                    (startup, slope) = (empty_startup, transmission);
                    compute = Some(term);
                }
                Err(reason) => remarks.push(format!("{reason}, so t_b includes the arithmetic")),
            }
        }
        let mut or_remark = |term: FittedTerm| term.map_err(|reason| remarks.push(reason)).ok();
        let startup = or_remark(self.term("T0", &startup, &startup))?;
        let per_byte = match slope.is_empty() {
            true => None,
            false => or_remark(self.term("t_b", &slope, &slope)),
        };
        let terms = [Some(startup), per_byte, compute];
        self.check_errors(self.closed_form(&terms)?, remarks)
    }

    /// The closed form of T0, t_b and t_c.
    fn closed_form(&self, terms: &[Option<(Chosen, Quality)>; 3]) -> Option<Collective> {
        let form = |term: &Option<(Chosen, Quality)>| Some(term.as_ref()?.0.form.clone());
        let [startup, per_byte, compute_per_byte] = terms;
        let known = || terms.iter().zip(["T0", "t_b", "t_c"]);
        let words = known().filter_map(|(term, name)| Some((name, term.as_ref()?.0.words())));
        let words: Vec<String> = words.map(|(name, words)| format!("{name} = {words}")).collect();
        let doubtful = terms.iter().flatten().any(|(_, quality)| *quality != Quality::Good);
        let by = [self.conditions.procedure, self.conditions.tool];
        let by: Vec<&str> = by.into_iter().flatten().collect();
        let by = if by.is_empty() { String::new() } else { format!(" ({})", by.join(", ")) };
        let few = self.conditions.tool.is_some() && self.conditions.real.len() < FEW_PROCS;
        let selection = if few { "the simplest form" } else { "by AICc" };
        Some(Collective {
            op: self.op,
            routine: None,
            bytes_are: self.op.bytes_are(),
            startup: form(startup)?,
            per_byte: form(per_byte),
            compute_per_byte: form(compute_per_byte),
            procs: self.conditions.procs()?,
            bytes: self.conditions.bytes().filter(|_| self.op != Operation::Barrier),
            quality: if doubtful { Quality::Uncertain } else { Quality::Good },
            source: format!(
                "least squares over {} times{by}; {selection} {}",
                self.conditions.count,
                words.join(", ")
            ),
            note: None,
        })
    }

    /// Adds the form's error to its note; `None` if the error is too large.
    fn check_errors(&self, form: Collective, remarks: &mut Vec<String>) -> Option<Collective> {
        let mut errors = Vec::new();
        for (procs, curve) in self.conditions.medians() {
            // Many libraries return at once for zero bytes; other tools print these times, too.
            let is_empty_call = |size: Bytes| size.0 == 0 && self.conditions.tool.is_some();
            let is_only = curve.len() == 1;
            for (size, time) in
                curve.into_iter().filter(|(size, _)| is_only || !is_empty_call(*size))
            {
                let predicted = cost(&form, procs, size.count()).prediction.time()?;
                errors.push(((predicted.0 / time.0 - 1.0).abs(), procs, size));
            }
        }
        let median_error = median(&errors.iter().map(|(error, ..)| *error).collect::<Vec<_>>())?;
        let (worst, procs, size) = errors.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let error = format!(
            "error: median {}, maximum {} (p = {}, {} bytes)",
            unsigned_percent(median_error),
            unsigned_percent(worst),
            procs.0,
            size.0
        );
        if median_error > DROPPED_MEDIAN_ERROR {
            remarks.push(format!("no closed form: a line over bytes has an {error}"));
            return None;
        }
        let jump = self.jump();
        let is_uncertain = median_error > UNCERTAIN_MEDIAN_ERROR || worst > UNCERTAIN_MAXIMUM_ERROR;
        if is_uncertain {
            let jump = jump.as_ref().map_or(String::new(), |jump| format!("; {jump}"));
            remarks.push(format!("a line over bytes has an {error}{jump}"));
        }
        let quality = if is_uncertain { Quality::Uncertain } else { form.quality };
        let note = [Some(error), jump].into_iter().flatten().collect::<Vec<_>>().join("; ");
        Some(Collective { quality, note: Some(note), ..form })
    }

    /// The form of a quantity over p; its uncertainty is proportional to `scale`.
    fn term(&self, name: &str, values: &Values, scale: &Values) -> FittedTerm {
        let is_printed = self.conditions.tool.is_some();
        let mut points = Vec::new();
        for (procs, values) in values {
            let size = scale.get(procs).and_then(|scale| median(scale)).unwrap_or_default();
            let procs = *procs;
            points.extend(values.iter().map(|value| Point { procs, value: *value, size }));
        }
        let is_few = is_printed && values.len() < FEW_PROCS;
        let chosen = if is_few { shape::through_few(&points) } else { shape::choose(&points) };
        let Some(chosen) = chosen else {
            let least = values.iter().filter_map(|(procs, values)| Some((procs, median(values)?)));
            let least = least.min_by(|a, b| a.1.total_cmp(&b.1));
            return Err(match least {
                Some((procs, value)) => format!(
                    "{name} is {} at p = {}, and no closed form is positive at all p",
                    number(value, 3),
                    procs.0
                ),
                None => format!("{name} was not measured"),
            });
        };
        let at = |procs: &Procs| (*procs, judge(&chosen.at(*procs), &Tolerances::default()));
        let judgements: Vec<_> = values.keys().map(at).collect();
        let unusable = judgements.iter().find(|(_, j)| j.quality == Quality::Unusable);
        // A printed number is used even without an interval.
        if let Some((procs, judgement)) = unusable.filter(|_| !is_printed) {
            return Err(format!("{name} at p = {} is {}", procs.0, judgement.reason));
        }
        let is_good = judgements.iter().all(|(_, judgement)| judgement.quality == Quality::Good);
        Ok((chosen, if is_good { Quality::Good } else { Quality::Uncertain }))
    }

    /// A jump at the largest p, caused by a change of protocol or algorithm.
    fn jump(&self) -> Option<String> {
        let jumps = self.conditions.medians().filter_map(|(procs, curve)| {
            let jump = changes(&curve, JUMP).into_iter().next()?;
            Some(format!(
                "from {} to {} bytes, {} processes take {} {} than the sizes around explain",
                jump.below.0,
                jump.above.0,
                procs.0,
                unsigned_percent(jump.jump),
                if jump.jump > 0.0 { "longer" } else { "less" }
            ))
        });
        jumps.last()
    }
}

/// Time per byte at every p with more than one size: slope of T − T(m0) over m − m0, by relative
/// least squares.
fn slopes(curves: &BTreeMap<Procs, Curve>) -> Values {
    let slopes_of = |curve: &Curve| -> Vec<f64> {
        let Some((shortest, starts)) = curve.first_key_value() else { return Vec::new() };
        let parts = curve.values().map(Vec::len).min().unwrap_or_default();
        let slope = |part: usize| {
            let longer = || curve.iter().skip(1);
            let more: Vec<f64> = longer().map(|(m, _)| m.count() - shortest.count()).collect();
            let rise: Vec<f64> = longer().map(|(_, times)| times[part] - starts[part]).collect();
            let weights: Vec<f64> =
                longer().map(|(_, times)| 1.0 / (times[part] * times[part])).collect();
            let fit = least_squares(&[&more], &rise, Weights::Given(&weights))?;
            fit.coefficients.first().copied()
        };
        (0..parts).filter_map(slope).collect()
    };
    let slopes = curves.iter().map(|(procs, curve)| (*procs, slopes_of(curve)));
    slopes.filter(|(_, slopes)| !slopes.is_empty()).collect()
}

/// T0 at every p: the time of the shortest message minus the time of its bytes.
fn startups(curves: &BTreeMap<Procs, Curve>) -> Values {
    let slopes = slopes(curves);
    let startup = |(procs, curve): (&Procs, &Curve)| {
        let (shortest, times) = curve.first_key_value()?;
        let slope = slopes.get(procs).and_then(|slopes| median(slopes)).unwrap_or_default();
        Some((*procs, times.iter().map(|time| time - slope * shortest.count()).collect()))
    };
    curves.iter().filter_map(startup).collect()
}

/// T0 and time per byte of printed numbers, from the line through all sizes, since a single printed
/// time may have a large error.
fn printed(curves: &BTreeMap<Procs, Curve>) -> (Values, Values) {
    let (mut startups, mut slopes) = (startups(curves), slopes(curves));
    for (procs, curve) in curves.iter().filter(|(_, curve)| curve.len() > 2) {
        let parts = curve.values().map(Vec::len).min().unwrap_or_default();
        let through = |part: usize| {
            let sizes = curve.iter().filter(|(size, _)| size.0 > 0);
            let points: Vec<(f64, f64)> =
                sizes.map(|(size, times)| (size.count(), times[part])).collect();
            let line = steady_line(&points)?;
            let (startup, slope) = (line.intercept(CONFIDENCE).value, line.slope(CONFIDENCE).value);
            (startup > 0.0 && slope > 0.0).then_some((startup, slope))
        };
        let lines: Option<Vec<(f64, f64)>> = (0..parts).map(through).collect();
        if let Some(lines) = lines {
            startups.insert(*procs, lines.iter().map(|(startup, _)| *startup).collect());
            slopes.insert(*procs, lines.iter().map(|(_, slope)| *slope).collect());
        }
    }
    (startups, slopes)
}

/// Differences part by part, at every p with both.
fn subtract(all: &Values, less: &Values) -> Values {
    let both = all.iter().filter_map(|(procs, all)| Some((*procs, all, less.get(procs)?)));
    both.map(|(procs, all, less)| (procs, all.iter().zip(less).map(|(a, b)| a - b).collect()))
        .collect()
}
