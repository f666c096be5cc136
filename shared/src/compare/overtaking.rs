//! Where one machine overtakes another as p grows.

use super::{operation, with_procs};
use crate::Signature;
use crate::model::collective::MOST_PROCS;
use crate::model::composition::Question;
use crate::signature::Range;
use crate::units::Procs;
use serde::Serialize;

/// One machine becomes faster than another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overtaking {
    /// The smallest p at which it is.
    pub at: Procs,
    /// Which becomes the faster one, by its place among the machines.
    pub ahead: usize,
    /// Which it overtakes.
    pub behind: usize,
}

/// The processes that all machines' forms of the operation were fitted to; none where that is no p.
pub fn fitted(machines: &[&Signature], question: &Question) -> Option<Range<Procs>> {
    let ranges: Vec<Range<Procs>> = machines
        .iter()
        .filter_map(|machine| Some(machine.collective(question.op)?.procs))
        .collect();
    let low = ranges.iter().map(|range| range.low.0).max()?.max(2);
    let high = ranges.iter().map(|range| range.high.0).min()?.min(MOST_PROCS);
    (low <= high).then_some(Range { low: Procs(low), high: Procs(high) })
}

/// Where machines overtake each other between those numbers of processes, the size being fixed.
///
/// `001`, of Figure 3d: in scatter the Paragon overtakes the SP2 between p = 4 and p = 8.
/// ```
/// use loggia_model::model::composition::Question;
/// use loggia_model::signature::Operation;
/// use loggia_model::units::{Bytes, Procs};
/// use loggia_model::{compare, library};
/// let (sp2, paragon) = (library::load("ibm-sp2")?, library::load("intel-paragon")?);
/// let machines = [&sp2, &paragon];
/// let question = Question::of(&sp2, Operation::Scatter, Procs(4), Bytes(65536), None)?;
/// let fitted = compare::fitted(&machines, &question).unwrap();
/// let found = compare::overtakings(&machines, &question, fitted);
/// assert_eq!(found, [compare::Overtaking { at: Procs(5), ahead: 1, behind: 0 }]);
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn overtakings(
    machines: &[&Signature],
    question: &Question,
    procs: Range<Procs>,
) -> Vec<Overtaking> {
    let pairs: Vec<(usize, usize)> =
        (0..machines.len()).flat_map(|a| (a + 1..machines.len()).map(move |b| (a, b))).collect();
    // Whether the first of each pair was the faster one where both last had a time.
    let mut leads: Vec<Option<bool>> = vec![None; pairs.len()];
    let mut found = Vec::new();
    for p in procs.low.0..=procs.high.0 {
        let standings = operation(machines, &with_procs(question, p));
        for (lead, (a, b)) in leads.iter_mut().zip(&pairs) {
            let times = standings[*a].time.zip(standings[*b].time);
            let Some((time_a, time_b)) = times.filter(|(a, b)| a != b) else { continue };
            let now = time_a.0 < time_b.0;
            if lead.replace(now).is_some_and(|before| before != now) {
                let (ahead, behind) = if now { (*a, *b) } else { (*b, *a) };
                found.push(Overtaking { at: Procs(p), ahead, behind });
            }
        }
    }
    found
}
