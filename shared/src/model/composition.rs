//! What does the same as an operation, which is fastest, and where that changes.
//!
//! `004`'s case study (Sections 4.3 and 5): Reduce+Scatter does what Reduce_scatter does, and
//! Gather+Broadcast what Allgather does, often faster. A composition's time is the sum of its
//! parts' closed forms, each asked in its own count of bytes.

use super::Warning;
use super::collective::{self, Cost, MOST_PROCS, check_procs, form_of};
use crate::Error;
use crate::signature::{BytesAre, Operation, Range, Signature};
use crate::units::{Bytes, Interval, Micros, Procs};
use serde::Serialize;

/// Operations which, one after the other, do what another one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Composition {
    /// What they do together.
    pub op: Operation,
    /// Their names, joined by `+`.
    pub name: &'static str,
    /// The parts, in order.
    pub parts: &'static [Operation],
}

/// All compositions.
pub const COMPOSITIONS: [Composition; 6] = [
    composed(Operation::ReduceScatter, "reduce+scatter", &[Operation::Reduce, Operation::Scatter]),
    composed(Operation::Allgather, "gather+bcast", &[Operation::Gather, Operation::Bcast]),
    composed(Operation::Allreduce, "reduce+bcast", &[Operation::Reduce, Operation::Bcast]),
    composed(
        Operation::Allreduce,
        "reduce_scatter+allgather",
        &[Operation::ReduceScatter, Operation::Allgather],
    ),
    composed(Operation::Bcast, "scatter+allgather", &[Operation::Scatter, Operation::Allgather]),
    composed(
        Operation::Reduce,
        "reduce_scatter+gather",
        &[Operation::ReduceScatter, Operation::Gather],
    ),
];

const fn composed(op: Operation, name: &'static str, parts: &'static [Operation]) -> Composition {
    Composition { op, name, parts }
}

/// What is asked: an operation on p processes with so many bytes, counted somehow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// The operation.
    pub op: Operation,
    /// p
    pub procs: Procs,
    /// m
    pub bytes: Bytes,
    /// What m counts.
    pub bytes_are: BytesAre,
}

/// One way to do it.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// `formula` for the operation's own form, else the composition's name.
    pub name: &'static str,
    /// The cost of each part.
    pub parts: Vec<Cost>,
}

/// The name of the way that is the operation's own form.
pub const OWN_FORM: &str = "formula";

impl Question {
    /// The question, with bytes counted as the signature's form counts them, or where it has none,
    /// as algorithms do.
    pub fn of(
        signature: &Signature,
        op: Operation,
        procs: Procs,
        bytes: Bytes,
        bytes_are: Option<BytesAre>,
    ) -> Result<Self, Error> {
        check_procs(procs)?;
        if let Some(wrong) = bytes_are.filter(|count| !op.counts().contains(count)) {
            return Err(Error::new(
                format!("{} has no meaning for {}", wrong.name(), op.name()),
                "--bytes-are",
                format!("use {}", op.counts_in_words()),
            ));
        }
        let usual = || signature.collective(op).map_or(op.bytes_are(), |form| form.bytes_are);
        Ok(Question { op, procs, bytes, bytes_are: bytes_are.unwrap_or_else(usual) })
    }

    /// The cost of one part, asked in its own count of bytes.
    fn part(&self, signature: &Signature, op: Operation) -> Result<Cost, Error> {
        let form = form_of(signature, op)?;
        let bytes = if (op, form.bytes_are) == (self.op, self.bytes_are) {
            self.bytes.count()
        } else {
            let whole = self.bytes_are.to_whole(self.op, self.procs, self.bytes.count());
            form.bytes_are.of_whole(op, self.procs, whole)
        };
        Ok(collective::cost(form, self.procs, bytes))
    }

    /// f(m, p) of `001`, Section 3, where it is defined: all that moves between ranks. There m is
    /// what algorithms count, so the question's bytes are converted first.
    pub fn aggregated_message_bytes(&self) -> Option<f64> {
        let whole = self.bytes_are.to_whole(self.op, self.procs, self.bytes.count());
        let each = self.op.bytes_are().of_whole(self.op, self.procs, whole);
        self.op.aggregated_messages(self.procs).map(|messages| messages * each)
    }

