//! Two ranks, as threads or as MPI processes.

use crate::lab::mpirun::Mpirun;
use crate::lab::running::{Run, alone, beside_another, loggia, run};
use std::path::Path;
use std::process::Command;

/// Starts two ranks on this host.
pub(crate) enum Launcher {
    Threads,
    Mpi(Mpirun),
}

impl Launcher {
    /// `loggia collect` with these arguments, on two ranks.
    pub(crate) fn collect(&self, folder: &Path, arguments: &str) -> Command {
        match self {
            Launcher::Threads => {
                loggia(folder, &format!("collect --transport threads {arguments}"))
            }
            Launcher::Mpi(mpirun) => mpirun.command(folder, 2, &format!("collect {arguments}")),
        }
    }

    /// Runs it to its end, perhaps beside another run.
    #[track_caller]
    pub(crate) fn collected(&self, folder: &Path, arguments: &str) -> Run {
        let _slot = beside_another();
        self.run(folder, arguments)
    }

    /// Runs it to its end, with no other measurement on the machine.
    #[track_caller]
    pub(crate) fn collected_alone(&self, folder: &Path, arguments: &str) -> Run {
        let _alone = alone();
        self.run(folder, arguments)
    }

    #[track_caller]
    fn run(&self, folder: &Path, arguments: &str) -> Run {
        // Open MPI's `mpirun` otherwise waits for two seconds after a rank exits with an error.
        run(self.collect(folder, arguments).env("OMPI_MCA_odls_base_sigkill_timeout", "0"))
    }
}

/// Runs test functions of a [`Launcher`] with threads and under `mpirun`.
macro_rules! threads_and_mpi {
    ($($name:ident),* $(,)?) => {
        mod threads {
            $(#[test]
            fn $name() {
                super::$name(&crate::pair::Launcher::Threads);
            })*
        }
        mod mpi {
            $(#[test]
            fn $name() {
                if let Some(mpirun) = crate::lab::mpirun::Mpirun::here() {
                    super::$name(&crate::pair::Launcher::Mpi(mpirun));
                }
            })*
        }
    };
}
pub(crate) use threads_and_mpi;
