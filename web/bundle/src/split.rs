//! Splits a wasm module: code that only `#[wasm_split]` functions use is moved to parts that are
//! loaded on demand.

use crate::problem::Problem;
use crate::script::shorter;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use wasm_split_cli_support::{Options, transform};

/// Parts of a page that are loaded on demand.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct LazyModules {
    /// The JavaScript that loads the parts.
    pub(crate) link: String,
    /// The parts by their names in `link`.
    pub(crate) parts: Vec<(String, Vec<u8>)>,
}

/// Name under which the glue imports the loader.
pub(crate) const LINK: &str = "./__wasm_split.js";
/// Name under which the loader imports the glue.
pub(crate) const GLUE: &str = "./main.js";

/// A module that was split.
pub(crate) struct Split {
    /// The main module, which is not yet bound to JavaScript; its glue imports [`LINK`].
    pub(crate) main: PathBuf,
    pub(crate) later: LazyModules,
    /// The files that each part needs, without `.wasm`.
    pub(crate) needs: HashMap<String, Vec<String>>,
}

/// Why a module was not split.
pub(crate) fn failed(compiled: &Path, what: &str) -> Problem {
    Problem::new(
        format!("cannot split {}: {what}", compiled.display()),
        "wasm_split_helpers and wasm_split_cli_support must fit each other in Cargo.lock",
    )
}

/// Splits a module with relocations into a folder next to it.
pub(crate) fn split(compiled: &Path) -> Result<Split, Problem> {
    let failed = |what: String| failed(compiled, &what);
    let read = |path: &Path| {
        fs::read(path).map_err(|error| failed(format!("{}: {error}", path.display())))
    };
    let folder = compiled.with_extension("split");
    let main = folder.join(compiled.file_name().unwrap_or_default());
    let module = read(compiled)?;
    let mut options = Options::new(&module);
    options.output_dir = &folder;
    options.main_out_path = &main;
    options.link_name = LINK;
    options.main_module = GLUE;
    let split = transform(options).map_err(|error| failed(format!("{error:#}")))?;
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut parts = Vec::new();
    for path in &split.split_modules {
        parts.push((name(path), read(path)?));
    }
    let link = shorter(&String::from_utf8_lossy(&read(&folder.join(LINK))?));
    Ok(Split { main, later: LazyModules { link, parts }, needs: split.prefetch_map })
}
