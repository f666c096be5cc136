//! The page as one file that opens from disk: `page.html`, a template into which the command and
//! the page itself insert a state.
//!
//! From a page on disk, browsers load no other file, not even its scripts, so everything is inline.
//! The page's script is plain text, since a browser runs no other form; all that it loads is
//! deflated, in base64. The policy allows that script by its hash, and forbids all network access.

use crate::module::Module;
use crate::problem::Problem;
use crate::split::{self, LazyModules};
use crate::template::{self, WORKER_SCRIPT};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use miniz_oxide::deflate::compress_to_vec_zlib;
use sha2::{Digest, Sha256};

/// File name in `dist/`.
pub(crate) const NAME: &str = "page.html";

/// The loader, which precedes the page's script.
const LOADER: &str = include_str!("single.js");
/// Name of the page's module inside the file.
const MODULE: &str = "loggia.wasm";
const SIMULATOR: &str = "simulator.js";
const POLICY: &str = "http-equiv=\"Content-Security-Policy\" content=\"";

/// The whole file, without a state.
pub(crate) fn page(
    template: &str,
    style: &str,
    page: &Module,
    simulator: &Module,
) -> Result<String, Problem> {
    for module in [page, simulator] {
        if !module.snippets.is_empty() {
            return Err(cannot_inline("a crate contains JavaScript of its own"));
        }
    }
    let (simulator, exported) = classic_script(simulator);
    let script = script(&page.glue, &page.later, &exported)?;
    if script.contains("</script") || script.contains("<!--") || style.contains("</style") {
        return Err(cannot_inline("a script or a style contains its own end tag"));
    }
    let (module, simulator) = (pack(&page.wasm), pack(simulator.as_bytes()));
    let later = page.later.parts.iter().map(|(name, content)| (name.as_str(), pack(content)));
    let parts: String = [(MODULE, module), (SIMULATOR, simulator)]
        .into_iter()
        .chain(later)
        .map(|(name, packed)| {
            format!("<script type=\"text/plain\" data-part=\"{name}\">{packed}</script>\n")
        })
        .collect();
    let head = format!(
        "<style>{style}</style>\n\
         <meta name=\"loggia-simulator\" content=\"\">\n\
         <meta name=\"loggia-worker\" content=\"\">\n\
         <meta name=\"loggia-page\" content=\"\">\n\
         {parts}\
         <script type=\"module\">{script}</script>"
    );
    let policy = format!(
        "default-src 'none'; script-src '{}' 'wasm-unsafe-eval' blob:; style-src '{}'; img-src \
         data:; connect-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(style)
    );
    let filled = template::fill(template, &head)
        .ok_or_else(|| cannot_inline("it has no place for scripts"))?;
    with_policy(&filled, &policy).ok_or_else(|| cannot_inline("it states no policy"))
}

/// Glue, loader and start in one module: they cannot import each other without addresses.
fn script(glue: &str, later: &LazyModules, simulator: &str) -> Result<String, Problem> {
    let imports = format!(" from \"{}\"", split::LINK);
    let (imports, glue): (Vec<&str>, Vec<&str>) =
        glue.lines().partition(|line| line.starts_with("import ") && line.contains(&imports));
    let mut link = later
        .link
        .lines()
        .filter(|line| !line.starts_with("import "))
        .collect::<Vec<_>>()
        .join("\n");
    for (name, _) in &later.parts {
        let fetched = format!("fetch(new URL(\"./{name}\", import.meta.url))");
        if !link.contains(&fetched) {
            return Err(cannot_inline(&format!("nothing loads {name}")));
        }
        link = link.replace(&fetched, &format!("part(\"{name}\")"));
    }
    let exported: Vec<&str> = link
        .lines()
        .filter_map(|line| line.strip_prefix("export const ")?.split_whitespace().next())
        .collect();
    let exported = exported.join(", ");
    let names = imports
        .iter()
        .map(|line| line.strip_prefix("import * as ")?.split_whitespace().next())
        .map(|name| Some(format!("const {} = later;\n", name?)))
        .collect::<Option<String>>()
        .ok_or_else(|| cannot_inline("the glue imports in another way"))?;
    Ok(format!(
        "\n{LOADER}{glue}\n\
         const later = (() => {{\n{link}\nreturn {{ {exported} }};\n}})();\n\
         {names}\
         set_address(\"loggia-page\", whole, \"text/html\");\n\
         const simulator = await (await part(\"{SIMULATOR}\")).text();\n\
         set_address(\"loggia-simulator\", [simulator, {simulator}], \"text/javascript\");\n\
         set_address(\"loggia-worker\", [{before}, simulator, {behind}], \"text/javascript\");\n\
         await __wbg_init({{ module_or_path: part(\"{MODULE}\") }});\n",
        glue = glue.join("\n"),
        simulator = quoted(&format!("export {{ {simulator} }};\n")),
        before = quoted(WORKER_SCRIPT[0]),
        behind = quoted(WORKER_SCRIPT[1]),
        link = link.replace("export const ", "const "),
    ))
}

