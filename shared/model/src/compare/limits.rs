//! Conditions on which a check fails: `L>+10%`, `isend.o_s@8>3us`, `G`.
//!
//! A condition fails a check only if the whole interval of the ratio, or of the number, is beyond
//! the limit, at the strictness of the comparison. If only the number itself is beyond the limit,
//! the result is unsure, and the check does not fail.

use super::RankedTime;
use super::changes::Comparison;
use super::error::ConditionError;
use super::ratio::{Change, Number, Strictness, Verdict};
use super::selector::{Selector, SubjectKind};
use super::subject::Subject;
use crate::Error;
use crate::error::{Input, Place};
use crate::units::float;
use crate::units::{Bytes, Interval, Micros, MicrosPerByte};
use serde::Serialize;
use std::collections::BTreeSet;
use std::str::FromStr;

/// One condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The condition as typed.
    text: String,
    /// The numbers of the condition.
    pub selector: Selector,
    bound: Threshold,
}

/// The limit.
#[derive(Clone, Debug, PartialEq)]
enum Threshold {
    /// Any change.
    Changed,
    /// Relative to the first machine's number.
    Part(Side, f64),
    /// A number with a unit, as typed.
    Number(Side, String),
}

/// The side of the limit on which a check fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

/// The result of a condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitResult {
    /// The condition as typed.
    pub condition: String,
    pub outcome: Outcome,
    /// The number closest to the limit, or furthest beyond it.
    pub subject: Subject,
    /// Index of the machine.
    pub machine: usize,
    /// The ratio to the first machine's number, if known.
    #[serde(flatten)]
    pub change: Change,
}

/// The outcome of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The condition does not hold.
    Passed,
    /// The condition holds for the value, but not for its whole interval.
    Unsure,
    /// The condition holds for the whole interval.
    Failed,
}

/// Times of a selected message or operation, on each machine.
pub type SubjectTimes<'a> = (Subject, &'a [RankedTime]);

impl FromStr for Limit {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let text = text.trim().to_owned();
        let (selector, bound) = match text.find(['<', '>']) {
            None if text.find('=').is_some_and(|at| at > 0) => return Err(refused(&text).into()),
            None => (text.as_str(), Threshold::Changed),
            Some(at) => {
                let side = if text[at..].starts_with('>') { Side::Above } else { Side::Below };
                (&text[..at], bound(side, text[at + 1..].trim(), &text)?)
            }
        };
        if selector.trim().is_empty() {
            return Err(refused(&text).into());
        }
        let selector: Selector = selector.parse().map_err(|error: Error| error.at(&text))?;
        if let Threshold::Number(_, number) = &bound {
            check_unit(number, &selector).map_err(|error| error.at(&text))?;
        }
        Ok(Limit { selector, bound, text })
    }
}

/// Refuses a number with a unit of no selected number.
fn check_unit(text: &str, selector: &Selector) -> Result<(), Error> {
    match &selector.what {
        SubjectKind::Parameter(symbol) if symbol == "S" => number(text, "bytes").map(drop),
        SubjectKind::Parameter(_) | SubjectKind::Any => {
            number(text, "µs").or_else(|error| number(text, "µs/byte").map_err(|_| error)).map(drop)
        }
        SubjectKind::Operation(_) | SubjectKind::Message => number(text, "µs").map(drop),
    }
}

fn refused(text: &str) -> ConditionError {
    ConditionError::NotACondition(text.to_owned())
}

fn bound(side: Side, text: &str, condition: &str) -> Result<Threshold, ConditionError> {
    let Some(percent) = text.strip_suffix('%') else {
        return match text.starts_with(|c: char| c.is_ascii_digit()) {
            true => Ok(Threshold::Number(side, text.to_owned())),
            false => Err(refused(condition)),
        };
    };
    let part = float(percent).ok_or_else(|| refused(condition))? / 100.0;
    // "Less than 10%" may mean a tenth of the number, or a decrease by a tenth.
    let is_clear = side == Side::Above || percent.starts_with(['-', '+']);
    match is_clear && part > -1.0 {
        true => Ok(Threshold::Part(side, part)),
        false => Err(ConditionError::Ambiguous(condition.to_owned())),
    }
}

