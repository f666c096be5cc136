//! A program compiled for an MPI library, and its trace.

use crate::lab::mpirun::set_environment;
use crate::lab::running::{PATIENCE, Run, Running, loggia, run, skip};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// MPI library of compiler and launcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    OpenMpi,
    Mpich,
}

/// A program in a folder of its own.
pub(crate) struct Program {
    family: Family,
    folder: TempDir,
}

impl Family {
    fn suffix(self) -> &'static str {
        match self {
            Family::OpenMpi => "openmpi",
            Family::Mpich => "mpich",
        }
    }

    /// Its launcher for this number of ranks on this host.
    pub(crate) fn launcher(self, ranks: u32) -> String {
        let more = match self {
            Family::OpenMpi => " --oversubscribe --bind-to none",
            Family::Mpich => "",
        };
        format!("mpirun.{}{more} -n {ranks}", self.suffix())
    }
}

/// Path of a source in tests/programs.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs").join(name)
}

/// Compiles a source in a folder; `false`, with a message, if the compiler is not installed.
fn compiles(folder: &Path, compiler: &str, options: &str, name: &str) -> bool {
    let mut command = Command::new(compiler);
    command.arg(source(name)).args(["-O1", "-w"]).args(options.split(' '));
    match command.current_dir(folder).output() {
        Err(_) => {
            skip(&format!("{compiler} is not installed"));
            false
        }
        // The wrapper is installed without its compiler.
        Ok(output) if !output.status.success() && compiler.starts_with("mpif90") => {
            skip(&String::from_utf8_lossy(&output.stderr));
            false
        }
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            true
        }
    }
}

impl Program {
    /// Compiles the program; `None`, with a message, if the compiler is not installed.
    pub(crate) fn compiled(family: Family, name: &str) -> Option<Self> {
        let compiler = if name.ends_with(".c") { "mpicc" } else { "mpif90" };
        let compiler = format!("{compiler}.{}", family.suffix());
        let folder = tempfile::tempdir().unwrap();
        let is_compiled = compiles(folder.path(), &compiler, "-o program", name);
        is_compiled.then_some(Program { family, folder })
    }

    /// Compiles a program without MPI, and its MPI module, which it loads.
    pub(crate) fn with_module(family: Family, name: &str) -> Option<Self> {
        let compiler = format!("mpicc.{}", family.suffix());
        let folder = tempfile::tempdir().unwrap();
        let module = "-shared -fPIC -Wl,-z,now -DMODULE -o module.so";
        let is_compiled = compiles(folder.path(), &compiler, module, name)
            && compiles(folder.path(), "cc", "-o program -ldl", name);
        is_compiled.then_some(Program { family, folder })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the program untraced.
    pub(crate) fn plain(&self, ranks: u32, arguments: &str) -> Run {
        let line = format!("{} ./program {arguments}", self.family.launcher(ranks));
        let mut line = line.split(' ');
        let mut command = Command::new(line.next().unwrap_or_default());
        command.args(line.filter(|word| !word.is_empty())).current_dir(self.folder());
        run(set_environment(&mut command))
    }

    /// Traces the program into the folder `trace`.
    pub(crate) fn traced(&self, ranks: u32, arguments: &str) -> Run {
        self.begin_to_trace(ranks, arguments).wait(PATIENCE)
    }

    /// Starts the tracing, and returns the running command.
    pub(crate) fn begin_to_trace(&self, ranks: u32, arguments: &str) -> Running {
        let line =
            format!("trace -o trace -- {} ./program {arguments}", self.family.launcher(ranks));
        Running::start(set_environment(&mut loggia(self.folder(), line.trim())))
    }

    /// The calls of the trace.
    pub(crate) fn calls(&self, rank: u32) -> Vec<Recorded> {
        let arguments = format!("calls trace --rank {rank} --json");
        calls(&run(&mut loggia(self.folder(), &arguments)).good())
    }
}

/// A recorded call.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) call: String,
    /// Text without the numbers of requests, which depend on the library.
    pub(crate) text: String,
    pub(crate) start: f64,
    pub(crate) duration: f64,
}

fn calls(run: &Run) -> Vec<Recorded> {
    let list: Value = serde_json::from_str(&run.out).unwrap();
    let text = |call: &Value, key: &str| call[key].as_str().unwrap().to_owned();
    let number = |call: &Value, key: &str| call[key].as_f64().unwrap();
    let recorded = |call: &Value| Recorded {
        call: text(call, "call"),
        text: without_requests(&text(call, "words")),
        start: number(call, "start_us"),
        duration: number(call, "duration_us"),
    };
    list.as_array().unwrap().iter().map(recorded).collect()
}

/// A text such as `Waitall 2 of 2: request 7, request 9`, with `_` for every number of a request.
fn without_requests(recorded: &str) -> String {
    let mut text = String::new();
    let mut rest = recorded.trim_end();
    while let Some(at) = rest.find("request") {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        let end = after.find([' ']).map_or(after.len(), |space| space + 1);
        text.push_str(&after[..end]);
        rest = &after[end..];
        let list = rest.starts_with('[');
        let digits = |c: char| c.is_ascii_digit() || list && "[], ".contains(c);
        rest = rest.trim_start_matches(digits);
        text.push('_');
    }
    text + rest
}

/// A test for each of the two MPI libraries.
macro_rules! both_families {
    ($($name:ident)*) => { $(
        mod $name {
            #[test]
            fn open_mpi() {
                super::$name($crate::program::Family::OpenMpi);
            }

            #[test]
            fn mpich() {
                super::$name($crate::program::Family::Mpich);
            }
        }
    )* };
}
pub(crate) use both_families;
