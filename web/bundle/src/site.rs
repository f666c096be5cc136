//! The files of the page, each named after the hash of its content.
//!
//! A file name changes with its content, so a host may let browsers cache all but `index.html`
//! without limit. Every address is relative, so the page works from any folder.
//!
//! The simulator's files have their own folder and are loaded on request: the script that
//! `index.html` names starts the simulator and exports its interface.

use crate::files::Files;
use crate::module::Module;
use crate::problem::Problem;
use crate::script::with_one_load;
use crate::single;
use crate::split::{self, LazyModules};
use crate::template::{PLACEHOLDER, WORKER_SCRIPT, fill};
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

/// Prefix of the files in `dist/` that the page does not load at its start.
pub(crate) const SIMULATOR: &str = "simulator/";
pub(crate) const LATER: &str = "later/";

/// The whole of `dist/`.
pub(crate) fn assemble(
    workspace: &Path,
    page: Module,
    simulator: Module,
) -> Result<Files, Problem> {
    let template = workspace.join("index.html");
    let (index, style) = (read(&template)?, style(workspace)?);
    let single = single::page(&index, &style, &page, &simulator)?;
    let mut site = page.snippets;
    site.insert(single::NAME.to_owned(), single.into());
    let style = add(&mut site, "style", "css", style.into());
    let wasm = add(&mut site, "loggia", "wasm", page.wasm);
    let glue = add_page(&mut site, page.glue, page.later);
    let (simulator, worker) = add_simulator(&mut site, simulator);
    let prefetch = prefetch(&site);
    let prefetch = add(&mut site, &format!("{LATER}prefetch"), "js", prefetch.into());
    let boot_script = add(&mut site, "boot", "js", boot_script(&glue, &wasm, &prefetch).into());
    let links = links(&style, &boot_script, &glue, &wasm, [&simulator, &worker]);
    let index = fill(&index, &links).ok_or_else(|| {
        Problem::new(
            format!("{} has no placeholder for the script", template.display()),
            format!("put the line `{PLACEHOLDER}` into its head, once"),
        )
    })?;
    site.insert("index.html".to_owned(), index.into());
    Ok(site)
}

/// All style sheets of `web/page/style/`, in the order of their names.
fn style(workspace: &Path) -> Result<String, Problem> {
    let folder = workspace.join("web/page/style");
    let unreadable = |error: std::io::Error| {
        Problem::new(
            format!("cannot read {}: {error}", folder.display()),
            "it is part of the repository: `git checkout` brings it back",
        )
    };
    let entries = fs::read_dir(&folder).map_err(unreadable)?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "css"));
    files.sort();
    files.iter().map(|path| read(path)).collect()
}

/// Adds the page's glue and its parts; returns the name of the glue. Glue and loader import each
/// other, so the content of both determines the names of both.
fn add_page(site: &mut Files, glue: String, later: LazyModules) -> String {
    let mut link = later.link;
    for (name, part) in later.parts {
        let stem = name.trim_end_matches(".wasm").trim_start_matches("split_").to_owned();
        let named = add(site, &format!("{LATER}{stem}"), "wasm", part);
        link = link.replace(&format!("\"./{name}\""), &format!("\"./{named}\""));
    }
    let link = with_one_load(&link);
    let both = fingerprint(format!("{glue}{link}").as_bytes());
    let (glue_name, link_name) = (format!("loggia-{both}.js"), format!("later-{both}.js"));
    let glue = import_from(&glue, split::LINK, &link_name);
    let link = import_from(&link, split::GLUE, &glue_name);
    site.insert(glue_name.clone(), glue.into());
    site.insert(link_name, link.into());
    glue_name
}

/// The script with another path of an import. The module's own imports keep their names.
fn import_from(script: &str, path: &str, other: &str) -> String {
    script.replace(&format!("from \"{path}\""), &format!("from \"./{other}\""))
}

/// The script that starts the page and prefetches the rest some seconds later. It is a file, since
/// the page's policy forbids inline scripts.
fn boot_script(glue: &str, wasm: &str, prefetch: &str) -> String {
    format!(
        "import init from \"./{glue}\";\n\
         await init({{ module_or_path: new URL(\"./{wasm}\", import.meta.url) }});\n\
         setTimeout(() => import(\"./{prefetch}\"), {PREFETCH_AFTER_MS});\n"
    )
}

/// Delay after which the first view has certainly been drawn.
const PREFETCH_AFTER_MS: u32 = 4_000;

/// A script that fetches all parts one after another, so that they are cached if the network fails.
/// A part that fails is loaded again on demand, which reports errors.
fn prefetch(site: &Files) -> String {
    let later = site.keys().filter(|name| name.starts_with(LATER) || name.starts_with(SIMULATOR));
    let names: Vec<String> = later.map(|name| format!("{:?}", format!("../{name}"))).collect();
    format!(
        "for (const path of [{}]) {{\n\
         const response = await fetch(new URL(path, import.meta.url), {{ priority: \"low\" }});\n\
         await response.arrayBuffer();\n}}\n",
        names.join(",\n")
    )
}

