//! The arrows between the modules of a crate, read from its source: paths such as `crate::…` or
//! `super::…` to an item of another module. Test code is excluded.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules that each module names. The crate's root has the name of its file: `lib` or `main`.
pub(crate) type Arrows = BTreeMap<String, BTreeSet<String>>;

/// A module or an item: the names after `crate`.
type Location = Vec<String>;

#[derive(Default)]
struct Reading {
    modules: BTreeSet<Location>,
    /// Module of a path, and the path.
    mentions: Vec<(Location, Vec<String>)>,
    /// The `use` paths of each module, as `pub use link::decode`.
    uses: BTreeMap<Location, Vec<Vec<String>>>,
}

/// Reads a crate from its root file. Returns the arrows between the modules of each folder, by the
/// folder's module; the crate's is "". A module and its inner modules may name each other.
pub(crate) fn arrows(root: &Path) -> BTreeMap<String, Arrows> {
    let mut reading = Reading::default();
    read_file(root, root.parent().unwrap(), &[], &mut reading);
    let root_name = root.file_stem().unwrap().to_str().unwrap();
    let mut folders: BTreeMap<String, Arrows> = BTreeMap::new();
    for (from, path) in &reading.mentions {
        let Some(to) = reading.absolute(from, path).map(|to| reading.module_of(&to, 0)) else {
            continue;
        };
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let (from_name, to_name) = match (from.get(shared), to.get(shared)) {
            (Some(from), Some(to)) => (from.as_str(), to.as_str()),
            (Some(from), None) if shared == 0 => (from.as_str(), root_name),
            (None, Some(to)) if shared == 0 => (root_name, to.as_str()),
            _ => continue,
        };
        let folder = folders.entry(from[..shared].join("::")).or_default();
        folder.entry(from_name.to_owned()).or_default().insert(to_name.to_owned());
    }
    folders
}

impl Reading {
    /// A path from the crate's root; `None` if it begins with another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Location> {
        let mut to = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "super" | "self" => module.to_vec(),
            first => {
                let inner = [module, &[first.to_owned()]].concat();
                self.modules.contains(&inner).then(|| module.to_vec())?
            }
        };
        for name in path {
            match name.as_str() {
                "super" => drop(to.pop()),
                "crate" | "self" => (),
                _ => to.push(name.clone()),
            }
        }
        Some(to)
    }

    /// The module of a path's item, also through re-exports.
    fn module_of(&self, path: &[String], depth: usize) -> Location {
        let mut at = Vec::new();
        for (index, name) in path.iter().enumerate() {
            at.push(name.clone());
            if self.modules.contains(&at) {
                continue;
            }
            at.pop();
            let mut uses = self.uses.get(&at).into_iter().flatten();
            let source = uses.find(|source| source.len() > 1 && source.last() == Some(name));
            let source = source.and_then(|source| self.absolute(&at, source));
            return match source {
                Some(source) if depth < 8 => {
                    self.module_of(&[&source, &path[index + 1..]].concat(), depth + 1)
                }
                _ => at,
            };
        }
        at
    }
}

fn read_file(file: &Path, folder: &Path, module: &[String], reading: &mut Reading) {
    let text =
        fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
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
                if !in_tests {
                    reading.modules.insert(inner.clone());
                }
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
                        reading.mentions.push((module.to_vec(), path.clone()));
                    }
                    reading.uses.entry(module.to_vec()).or_default().push(path);
                }
            }
            first
                if starts(&rest[1..], &["::"])
                    && (is_keyword(first) || module.is_empty() && is_name(first)) =>
            {
                let paths = tree(tokens, at).into_iter();
                reading.mentions.extend(paths.map(|path| (module.to_vec(), path)));
                continue;
            }
            _ => {}
        }
        *at += 1;
    }
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
            // A re-export is also found by its new name.
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

/// Skips an item, to its semicolon or its closing brace.
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

/// Cycles of modules: `a → b → a` as [a, b].
pub(crate) fn cycles(arrows: &Arrows) -> Vec<Vec<String>> {
    let mut left = arrows.clone();
    let mut found = Vec::new();
    while let Some(cycle) = left.keys().find_map(|start| shortest_cycle(&left, start)) {
        // The last arrow is removed, to find further cycles.
        left.get_mut(cycle.last().unwrap()).unwrap().remove(&cycle[0]);
        found.push(cycle);
    }
    found
}

/// The shortest cycle through this module.
fn shortest_cycle(arrows: &Arrows, start: &str) -> Option<Vec<String>> {
    let mut paths = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while !paths.is_empty() {
        let mut longer = Vec::new();
        for path in paths {
            for next in arrows.get(path.last().unwrap()).into_iter().flatten() {
                if next == start {
                    return Some(path);
                }
                if seen.insert(next.clone()) {
                    longer.push([path.clone(), vec![next.clone()]].concat());
                }
            }
        }
        paths = longer;
    }
    None
}
