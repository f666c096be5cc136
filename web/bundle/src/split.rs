//! Takes out of a module what is loaded later: everything that only `#[wasm_split]` functions need.

use crate::problem::Problem;
use crate::script::shorter;
use std::fs;
use std::path::{Path, PathBuf};
use wasm_split_cli_support::{Options, transform};

/// What a page loads when it is needed.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct LazyModules {
    /// The JavaScript that loads the parts.
    pub(crate) link: String,
    /// The parts by their names in `link`.
    pub(crate) parts: Vec<(String, Vec<u8>)>,
}

/// What the glue imports the loader as.
pub(crate) const LINK: &str = "./__wasm_split.js";
/// What the loader imports the glue as.
pub(crate) const GLUE: &str = "./main.js";

/// Splits a module that kept its relocations, in a folder beside it. Says where the part is that is
/// loaded first, yet to be bound to JavaScript (its glue imports [`LINK`]), and what is loaded later.
pub(crate) fn split(compiled: &Path) -> Result<(PathBuf, LazyModules), Problem> {
    let failed = |what: String| {
        Problem::new(
            format!("cannot split {}: {what}", compiled.display()),
            "wasm_split_helpers and wasm_split_cli_support must fit each other in Cargo.lock",
        )
    };
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
    let link = read(&folder.join(LINK))?;
    Ok((main, LazyModules { link: shorter(&String::from_utf8_lossy(&link)), parts }))
}