/// Adds the simulator's files; returns the names of the script that starts it, and of the script of
/// its worker.
fn add_simulator(site: &mut Files, module: Module) -> (String, String) {
    let snippets = module.snippets.into_iter();
    site.extend(snippets.map(|(path, text)| (format!("{SIMULATOR}{path}"), text)));
    let mut add = |stem: &str, extension: &str, content| {
        add(site, &format!("{SIMULATOR}{stem}"), extension, content)
    };
    let wasm = add("module", "wasm", module.wasm);
    let glue = add("module", "js", module.glue.into());
    let simulator = add("simulator", "js", start_script(file_name(&glue), file_name(&wasm)).into());
    let worker = add("worker", "js", worker_script(file_name(&simulator)).into());
    (simulator, worker)
}

/// The path of a file relative to its own folder.
fn file_name(path: &str) -> &str {
    path.strip_prefix(SIMULATOR).unwrap_or(path)
}

/// The script that starts the simulator. It also exports its memory, to measure the size.
fn start_script(glue: &str, wasm: &str) -> String {
    format!(
        "import init from \"./{glue}\";\n\
         export * from \"./{glue}\";\n\
         const module_or_path = new URL(\"./{wasm}\", import.meta.url);\n\
         export const {{ memory }} = await init({{ module_or_path }});\n"
    )
}

/// The script of the worker, which loads the simulator from the same folder.
fn worker_script(simulator: &str) -> String {
    let [before, behind] = WORKER_SCRIPT;
    format!("{before}const {{ Simulator }} = await import(\"./{simulator}\");{behind}")
}

/// The elements for `index.html`. Preloads start all downloads at once instead of one after
/// another.
fn links(style: &str, boot_script: &str, glue: &str, wasm: &str, simulator: [&str; 2]) -> String {
    let [simulator, worker] = simulator;
    format!(
        "<link rel=\"stylesheet\" href=\"./{style}\">\n\
         <link rel=\"modulepreload\" href=\"./{glue}\">\n\
         <link rel=\"preload\" href=\"./{wasm}\" as=\"fetch\" type=\"application/wasm\" crossorigin>\n\
         <meta name=\"loggia-simulator\" content=\"./{simulator}\">\n\
         <meta name=\"loggia-worker\" content=\"./{worker}\">\n\
         <meta name=\"loggia-page\" content=\"./{}\">\n\
         <script type=\"module\" src=\"./{boot_script}\"></script>",
        single::NAME
    )
}

/// Adds a file under a name made from its content; returns the name.
fn add(site: &mut Files, stem: &str, extension: &str, content: Vec<u8>) -> String {
    let name = format!("{stem}-{}.{extension}", fingerprint(&content));
    site.insert(name.clone(), content);
    name
}

fn fingerprint(content: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(content);
    format!("{:016x}", hasher.finish())
}

fn read(path: &Path) -> Result<String, Problem> {
    fs::read_to_string(path).map_err(|error| {
        Problem::new(
            format!("cannot read {}: {error}", path.display()),
            "it is part of the repository: `git checkout` brings it back",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str = include_str!("../../../index.html");

    #[test]
    fn the_template_takes_the_links_once() {
        let links = links("s.css", "b.js", "g.js", "w.wasm", ["simulator/s.js", "simulator/w.js"]);
        let page = fill(TEMPLATE, &links).expect("a place");
        assert!(page.contains("src=\"./b.js\"") && !page.contains(PLACEHOLDER));
        let twice = format!("{TEMPLATE}{PLACEHOLDER}");
        assert_eq!(fill(&twice, &links), None);
        assert_eq!(fill("<html></html>", &links), None);
    }

    /// The policy makes browsers ignore inline scripts and styles without an error.
    #[test]
    fn the_template_has_nothing_inline() {
        assert!(TEMPLATE.contains("script-src 'self' 'wasm-unsafe-eval'"));
        for inline in ["<script>", "<style", "style=\"", "onload=", "unsafe-inline"] {
            assert!(!TEMPLATE.contains(inline), "{inline}");
        }
    }

    #[test]
    fn simulator_files_import_each_other_by_relative_paths() {
        let snippets = Files::from([("snippets/a/inline0.js".to_owned(), b"x".to_vec())]);
        let glue = "export {}".to_owned();
        let module = Module { wasm: b"\0asm".to_vec(), glue, snippets, ..Module::default() };
        let mut site = Files::new();
        let (script, worker) = add_simulator(&mut site, module);
        assert!(script.starts_with("simulator/simulator-"), "{script}");
        let text = String::from_utf8(site[&script].clone()).expect("text");
        for path in site.keys().filter(|path| path.contains("/module-")) {
            assert!(text.contains(&format!("\"./{}\"", file_name(path))), "{path}\n{text}");
        }
        assert!(site.keys().all(|path| path.starts_with(SIMULATOR)));
        let text = String::from_utf8(site[&worker].clone()).expect("text");
        assert!(text.contains(&format!("\"./{}\"", file_name(&script))), "{text}");
        assert_eq!(site.len(), 5);
    }

    #[test]
    fn a_name_follows_the_content() {
        let mut site = Files::new();
        let first = add(&mut site, "style", "css", b"a".to_vec());
        assert_eq!(first, add(&mut site, "style", "css", b"a".to_vec()));
        assert_ne!(first, add(&mut site, "style", "css", b"b".to_vec()));
        assert_eq!(first.len(), "style-0123456789abcdef.css".len());
    }
}