impl Limit {
    /// The result, by the number furthest beyond the limit.
    pub fn check(&self, of: &Comparison, times: &[SubjectTimes]) -> Result<LimitResult, Error> {
        let place = Place::from((Input::FailOn, &self.text));
        let all: Vec<Item> = items(of, times).collect();
        let mut selected: Vec<&Item> =
            all.iter().filter(|item| self.selector.holds(&item.subject)).collect();
        // For an operation, the selected p and size count.
        if matches!(self.selector.what, SubjectKind::Operation(_))
            && selected.iter().any(|item| item.is_time)
        {
            selected.retain(|item| item.is_time);
        }
        if selected.is_empty() {
            let subjects: Vec<&Subject> = all.iter().map(|item| &item.subject).collect();
            return Err(self.selector.unknown(&subjects, place));
        }
        let mut worst: Option<(Outcome, f64, &Item)> = None;
        // Conditions are checked for each machine separately.
        let mut unknown: BTreeSet<usize> = selected.iter().map(|item| item.machine).collect();
        for item in selected {
            let Some((outcome, beyond)) = self.of(item, &of.strictness)? else { continue };
            unknown.remove(&item.machine);
            let is_worse =
                worst.is_none_or(|(o, b, _)| o.cmp(&outcome).then(b.total_cmp(&beyond)).is_lt());
            if is_worse {
                worst = Some((outcome, beyond, item));
            }
        }
        let (outcome, _, item) = worst.filter(|_| unknown.is_empty()).ok_or_else(|| {
            ConditionError::Unknown { condition: self.text.clone(), machines: unknown }
        })?;
        let Item { subject, machine, change, .. } = item.clone();
        Ok(LimitResult { condition: self.text.clone(), outcome, subject, machine, change })
    }

    /// The outcome for one number, and its distance beyond the limit; `None` if unknown.
    fn of(&self, item: &Item, strictness: &Strictness) -> Result<Option<(Outcome, f64)>, Error> {
        let verdict = item.change.judged.verdict;
        let (side, limit) = match (&self.bound, item.numbers) {
            (Threshold::Changed, _) => {
                let outcome = match verdict {
                    Verdict::Changed => Outcome::Failed,
                    Verdict::Same => Outcome::Passed,
                    Verdict::Unknown => return Ok(None),
                };
                return Ok(Some((outcome, item.change.judged.distance)));
            }
            (_, None) if verdict != Verdict::Unknown => {
                let symbol = item.subject.symbol.clone();
                return Err(
                    ConditionError::NotANumber { condition: self.text.clone(), symbol }.into()
                );
            }
            (_, None) => return Ok(None),
            (Threshold::Part(side, part), Some([first, _])) => (*side, first.times(1.0 + part)),
            (Threshold::Number(side, text), Some(_)) => {
                let value =
                    number(text, item.subject.unit).map_err(|error| error.at(&self.text))?;
                (*side, Number::given(Interval::exact(value)))
            }
        };
        let Some([_, own]) = item.numbers else { return Ok(None) };
        let strictness = Strictness { at_least: 0.0, ..*strictness };
        let change = Change::of(&limit, &own, &strictness);
        let sign = if side == Side::Above { 1.0 } else { -1.0 };
        let beyond = sign * (own.interval.value - limit.interval.value);
        let outcome = match change.judged.verdict {
            _ if beyond <= 0.0 => Outcome::Passed,
            Verdict::Changed => Outcome::Failed,
            _ => Outcome::Unsure,
        };
        Ok(Some((outcome, beyond / limit.interval.value.abs().max(f64::MIN_POSITIVE))))
    }
}

/// A typed number, in the unit of the limited number.
fn number(text: &str, unit: &str) -> Result<f64, Error> {
    match unit {
        "µs" => text.parse().map(|time: Micros| time.0),
        "µs/byte" => text.parse().map(|time: MicrosPerByte| time.0),
        _ => text.parse().map(|size: Bytes| size.count()),
    }
}

/// One number of a machine, compared with the first machine's.
#[derive(Clone)]
struct Item {
    subject: Subject,
    machine: usize,
    numbers: Option<[Number; 2]>,
    change: Change,
    /// Whether it is a time of the selected message or operation.
    is_time: bool,
}

