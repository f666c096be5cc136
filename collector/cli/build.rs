//! Embeds into the command what makes it one file: the built page, `dist/`, for `loggia serve`, and
//! the library that `loggia trace` preloads.
//!
//! Without `dist/` the table is empty and `loggia serve` says how to build the page: the command
//! itself needs neither wasm nor a browser.
//!
//! The library is built here, by a cargo of its own in a folder of its own: cargo has no other way
//! to put one package's library into another's program. It is always optimised, for it sits in
//! other people's programs.

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
    // Elsewhere the dynamic linker has other rules; `loggia trace` says so.
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
    // compiles the whole command again; an empty folder is enough to watch. Where it cannot be
    // made, all that is lost is time.
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

/// Builds the library, and says where it is.
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
    // What the cargo outside was told is not meant for this one.
    for (name, _) in env::vars_os() {
        let told = name.to_string_lossy();
        if told.starts_with("CARGO_PROFILE_") || told.contains("WRAPPER") || told == "CLIPPY_ARGS" {
            cargo.env_remove(&name);
        }
    }
    let status = cargo.env_remove("CARGO_BUILD_TARGET").status()?;
    if !status.success() {
        return Err("the library that is preloaded into MPI programs cannot be built".into());
    }
    Ok(folder.join(target).join("release/libloggia_tracer.so"))
}

/// The target directory, which all builds share: `…/target/debug/build/loggia-0123/out` is below it.
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
