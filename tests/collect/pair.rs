//! Two ranks, one way or another.

use crate::lab::mpirun::Mpirun;
use crate::lab::running::{Run, alone, loggia, run};
use std::path::Path;
use std::process::Command;

/// What carries the messages between two ranks on this host.
pub(crate) enum Way {
    Threads,
    Mpi(Mpirun),
}

impl Way {
    /// `loggia collect` with these words, by two ranks.
    pub(crate) fn collect(&self, folder: &Path, words: &str) -> Command {
        match self {
            Way::Threads => loggia(folder, &format!("collect --transport threads {words}")),
            Way::Mpi(mpirun) => mpirun.command(folder, 2, &format!("collect {words}")),
        }
    }

    /// Runs it to its end, alone on the machine.
    #[track_caller]
    pub(crate) fn collected(&self, folder: &Path, words: &str) -> Run {
        let _alone = alone();
        run(&mut self.collect(folder, words))
    }
}

/// Tests that are functions of a [`Way`], each in threads and under `mpirun`.
macro_rules! both_ways {
    ($($name:ident),* $(,)?) => {
        mod threads {
            $(#[test]
            fn $name() {
                super::$name(&crate::way::Way::Threads);
            })*
        }
        mod mpi {
            $(#[test]
            fn $name() {
                if let Some(mpirun) = crate::lab::mpirun::Mpirun::here() {
                    super::$name(&crate::way::Way::Mpi(mpirun));
                }
            })*
        }
    };
}
pub(crate) use both_ways;
