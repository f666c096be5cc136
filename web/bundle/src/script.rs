//! The JavaScript that wasm-bindgen writes, shortened.

/// The script without indentation, empty lines and comment lines: a fifth of what wasm-bindgen writes.
/// It stays as it is if a template literal may span several lines.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_loses_only_what_says_nothing() {
        let script =
            "/**\n * @param {x} y\n */\nfunction f() {\n    // why\n    return `a\\`${1}`;\n}\n\n";
        assert_eq!(shorter(script), script, "a text that may not end on its line");
        let script = script.replace("\\`", "");
        assert_eq!(shorter(&script), "function f() {\nreturn `a${1}`;\n}\n");
        assert_eq!(shorter("let a = 1; /* b */\n/* c */\nd"), "let a = 1; /* b */\nd\n");
    }
}
