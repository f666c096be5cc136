//! Compiles the page's crates to wasm.

use crate::effort::Effort;
use crate::problem::Problem;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

const TARGET: &str = "wasm32-unknown-unknown";

/// The page's crate.
pub(crate) const PAGE: &str = "loggia-web";
/// The crate of the simulator, which the page loads when it needs it.
pub(crate) const SIMULATOR: &str = "loggia-worker";

/// Builds the page's module and the simulator's by one cargo, so that shared crates are built once
/// and both modules in parallel. Returns their paths.
pub(crate) fn modules(workspace: &Path, effort: Effort) -> Result<[PathBuf; 2], Problem> {
    let cargo = program("CARGO", "cargo");
    let profile = match effort {
        Effort::Full => "site",
        Effort::Quick => "explore-page",
    };
    let output = Command::new(&cargo)
        .current_dir(workspace)
        .args(["build", "--profile", profile, "--target", TARGET, "--locked"])
        .args(["-p", PAGE, "-p", SIMULATOR])
        .arg("--message-format=json-render-diagnostics")
        .env("CARGO_ENCODED_RUSTFLAGS", flags())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| cannot_start(&cargo, &error))?;
    if !output.status.success() {
        return Err(Problem::new(
            format!("the page did not compile for {TARGET}"),
            "see the compiler errors above",
        ));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let found = |package| {
        artifact(&messages, package).ok_or_else(|| {
            Problem::new(
                format!("cargo built {package} but named no .wasm file"),
                "its Cargo.toml must build a program (src/main.rs) or a cdylib",
            )
        })
    };
    Ok([found(PAGE)?, found(SIMULATOR)?])
}

/// The target directory in which cargo put a module: `…/wasm32-unknown-unknown/site/x.wasm`.
pub(crate) fn target_folder(module: &Path) -> &Path {
    module.ancestors().nth(3).unwrap_or(module)
}

/// Reports a missing target in one line: without the standard library, the build would print
/// hundreds.
pub(crate) fn require_target() -> Result<(), Problem> {
    let rustc = program("RUSTC", "rustc");
    let output = Command::new(&rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .map_err(|error| cannot_start(&rustc, &error))?;
    let folder = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && Path::new(folder.trim()).is_dir() {
        return Ok(());
    }
    Err(Problem::new(
        format!("the Rust target {TARGET} is not installed"),
        format!("install it with `rustup target add {TARGET}`, or run `make setup`"),
    ))
}

/// The caller's flags, and flags that remove the builder's home folder from the published page:
/// panic messages contain the paths of source files.
fn flags() -> OsString {
    const SEPARATOR: &str = "\x1f";
    let mut flags = env::var_os("CARGO_ENCODED_RUSTFLAGS").unwrap_or_else(|| {
        let plain = env::var("RUSTFLAGS").unwrap_or_default();
        plain.split_whitespace().collect::<Vec<_>>().join(SEPARATOR).into()
    });
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo")));
    for folder in home.iter().flat_map(|home| sources(home)) {
        if !flags.is_empty() {
            flags.push(SEPARATOR);
        }
        flags.push("--remap-path-prefix=");
        flags.push(folder);
        flags.push("=.");
    }
    flags
}

/// The folders below cargo's home that hold the sources of crates: one for each registry.
fn sources(home: &Path) -> Vec<PathBuf> {
    let registries = fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = registries.map(|registry| registry.path()).collect();
    // Cargo rebuilds if the order of the flags changes.
    folders.sort();
    folders
}

/// The path of a package's module in cargo's messages, one JSON object per line. There, a library's
/// name has underscores.
fn artifact(messages: &str, package: &str) -> Option<PathBuf> {
    let named = |name: &str| name.replace('_', "-") == package;
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["reason"] == "compiler-artifact")
        .filter(|message| message["target"]["name"].as_str().is_some_and(named))
        .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default())
        .filter_map(|name| name.as_str().map(PathBuf::from))
        .find(|path| path.extension().is_some_and(|extension| extension == "wasm"))
}

/// The program that cargo passes in an environment variable, or else the default.
fn program(variable: &str, otherwise: &str) -> OsString {
    env::var_os(variable).unwrap_or_else(|| otherwise.into())
}

fn cannot_start(program: &OsString, error: &std::io::Error) -> Problem {
    Problem::new(
        format!("cannot start {}: {error}", program.display()),
        "install Rust with rustup, https://rustup.rs",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_module_among_other_artifacts() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"yew"},"filenames":["/t/libyew.rlib"]}
{"reason":"compiler-artifact","target":{"name":"loggia-web"},"filenames":["/t/loggia-web.js","/t/loggia-web.wasm"]}
{"reason":"compiler-artifact","target":{"name":"loggia_worker"},"filenames":["/t/loggia_worker.wasm"]}
{"reason":"build-finished","success":true}"#;
        for (package, path) in
            [("loggia-web", "/t/loggia-web.wasm"), ("loggia-worker", "/t/loggia_worker.wasm")]
        {
            assert_eq!(artifact(messages, package), Some(PathBuf::from(path)));
        }
    }

    #[test]
    fn other_output_is_no_module() {
        let messages = "not json\n{\"reason\":\"build-finished\"}";
        assert_eq!(artifact(messages, "loggia-web"), None);
    }
}
