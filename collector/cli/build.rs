//! Embeds two parts into the command: the built page, `dist/`, for `loggia serve`, and the library
//! that `loggia trace` preloads.
//!
//! Without `dist/` the table is empty and `loggia serve` prints how to build the page: the command
//! itself needs neither wasm nor a browser.
//!
//! This script builds the library with a separate cargo in a separate folder, because cargo cannot
//! embed one package's library into another package's program. The library is always optimised,
//! because it runs inside the traced programs.

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    if env::var_os("CARGO_FEATURE_PAGE").is_some() {
        fs::write(out.join("page.rs"), page()?)?;
    }
    // Preloading works on Linux only; on other systems `loggia trace` prints an error.
    let is_linux = env::var("CARGO_CFG_TARGET_OS")? == "linux";
    let library = match is_linux && env::var_os("CARGO_FEATURE_TRACER").is_some() {
        true => format!("Some(include_bytes!({:?}).as_slice())", tracer(&out)?),
        false => "None".to_owned(),
    };
    fs::write(out.join("tracer.rs"), library)?;
    Ok(())
}

/// A table of the files in `dist/`, as the source that embeds them.
fn page() -> Result<String, Box<dyn Error>> {
    let dist = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../dist");
    // Cargo runs this script again at every build while a path that it watches is missing, and so
    // compiles the whole command again. An empty folder is enough to watch; if it cannot be
    // created, only build time is lost.
    let _ = fs::create_dir(&dist);
    println!("cargo::rerun-if-changed={}", dist.display());

    let mut files = files(&dist).unwrap_or_default();
    files.sort();
    let mut table = String::from("&[\n");
    for path in files {
        let name = path.strip_prefix(&dist)?.to_string_lossy().replace('\\', "/");
        let path = path.to_string_lossy();
        writeln!(table, "({name:?}, include_bytes!({path:?}).as_slice()),")?;
    }
    table.push_str("]\n");
    Ok(table)
}

/// Builds the library and returns its path.
fn tracer(out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../..");
    for sources in ["collector/tracer", "shared/trace", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={}", root.join(sources).display());
    }
    // A static command is built for musl; the programs that it traces load glibc.
    let target = match env::var("CARGO_CFG_TARGET_ENV")?.as_str() {
        "musl" => env::var("HOST")?,
        _ => env::var("TARGET")?,
    };
    let folder = shared_folder(out).join("tracer");
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo.current_dir(&root).args(["build", "--quiet", "--release", "--locked"]);
    cargo.args(["--package", "loggia-tracer", "--target", &target, "--target-dir"]).arg(&folder);
    // Settings of the outer cargo must not reach the inner one.
    for (variable, _) in env::vars_os() {
        let name = variable.to_string_lossy();
        if name.starts_with("CARGO_PROFILE_") || name.contains("WRAPPER") || name == "CLIPPY_ARGS" {
            cargo.env_remove(&variable);
        }
    }
    let status = cargo.env_remove("CARGO_BUILD_TARGET").status()?;
    if !status.success() {
        return Err("the library that is preloaded into MPI programs cannot be built".into());
    }
    Ok(folder.join(target).join("release/libloggia_tracer.so"))
}

/// The target directory of all builds: the ancestor of `…/target/debug/build/loggia-0123/out`.
fn shared_folder(out: &Path) -> &Path {
    out.ancestors()
        .find(|folder| folder.ends_with("build"))
        .and_then(|f| f.ancestors().nth(2))
        .unwrap_or(out)
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}
