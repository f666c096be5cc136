//! Changes in the ranking of two machines over p.

use super::{operation, with_procs};
use crate::Signature;
use crate::model::changes::changes;
use crate::model::collective::MAX_PROCS;
use crate::model::composition::Question;
use crate::signature::Range;
use crate::units::Procs;
use serde::Serialize;

/// A value of p from which one machine is faster than another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overtaking {
    /// The smallest p with the new order.
    pub at: Procs,
    /// Index of the machine that becomes faster.
    pub ahead: usize,
    /// Index of the machine that becomes slower.
    pub behind: usize,
}

/// Changes of the ranking over p, with fixed size. Two machines are compared where both their forms
/// were fitted.
///
/// Hwang, Wang & Wang 1997, Figure 3d: in scatter the Paragon overtakes the SP2 between p = 4
/// and p = 8.
/// ```
/// use loggia_model::model::composition::Question;
/// use loggia_model::signature::Operation;
/// use loggia_model::units::{Bytes, Procs};
/// use loggia_model::{compare, library};
/// let (sp2, paragon) = (library::load("ibm-sp2")?, library::load("intel-paragon")?);
/// let question = Question::of(&sp2, Operation::Scatter, Procs(4), Bytes(65536), None)?;
/// let found = compare::overtakings(&[&sp2, &paragon], &question);
/// assert_eq!(found, [compare::Overtaking { at: Procs(5), ahead: 1, behind: 0 }]);
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn overtakings(machines: &[&Signature], question: &Question) -> Vec<Overtaking> {
    let fitted: Vec<Option<Range<Procs>>> = machines
        .iter()
        .map(|machine| machine.collective(question.op).map(|form| form.procs))
        .collect();
    let pairs: Vec<(usize, usize)> =
        (0..machines.len()).flat_map(|a| (a + 1..machines.len()).map(move |b| (a, b))).collect();
    // Whether the first of each pair is faster.
    let leads = |p: u64| -> Vec<Option<bool>> {
        let procs = Procs(u32::try_from(p).unwrap_or(u32::MAX));
        let standings = operation(machines, &with_procs(question, procs));
        let time = |machine: usize| {
            let is_fitted = fitted[machine].is_some_and(|range| range.contains(procs));
            standings[machine].time.filter(|_| is_fitted)
        };
        let lead = |(a, b): &(usize, usize)| {
            let (a, b) = (time(*a)?, time(*b)?);
            (a != b).then_some(a.0 < b.0)
        };
        pairs.iter().map(lead).collect()
    };
    let all = fitted.iter().flatten();
    let low = all.clone().map(|range| range.low.0).min().unwrap_or(2).max(2);
    let high = all.map(|range| range.high.0).max().unwrap_or(2).min(MAX_PROCS);
    let mut last = leads(low.into());
    let mut found = Vec::new();
    for change in changes(steps(low, high), leads) {
        let at = Procs(u32::try_from(change.at).unwrap_or(u32::MAX));
        for ((lead, now), (a, b)) in last.iter_mut().zip(change.to).zip(&pairs) {
            let Some(now) = now else { continue };
            if lead.replace(now).is_some_and(|before| before != now) {
                let (ahead, behind) = if now { (*a, *b) } else { (*b, *a) };
                found.push(Overtaking { at, ahead, behind });
            }
        }
    }
    found
}

/// Every number of processes up to 32, then sixteen per octave.
fn steps(low: u32, high: u32) -> impl Iterator<Item = u64> {
    let next = move |p: &u32| (*p < high).then(|| (p + (p / 16).max(1)).min(high));
    std::iter::successors((low <= high).then_some(low), next).map(u64::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::signature::Operation;
    use crate::units::Bytes;

    #[test]
    fn steps_include_both_ends() {
        let all: Vec<u64> = steps(2, 128).collect();
        assert_eq!((all[0], all.last()), (2, Some(&128)));
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        assert!((2..=32).all(|p| all.contains(&p)));
        assert_eq!(steps(8, 4).count(), 0);
    }

    /// Two machines are compared up to 64 processes, although a third was fitted only up to 12.
    #[test]
    fn each_pair_is_compared_where_both_were_fitted() {
        let machines = ["cray-t3d", "ibm-sp2", "ap3000-mpi"].map(|n| library::load(n).unwrap());
        let machines: Vec<&Signature> = machines.iter().collect();
        let question = |procs| {
            let (op, bytes) = (Operation::Scatter, Bytes(64 << 10));
            Question::of(machines[0], op, Procs(procs), bytes, None).unwrap()
        };
        let found = overtakings(&machines, &question(2));
        assert!(found.iter().all(|found| found.at.0 <= 12 || found.ahead.max(found.behind) < 2));
        assert!(!found.is_empty());
        for Overtaking { at, ahead, behind } in found {
            let standings = operation(&machines, &question(at.0));
            assert!(standings[ahead].time < standings[behind].time);
        }
    }
}
