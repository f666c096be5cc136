//! Closed forms of collective operations from measured times (Hwang, Wang & Wang, Section 3;
//! Touriño & Doallo, Section 4).
//!
//! # Formula
//! T(m, p) = T0(p) + t_b(p) m + t_c(p) m. At each p, with m0 the shortest message:
//! - slope: T(m) − T(m0) = b (m − m0) by relative least squares
//! - T0 = T(m0) − b m0: Hwang, Wang & Wang take the startup from a zero-byte or short message
//! - reductions: t_b = b with an operation that does nothing, t_c = b − t_b with a real one
//!   (Touriño & Doallo, Section 4.3)
//!
//! Other tools print one number for each p and m: T0 and b are then those of the line through all
//! sizes.
//!
//! Each is found several times, from parts of the samples that were taken at different times; their
//! spread gives the interval. Then a closed form over p is fitted to each ([`shape`]).

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
use loggia_model::units::words::number;
use loggia_model::units::{Bytes, Procs};
use shape::{Chosen, Point};
use std::collections::BTreeMap;

/// A jump in a curve over sizes is reported from this relative height on.
const JUMP: f64 = 0.25;
/// A form is uncertain if its median error exceeds the first, or its maximum the second …
const OFF_IN_THE_MIDDLE: f64 = 0.1;
const OFF_ANYWHERE: f64 = 0.25;
/// … and it is dropped if its median error exceeds this.
const OFF_ENTIRELY: f64 = 0.5;

/// Single numbers cannot tell forms apart at fewer values of p than this.
const FEW: usize = 6;

/// Collective operations, as far as the samples allow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forms {
    /// Their closed forms.
    pub collectives: Vec<Collective>,
    /// Operations without a form, and forms with large errors, with reasons.
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
///     // Hwang, Wang & Wang, Table 3, on the T3D
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
        let one = of_one_placement(op, samples);
        let Some(conditions) = Conditions::of(op, one, &states) else { continue };
        let mut remarks = Vec::new();
        forms.collectives.extend(Fitting { op, conditions }.fit(&mut remarks));
        let named = |remark| format!("{}: {remark}", op.name());
        forms.remarks.extend(remarks.into_iter().map(named));
    }
    forms
}

/// The procedure by which the operation was measured, as named in samples.
#[must_use]
pub fn procedure(op: Operation, samples: &[Samples]) -> Option<&str> {
    Conditions::of(op, of_one_placement(op, samples), &States::default())?.procedure
}

/// An operation's samples with as many ranks per node as those of the most ranks: a form holds for one
/// placement.
fn of_one_placement(op: Operation, samples: &[Samples]) -> impl Iterator<Item = &Samples> {
    let of_op = move || samples.iter().filter(move |s| s.op.as_deref() == Some(op.name()));
    let per_node = of_op().max_by_key(|s| (s.procs, s.per_node)).and_then(|s| s.per_node);
    of_op().filter(move |samples| samples.per_node == per_node)
}

/// One operation's samples, to be fitted.
struct Fitting<'a> {
    op: Operation,
    conditions: Conditions<'a>,
}

/// A quantity at each p, with one estimate per part of the samples.
type Values = BTreeMap<Procs, Vec<f64>>;

/// A term's form with its quality; or why there is none.
type Found = Result<(Chosen, Quality), String>;

