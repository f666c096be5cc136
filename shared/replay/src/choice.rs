//! Chooses the algorithms of replayed collective operations: the requested one, else the one
//! identified for the machine's library, else that library's default.

mod library;
mod mpich;
mod open_mpi;

pub use library::Library;

use crate::error::ReplayError;
use loggia_identify::identify;
use loggia_model::Error;
use loggia_model::error::Input;
use loggia_model::signature::{Operation, Range, Signature};
use loggia_model::units::Bytes;
use loggia_simulate::collective::{Algorithm, named};

/// The source of an algorithm choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Chooser {
    /// An option of the replay.
    Option,
    /// The signature: the measured times match this algorithm.
    Signature,
    /// The default of this library.
    Default(Library),
}

impl Chooser {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Chooser::Option => "asked",
            Chooser::Signature => "signature",
            Chooser::Default(Library::Mpich) => "default of MPICH",
            Chooser::Default(Library::OpenMpi) => "default of Open MPI",
        }
    }
}

/// The algorithms of all operations.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    requested: Vec<(Operation, &'static Algorithm)>,
    found: Vec<(Operation, Range<Bytes>, &'static Algorithm)>,
    /// The library whose defaults apply, if known.
    library: Option<Library>,
}

impl Choices {
    /// The algorithms that are identified from the machine's samples.
    pub fn of(signature: &Signature) -> Self {
        let found = signature.collectives.iter().flat_map(|form| {
            let named = identify(signature, form.op).map(|finding| finding.named);
            named.into_iter().flatten().map(|(range, algorithm)| (form.op, range, algorithm))
        });
        // Two-level algorithms need schedules with nodes.
        let found = found.filter(|(_, _, algorithm)| !algorithm.needs_nodes);
        let library = signature.machine.library.as_deref().and_then(Library::known);
        Choices { requested: Vec::new(), found: found.collect(), library }
    }

    /// Uses the library of the traced run if the machine's library is unknown.
    pub(super) fn traced_with(&mut self, library: &str) {
        self.library = self.library.or_else(|| Library::known(library));
    }

    /// Sets an operation's algorithm, such as `allreduce=ring`.
    pub fn set(&mut self, words: &str) -> Result<(), Error> {
        let (op, name) =
            words.split_once('=').ok_or_else(|| ReplayError::NotAChoice(words.to_owned()))?;
        let op = Operation::named(op.trim()).map_err(|error| error.at(Input::Algorithm))?;
        let algorithm = named(op, name)?;
        if algorithm.needs_nodes {
            return Err(ReplayError::NeedsNodes { algorithm: algorithm.name }.into());
        }
        self.requested.retain(|(requested, _)| *requested != op);
        self.requested.push((op, algorithm));
        Ok(())
    }

    /// The algorithm for a number of bytes, as the operation counts them, and ranks.
    pub(crate) fn choose(
        &self,
        op: Operation,
        procs: u32,
        bytes: u64,
    ) -> Result<(&'static Algorithm, Chooser), Error> {
        if let Some((_, algorithm)) = self.requested.iter().find(|(requested, _)| *requested == op)
        {
            return Ok((algorithm, Chooser::Option));
        }
        // Outside the measured sizes, the nearest range applies.
        let distance = |range: &Range<Bytes>| match bytes {
            less if less < range.low.0 => range.low.0 - less,
            more => more.saturating_sub(range.high.0),
        };
        let found = self.found.iter().filter(|(found, ..)| *found == op);
        if let Some((_, _, algorithm)) = found.min_by_key(|(_, range, _)| distance(range)) {
            return Ok((algorithm, Chooser::Signature));
        }
        self.by_default(op, procs, bytes)
    }

    /// The library's default.
    pub(super) fn by_default(
        &self,
        op: Operation,
        procs: u32,
        bytes: u64,
    ) -> Result<(&'static Algorithm, Chooser), Error> {
        let library = self.library.unwrap_or_default();
        Ok((named(op, library.algorithm(op, procs, bytes))?, Chooser::Default(library)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use loggia_model::units::Procs;
    use loggia_simulate::collective::Shape;

    fn choices(library: &str) -> Choices {
        let mut choices = Choices::of(&loggia_model::library::load("cray-t3d").unwrap());
        choices.traced_with(library);
        choices
    }

    #[test]
    fn every_default_exists_and_runs() {
        for (library, of) in [("Open MPI v4.1.4", Library::OpenMpi), ("LAM/MPI", Library::Mpich)] {
            let choices = choices(library);
            for op in Operation::ALL {
                for procs in [1, 2, 3, 8, 9, 64, 100, 300, 600, 1_500, 3_000, 5_000, 10_000] {
                    for bytes in [0, 8, 100, 4_096, 100_000, 1 << 20] {
                        let (algorithm, chooser) = choices.choose(op, procs, bytes).unwrap();
                        assert_eq!(chooser, Chooser::Default(of));
                        let shape = Shape::new(Procs(procs), Bytes(bytes));
                        if procs <= 100 {
                            algorithm.schedule(&shape, &|_| 0).unwrap();
                        }
                    }
                }
            }
        }
    }

    /// The machine's own library comes first, then the traced program's.
    #[test]
    fn the_library_is_the_machine_s_or_else_the_program_s() {
        let sum = |choices: &Choices| choices.choose(Operation::Allreduce, 2, 4_196).unwrap();
        let (algorithm, chooser) = sum(&choices("Open MPI v4.1.4"));
        assert_eq!((algorithm.name, chooser.name()), ("ring", "default of Open MPI"));
        let (algorithm, chooser) = sum(&choices(""));
        assert_eq!((algorithm.name, chooser.name()), ("rabenseifner", "default of MPICH"));
        let mut machine = loggia_model::library::load("cray-t3d").unwrap();
        machine.machine.library = Some("MPICH 4.0.2".to_owned());
        let mut choices = Choices::of(&machine);
        choices.traced_with("Open MPI v4.1.4");
        assert_eq!(sum(&choices).1, Chooser::Default(Library::Mpich));
    }

    #[test]
    fn a_requested_algorithm_is_used() {
        let mut choices = Choices::default();
        choices.set("allreduce=recursive-doubling").unwrap();
        choices.set("allreduce = ring").unwrap();
        let (algorithm, chooser) = choices.choose(Operation::Allreduce, 4, 8).unwrap();
        assert_eq!((algorithm.name, chooser), ("ring", Chooser::Option));
        for wrong in ["ring", "allreduce=rink", "alreduce=ring", "bcast=two-level"] {
            assert!(choices.set(wrong).is_err(), "{wrong}");
        }
    }
}
