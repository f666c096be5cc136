//! MPI libraries with known default algorithms.

use super::{mpich, open_mpi};
use loggia_model::signature::Operation;

/// A family of MPI libraries with the same default algorithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Library {
    /// MPICH and its derivatives.
    #[default]
    Mpich,
    /// Open MPI.
    OpenMpi,
}

impl Library {
    /// The library with this version string.
    pub(super) fn known(words: &str) -> Option<Self> {
        let words = words.to_ascii_lowercase();
        let has = |mark: &&str| words.contains(*mark);
        if ["open mpi", "openmpi"].iter().any(has) {
            Some(Library::OpenMpi)
        } else if ["mpich", "mvapich", "intel(r) mpi", "intel mpi"].iter().any(has) {
            Some(Library::Mpich)
        } else {
            None
        }
    }

    /// Its default algorithm of an operation.
    pub(super) fn algorithm(self, op: Operation, procs: u32, bytes: u64) -> &'static str {
        match self {
            Library::Mpich => mpich::algorithm(op, procs, bytes),
            Library::OpenMpi => open_mpi::algorithm(op, procs, bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_recognized_by_their_version_strings() {
        let known = [
            ("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4", Some(Library::OpenMpi)),
            ("MPICH Version:\t4.0.2", Some(Library::Mpich)),
            ("MVAPICH2 Version      :\t2.3.7", Some(Library::Mpich)),
            ("Intel(R) MPI Library 2021.10 for Linux* OS", Some(Library::Mpich)),
            ("CRAY MPICH version 8.1.25", Some(Library::Mpich)),
            ("LAM/MPI 7.1", None),
            ("", None),
        ];
        for (words, library) in known {
            assert_eq!(Library::known(words), library, "{words}");
        }
    }
}
