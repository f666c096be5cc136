//! Machines side by side: what takes how long on each, who is the fastest, and where that changes.
//!
//! The first machine is the one in question: ratios are to its times.

mod overtaking;

pub use overtaking::{Overtaking, overtakings};

use crate::model::composition::Question;
use crate::model::{self, Model, Route};
use crate::units::{Bytes, Micros, Procs};
use crate::{Error, Signature};
use serde::Serialize;

/// One machine's answer among the others'.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The machine.
    pub name: String,
    /// Its time.
    #[serde(rename = "time_us")]
    pub time: Option<Micros>,
    /// 1 for the fastest; equally fast ones share a rank.
    pub rank: Option<usize>,
    /// Its time over the first machine's.
    pub ratio: Option<f64>,
    /// Whether it lies outside what was measured.
    pub extrapolated: bool,
    /// Why there is no time.
    pub error: Option<Error>,
}

/// Sizes that messages are compared at, besides the one asked about.
const SIZES: [Bytes; 4] = [Bytes(8), Bytes(1 << 10), Bytes(64 << 10), Bytes(1 << 20)];

/// Sizes to compare messages at: round ones and the one asked about, least first.
///
/// ```
/// use loggia_model::{compare, units::Bytes};
/// assert_eq!(compare::sizes(Bytes(64))[..3], [Bytes(8), Bytes(64), Bytes(1024)]);
/// ```
pub fn sizes(asked: Bytes) -> Vec<Bytes> {
    let mut sizes: Vec<Bytes> = SIZES.into_iter().chain([asked]).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Whether two machines report anything that both answer: a message, or the same operation.
pub fn is_comparable(one: &Signature, other: &Signature) -> bool {
    let has_model = |signature: &Signature| {
        Route::of(signature, None, None).is_ok_and(|route| Model::richest(&route).is_some())
    };
    let shares = || one.collectives.iter().any(|form| other.collective(form.op).is_some());
    (has_model(one) && has_model(other)) || shares()
}

/// One message on each machine, under its richest model.
///
/// `000`, Table 3: 16 bytes take 48.7 µs on the T3D, and far longer on the NOW.
/// ```
/// use loggia_model::{compare, library, model::Route, units::Bytes};
/// let machines = [library::load("cray-t3d")?, library::load("now-sparc")?];
/// let ways: Vec<_> =
///     machines.iter().map(|machine| (machine, Route::of(machine, None, None))).collect();
/// let all = compare::message(&ways, Bytes(16));
/// assert_eq!(all[0].time.map(|time| time.0), Some(30.0 + 3.1 + 15.0 + 15.0 * 0.04));
/// assert!(all[1].ratio > Some(1.0));
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn message(ways: &[(&Signature, Result<Route, Error>)], bytes: Bytes) -> Vec<Standing> {
    let answer = |(signature, route): &(&Signature, Result<Route, Error>)| {
        let answer = route.as_ref().map_err(Clone::clone).and_then(|route| {
            let prediction = model::predict(route, None, bytes)?;
            Ok((prediction.time(), prediction.is_extrapolated()))
        });
        Standing::of(signature, answer)
    };
    ranked(ways.iter().map(answer).collect())
}

/// A collective operation on each machine, by its closed form asked in its own count of bytes.
pub fn operation(machines: &[&Signature], question: &Question) -> Vec<Standing> {
    let answer = |signature: &&Signature| {
        let answer = question.by_formula(signature);
        Standing::of(signature, answer.map(|way| (way.time(), way.is_extrapolated())))
    };
    ranked(machines.iter().map(answer).collect())
}

/// Where the fastest machine stands in a comparison.
pub fn fastest(standings: &[Standing]) -> Option<usize> {
    standings.iter().position(|standing| standing.rank == Some(1))
}

impl Standing {
    fn of(signature: &Signature, answer: Result<(Option<Micros>, bool), Error>) -> Self {
        let (time, extrapolated, error) = match answer {
            Ok((time, extrapolated)) => (time, extrapolated, None),
            Err(error) => (None, false, Some(error)),
        };
        let name = signature.name.clone();
        Standing { name, time, rank: None, ratio: None, extrapolated, error }
    }
}

/// The same with ranks and ratios.
fn ranked(mut standings: Vec<Standing>) -> Vec<Standing> {
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

/// A question of p alone, for whoever walks along p.
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

    /// `001`, of Figure 3d: SP2 and Paragon switch in the ranking of scatter between p = 4 and p = 8.
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
    fn ratios_are_to_the_first_and_what_has_no_time_says_why() {
        let machines = load(&["now-sparc", "cray-t3d", "ibm-sp2"]);
        let ways: Vec<_> = machines.iter().map(|m| (m, Route::of(m, None, None))).collect();
        let standings = message(&ways, Bytes(1024));
        assert_eq!(fastest(&standings), Some(1));
        assert_eq!(standings[0].ratio, Some(1.0));
        assert!(standings[1].ratio < Some(1.0));
        let error = standings[2].error.as_ref().unwrap();
        assert!(error.message.contains("IBM SP2 reports no point-to-point"), "{error}");
    }

    #[test]
    fn equals_share_a_rank() {
        let machines = load(&["cray-t3d", "cray-t3d", "now-sparc"]);
        let ways: Vec<_> = machines.iter().map(|m| (m, Route::of(m, None, None))).collect();
        let ranks: Vec<_> = message(&ways, Bytes(8)).iter().map(|s| s.rank).collect();
        assert_eq!(ranks, [Some(1), Some(1), Some(3)]);
    }

    #[test]
    fn machines_are_comparable_in_what_both_report() {
        let all = load(&["cray-t3d", "ibm-sp2", "now-sparc", "myrinet-gm"]);
        assert!(is_comparable(&all[0], &all[1]) && is_comparable(&all[0], &all[2]));
        assert!(!is_comparable(&all[1], &all[2]));
        assert!(!is_comparable(&all[3], &all[0]));
    }
}
