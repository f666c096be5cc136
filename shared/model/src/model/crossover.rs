//! Crossovers between methods of a collective operation.

mod styles;

pub use styles::between_styles;

use super::collective::MAX_PROCS;
use super::composition::{CollectiveMethod, Question};
use crate::Error;
use crate::signature::{Range, Signature};
use crate::units::{Bytes, Procs};
use serde::Serialize;

/// A change of the fastest method.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Crossover<U, N = &'static str> {
    /// The smallest value with the new fastest method.
    pub at: U,
    /// The fastest method below `at`.
    pub from: N,
    /// The fastest method from `at` on.
    pub to: N,
    /// Whether a closed form was evaluated outside its fitted range.
    pub extrapolated: bool,
}

/// 2^63: no message is larger.
const LARGEST_SIZE: f64 = 9.223_372_036_854_776e18;

/// Crossovers over the size, with fixed p.
pub fn crossovers_in_bytes(
    signature: &Signature,
    question: &Question,
) -> Result<Vec<Crossover<Bytes>>, Error> {
    // The forms are lines over m: any positive size gives the slope.
    let any = Question { bytes: Bytes(1 << 20), ..*question };
    let mut lines: Vec<(&'static str, f64, f64)> = any
        .ranking(signature)?
        .iter()
        .filter_map(|method| method.line(&any).map(|(start, slope)| (method.name, start, slope)))
        .collect();
    lines.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
    let mut found = Vec::new();
    let Some(mut fastest) = lines.first().copied() else { return Ok(found) };
    loop {
        // Only a flatter line can become faster; the first intersection is next.
        let next = lines
            .iter()
            .filter(|line| line.2 < fastest.2)
            .map(|line| ((line.1 - fastest.1) / (fastest.2 - line.2), *line))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((meeting, next)) = next else { return Ok(found) };
        if meeting >= LARGEST_SIZE {
            return Ok(found);
        }
        let at = Bytes(libm::floor(meeting) as u64 + 1);
        let extrapolated = Question { bytes: at, ..*question }.is_extrapolated(signature);
        found.push(Crossover { at, from: fastest.0, to: next.0, extrapolated });
        fastest = next;
    }
}

/// Crossovers over p, with fixed size, and the searched range of p: where all forms are valid.
pub fn crossovers_in_procs(
    signature: &Signature,
    question: &Question,
) -> Result<(Range<Procs>, Vec<Crossover<Procs>>), Error> {
    let methods = question.ranking(signature)?;
    let ops = methods.iter().flat_map(|method| method.parts.iter().map(|part| part.op));
    let ranges: Vec<_> =
        ops.filter_map(|op| signature.collective(op)).map(|form| form.procs).collect();
    let low = ranges.iter().map(|r| r.low.0).max().unwrap_or(2);
    let high = ranges.iter().map(|r| r.high.0).min().unwrap_or(2).min(MAX_PROCS);
    let tried = Range { low: Procs(low), high: Procs(high) };
    let mut found = Vec::new();
    let mut fastest: Option<&'static str> = None;
    for p in low..=high {
        let here = Question { procs: Procs(p), ..*question };
        let ranking = here.ranking(signature)?;
        let Some(first) = ranking.first().filter(|method| method.time().is_some()) else {
            continue;
        };
        if let Some(from) = fastest.filter(|from| *from != first.name) {
            let extrapolated = ranking.iter().any(CollectiveMethod::is_extrapolated);
            found.push(Crossover { at: Procs(p), from, to: first.name, extrapolated });
        }
        fastest = Some(first.name);
    }
    Ok((tried, found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::model::composition::OWN_FORM;
    use crate::model::composition::tests::question_to_ap3000;
    use crate::signature::{Form, FormTerm, Operation};

    /// Touriño & Doallo 2001, Section 4.2: Allgather wins except for short messages.
    #[test]
    fn a_crossover_is_where_the_ranking_turns() {
        let (ap3000, question) = question_to_ap3000(Operation::Allgather, 8, 64);
        let crossovers = crossovers_in_bytes(&ap3000, &question).unwrap();
        assert_eq!(crossovers.len(), 1);
        let Crossover { at, from, to, extrapolated } = crossovers[0];
        assert!(!extrapolated);
        assert_eq!((from, to), ("gather+bcast", OWN_FORM));
        let best = |bytes| {
            let question = Question { bytes, ..question };
            question.ranking(&ap3000).unwrap()[0].name
        };
        assert_eq!(best(Bytes(at.0 - 1)), from);
        assert_eq!(best(at), to);
    }

    #[test]
    fn crossovers_over_processes() {
        let (ap3000, question) = question_to_ap3000(Operation::Allgather, 8, 2 << 10);
        let (tried, crossovers) = crossovers_in_procs(&ap3000, &question).unwrap();
        assert_eq!((tried.low, tried.high), (Procs(2), Procs(12)));
        assert!(!crossovers.is_empty());
        for Crossover { at, from, to, .. } in crossovers {
            let best = |procs| {
                let question = Question { procs, ..question };
                question.ranking(&ap3000).unwrap()[0].name
            };
            assert_eq!((best(Procs(at.0 - 1)), best(at)), (from, to));
        }
    }

    /// Lines that meet beyond all sizes never cross.
    #[test]
    fn lines_may_meet_nowhere() {
        let mut ap3000 = library::load("ap3000-mpi").unwrap();
        for form in &mut ap3000.collectives {
            let is_own = form.op == Operation::Allreduce;
            form.startup.terms.truncate(1);
            form.startup.terms[0].value = if is_own { 0.0 } else { 1e9 };
            form.per_byte = None;
            form.compute_per_byte = None;
            if is_own {
                let tiny = FormTerm { value: 1e-12, ..form.startup.terms[0] };
                form.per_byte = Some(Form { terms: vec![tiny], reciprocal: false });
            }
        }
        let question =
            Question::of(&ap3000, Operation::Allreduce, Procs(4), Bytes(8), None).unwrap();
        assert_eq!(crossovers_in_bytes(&ap3000, &question).unwrap(), []);
    }
}
