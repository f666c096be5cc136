//! The recipes of the Makefile on a fresh machine: the real recipes and scripts, with stub
//! programs that record each call. No MPI library is installed before the set-up.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Tools that exist on every machine.
const ORDINARY: [&str; 27] = [
    "basename", "bash", "cat", "chmod", "cp", "cut", "date", "dirname", "env", "grep", "head",
    "ln", "ls", "make", "mkdir", "mv", "nice", "renice", "rm", "sed", "sh", "sleep", "sort",
    "tail", "tr", "uniq", "wc",
];

/// A copy of the recipes, and a PATH with only ordinary tools and recorders.
struct FreshMachine {
    folder: TempDir,
}

impl FreshMachine {
    fn new() -> Self {
        let machine = FreshMachine { folder: tempfile::tempdir().unwrap() };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let repository = machine.repository();
        fs::create_dir_all(repository.join(".ci")).unwrap();
        for name in ["Makefile", "package-lock.json"] {
            fs::copy(root.join(name), repository.join(name)).unwrap();
        }
        for script in fs::read_dir(root.join(".ci")).unwrap().flatten() {
            fs::copy(script.path(), repository.join(".ci").join(script.file_name())).unwrap();
        }
        fs::create_dir_all(machine.bin()).unwrap();
        for tool in ORDINARY {
            let found = ["/usr/bin", "/bin"].iter().map(|folder| Path::new(folder).join(tool));
            let found = found.into_iter().find(|path| path.exists());
            symlink(found.unwrap_or_else(|| panic!("no {tool}")), machine.bin().join(tool))
                .unwrap();
        }
        machine.install("id", "echo 0");
        machine.install("llvm-config", "true");
        machine.install("rustup", "true");
        // The folder alone marks the target as installed.
        let target = machine.folder.path().join("rust/lib/rustlib/wasm32-unknown-unknown");
        fs::create_dir_all(target).unwrap();
        machine.install("rustc", &format!("echo {}", machine.folder.path().join("rust").display()));
        machine.install("npm", "mkdir -p node_modules/.bin; : > node_modules/.package-lock.json");
        // The built command records its arguments, and collects.
        machine.install(
            "cargo",
            "case \" $* \" in\n\
             *\" -p loggia \"*) mkdir -p target/explore; cp \"$BIN/loggia\" target/explore/loggia;;\n\
             *\" -p loggia-bundle \"*|*\" --test structure \"*) mkdir -p target/debug\n\
             cp \"$BIN/loggia\" target/debug/loggia-bundle;; esac",
        );
        machine.install(
            "loggia",
            "case $1 in collect) while [ $# -gt 1 ]; do shift; done; echo {} > \"$1\";; esac",
        );
        machine
    }

    /// A machine on which MPI can be installed.
    fn with_packages(self) -> Self {
        let recorder = self.script("mpirun", "shift $(($# - 6)); \"$@\"");
        let mpirun = self.folder.path().join("mpirun");
        fs::write(&mpirun, recorder).unwrap();
        fs::set_permissions(&mpirun, fs::Permissions::from_mode(0o755)).unwrap();
        self.install(
            "apt-get",
            &format!(
                "case \"$*\" in *libopenmpi-dev*) ln -sf {} \"$BIN/mpirun\"\n\
                 ln -sf {} \"$BIN/mpicc\";; esac",
                mpirun.display(),
                mpirun.display()
            ),
        );
        self
    }

    fn repository(&self) -> PathBuf {
        self.folder.path().join("loggia")
    }

    fn bin(&self) -> PathBuf {
        self.folder.path().join("bin")
    }

    /// A program that writes its name and arguments to the record, then runs this body.
    fn script(&self, name: &str, body: &str) -> String {
        let record = self.folder.path().join("record");
        format!(
            "#!/bin/sh\nBIN={}\necho {name} \"$@\" >> {}\n{body}\n",
            self.bin().display(),
            record.display()
        )
    }

