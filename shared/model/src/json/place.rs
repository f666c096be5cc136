//! Finds the field at the line and column of an error. A reader that tracks the path would need
//! twice the code.

use std::fmt::Write;

/// An open object or array.
enum Open<'a> {
    /// An object, with its last key.
    Object(Option<&'a str>),
    /// An array, with the index of the current entry.
    Array(usize),
}

/// The path of the value at or before this line and column, both from 1, such as
/// `tiers[0].latency.value`.
pub(super) fn path_at(text: &str, line: usize, column: usize) -> String {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let end = (before + column).min(text.len());
    let bytes = &text.as_bytes()[..end];
    let mut open: Vec<Open> = Vec::new();
    // A string is a key where an object expects one.
    let mut expects_key = false;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => {
                let begin = at;
                at = end_of_string(bytes, at);
                if let (Some(Open::Object(key)), true) = (open.last_mut(), expects_key) {
                    *key = text.get(begin..at - 1);
                    expects_key = false;
                }
            }
            b'{' => {
                open.push(Open::Object(None));
                expects_key = true;
            }
            b'[' => open.push(Open::Array(0)),
            b'}' | b']' => drop(open.pop()),
            b',' => match open.last_mut() {
                Some(Open::Object(key)) => {
                    *key = None;
                    expects_key = true;
                }
                Some(Open::Array(index)) => *index += 1,
                None => {}
            },
            _ => {}
        }
    }
    words(&open)
}

/// Offset after the closing quote, or of the end of the text.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte == b'"' {
            break;
        }
    }
    at.min(bytes.len())
}

fn words(open: &[Open]) -> String {
    let mut path = String::new();
    for (depth, open) in open.iter().enumerate() {
        match open {
            Open::Object(Some(key)) if path.is_empty() => path.push_str(key),
            Open::Object(Some(key)) => drop(write!(path, ".{key}")),
            // Just opened: the error is about the array itself.
            Open::Array(index) if depth > 0 => drop(write!(path, "[{index}]")),
            _ => {}
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_path() {
        let text = "{\"a\": 1,\n \"b\": [{\"c\": \"x,\\\"{\"}, {\"d\": [1, 2]}]}";
        let at = |line, part: &str| {
            let row = text.lines().nth(line - 1).unwrap();
            path_at(text, line, row.find(part).unwrap() + part.len())
        };
        assert_eq!(at(1, "1"), "a");
        assert_eq!(at(2, "\"c\": \"x,\\\"{\""), "b[0].c");
        assert_eq!(at(2, "2"), "b[1].d[1]");
        assert_eq!(at(2, "[1, 2]"), "b[1].d");
        assert_eq!(at(2, "2]}"), "b[1]");
        assert_eq!(at(1, "{"), "");
    }

    #[test]
    fn places_outside_the_text_do_not_panic() {
        for text in ["", "{", "\"", "\"\\", "{\"ü\": [ü", "]]}}"] {
            for (line, column) in [(0, 0), (1, 1), (1, 3), (1, 100), (9, 9)] {
                path_at(text, line, column);
            }
        }
    }
}
