//! Comparison of machines: times, ranking, and crossovers; and of runs of one machine: changes
//! between them.
//!
//! All ratios are relative to the first machine.
//!
//! | file | contents |
//! |---|---|
//! | `overtaking` | values of p at which one machine becomes faster than another |
//! | `subject` | the comparable numbers, curves and words of a machine |
//! | `ratio` | the ratio of two numbers, its interval, and whether it is a change |
//! | `changes` | all changes between machines |
//! | `selector`, `limits` | conditions of a check: their numbers, and whether they fail |
//! | `history` | changes over many runs of one machine |
//! | `conditions` | differences between machines and between their measurements |

mod changes;
mod conditions;
pub mod error;
mod history;
mod limits;
mod overtaking;
mod ratio;
mod selector;
mod subject;

pub use changes::{Cell, Comparison, Group, Row, changed, groups, together, unknown_rows};
pub use conditions::{Condition, conditions};
pub use history::{History, Run, RunValue, date, days};
pub use limits::{Limit, LimitResult, Outcome, SubjectTimes};
pub use overtaking::{Overtaking, overtakings};
pub use ratio::{Change, Kind, Number, RatioVerdict, Strictness, Verdict};
pub use selector::{Selector, SubjectKind};
pub use subject::Subject;

use crate::measured::Basis;
use crate::model::composition::Question;
use crate::model::{self, Model, Route};
use crate::signature::{self, Origin};
use crate::units::{Bytes, Interval, Micros, Procs};
use crate::{Error, Signature};
use serde::Serialize;

/// The time of one machine in a ranking.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedTime {
    /// The machine.
    pub name: String,
    #[serde(rename = "time_us")]
    pub time: Option<Micros>,
    /// Lower bound.
    #[serde(rename = "low_us")]
    pub low: Option<Micros>,
    /// Upper bound.
    #[serde(rename = "high_us")]
    pub high: Option<Micros>,
    /// The basis of the time.
    pub basis: Option<Basis>,
    /// The model of the prediction, for a message.
    pub model: Option<Model>,
    /// 1 for the fastest; equal times share a rank.
    pub rank: Option<usize>,
    /// Ratio of its time to the first machine's.
    pub ratio: Option<f64>,
    /// Whether the time is extrapolated.
    pub extrapolated: bool,
    /// The reason why there is no time.
    #[serde(serialize_with = "crate::error::in_words")]
    pub error: Option<Error>,
    /// Verdict on the ratio, if requested.
    #[serde(flatten)]
    pub judged: Option<RatioVerdict>,
    /// Whether its parameters were measured.
    #[serde(skip)]
    is_measured: bool,
}

/// Sizes of compared messages, in addition to the selected one.
const SIZES: [Bytes; 4] = [Bytes(8), Bytes(1 << 10), Bytes(64 << 10), Bytes(1 << 20)];