/// Every number of every machine except the first.
fn items<'a>(of: &'a Comparison, times: &'a [SubjectTimes]) -> impl Iterator<Item = Item> + 'a {
    let parameters = of.parameters.iter().flat_map(|row| {
        row.machines.iter().enumerate().filter_map(|(machine, cell)| {
            let numbers = row.machines[0].number.zip(cell.number).map(|(a, b)| [a, b]);
            let (subject, change) = (row.subject.clone(), cell.change.clone()?);
            Some(Item { subject, machine, numbers, change, is_time: false })
        })
    });
    let times = times.iter().flat_map(|(subject, standings)| {
        standings.iter().enumerate().filter_map(|(machine, standing)| {
            let judged = standing.judged.clone()?;
            let comparable = judged.verdict != Verdict::Unknown || judged.why.is_none();
            let numbers = standings[0].number().zip(standing.number()).map(|(a, b)| [a, b]);
            let change = Change { ratio: standing.ratio, judged };
            Some(Item {
                subject: subject.clone(),
                machine,
                numbers: numbers.filter(|_| comparable),
                change,
                is_time: true,
            })
        })
    });
    parameters.chain(times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::signature::{Parameter, Quality, Signature};

    /// A machine with this L, ±2%.
    fn machine(latency: f64) -> Signature {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.tiers[0].latency = Some(Parameter {
            low: Some(Micros(0.98 * latency)),
            high: Some(Micros(1.02 * latency)),
            quality: Quality::Good,
            ..Parameter::assumed(Micros(latency))
        });
        t3d
    }

    fn check(condition: &str, after: f64) -> Result<LimitResult, Error> {
        let both = Comparison::of(&[&machine(10.0), &machine(after)], 0.0);
        condition.parse::<Limit>()?.check(&both, &[])
    }

    fn outcome(condition: &str, after: f64) -> Outcome {
        check(condition, after).unwrap().outcome
    }

    /// 2% and 2% are 2.8% in quadrature: from 11 µs + 2.8% on, an increase by 10% is certain.
    #[test]
    fn only_a_certain_excess_fails() {
        use Outcome::{Failed, Passed, Unsure};
        for (condition, of_10_9, of_11_1, of_12) in [
            ("L>+10%", Passed, Unsure, Failed),
            ("L>10%", Passed, Unsure, Failed),
            ("L<-10%", Passed, Passed, Passed),
            ("L<+10%", Unsure, Passed, Passed),
            ("L>11us", Passed, Unsure, Failed),
            ("L < 11", Unsure, Passed, Passed),
            ("network.L>+10%", Passed, Unsure, Failed),
            ("L", Failed, Failed, Failed),
            ("G", Passed, Passed, Passed),
            ("any>+10%", Passed, Unsure, Failed),
        ] {
            let found = [10.9, 11.1, 12.0].map(|after| outcome(condition, after));
            assert_eq!(found, [of_10_9, of_11_1, of_12], "{condition}");
        }
        assert_eq!(outcome("L<-10%", 8.0), Failed);
        let checked = check("any>+10%", 12.0).unwrap();
        assert_eq!((checked.subject.words().as_str(), checked.machine), ("network L", 1));
        assert_eq!(checked.change.ratio, Some(1.2));
    }

    #[test]
    fn a_condition_on_a_curve_applies_to_every_point_or_to_one() {
        let (before, mut after) = (machine(10.0), machine(10.0));
        after.set("isend.o_s", "16:30us,10000:150us").unwrap();
        let both = Comparison::of(&[&before, &after], 0.0);
        let outcome = |condition: &str| condition.parse::<Limit>().unwrap().check(&both, &[]);
        assert_eq!(outcome("o_s>+10%").unwrap().outcome, Outcome::Failed);
        assert_eq!(outcome("isend.o_s@10000>+10%").unwrap().outcome, Outcome::Failed);
        assert_eq!(outcome("isend.o_s@16>+10%").unwrap().outcome, Outcome::Passed);
        assert_eq!(outcome("issend.o_s>+10%").unwrap().outcome, Outcome::Passed);
        let error = outcome("o_s@17>+10%").unwrap_err();
        assert!(error.help.to_string().contains("16, 10000 bytes"), "{error}");
        assert_eq!(outcome("scatter@4>+5%").unwrap().outcome, Outcome::Passed);
    }

    #[test]
    fn what_cannot_be_judged_is_refused() {
        let (before, mut after) = (machine(10.0), machine(10.0));
        after.tiers[0].latency = None;
        let both = Comparison::of(&[&before, &after], 0.0);
        let error = "L>3kg".parse::<Limit>().unwrap_err();
        assert!(error.message.contains("`3kg` is not a duration"), "{error}");
        let error = "L>+10%".parse::<Limit>().unwrap().check(&both, &[]).unwrap_err();
        assert!(error.message.contains("cannot be checked"), "{error}");
        for (condition, message) in [
            ("LL>+10%", "unknown parameter or operation `LL`"),
            ("intra.L>+10%", "unknown tier or send mode `intra`"),
            ("EEL>+10%", "no machine here reports EEL"),
            ("allreduce>+10%", "no machine here reports allreduce"),
            ("p2p>+10%", "no machine here reports p2p"),
            ("L@8>+10%", "unknown at this size"),
            ("L>3kg", "is not a duration"),
            ("L<10%", "is ambiguous"),
            ("L<-100%", "is ambiguous"),
            ("L>x%", "is not a condition"),
            ("L>", "is not a condition"),
            ("L=3us", "is not a condition"),
            (">+10%", "is not a condition"),
            ("o_s@big>3", "is not a size"),
        ] {
            let error = check(condition, 10.0).unwrap_err();
            assert!(error.message.contains(message), "{condition}: {error}");
        }
    }

    #[test]
    fn words_have_no_limits() {
        let mut t3d = machine(10.0);
        t3d.set("progress", "dependent").unwrap();
        let mut other = t3d.clone();
        other.set("progress", "independent").unwrap();
        let both = Comparison::of(&[&t3d, &other], 0.0);
        let check = |condition: &str| condition.parse::<Limit>().unwrap().check(&both, &[]);
        assert_eq!(check("progress").unwrap().outcome, Outcome::Failed);
        assert!(check("progress>3").unwrap_err().message.contains("a word"));
    }
}
