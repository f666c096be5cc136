//! Shortens the JavaScript of wasm-bindgen and of the loader of parts.

/// The script without indentation, empty lines and comments, a fifth of what wasm-bindgen writes;
/// unchanged if a template literal may span several lines.
pub(crate) fn shorter(script: &str) -> String {
    if script.lines().any(|line| line.matches('`').count() % 2 == 1) {
        return script.to_owned();
    }
    let mut in_comment = false;
    let mut short = String::with_capacity(script.len());
    for line in script.lines().map(str::trim) {
        in_comment |= line.starts_with("/*");
        if !in_comment && !line.is_empty() && !line.starts_with("//") {
            short.push_str(line);
            short.push('\n');
        }
        in_comment &= !line.ends_with("*/");
    }
    short
}

/// Start and end of the code by which wasm_split_cli_support loads a part.
const LOAD: [&str; 2] = [
    "makeLoad(() => {\nconst src = fetch(new URL(",
    ", import.meta.url));\nsrc.catch(() => {});\n\
     return async (imports) => (WebAssembly.instantiateStreaming(src, imports));\n}\n, ",
];

/// The loader with one function that loads a part, and with short names of chunks: half as long.
/// Unchanged if it loads parts differently.
pub(crate) fn with_one_load(loader: &str) -> String {
    let [before, after] = LOAD;
    if loader.matches(before).count() != loader.matches(after).count() {
        return loader.to_owned();
    }
    let short = loader.replace(before, "load(").replace(after, ", ").replace("__chunk_", "$");
    format!("{short}function load(path, needed) {{\nreturn {before}path{after}needed);\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_loaded_by_one_function() {
        let [before, after] = LOAD;
        let load = |path: &str, needed: &str| format!("{before}\"{path}\"{after}[{needed}])");
        let loader = format!(
            "const __chunk_8 = {};\nexport const a = wrap({});\n",
            load("./later/chunk_8-1.wasm", ""),
            load("./later/a-2.wasm", "__chunk_8")
        );
        let short = with_one_load(&loader);
        assert!(short.starts_with(
            "const $8 = load(\"./later/chunk_8-1.wasm\", []);\n\
             export const a = wrap(load(\"./later/a-2.wasm\", [$8]));\nfunction load("
        ));
        assert_eq!(short.matches("instantiateStreaming").count(), 1);
        let other = loader.replacen(after, "", 1);
        assert_eq!(with_one_load(&other), other);
    }

    #[test]
    fn only_comments_and_indentation_are_removed() {
        let script =
            "/**\n * @param {x} y\n */\nfunction f() {\n    // why\n    return `a\\`${1}`;\n}\n\n";
        assert_eq!(shorter(script), script, "a template literal may span lines");
        let script = script.replace("\\`", "");
        assert_eq!(shorter(&script), "function f() {\nreturn `a${1}`;\n}\n");
        assert_eq!(shorter("let a = 1; /* b */\n/* c */\nd"), "let a = 1; /* b */\nd\n");
    }
}