    /// The operation's own form.
    pub fn by_formula(&self, signature: &Signature) -> Result<Way, Error> {
        Ok(Way { name: OWN_FORM, parts: vec![self.part(signature, self.op)?] })
    }

    /// A composition that does the operation.
    pub fn by_composition(
        &self,
        signature: &Signature,
        composition: &Composition,
    ) -> Result<Way, Error> {
        let parts: Result<Vec<Cost>, Error> =
            composition.parts.iter().map(|op| self.part(signature, *op)).collect();
        Ok(Way { name: composition.name, parts: parts? })
    }

    /// By `formula`, a composition's name, or `best`.
    pub fn by(&self, signature: &Signature, algorithm: &str) -> Result<Way, Error> {
        match algorithm {
            OWN_FORM => self.by_formula(signature),
            "best" => self.ranking(signature)?.into_iter().next().ok_or_else(|| self.no_way()),
            name => {
                let here = COMPOSITIONS.iter().filter(|c| c.op == self.op);
                match here.clone().find(|c| c.name == name) {
                    Some(composition) => self.by_composition(signature, composition),
                    None => {
                        let known = [OWN_FORM, "best"].into_iter().chain(here.map(|c| c.name));
                        Err(Error::unknown("algorithm", name, "--algorithm", known))
                    }
                }
            }
        }
    }

    /// Every way that the signature can tell the time of, fastest first; ways without a number
    /// come last.
    pub fn ranking(&self, signature: &Signature) -> Result<Vec<Way>, Error> {
        let own = self.by_formula(signature);
        let composed = COMPOSITIONS
            .iter()
            .filter(|c| c.op == self.op)
            .filter_map(|c| self.by_composition(signature, c).ok());
        let mut ways: Vec<Way> = own.iter().cloned().chain(composed).collect();
        if ways.is_empty() {
            return Err(own.err().unwrap_or_else(|| self.no_way()));
        }
        let key = |way: &Way| way.time().map_or(f64::INFINITY, |t| t.0);
        ways.sort_by(|a, b| key(a).total_cmp(&key(b)));
        Ok(ways)
    }

    /// Whether any way is asked outside what its forms were fitted to.
    fn is_extrapolated(&self, signature: &Signature) -> bool {
        self.ranking(signature).is_ok_and(|ways| ways.iter().any(Way::is_extrapolated))
    }

    fn no_way(&self) -> Error {
        Error::new(format!("nothing is known of {}", self.op.name()), "--op", "try `loggia show`")
    }
}

impl Way {
    /// The whole time.
    pub fn total(&self) -> Option<Interval<Micros>> {
        self.parts.iter().map(|part| part.prediction.total).sum()
    }

    /// The whole time, without bounds.
    pub fn time(&self) -> Option<Micros> {
        self.total().map(|total| total.value)
    }

    /// The sum of one share of all parts, if each has it.
    pub fn share(&self, of: impl Fn(&Cost) -> Option<Micros>) -> Option<Micros> {
        self.parts.iter().map(of).sum()
    }

    /// All parts' warnings; in a composition each says which part it is about.
    pub fn warnings(&self) -> Vec<String> {
        let name = |part: &Cost, warning: &Warning| match self.parts.len() {
            1 => warning.to_string(),
            _ => format!("{}: {warning}", part.op.name()),
        };
        self.parts
            .iter()
            .flat_map(|part| part.prediction.warnings.iter().map(move |w| name(part, w)))
            .collect()
    }

    /// Whether any part lies outside what was measured.
    pub fn is_extrapolated(&self) -> bool {
        self.parts.iter().any(|part| part.prediction.is_extrapolated())
    }

    /// Time as a line over bytes in the question's count: T = start + slope·m.
    fn line(&self, question: &Question) -> Option<(f64, f64)> {
        let start = self.share(|part| part.startup)?.0;
        let at = self.time()?.0;
        let bytes = question.bytes.count();
        if bytes > 0.0 {
            return Some((start, (at - start) / bytes));
        }
        Some((start, 0.0))
    }
}