/// Sizes at which messages are compared, in ascending order: round sizes and the selected size.
///
/// ```
/// use loggia_model::compare;
/// use loggia_model::units::Bytes;
/// assert_eq!(compare::sizes(Bytes(64))[..3], [Bytes(8), Bytes(64), Bytes(1024)]);
/// ```
pub fn sizes(selected: Bytes) -> Vec<Bytes> {
    let mut sizes: Vec<Bytes> = SIZES.into_iter().chain([selected]).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Whether both machines have times of a message, or of the same operation.
pub fn is_comparable(one: &Signature, other: &Signature) -> bool {
    let has_model = |signature: &Signature| {
        Route::of(signature, None, None).is_ok_and(|route| Model::richest(&route).is_some())
    };
    let shares = || one.collectives.iter().any(|form| other.collective(form.op).is_some());
    (has_model(one) && has_model(other)) || shares()
}

/// One message on each machine, by its richest model.
///
/// Al-Tawil & Moritz 2001, Table 3: 16 bytes take 48.7 µs on the T3D, and longer on the NOW.
/// ```
/// use loggia_model::{compare, library};
/// use loggia_model::model::Route;
/// use loggia_model::units::Bytes;
/// let machines = [library::load("cray-t3d")?, library::load("now-sparc")?];
/// let routes: Vec<_> =
///     machines.iter().map(|machine| (machine, Route::of(machine, None, None))).collect();
/// let all = compare::message(&routes, Bytes(16));
/// assert_eq!(all[0].time.map(|time| time.0), Some(30.0 + 3.1 + 15.0 + 15.0 * 0.04));
/// assert!(all[1].ratio > Some(1.0));
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn message(routes: &[(&Signature, Result<Route, Error>)], bytes: Bytes) -> Vec<RankedTime> {
    let answer = |(signature, route): &(&Signature, Result<Route, Error>)| {
        let answer = route.as_ref().map_err(Clone::clone).and_then(|route| {
            let prediction = model::predict(route, None, bytes)?;
            Ok(TimeAnswer {
                total: prediction.total,
                basis: Some(prediction.basis),
                model: prediction.model,
                is_extrapolated: prediction.is_extrapolated(),
            })
        });
        RankedTime::of(signature, answer)
    };
    ranked(routes.iter().map(answer).collect())
}

/// A collective operation on each machine, by its closed form with its own count of bytes.
pub fn operation(machines: &[&Signature], question: &Question) -> Vec<RankedTime> {
    let answer = |signature: &&Signature| {
        let answer = question.by_best_basis(signature);
        let answer = answer.map(|method| TimeAnswer {
            total: method.total(),
            basis: Some(method.basis()),
            model: None,
            is_extrapolated: method.is_extrapolated(),
        });
        RankedTime::of(signature, answer)
    };
    ranked(machines.iter().map(answer).collect())
}

/// Index of the fastest machine.
pub fn fastest(standings: &[RankedTime]) -> Option<usize> {
    standings.iter().position(|standing| standing.rank == Some(1))
}

/// A time with its basis and model, and whether it is extrapolated.
#[derive(Default)]
struct TimeAnswer {
    total: Option<Interval<Micros>>,
    basis: Option<Basis>,
    model: Option<Model>,
    is_extrapolated: bool,
}

impl RankedTime {
    fn of(signature: &Signature, answer: Result<TimeAnswer, Error>) -> Self {
        let (answer, error) = match answer {
            Ok(answer) => (answer, None),
            Err(error) => (TimeAnswer::default(), Some(error)),
        };
        let TimeAnswer { total, basis, model, is_extrapolated } = answer;
        let bound = |bound: Micros| Some(bound).filter(|bound| bound.0.is_finite());
        RankedTime {
            name: signature.name.clone(),
            time: total.map(|total| total.value),
            low: total.and_then(|total| bound(total.low)),
            high: total.and_then(|total| bound(total.high)),
            basis,
            model,
            rank: None,
            ratio: None,
            extrapolated: is_extrapolated,
            error,
            judged: None,
            is_measured: matches!(signature.origin, Origin::Measurement { .. }),
        }
    }

    /// The time as a number with bounds.
    fn number(&self) -> Option<Number> {
        let value = self.time?.0;
        let low = self.low.map_or(f64::NEG_INFINITY, |low| low.0);
        let high = self.high.map_or(f64::INFINITY, |high| high.0);
        let quality = if self.is_measured { signature::Quality::Good } else { Default::default() };
        Some(Number::reported(Interval { value, low, high }, quality))
    }

    /// Whether it is a time of an operation outside the fitted range.
    fn is_beyond(&self) -> bool {
        self.extrapolated && self.model.is_none()
    }

    /// Verdict on the ratio to the first machine's time.
    fn against(&self, first: &RankedTime, strictness: &Strictness) -> RatioVerdict {
        let change = match (first.number(), self.number()) {
            (Some(_), Some(_)) if first.model != self.model => Change::unknown("by another model"),
            // Closed forms have large errors outside their range.
            (Some(_), Some(_)) if self.is_beyond() || first.is_beyond() => {
                Change::unknown("beyond what was measured")
            }
            (Some(a), Some(b)) => Change::of(&a, &b, strictness),
            (Some(_), None) => Change::unknown(UNKNOWN_HERE),
            (None, Some(_)) => Change::unknown(UNKNOWN_OF_FIRST),
            (None, None) => Change::unknown(UNKNOWN),
        };
        change.judged
    }
}

impl RankedTime {
    /// Whether it has this verdict.
    pub fn is(&self, verdict: Verdict) -> bool {
        self.judged.as_ref().is_some_and(|judged| judged.verdict == verdict)
    }
}

/// Reasons why a number cannot be compared.
const UNKNOWN_HERE: &str = "unknown here";
const UNKNOWN_OF_FIRST: &str = "unknown on the first";
const UNKNOWN: &str = "unknown on both";

/// Adds ranks and ratios.
fn ranked(mut standings: Vec<RankedTime>) -> Vec<RankedTime> {
    let times: Vec<Option<Micros>> = standings.iter().map(|standing| standing.time).collect();
    let first = times.first().copied().flatten().filter(|time| time.0 > 0.0);
    for standing in &mut standings {
        let Some(time) = standing.time else { continue };
        let faster = times.iter().flatten().filter(|other| other.0 < time.0).count();
        standing.rank = Some(faster + 1);
        standing.ratio = first.map(|first| time.0 / first.0);
    }
    standings
}

/// The items of several lists without duplicates; an item of a later list is placed before its
/// successor.
pub fn merged<T: Clone>(lists: &[Vec<T>], is_same: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut all: Vec<T> = Vec::new();
    for own in lists {
        for (i, item) in own.iter().enumerate() {
            if all.iter().any(|known| is_same(known, item)) {
                continue;
            }
            let next = |known: &T| own[i..].iter().any(|later| is_same(later, known));
            let place = all.iter().position(next).unwrap_or(all.len());
            all.insert(place, item.clone());
        }
    }
    all
}

/// The question for another p.
fn with_procs(question: &Question, procs: Procs) -> Question {
    Question { procs, ..*question }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::signature::Operation;

    fn load(names: &[&str]) -> Vec<Signature> {
        names.iter().map(|name| library::load(name).unwrap()).collect()
    }

    /// Hwang, Wang & Wang 1997, Figure 3d: SP2 and Paragon switch in the ranking of scatter between
    /// p = 4 and p = 8.
    #[test]
    fn sp2_and_paragon_switch_ranks_in_scatter() {
        let machines = load(&["ibm-sp2", "intel-paragon", "cray-t3d"]);
        let machines: Vec<&Signature> = machines.iter().collect();
        let ranks = |procs| {
            let (op, bytes) = (Operation::Scatter, Bytes(64 << 10));
            let question = Question::of(machines[0], op, Procs(procs), bytes, None).unwrap();
            let standings = operation(&machines, &question);
            standings.iter().map(|standing| standing.rank).collect::<Vec<_>>()
        };
        assert_eq!(ranks(4), [Some(1), Some(2), Some(3)]);
        assert_eq!(ranks(8), [Some(2), Some(1), Some(3)]);
    }

    #[test]
    fn ratios_are_to_the_first_and_a_missing_time_has_a_reason() {
        let machines = load(&["now-sparc", "cray-t3d", "ibm-sp2"]);
        let routes: Vec<_> = machines.iter().map(|m| (m, Route::of(m, None, None))).collect();
        let standings = message(&routes, Bytes(1024));
        assert_eq!(fastest(&standings), Some(1));
        assert_eq!(standings[0].ratio, Some(1.0));
        assert!(standings[1].ratio < Some(1.0));
        let error = standings[2].error.as_ref().unwrap();
        assert!(error.message.contains("IBM SP2 reports no point-to-point"), "{error}");
    }

    #[test]
    fn items_of_a_later_list_keep_their_order() {
        let lists = [vec!["L", "o_s", "t_s"], vec!["EEL", "o_s", "o_r"], vec!["o_r", "t_b"]];
        assert_eq!(merged(&lists, PartialEq::eq), ["L", "EEL", "o_s", "t_s", "o_r", "t_b"]);
    }

    #[test]
    fn times_are_judged_with_the_strictness_of_the_comparison() {
        let machines = load(&["cray-t3d", "now-sparc", "ibm-sp2"]);
        let routes: Vec<_> = machines.iter().map(|m| (m, Route::of(m, None, None))).collect();
        let mut standings = message(&routes, Bytes(1024));
        let machines: Vec<&Signature> = machines.iter().collect();
        Comparison::of(&machines, 0.0).judge(&mut standings);
        assert!(standings[0].judged.is_none());
        assert!(standings[1].is(Verdict::Changed) && standings[2].is(Verdict::Unknown));
        let judged = standings[1].judged.as_ref().unwrap();
        assert_eq!((judged.low, judged.high), (standings[1].ratio, standings[1].ratio));
    }

    /// Without S, one time is by LogGP and the other by LogGPS, so they are not comparable.
    #[test]
    fn times_by_different_models_are_not_judged() {
        let mut machines = load(&["cray-t3d", "cray-t3d"]);
        machines[1].set("S", "8KiB").unwrap();
        let routes: Vec<_> = machines.iter().map(|m| (m, Route::of(m, None, None))).collect();
        let mut standings = message(&routes, Bytes(1 << 20));
        let machines: Vec<&Signature> = machines.iter().collect();
        Comparison::of(&machines, 0.0).judge(&mut standings);
        let judged = standings[1].judged.as_ref().unwrap();
        assert_eq!(judged.outcome(), "by another model");
    }

    #[test]
    fn equal_times_share_a_rank() {
        let machines = load(&["cray-t3d", "cray-t3d", "now-sparc"]);
        let routes: Vec<_> = machines.iter().map(|m| (m, Route::of(m, None, None))).collect();
        let ranks: Vec<_> = message(&routes, Bytes(8)).iter().map(|s| s.rank).collect();
        assert_eq!(ranks, [Some(1), Some(1), Some(3)]);
    }

    #[test]
    fn machines_are_comparable_if_both_report_the_same() {
        let all = load(&["cray-t3d", "ibm-sp2", "now-sparc", "myrinet-gm"]);
        assert!(is_comparable(&all[0], &all[1]) && is_comparable(&all[0], &all[2]));
        assert!(!is_comparable(&all[1], &all[2]));
        assert!(!is_comparable(&all[3], &all[0]));
    }
}