/// The simulator as one script, for use in a module or a function, and the names that it exports.
fn classic_script(simulator: &Module) -> (String, String) {
    let is_list = |line: &&str| line.starts_with("export {");
    let glue = simulator.glue.lines().filter(|line| !is_list(line));
    let glue: Vec<&str> = glue.map(|line| line.strip_prefix("export ").unwrap_or(line)).collect();
    let names = simulator.glue.lines().filter_map(|line| line.strip_prefix("export class "));
    let names = names.filter_map(|rest| rest.split_whitespace().next());
    let script = format!(
        "{}\n\
         const packed = Uint8Array.from(atob(\"{}\"), (byte) => byte.charCodeAt(0));\n\
         const content = new Blob([packed]).stream().pipeThrough(new DecompressionStream(\"deflate\"));\n\
         const module_or_path = new Response(content, {{ headers: {{ \"Content-Type\": \"application/wasm\" }} }});\n\
         const {{ memory }} = await __wbg_init({{ module_or_path }});\n",
        glue.join("\n"),
        pack(&simulator.wasm)
    );
    (script, names.chain(["memory"]).collect::<Vec<_>>().join(", "))
}

/// A text as a JavaScript string literal.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn with_policy(page: &str, policy: &str) -> Option<String> {
    let (before, rest) = page.split_once(POLICY)?;
    let (_, after) = rest.split_once('"')?;
    Some(format!("{before}{POLICY}{policy}\"{after}"))
}

fn pack(content: &[u8]) -> String {
    STANDARD.encode(compress_to_vec_zlib(content, 9))
}

/// The hash of an inline script or style, as a policy contains it.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

fn cannot_inline(what: &str) -> Problem {
    Problem::new(
        format!("the page cannot be written as one file: {what}"),
        "web/bundle/src/single.rs must fit wasm-bindgen, wasm_split_cli_support and index.html",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEMPLATE: &str = include_str!("../../../index.html");

    fn module(glue: &str, later: LazyModules) -> Module {
        let glue = glue.to_owned();
        Module { wasm: b"\0asm".to_vec(), glue, later, ..Module::default() }
    }

    fn sample() -> [Module; 2] {
        let glue = "import * as a from \"./__wasm_split.js\"\nexport { b as default };";
        let link = "import { initSync } from \"./main.js\";\n\
                    export const load = () => fetch(new URL(\"./x.wasm\", import.meta.url));";
        let parts = vec![("x.wasm".to_owned(), b"x".to_vec())];
        let page = module(glue, LazyModules { link: link.to_owned(), parts });
        [page, module("export {}", LazyModules::default())]
    }

    #[test]
    fn the_file_is_standalone_and_its_policy_allows_its_script() {
        let [first, simulator] = sample();
        let page = page(TEMPLATE, "p { margin: 0 }", &first, &simulator).expect("a page");
        for outside in ["from \"", "src=\"", "href=\"./", "import.meta", "'self'"] {
            assert!(!page.contains(outside), "{outside}");
        }
        let inside = |from: &str, to: &str| {
            let (_, rest) = page.split_once(from).expect("its beginning");
            rest.split_once(to).expect("its end").0
        };
        for text in [inside("<script type=\"module\">", "</script>"), inside("<style>", "</style>")]
        {
            assert!(page.contains(&format!("'{}'", hash(text))), "{text}");
        }
        assert!(page.contains("const a = later;") && page.contains("return { load };"));
    }

    #[test]
    fn what_cannot_be_inline_is_refused() {
        let [mut first, simulator] = sample();
        let end = module("// </script>", LazyModules::default());
        assert!(page(TEMPLATE, "", &end, &simulator).is_err());
        assert!(page("<html></html>", "", &first, &simulator).is_err());
        first.later.link.clear();
        assert!(page(TEMPLATE, "", &first, &simulator).is_err());
    }

    /// `printf "" | openssl dgst -sha256 -binary | base64`
    #[test]
    fn hashes_have_the_form_of_policies() {
        assert_eq!(hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
