//! The launcher of the MPI library that the command under test was built with.

use super::running::{binary, skip};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whose `mpirun` it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Library {
    OpenMpi,
    Mpich,
}

/// The launcher that fits.
#[derive(Clone, Debug)]
pub(crate) struct Mpirun {
    program: &'static str,
    pub(crate) library: Library,
}

impl Mpirun {
    /// If the command has MPI and its launcher is here; says so otherwise.
    pub(crate) fn here() -> Option<Self> {
        let found = Self::find();
        if let Err(why) = &found {
            skip(why);
        }
        found.ok()
    }

    /// The same, if the library is this one.
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
            let answer = Command::new(program).arg("--version").output();
            let words = answer.map(|a| String::from_utf8_lossy(&a.stdout).into_owned());
            words.is_ok_and(|words| words.contains("Open") == (library == Library::OpenMpi))
        };
        let program = names.into_iter().find(fits).ok_or("the library's mpirun is not here")?;
        Ok(Mpirun { program, library })
    }

    /// So many ranks of the command under test with these words, all on this host.
    pub(crate) fn command(&self, folder: &Path, ranks: u32, words: &str) -> Command {
        let mut command = Command::new(self.program);
        if self.library == Library::OpenMpi {
            // More ranks than processors are what some tests are about.
            command.args(["--oversubscribe", "--bind-to", "none"]);
        }
        command.args(["-n", &ranks.to_string()]).current_dir(folder);
        with_loggia(&mut command, words);
        command
    }

    /// Its program, for another command line.
    pub(crate) fn program(&self) -> &'static str {
        self.program
    }
}

/// Adds the command under test with these words to a launcher's.
pub(crate) fn with_loggia(launcher: &mut Command, words: &str) {
    at_home(launcher.arg(binary()).args(words.split_whitespace()));
}

/// Tells a launcher what it must be told here, whatever it starts.
pub(crate) fn at_home(launcher: &mut Command) -> &mut Command {
    // Containers run everything as root.
    launcher.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    // Whoever waits lets others have the processor: a busy machine then costs no patience.
    launcher.env("OMPI_MCA_mpi_yield_when_idle", "1")
}

/// The library that the command under test loads, as the system's own tool says.
fn library() -> Option<Library> {
    let answer = Command::new("ldd").arg(binary()).output().ok()?;
    let loads = String::from_utf8_lossy(&answer.stdout).into_owned();
    if loads.contains("libmpich.") {
        return Some(Library::Mpich);
    }
    loads.contains("libmpi.so").then_some(Library::OpenMpi)
}

/// One of the project's own MPI programs. `cargo test` builds them with the usual library only, and
/// not where it is told which tests to build.
pub(crate) fn example(name: &str) -> Option<PathBuf> {
    let command = Path::new(env!("CARGO_BIN_EXE_loggia"));
    if !cfg!(feature = "mpi") || binary() != command {
        skip("the examples are built with the usual MPI library only");
        return None;
    }
    let path = command.with_file_name("examples").join(name);
    assert!(path.exists(), "{} is not built: run `cargo test --no-run`", path.display());
    Some(path)
}