impl Fitting<'_> {
    fn fit(&self, remarks: &mut Vec<String>) -> Option<Collective> {
        let lines = |curves| match self.conditions.tool {
            None => (startups(curves), slopes(curves)),
            Some(_) => printed(curves),
        };
        let (mut startup, mut slope) = lines(&self.conditions.real);
        let mut compute = None;
        if !self.conditions.empty.is_empty() {
            let (alone, transmission) = lines(&self.conditions.empty);
            match self.term("t_c", &without(&slope, &transmission), &slope) {
                Ok(found) => {
                    (startup, slope) = (alone, transmission);
                    compute = Some(found);
                }
                Err(why) => remarks.push(format!("{why}, so t_b includes the arithmetic")),
            }
        }
        let mut or_remark = |found: Found| found.map_err(|why| remarks.push(why)).ok();
        let startup = or_remark(self.term("T0", &startup, &startup))?;
        let per_byte = match slope.is_empty() {
            true => None,
            false => or_remark(self.term("t_b", &slope, &slope)),
        };
        let terms = [Some(startup), per_byte, compute];
        self.checked(self.written(&terms)?, remarks)
    }

    /// The closed form of T0, t_b and t_c.
    fn written(&self, terms: &[Option<(Chosen, Quality)>; 3]) -> Option<Collective> {
        let form = |term: &Option<(Chosen, Quality)>| Some(term.as_ref()?.0.form.clone());
        let [startup, per_byte, compute_per_byte] = terms;
        let known = || terms.iter().zip(["T0", "t_b", "t_c"]);
        let words = known().filter_map(|(term, name)| Some((name, term.as_ref()?.0.words())));
        let words: Vec<String> = words.map(|(name, words)| format!("{name} = {words}")).collect();
        let doubtful = terms.iter().flatten().any(|(_, quality)| *quality != Quality::Good);
        let by = [self.conditions.procedure, self.conditions.tool];
        let by: Vec<&str> = by.into_iter().flatten().collect();
        let by = if by.is_empty() { String::new() } else { format!(" ({})", by.join(", ")) };
        let few = self.conditions.tool.is_some() && self.conditions.real.len() < FEW;
        let how = if few { "the simplest form" } else { "by AICc" };
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
                "least squares over {} times{by}; {how} {}",
                self.conditions.count,
                words.join(", ")
            ),
            note: None,
        })
    }

    /// The form with its error; none if the error is too large.
    fn checked(&self, form: Collective, remarks: &mut Vec<String>) -> Option<Collective> {
        let mut errors = Vec::new();
        for (procs, curve) in self.conditions.medians() {
            // Many libraries do nothing for zero bytes, and tools print that, too.
            let is_nothing = |size: Bytes| size.0 == 0 && self.conditions.tool.is_some();
            let is_only = curve.len() == 1;
            for (size, time) in curve.into_iter().filter(|(size, _)| is_only || !is_nothing(*size))
            {
                let predicted = cost(&form, procs, size.count()).prediction.time()?;
                errors.push(((predicted.0 / time.0 - 1.0).abs(), procs, size));
            }
        }
        let usual = median(&errors.iter().map(|(error, ..)| *error).collect::<Vec<_>>())?;
        let (worst, procs, size) = errors.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        let percent = |part: f64| number(part * 100.0, 2);
        let off = format!(
            "error: median {}%, maximum {}% (p = {}, {} bytes)",
            percent(usual),
            percent(worst),
            procs.0,
            size.0
        );
        if usual > OFF_ENTIRELY {
            remarks.push(format!("no closed form: a line over bytes has an {off}"));
            return None;
        }
        let jump = self.jump();
        let is_off = usual > OFF_IN_THE_MIDDLE || worst > OFF_ANYWHERE;
        if is_off {
            let jump = jump.as_ref().map_or(String::new(), |jump| format!("; {jump}"));
            remarks.push(format!("a line over bytes has an {off}{jump}"));
        }
        let quality = if is_off { Quality::Uncertain } else { form.quality };
        let note = [Some(off), jump].into_iter().flatten().collect::<Vec<_>>().join("; ");
        Some(Collective { quality, note: Some(note), ..form })
    }

    /// The form of a quantity over p, whose uncertainty is proportional to `scale`.
    fn term(&self, name: &str, values: &Values, scale: &Values) -> Found {
        let is_printed = self.conditions.tool.is_some();
        let mut points = Vec::new();
        for (procs, values) in values {
            let size = scale.get(procs).and_then(|scale| median(scale)).unwrap_or_default();
            let procs = *procs;
            points.extend(values.iter().map(|value| Point { procs, value: *value, size }));
        }
        let is_few = is_printed && values.len() < FEW;
        let chosen = if is_few { shape::through_few(&points) } else { shape::choose(&points) };
        let Some(chosen) = chosen else {
            let least = values.iter().filter_map(|(procs, values)| Some((procs, median(values)?)));
            let least = least.min_by(|a, b| a.1.total_cmp(&b.1));
            return Err(match least {
                Some((procs, value)) => format!(
                    "{name} is {} at p = {}, and no closed form of it stays positive",
                    number(value, 3),
                    procs.0
                ),
                None => format!("{name} was not measured"),
            });
        };
        let at = |procs: &Procs| (*procs, judge(&chosen.at(*procs), &Tolerances::default()));
        let judged: Vec<_> = values.keys().map(at).collect();
        let unusable = judged.iter().find(|(_, j)| j.quality == Quality::Unusable);
        // A single printed number has no interval, and is taken nevertheless.
        if let Some((procs, judgement)) = unusable.filter(|_| !is_printed) {
            return Err(format!("{name} at p = {} is {}", procs.0, judgement.reason));
        }
        let is_good = judged.iter().all(|(_, judgement)| judgement.quality == Quality::Good);
        Ok((chosen, if is_good { Quality::Good } else { Quality::Uncertain }))
    }

    /// A jump at the largest p: another protocol or algorithm is used above.
    fn jump(&self) -> Option<String> {
        let jumps = self.conditions.medians().filter_map(|(procs, curve)| {
            let jump = changes(&curve, JUMP).into_iter().next()?;
            Some(format!(
                "from {} to {} bytes, {} processes take {}% {} than the sizes around explain",
                jump.below.0,
                jump.above.0,
                procs.0,
                number(jump.jump.abs() * 100.0, 2),
                if jump.jump > 0.0 { "longer" } else { "less" }
            ))
        });
        jumps.last()
    }
}

/// Time per byte, at every p that was measured at more than one size: the slope of T − T(m0) over
/// m − m0, with equal weights of all sizes.
fn slopes(curves: &BTreeMap<Procs, Curve>) -> Values {
    let of = |curve: &Curve| -> Vec<f64> {
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
    let slopes = curves.iter().map(|(procs, curve)| (*procs, of(curve)));
    slopes.filter(|(_, slopes)| !slopes.is_empty()).collect()
}

/// T0 at every p: the time of the shortest message without its bytes.
fn startups(curves: &BTreeMap<Procs, Curve>) -> Values {
    let slopes = slopes(curves);
    let of = |(procs, curve): (&Procs, &Curve)| {
        let (shortest, times) = curve.first_key_value()?;
        let slope = slopes.get(procs).and_then(|slopes| median(slopes)).unwrap_or_default();
        Some((*procs, times.iter().map(|time| time - slope * shortest.count()).collect()))
    };
    curves.iter().filter_map(of).collect()
}

/// T0 and time per byte of printed numbers: from the line through all sizes, since a single number
/// for the shortest message may have any error.
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

/// The differences, part by part, at every p that has both.
fn without(all: &Values, less: &Values) -> Values {
    let both = all.iter().filter_map(|(procs, all)| Some((*procs, all, less.get(procs)?)));
    both.map(|(procs, all, less)| (procs, all.iter().zip(less).map(|(a, b)| a - b).collect()))
        .collect()
}
