//! Turns a compiled module into one that JavaScript can load, as `wasm-bindgen` does, and splits
//! the page's module into parts that are loaded first and on demand.

use crate::cache::Cache;
use crate::files::Files;
use crate::merge::merged;
use crate::names;
use crate::problem::Problem;
use crate::script::shorter;
use crate::split::{self, LazyModules, Split};
use std::path::Path;
use std::{env, fs};
use wasm_bindgen_cli_support::{Bindgen, Output};

/// A module and the JavaScript that loads it.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Module {
    pub(crate) wasm: Vec<u8>,
    pub(crate) glue: String,
    /// JavaScript of the crates themselves, which the glue imports by these paths.
    pub(crate) snippets: Files,
    /// Parts loaded on demand; the simulator has none.
    pub(crate) later: LazyModules,
}

/// The page's module, split.
pub(crate) fn page(cache: &Cache, compiled: &Path) -> Result<Module, Problem> {
    cached(cache, compiled, || {
        let Split { main, later, needs } = split::split(compiled)?;
        let later = merged(&later, &needs).map_err(|why| split::failed(compiled, &why))?;
        Ok(Module { later, ..bind(&main, "loggia")? })
    })
}

/// The simulator's module.
pub(crate) fn simulator(cache: &Cache, compiled: &Path) -> Result<Module, Problem> {
    cached(cache, compiled, || bind(compiled, "simulator"))
}

/// The cached result of this program for the same compiled module, or a new one.
fn cached(
    cache: &Cache,
    compiled: &Path,
    make: impl FnOnce() -> Result<Module, Problem>,
) -> Result<Module, Problem> {
    let unreadable = |error: std::io::Error| {
        Problem::new(
            format!("cannot read {}: {error}", compiled.display()),
            "cargo has just written it: run this again",
        )
    };
    let replaced = |error: std::io::Error| {
        Problem::new(
            format!("this program was replaced while it ran: {error}"),
            "run it again; do not build it meanwhile",
        )
    };
    let wasm = fs::read(compiled).map_err(unreadable)?;
    let program = this_program().map_err(replaced)?;
    cache
        .get_or_make(&[b"module", program.as_bytes(), &wasm], || make().map(Module::into_files))
        .map(Module::from_files)
}

/// A key that changes whenever this program, and with it wasm-bindgen, is rebuilt.
fn this_program() -> std::io::Result<String> {
    let file = fs::metadata(env::current_exe()?)?;
    Ok(format!("{} {:?}", file.len(), file.modified()?))
}

const WASM: &str = "module.wasm";
const GLUE: &str = "glue.js";
const LINK: &str = "link.js";
const SNIPPETS: &str = "snippets/";
const PARTS: &str = "parts/";

impl Module {
    fn into_files(self) -> Files {
        let mut files = self.snippets;
        files.insert(WASM.to_owned(), self.wasm);
        files.insert(GLUE.to_owned(), self.glue.into());
        files.insert(LINK.to_owned(), self.later.link.into());
        files.extend(
            self.later.parts.into_iter().map(|(name, wasm)| (format!("{PARTS}{name}"), wasm)),
        );
        files
    }

    fn from_files(mut files: Files) -> Self {
        let text = |bytes: Option<Vec<u8>>| {
            String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
        };
        let wasm = files.remove(WASM).unwrap_or_default();
        let [glue, link] = [GLUE, LINK].map(|name| text(files.remove(name)));
        let (snippets, others): (Files, Files) =
            files.into_iter().partition(|(name, _)| name.starts_with(SNIPPETS));
        let parts = others
            .into_iter()
            .filter_map(|(name, wasm)| Some((name.strip_prefix(PARTS)?.to_owned(), wasm)));
        Module { wasm, glue, snippets, later: LazyModules { link, parts: parts.collect() } }
    }
}

/// Does the same as `wasm-bindgen --target web --no-typescript`.
fn bind(compiled: &Path, name: &str) -> Result<Module, Problem> {
    let failed = |what: String| {
        Problem::new(
            format!("cannot bind {} to JavaScript: {what}", compiled.display()),
            "wasm-bindgen and wasm-bindgen-cli-support must be the same version in Cargo.lock",
        )
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(compiled).out_name(name).typescript(false);
    bindgen.remove_name_section(true).remove_producers_section(true);
    // Modules loaded on demand need the table of functions.
    bindgen.keep_lld_exports(true);
    let mut output = bindgen
        .web(true)
        .and_then(|bindgen| bindgen.generate_output())
        .map_err(|error| failed(format!("{error:#}")))?;
    if let Some(package) = output.npm_dependencies().keys().next() {
        return Err(Problem::new(
            format!("a crate of the page needs the npm package {package}"),
            "remove that crate: the page contains only Rust crates",
        ));
    }
    let inline = output.snippets().iter().flat_map(|(folder, files)| {
        (0..).zip(files).map(move |(i, text)| (format!("{SNIPPETS}{folder}/inline{i}.js"), text))
    });
    let modules =
        output.local_modules().iter().map(|(path, text)| (format!("{SNIPPETS}{path}"), text));
    let snippets = inline.chain(modules).map(|(path, text)| (path, text.clone().into())).collect();
    let glue = shorter(&rename_imports(&mut output));
    Ok(Module {
        wasm: output.wasm_mut().emit_wasm(),
        glue,
        snippets,
        later: LazyModules::default(),
    })
}

/// Gives the module's imports from its glue short names; returns the glue with these names.
fn rename_imports(output: &mut Output) -> String {
    let imports = output.wasm_mut().imports.iter();
    let of_glue = imports.filter(|import| import.module.ends_with(FROM_GLUE));
    let long: Vec<String> = of_glue.map(|import| import.name.clone()).collect();
    let names = names::short(long.iter().map(String::as_str));
    for import in output.wasm_mut().imports.iter_mut() {
        if let Some(short) = names.get(import.name.as_str()) {
            import.name.clone_from(short);
        }
    }
    names::renamed(output.js(), &names)
}

/// End of the path from which a module of wasm-bindgen imports its glue.
const FROM_GLUE: &str = "_bg.js";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_restored_from_its_files() {
        let module = Module {
            wasm: b"\0asm".to_vec(),
            glue: "export {}".to_owned(),
            snippets: Files::from([("snippets/a/inline0.js".to_owned(), b"x".to_vec())]),
            later: LazyModules {
                link: "fetch".to_owned(),
                parts: vec![("split_view.wasm".to_owned(), b"y".to_vec())],
            },
        };
        let files = Module::from_files(module.into_files()).into_files();
        assert_eq!(files.len(), 5);
        assert_eq!(Module::from_files(files.clone()).into_files(), files);
        assert_eq!(Module::from_files(files).later.parts[0].0, "split_view.wasm");
    }
}