    fn install(&self, name: &str, body: &str) {
        let path = self.bin().join(name);
        fs::write(&path, self.script(name, body)).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs a recipe, and returns its calls.
    #[track_caller]
    fn make(&self, recipe: &str) -> Vec<String> {
        let output = Command::new(self.bin().join("make"))
            .arg(recipe)
            .current_dir(self.repository())
            .env_clear()
            .env("PATH", self.bin())
            .env("HOME", self.folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stdout = String::from_utf8_lossy(&output.stdout);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "make {recipe}:\n{stdout}{stderr}");
        let record = fs::read_to_string(self.folder.path().join("record")).unwrap();
        record.lines().map(str::to_owned).collect()
    }
}

/// Index of the first call that contains all these words.
#[track_caller]
fn index_of(calls: &[String], words: &[&str]) -> usize {
    let found = calls.iter().position(|call| words.iter().all(|word| call.contains(word)));
    found.unwrap_or_else(|| panic!("{words:?} was not called:\n{}", calls.join("\n")))
}

#[test]
fn the_first_measurement_is_over_the_mpi_library_that_set_up_installs() {
    for recipe in ["explore", "measure"] {
        let machine = FreshMachine::new().with_packages();
        let calls = machine.make(recipe);
        let installs = index_of(&calls, &["apt-get", "libopenmpi-dev", "libclang-dev"]);
        let builds = index_of(&calls, &["cargo build", "-p loggia", "--features loggia/mpi"]);
        let measures = index_of(&calls, &["mpirun", "-n 2", "collect --quick"]);
        assert!(installs < builds && builds < measures, "{recipe}:\n{}", calls.join("\n"));
        assert!(machine.repository().join("target/this-machine.json").exists(), "{recipe}");
        let serves = calls.iter().any(|call| call.starts_with("loggia serve"));
        assert_eq!(serves, recipe == "explore", "{}", calls.join("\n"));
    }
}

#[test]
fn what_is_installed_is_not_installed_again() {
    let machine = FreshMachine::new().with_packages();
    machine.make("measure");
    let first = fs::read_to_string(machine.folder.path().join("record")).unwrap().lines().count();
    let calls = machine.make("measure");
    let second = &calls[first..];
    assert!(!second.iter().any(|call| call.starts_with("apt-get")), "{}", second.join("\n"));
    index_of(second, &["mpirun", "collect --quick"]);
}

/// Without apt-get, threads are measured.
#[test]
fn without_mpi_two_threads_are_measured() {
    let machine = FreshMachine::new();
    let calls = machine.make("explore");
    let builds = index_of(&calls, &["cargo build", "-p loggia"]);
    assert!(!calls[builds].contains("loggia/mpi"), "{}", calls[builds]);
    index_of(&calls, &["loggia collect --quick"]);
    assert!(!calls.iter().any(|call| call.starts_with("mpirun")), "{}", calls.join("\n"));
}

/// The set-up runs before the first build.
#[test]
fn tests_are_built_with_the_mpi_library_that_set_up_installs() {
    let machine = FreshMachine::new().with_packages();
    let calls = machine.make("test");
    let installs = index_of(&calls, &["apt-get", "libopenmpi-dev"]);
    let builds = index_of(&calls, &["cargo test", "--features loggia/mpi"]);
    assert!(installs < builds, "{}", calls.join("\n"));
}

/// The recipe finds new test programs. Test programs that measure time run one at a time.
#[test]
fn every_test_program_is_run() {
    let machine = FreshMachine::new().with_packages();
    let programs =
        ["shared/model/tests/new.rs", "shared/schedule/tests/fast.rs", "tests/own/main.rs"];
    for path in programs.into_iter().chain(["tests/known_link/main.rs"]) {
        let path = machine.repository().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    let calls = machine.make("test");
    index_of(&calls, &["cargo test", "--lib --bins", "--test new", "--test fast", "--test own"]);
    let alone = index_of(&calls, &["cargo test", "--test known_link"]);
    assert_eq!(calls[alone].matches("--test").count(), 1, "{}", calls[alone]);
    let check = &machine.make("check")[calls.len()..];
    index_of(check, &["cargo test", "--lib --bins", "--test new", "--test fast"]);
}
