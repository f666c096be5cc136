//! Embeds the built page, `dist/`, into the command, so that `loggia serve` is one file.
//!
//! Without `dist/` the table is empty and `loggia serve` says how to build the page: the command
//! itself needs neither wasm nor a browser.

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let dist = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../dist");
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
    fs::write(Path::new(&env::var("OUT_DIR")?).join("page.rs"), table)?;
    Ok(())
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