/// Where another way becomes the fastest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Crossover<U> {
    /// The smallest value at which it is.
    pub at: U,
    /// The fastest way before.
    pub from: &'static str,
    /// The fastest way from there on.
    pub to: &'static str,
    /// Whether a form was asked outside what it was fitted to.
    pub extrapolated: bool,
}

/// 2^63: no message is larger.
const LARGEST_SIZE: f64 = 9.223_372_036_854_776e18;

/// Where the fastest way changes over the size, p being fixed.
pub fn crossovers_in_bytes(
    signature: &Signature,
    question: &Question,
) -> Result<Vec<Crossover<Bytes>>, Error> {
    // The forms are lines over m: any positive size gives the slope.
    let any = Question { bytes: Bytes(1 << 20), ..*question };
    let mut lines: Vec<(&'static str, f64, f64)> = any
        .ranking(signature)?
        .iter()
        .filter_map(|way| way.line(&any).map(|(start, slope)| (way.name, start, slope)))
        .collect();
    lines.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
    let mut found = Vec::new();
    let Some(mut fastest) = lines.first().copied() else { return Ok(found) };
    loop {
        // Only a flatter line can overtake; the one that does so first is next.
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

/// Where the fastest way changes over p, the size being fixed, and the processes that were tried:
/// those that all forms were fitted to.
pub fn crossovers_in_procs(
    signature: &Signature,
    question: &Question,
) -> Result<(Range<Procs>, Vec<Crossover<Procs>>), Error> {
    let ways = question.ranking(signature)?;
    let ops = ways.iter().flat_map(|way| way.parts.iter().map(|part| part.op));
    let ranges: Vec<_> =
        ops.filter_map(|op| signature.collective(op)).map(|form| form.procs).collect();
    let low = ranges.iter().map(|r| r.low.0).max().unwrap_or(2);
    let high = ranges.iter().map(|r| r.high.0).min().unwrap_or(2).min(MOST_PROCS);
    let tried = Range { low: Procs(low), high: Procs(high) };
    let mut found = Vec::new();
    let mut fastest: Option<&'static str> = None;
    for p in low..=high {
        let here = Question { procs: Procs(p), ..*question };
        let ranking = here.ranking(signature)?;
        let Some(first) = ranking.first().filter(|way| way.time().is_some()) else { continue };
        if let Some(from) = fastest.filter(|from| *from != first.name) {
            let extrapolated = here.is_extrapolated(signature);
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

    fn ask(op: Operation, p: u32, bytes: u64) -> (Signature, Question) {
        let ap3000 = library::load("ap3000-mpi").unwrap();
        let question = Question::of(&ap3000, op, Procs(p), Bytes(bytes), None).unwrap();
        (ap3000, question)
    }

    fn time(op: Operation, p: u32, bytes: u64, algorithm: &str) -> f64 {
        let (ap3000, question) = ask(op, p, bytes);
        question.by(&ap3000, algorithm).unwrap().time().unwrap().0
    }

    /// `004`, Table 5, all estimated columns, to the digits printed there.
    #[test]
    fn table_5() {
        for (p, reduce_scatter, composed, allgather, gather_bcast) in [
            (2, 24414.0, 20927.0, 166.43, 164.54),
            (4, 33957.0, 29440.0, 356.94, 271.69),
            (8, 43500.0, 39291.0, 738.07, 427.93),
            (12, 49082.0, 45355.0, 1119.25, 601.14),
        ] {
            let close = |got: f64, printed: f64, half_unit: f64| {
                assert!((got - printed).abs() <= half_unit, "p = {p}: {got} against {printed}");
            };
            close(time(Operation::ReduceScatter, p, 480_000, OWN_FORM), reduce_scatter, 0.5);
            close(time(Operation::ReduceScatter, p, 480_000, "reduce+scatter"), composed, 0.5);
            let bytes = u64::from(8 * p);
            close(time(Operation::Allgather, p, bytes, OWN_FORM), allgather, 0.005);
            close(time(Operation::Allgather, p, bytes, "gather+bcast"), gather_bcast, 0.005);
        }
    }

    /// `004`, Section 5: the composition is the better choice, in both cases.
    #[test]
    fn the_case_study_chooses_as_the_paper_does() {
        let (ap3000, question) = ask(Operation::ReduceScatter, 2, 480_000);
        assert_eq!(question.ranking(&ap3000).unwrap()[0].name, "reduce+scatter");
        let (ap3000, question) = ask(Operation::Allgather, 8, 64);
        assert_eq!(question.ranking(&ap3000).unwrap()[0].name, "gather+bcast");
    }

    /// `004`, Section 4.2: Allgather wins except for short messages.
    #[test]
    fn a_crossover_is_where_the_ranking_turns() {
        let (ap3000, question) = ask(Operation::Allgather, 8, 64);
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
        let (ap3000, question) = ask(Operation::Allgather, 8, 2 << 10);
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
                let tiny = crate::signature::FormTerm { value: 1e-12, ..form.startup.terms[0] };
                form.per_byte =
                    Some(crate::signature::Form { terms: vec![tiny], reciprocal: false });
            }
        }
        let question =
            Question::of(&ap3000, Operation::Allreduce, Procs(4), Bytes(8), None).unwrap();
        assert_eq!(crossovers_in_bytes(&ap3000, &question).unwrap(), []);
    }

    #[test]
    fn bytes_are_converted_before_anything_is_compared() {
        let (ap3000, question) = ask(Operation::Allgather, 4, 400);
        let per_rank = Question { bytes: Bytes(100), bytes_are: BytesAre::PerRank, ..question };
        let times = |q: &Question| {
            q.ranking(&ap3000).unwrap().iter().map(|w| w.time().unwrap().0).collect::<Vec<_>>()
        };
        for (a, b) in times(&question).into_iter().zip(times(&per_rank)) {
            assert!((a - b).abs() < 1e-9);
        }
    }

    #[test]
    fn the_aggregated_length_does_not_depend_on_the_count() {
        let t3d = library::load("cray-t3d").unwrap();
        let ask = |bytes, bytes_are| {
            let p = Procs(64);
            let all = Operation::Alltoall;
            let question = Question::of(&t3d, all, p, Bytes(bytes), Some(bytes_are)).unwrap();
            question.aggregated_message_bytes()
        };
        let per_pair = Some(512.0 * 64.0 * 63.0);
        assert_eq!(ask(512, BytesAre::PerPair), per_pair);
        assert_eq!(ask(512 * 64, BytesAre::PerRank), per_pair);
        assert_eq!(ask(512 * 64 * 64, BytesAre::Total), per_pair);
    }

    #[test]
    fn a_machine_without_the_form_still_has_the_composition() {
        let sp2 = library::load("ibm-sp2").unwrap();
        let question =
            Question::of(&sp2, Operation::Allgather, Procs(8), Bytes(100), None).unwrap();
        assert_eq!(question.bytes_are, BytesAre::PerRank);
        let ranking = question.ranking(&sp2).unwrap();
        assert_eq!(ranking.len(), 1);
        // gather of 100 bytes a rank, then the vector of 800 bytes
        let gather = (3.7 * 8.0 + 128.0) + (0.022 * 8.0 - 0.011) * 100.0;
        let bcast = (55.0 * 3.0 + 30.0) + (0.014 * 3.0 + 0.053) * 800.0;
        assert!((ranking[0].time().unwrap().0 - gather - bcast).abs() < 1e-9);
    }

    #[test]
    fn what_nobody_reports_is_an_error() {
        let quadrics = library::load("quadrics-shmem").unwrap();
        let question = Question::of(&quadrics, Operation::Bcast, Procs(8), Bytes(1), None).unwrap();
        assert!(question.ranking(&quadrics).unwrap_err().message.contains("no closed form"));
        let unknown = question.by(&quadrics, "gather+bcast").unwrap_err();
        assert!(unknown.help.contains("formula"), "{unknown}");
    }
}
