//! Short names for what wasm and JavaScript import from each other. Those of wasm-bindgen are long,
//! since they must be unique beyond one module.

use std::collections::HashMap;

/// A short name for each of these names.
pub(crate) fn short<'a>(names: impl IntoIterator<Item = &'a str>) -> HashMap<&'a str, String> {
    let mut short = HashMap::new();
    for name in names {
        let next = short.len();
        short.entry(name).or_insert_with(|| format!("${next}"));
    }
    short
}

/// The script with renamed identifiers; only whole words are replaced.
pub(crate) fn renamed(script: &str, names: &HashMap<&str, String>) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut renamed = String::with_capacity(script.len());
    let mut rest = script;
    while let Some(begin) = rest.find(is_part) {
        let (before, word) = rest.split_at(begin);
        let end = word.find(|c| !is_part(c)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        renamed.push_str(before);
        renamed.push_str(names.get(word).map_or(word, String::as_str));
        rest = after;
    }
    renamed + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_renamed() {
        let names = short(["__wbg_get_1", "__wbg_get_12", "__wbg_get_1"]);
        assert_eq!(names.len(), 2);
        let script = "{ __wbg_get_12: f, __wbg_get_1: g.__wbg_get, é }";
        assert_eq!(renamed(script, &names), "{ $1: f, $0: g.__wbg_get, é }");
        assert_eq!(renamed("", &names), "");
    }
}
