//! The arrows between the top-level modules of one crate, read from its source: an item of one module
//! that another names by `crate::…` or `super::…`. Test code is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which modules each top-level module names. The crate's root is called as its file: `lib`, `main`.
pub(crate) type Arrows = BTreeMap<String, BTreeSet<String>>;

/// A path in the source: the module it stands in, and the names after `crate`.
struct Mention {
    from: Vec<String>,
    to: Vec<String>,
}

#[derive(Default)]
struct Reading {
    mentions: Vec<Mention>,
    modules: BTreeSet<String>,
    /// The names that the root takes from its modules, as `pub use link::decode`.
    root_uses: Vec<Vec<String>>,
}

/// Reads a crate from its root file on.
pub(crate) fn arrows(root: &Path) -> Arrows {
    let mut reading = Reading { modules: declared(root), ..Reading::default() };
    read_file(root, root.parent().unwrap(), &[], &mut reading);
    let root_name = root.file_stem().unwrap().to_str().unwrap();
    let re_exports: BTreeMap<&str, &str> = (reading.root_uses.iter())
        .filter(|path| path.len() > 1 && reading.modules.contains(&path[0]))
        .map(|path| (path.last().unwrap().as_str(), path[0].as_str()))
        .collect();
    let top = |path: &[String]| match path.first().map(String::as_str) {
        Some(first) if reading.modules.contains(first) => first.to_owned(),
        Some(first) => (*re_exports.get(first).unwrap_or(&root_name)).to_owned(),
        None => root_name.to_owned(),
    };
    let mut arrows = Arrows::new();
    for Mention { from, to } in &reading.mentions {
        let (from, to) = (top(from), top(to));
        if from != to {
            arrows.entry(from).or_default().insert(to);
        }
    }
    arrows
}

/// The modules that the root declares.
fn declared(root: &Path) -> BTreeSet<String> {
    let tokens = tokens(&fs::read_to_string(root).unwrap());
    let declarations = tokens.windows(3).filter(|three| three[0] == "mod" && three[2] != "::");
    declarations.map(|three| three[1].clone()).collect()
}

fn read_file(file: &Path, folder: &Path, module: &[String], reading: &mut Reading) {
    let text = fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    let tokens = tokens(&text);
    let mut at = 0;
    read_module(&tokens, &mut at, folder, module, reading);
}

/// Reads up to the module's closing brace.
fn read_module(
    tokens: &[String],
    at: &mut usize,
    folder: &Path,
    module: &[String],
    reading: &mut Reading,
) {
    let mut depth = 0;
    let mut in_tests = false;
    while *at < tokens.len() {
        let rest = &tokens[*at..];
        match rest[0].as_str() {
            "{" => depth += 1,
            "}" if depth == 0 => return,
            "}" => depth -= 1,
            "#" if starts(rest, &["#", "[", "cfg", "(", "test"]) => in_tests = true,
            ";" => in_tests = false,
            "mod" if rest.len() > 2 && (rest[2] == ";" || rest[2] == "{") => {
                let name = rest[1].clone();
                let mut inner = module.to_vec();
                inner.push(name.clone());
                *at += 2;
                if in_tests {
                    skip_item(tokens, at);
                } else if rest[2] == "{" {
                    *at += 1;
                    read_module(tokens, at, &folder.join(&name), &inner, reading);
                } else {
                    read_file(&file_of(folder, &name), &folder.join(&name), &inner, reading);
                }
                in_tests = false;
            }
            "fn" | "struct" | "enum" | "impl" | "trait" if in_tests => {
                skip_item(tokens, at);
                in_tests = false;
            }
            "use" if in_tests => {
                while tokens[*at] != ";" {
                    *at += 1;
                }
                in_tests = false;
            }
            "use" => {
                let re_export = *at > 0 && matches!(tokens[*at - 1].as_str(), "pub" | ")");
                *at += 1;
                for path in tree(tokens, at) {
                    if !(module.is_empty() && re_export) {
                        mention(&path, module, reading);
                    }
                    if module.is_empty() {
                        let path = path.iter().filter(|name| *name != "self" && *name != "crate");
                        reading.root_uses.push(path.cloned().collect());
                    }
                }
            }
            first
                if starts(&rest[1..], &["::"])
                    && (is_keyword(first) || module.is_empty() && is_name(first)) =>
            {
                for path in tree(tokens, at) {
                    mention(&path, module, reading);
                }
                continue;
            }
            _ => {}
        }
        *at += 1;
    }
}

