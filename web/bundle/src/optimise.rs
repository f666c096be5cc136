//! Makes the page's module smaller with Binaryen's wasm-opt, if it is installed. It does not make the
//! simulator faster, nor smaller when compressed.

use crate::cache::Cache;
use crate::effort::Effort;
use crate::files::Files;
use crate::module::Module;
use crate::problem::Problem;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::{fs, thread};

/// Binaryen 108 of Debian 12 cannot parse modules of the current LLVM; 132 is installed by `make
/// setup` and tested.
const OLDEST: u32 = 123;

/// The features that Rust's wasm32 target uses by default since 1.87. wasm-opt refuses a module
/// with a feature not in this list, and may use every feature in it.
const FEATURES: [&str; 8] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-call-indirect-overlong",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// Smaller modules, in bytes, stay as they are: each start of wasm-opt takes a third of a second.
const MIN_BYTES: usize = 4096;

/// The optimisation of the modules, for the report.
pub(crate) enum Optimiser {
    Used {
        version: u32,
    },
    /// Left out by `--quick`.
    LeftOut,
    Missing,
    TooOld {
        path: PathBuf,
        version: u32,
    },
}

/// A higher level takes longer and saves hardly more.
const LEVEL: &str = "-O1";

/// Optimises the page's module and its parts, as many at once as there are processors, since wasm-opt
/// uses one.
pub(crate) fn improve(
    workspace: &Path,
    cache: &Cache,
    effort: Effort,
    page: &mut Module,
) -> Result<Optimiser, Problem> {
    if effort == Effort::Quick {
        return Ok(Optimiser::LeftOut);
    }
    let Some(tool) = Tool::find(workspace, cache) else { return Ok(Optimiser::Missing) };
    if tool.version < OLDEST {
        return Ok(Optimiser::TooOld { path: tool.path, version: tool.version });
    }
    let parts = page.later.parts.iter_mut().map(|(_, wasm)| wasm).chain([&mut page.wasm]);
    let mut jobs: Vec<&mut Vec<u8>> = parts.filter(|wasm| wasm.len() >= MIN_BYTES).collect();
    // Jobs are taken from the end: the largest first.
    jobs.sort_by_key(|wasm| wasm.len());
    let jobs = Mutex::new(jobs);
    // A function, since the lock must be released before the work begins.
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let work = || {
        while let Some(wasm) = next() {
            *wasm = tool.improved(wasm)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let count = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        let mut ends = workers.into_iter().map(|worker| worker.join());
        ends.try_for_each(|end| end.unwrap_or_else(|panic| resume_unwind(panic)))
    })?;
    Ok(Optimiser::Used { version: tool.version })
}

/// wasm-opt, and the cache of its results.
struct Tool<'a> {
    path: PathBuf,
    runner: Runner,
    version: u32,
    cache: &'a Cache,
}

/// What runs a copy of wasm-opt.
#[derive(Clone, Copy)]
enum Runner {
    /// Node.js without its second compiler: each run is too short for it.
    Node,
    System,
}

impl Runner {
    fn command(self, path: &Path) -> Command {
        match self {
            Self::Node => {
                let mut command = Command::new("node");
                command.arg("--liftoff-only").arg(path);
                command
            }
            Self::System => Command::new(path),
        }
    }
}

impl<'a> Tool<'a> {
    /// The repository's own copy, or else an installed one.
    fn find(workspace: &Path, cache: &'a Cache) -> Option<Self> {
        let own = workspace.join("node_modules/binaryen/bin/wasm-opt");
        // Other versions of Node.js may not know the option.
        let copies = [
            (own.clone(), Runner::Node),
            (own, Runner::System),
            (PathBuf::from("wasm-opt"), Runner::System),
        ];
        copies.into_iter().find_map(|(path, runner)| {
            let output = runner.command(&path).arg("--version").output().ok()?;
            let version = version(&String::from_utf8_lossy(&output.stdout))?;
            Some(Self { path, runner, version, cache })
        })
    }

    fn improved(&self, wasm: &[u8]) -> Result<Vec<u8>, Problem> {
        let version = self.version.to_string();
        let mut input = vec![b"wasm-opt".as_slice(), version.as_bytes(), LEVEL.as_bytes()];
        input.extend(FEATURES.map(str::as_bytes));
        input.push(wasm);
        let cached = self
            .cache
            .get_or_make(&input, || Ok(Files::from([(IMPROVED.to_owned(), self.run(wasm)?)])));
        cached.map(|mut files| files.remove(IMPROVED).unwrap_or_default())
    }

    fn run(&self, wasm: &[u8]) -> Result<Vec<u8>, Problem> {
        let failed = |what: String| {
            Problem::new(
                format!("{} (version {}): {what}", self.path.display(), self.version),
                "`make setup` installs the version that is tested",
            )
        };
        let folder = tempfile::tempdir().map_err(|error| failed(error.to_string()))?;
        let [before, after] = ["before.wasm", "after.wasm"].map(|name| folder.path().join(name));
        fs::write(&before, wasm).map_err(|e| failed(format!("{}: {e}", before.display())))?;
        let output = self
            .runner
            .command(&self.path)
            .arg(LEVEL)
            .args(FEATURES)
            .arg(&before)
            .arg("-o")
            .arg(&after)
            .output()
            .map_err(|e| failed(e.to_string()))?;
        if !output.status.success() {
            return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
        }
        fs::read(&after).map_err(|e| failed(format!("{}: {e}", after.display())))
    }
}

/// File name of the optimised module in the cache.
const IMPROVED: &str = "module.wasm";

/// The number in the output `wasm-opt version 132 (version_132)`.
fn version(text: &str) -> Option<u32> {
    text.split_whitespace().skip_while(|word| *word != "version").nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn binaryen_versions_are_parsed() {
        assert_eq!(version("wasm-opt version 132 (version_132)\n"), Some(132));
        assert_eq!(version("wasm-opt version 108"), Some(108));
        assert_eq!(version("command not found"), None);
    }
}
