//! By which algorithm a collective operation is replayed: as one was asked to, or else as the
//! machine's library was found to do it, or else by default.
//!
//! The defaults are those of MPICH 3 (Thakur, Rabenseifner & Gropp, *Optimization of Collective
//! Communication Operations in MPICH*, 2005), as far as they are among the algorithms here.

use crate::Error;
use crate::collective::{Algorithm, named};
use crate::fit::algorithm::identify;
use crate::signature::{Operation, Range, Signature};
use crate::units::Bytes;

/// Who has chosen an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chooser {
    /// The one who asked for the replay.
    Asked,
    /// The signature: its library's times look like it.
    Found,
    /// Nobody.
    Default,
}

impl Chooser {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Chooser::Asked => "asked",
            Chooser::Found => "signature",
            Chooser::Default => "default",
        }
    }
}

/// How every operation is done.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    asked: Vec<(Operation, &'static Algorithm)>,
    found: Vec<(Operation, Range<Bytes>, &'static Algorithm)>,
}

impl Choices {
    /// As a machine's library does it, where its samples tell.
    pub fn of(signature: &Signature) -> Self {
        let found = signature.collectives.iter().flat_map(|form| {
            let named = identify(signature, form.op).map(|finding| finding.named);
            named.into_iter().flatten().map(|(range, algorithm)| (form.op, range, algorithm))
        });
        // What needs to know the nodes is for schedules that say them.
        let found = found.filter(|(_, _, algorithm)| !algorithm.needs_nodes);
        Choices { asked: Vec::new(), found: found.collect() }
    }

    /// `allreduce=ring`: this operation is done so.
    pub fn ask(&mut self, words: &str) -> Result<(), Error> {
        const PLACE: &str = "--algorithm";
        let wrong = || {
            Error::new(
                format!("`{words}` names no operation's algorithm"),
                PLACE,
                "write such as allreduce=ring",
            )
        };
        let (op, name) = words.split_once('=').ok_or_else(wrong)?;
        let op = Operation::named(op.trim())?;
        let algorithm = named(op, name)?;
        if algorithm.needs_nodes {
            return Err(Error::new(
                format!("{} must know which ranks share a node", algorithm.name),
                PLACE,
                "choose one that does not",
            ));
        }
        self.asked.retain(|(asked, _)| *asked != op);
        self.asked.push((op, algorithm));
        Ok(())
    }

    /// What is done with so many bytes, as the operation counts them, among so many ranks.
    pub(crate) fn choose(
        &self,
        op: Operation,
        procs: u32,
        bytes: u64,
    ) -> Result<(&'static Algorithm, Chooser), Error> {
        if let Some((_, algorithm)) = self.asked.iter().find(|(asked, _)| *asked == op) {
            return Ok((algorithm, Chooser::Asked));
        }
        // Beyond the sizes that were measured, the nearest counts.
        let far = |range: &Range<Bytes>| match bytes {
            less if less < range.low.0 => range.low.0 - less,
            more => more.saturating_sub(range.high.0),
        };
        let found = self.found.iter().filter(|(found, ..)| *found == op);
        if let Some((_, _, algorithm)) = found.min_by_key(|(_, range, _)| far(range)) {
            return Ok((algorithm, Chooser::Found));
        }
        Ok((named(op, by_default(op, procs, bytes))?, Chooser::Default))
    }
}

fn by_default(op: Operation, procs: u32, bytes: u64) -> &'static str {
    let power_of_two = procs.is_power_of_two();
    match op {
        Operation::Barrier => "dissemination",
        Operation::Bcast if bytes < 12_288 || procs < 8 => "binomial",
        Operation::Bcast => "scatter+allgather",
        Operation::Gather | Operation::Scatter => "binomial",
        Operation::Reduce if bytes <= 2_048 => "binomial",
        Operation::Reduce => "rabenseifner",
        Operation::Allreduce if bytes <= 2_048 => "recursive-doubling",
        Operation::Allreduce => "rabenseifner",
        Operation::Scan => "recursive-doubling",
        Operation::Allgather => match bytes.saturating_mul(u64::from(procs)) {
            all if all < 524_288 && power_of_two => "recursive-doubling",
            all if all < 81_920 => "bruck",
            _ => "ring",
        },
        Operation::ReduceScatter if bytes < 524_288 => "recursive-halving",
        Operation::ReduceScatter => "pairwise",
        Operation::Alltoall if bytes <= 256 && procs >= 8 => "bruck",
        Operation::Alltoall if bytes <= 32_768 => "linear",
        Operation::Alltoall => "pairwise",
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::collective::Shape;
    use crate::library;
    use crate::units::Procs;

    #[test]
    fn every_default_is_there_and_runs() {
        let choices = Choices::of(&library::load("cray-t3d").unwrap());
        for op in Operation::ALL {
            for procs in [1, 2, 3, 8, 9, 64] {
                for bytes in [0, 8, 4_096, 100_000, 1 << 20] {
                    let (algorithm, chooser) = choices.choose(op, procs, bytes).unwrap();
                    assert_eq!(chooser, Chooser::Default);
                    let shape = Shape::new(Procs(procs), Bytes(bytes));
                    algorithm.schedule(&shape, &|_| 0).unwrap();
                }
            }
        }
    }

    #[test]
    fn what_is_asked_for_is_done() {
        let mut choices = Choices::default();
        choices.ask("allreduce=recursive-doubling").unwrap();
        choices.ask("allreduce = ring").unwrap();
        let (algorithm, chooser) = choices.choose(Operation::Allreduce, 4, 8).unwrap();
        assert_eq!((algorithm.name, chooser), ("ring", Chooser::Asked));
        for wrong in ["ring", "allreduce=rink", "alreduce=ring", "bcast=two-level"] {
            assert!(choices.ask(wrong).is_err(), "{wrong}");
        }
    }
}
