//! The launcher of the MPI library that the command under test was built with.

use super::running::{binary, skip};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// MPI library of the command under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    OpenMpi,
    Mpich,
}

/// The launcher of this library.
#[derive(Clone, Debug)]
pub(crate) struct Mpirun {
    program: &'static str,
    pub(crate) library: Library,
}

impl Mpirun {
    /// The launcher, if the command has MPI and the launcher is installed; `None`, with a message,
    /// otherwise.
    pub(crate) fn here() -> Option<Self> {
        let found = Self::find();
        if let Err(reason) = &found {
            skip(reason);
        }
        found.ok()
    }

    /// Like [`Self::here`], for this library only.
    pub(crate) fn of(library: Library) -> Option<Self> {
        let found = Self::here()?;
        if found.library != library {
            skip(&format!("this build has {:?}, and the test is about {library:?}", found.library));
            return None;
        }
        Some(found)
    }

    fn find() -> Result<Self, &'static str> {
        let (library, names) = match library() {
            Some(Library::OpenMpi) => (Library::OpenMpi, ["mpirun.openmpi", "mpirun"]),
            Some(Library::Mpich) => (Library::Mpich, ["mpirun.mpich", "mpirun"]),
            None => return Err("this build has no MPI"),
        };
        let fits = |program: &&str| {
            let output = Command::new(program).arg("--version").output();
            let stdout = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
            stdout.is_ok_and(|stdout| stdout.contains("Open") == (library == Library::OpenMpi))
        };
        let program =
            names.into_iter().find(fits).ok_or("the library's mpirun is not installed")?;
        Ok(Mpirun { program, library })
    }

    /// The command under test with these arguments, on this number of ranks of this host.
    pub(crate) fn command(&self, folder: &Path, ranks: u32, arguments: &str) -> Command {
        self.bound_to("none", folder, ranks, arguments)
    }

    /// Like [`Self::command`], with a processor for each rank: ranks that share one have no times of
    /// progress.
    pub(crate) fn on_own_processors(&self, folder: &Path, ranks: u32, arguments: &str) -> Command {
        self.bound_to("hwthread", folder, ranks, arguments)
    }

    fn bound_to(&self, what: &str, folder: &Path, ranks: u32, arguments: &str) -> Command {
        let mut command = Command::new(self.program);
        if self.library == Library::OpenMpi {
            // Some tests need more ranks than processors.
            command.arg("--oversubscribe");
        }
        command.args(["--bind-to", what]);
        command.args(["-n", &ranks.to_string()]).current_dir(folder);
        with_loggia(&mut command, arguments);
        command
    }

    /// Name of the launcher's program, for another command line.
    pub(crate) fn program(&self) -> &'static str {
        self.program
    }
}

/// Adds the command under test with these arguments to a launcher.
pub(crate) fn with_loggia(launcher: &mut Command, arguments: &str) {
    set_environment(launcher.arg(binary()).args(arguments.split_whitespace()));
}

/// Sets the environment of a launcher for tests.
pub(crate) fn set_environment(launcher: &mut Command) -> &mut Command {
    // Containers run everything as root.
    launcher.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    // The search for networks of PSM would take 0.2 of the 0.3 seconds of each start.
    launcher.env("OMPI_MCA_mtl", "^ofi,psm,psm2");
    // Waiting ranks yield the processor, so that tests also end in time on a busy machine.
    launcher.env("OMPI_MCA_mpi_yield_when_idle", "1")
}

/// The library that the command under test loads, according to `ldd`.
pub(crate) fn library() -> Option<Library> {
    static LOADED: LazyLock<Option<Library>> = LazyLock::new(|| {
        let output = Command::new("ldd").arg(binary()).output().ok()?;
        let loads = String::from_utf8_lossy(&output.stdout).into_owned();
        if loads.contains("libmpich.") {
            return Some(Library::Mpich);
        }
        loads.contains("libmpi.so").then_some(Library::OpenMpi)
    });
    *LOADED
}

/// One of the project's example MPI programs. `cargo test` builds them only with the usual library,
/// and only if no test is named.
pub(crate) fn example(name: &str) -> Option<PathBuf> {
    let command = Path::new(env!("CARGO_BIN_EXE_loggia"));
    if !cfg!(feature = "mpi") || binary() != command {
        skip("the examples are built only with the usual MPI library");
        return None;
    }
    let path = command.with_file_name("examples").join(name);
    assert!(path.exists(), "{} is not built: run `cargo test --no-run`", path.display());
    Some(path)
}