/// Notes a path that begins at the crate, at this module or at the one around it.
fn mention(path: &[String], module: &[String], reading: &mut Reading) {
    let mut to = match path.first().map(String::as_str) {
        Some("crate") => Vec::new(),
        Some("super" | "self") => module.to_vec(),
        // In the root, a path may begin with a module.
        Some(first) if module.is_empty() && reading.modules.contains(first) => Vec::new(),
        _ => return,
    };
    for name in path.iter().skip_while(|name| *name == "crate" || *name == "self") {
        match name.as_str() {
            "super" => drop(to.pop()),
            _ => to.push(name.clone()),
        }
    }
    reading.mentions.push(Mention { from: module.to_vec(), to });
}

fn is_keyword(name: &str) -> bool {
    matches!(name, "crate" | "super" | "self")
}

/// The paths of a tree such as `crate::{a, b::{c, d as e}}`; ends at the first token after it.
fn tree(tokens: &[String], at: &mut usize) -> Vec<Vec<String>> {
    let mut prefix = Vec::new();
    loop {
        match tokens.get(*at).map(String::as_str) {
            Some("{") => {
                let mut paths = Vec::new();
                *at += 1;
                while tokens[*at] != "}" {
                    for path in tree(tokens, at) {
                        paths.push([prefix.clone(), path].concat());
                    }
                    if tokens[*at] == "," {
                        *at += 1;
                    }
                }
                *at += 1;
                return paths;
            }
            Some("*") => *at += 1,
            Some(name) if is_name(name) => {
                prefix.push(name.to_owned());
                *at += 1;
            }
            _ => return vec![prefix],
        }
        if starts(&tokens[*at..], &["as"]) {
            // A re-export is found by its new name, too.
            if let [new, ..] = &tokens[*at + 1..]
                && new != "_"
            {
                prefix.push(new.clone());
            }
            *at += 2;
            return vec![prefix];
        }
        if !starts(&tokens[*at..], &["::"]) {
            return vec![prefix];
        }
        *at += 1;
    }
}

/// Passes over an item, to its semicolon or its closing brace.
fn skip_item(tokens: &[String], at: &mut usize) {
    let mut depth = 0;
    while *at < tokens.len() {
        match tokens[*at].as_str() {
            "{" => depth += 1,
            "}" if depth == 1 => return,
            "}" => depth -= 1,
            ";" if depth == 0 => return,
            _ => {}
        }
        *at += 1;
    }
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(name).with_extension("rs");
    if file.exists() { file } else { folder.join(name).join("mod.rs") }
}

fn starts(tokens: &[String], with: &[&str]) -> bool {
    tokens.len() >= with.len() && tokens.iter().zip(with).all(|(token, word)| token == word)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Names and signs, without comments, strings, characters and lifetimes.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = string(rest) {
            length
        } else if first == '\'' {
            character(rest)
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let length = length.unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
            length
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of the string that begins here: `"…"`, `b"…"`, `r#"…"#`.
fn string(text: &str) -> Option<usize> {
    let letters = text.find(|c| !matches!(c, 'b' | 'c' | 'r'))?;
    let raw = text[..letters].contains('r');
    let marks = text[letters..].find(|c| c != '#')?;
    let open = letters + marks;
    if !text[open..].starts_with('"') || (marks > 0 && !raw) {
        return None;
    }
    if raw {
        let end = format!("\"{}", "#".repeat(marks));
        return text[open + 1..].find(&end).map(|at| open + 1 + at + end.len());
    }
    let mut escaped = false;
    for (at, c) in text[open + 1..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(open + 1 + at + 1),
            _ => {}
        }
    }
    None
}

/// The length of the character that begins here, or of the sign of a lifetime.
fn character(text: &str) -> usize {
    let mut signs = text.char_indices().skip(1);
    match (signs.next(), signs.next()) {
        (Some((_, '\\')), Some(_)) => {
            // The escaped sign may be a quote.
            let end = text[3..].find('\'').unwrap_or(0);
            3 + end + 1
        }
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

/// Modules that depend on each other in a ring: `a → b → a` as [a, b].
pub(crate) fn cycles(arrows: &Arrows) -> Vec<Vec<String>> {
    let mut left = arrows.clone();
    let mut found = Vec::new();
    while let Some(cycle) = left.keys().find_map(|start| shortest_ring(&left, start)) {
        // Its last arrow is taken away, so that other rings show themselves.
        left.get_mut(cycle.last().unwrap()).unwrap().remove(&cycle[0]);
        found.push(cycle);
    }
    found
}

/// The shortest way from this module back to it.
fn shortest_ring(arrows: &Arrows, start: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in arrows.get(way.last().unwrap()).into_iter().flatten() {
                if next == start {
                    return Some(way);
                }
                if seen.insert(next.clone()) {
                    longer.push([way.clone(), vec![next.clone()]].concat());
                }
            }
        }
        ways = longer;
    }
    None
}
