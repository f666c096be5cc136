//! The file format: versioned JSON, validated field by field.

pub mod error;
mod layout;
mod place;

use crate::{Error, Signature};
use error::JsonError;
use layout::Layout;
use place::path_at;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

/// Maximum size of a file; no signature needs more.
pub const LARGEST_FILE: usize = 64 << 20;

/// A conversion from one version of the format to the next.
type Migration = fn(&mut Value) -> Result<(), Error>;

/// `MIGRATIONS[v - 1]` turns version v into version v + 1. Version 1 is the first.
const MIGRATIONS: [Migration; Signature::VERSION as usize - 1] = [];

/// The version, read before the rest.
#[derive(Deserialize)]
#[serde(expecting = "a signature, which begins with {\"loggia\": 1")]
struct Header {
    loggia: Option<Number>,
}

/// Reads and validates a signature.
///
/// ```
/// use loggia_model::json;
/// let error = json::from_json("{\"loggia\": 1,\n \"nam").unwrap_err();
/// assert!(error.place.to_string().starts_with("2:"));
/// ```
pub fn from_json(text: &str) -> Result<Signature, Error> {
    let header: Header = serde_json::from_str(text).map_err(|error| of_header(text, error))?;
    let version = version_of(&header)?;
    // Version 1 is the first, so no migration exists yet.
    let is_newest = MIGRATIONS.is_empty() || version == Signature::VERSION;
    let signature: Signature =
        if is_newest { read(text)? } else { migrated(text, version, &MIGRATIONS)? };
    signature.validate()?;
    Ok(signature)
}

/// Reads any value; an error names its field. All readers use this function: another JSON reader
/// would add about 70 kB to the page.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| {
        let path = path_at(text, error.line(), error.column());
        field(text, error, path).into()
    })
}

fn version_of(header: &Header) -> Result<u32, Error> {
    let version = header.loggia.as_ref().ok_or(JsonError::NotASignature)?;
    match version.as_u64().and_then(|v| u32::try_from(v).ok()) {
        Some(v @ 1..=Signature::VERSION) => Ok(v),
        Some(v) if v > Signature::VERSION => Err(JsonError::NewerVersion(v).into()),
        _ => Err(JsonError::NoVersion(version.clone()).into()),
    }
}

/// Reads an older file after converting it version by version.
fn migrated(text: &str, from: u32, steps: &[Migration]) -> Result<Signature, Error> {
    let mut value: Value = serde_json::from_str(text).map_err(|error| of_header(text, error))?;
    for step in &steps[from as usize - 1..] {
        step(&mut value)?;
    }
    value["loggia"] = Signature::VERSION.into();
    read(&value.to_string())
}

/// An error before the version is known.
fn of_header(text: &str, error: serde_json::Error) -> Error {
    let content = text.trim_ascii_start();
    if error.is_syntax() && !content.starts_with(['{', '[']) {
        let before = &text[..text.len() - content.len()];
        let (line, column) = (before.split('\n').count(), before.split('\n').next_back());
        let column = column.map_or(1, |indent| indent.len() + 1);
        return JsonError::NotJson { line: line as u64, column: column as u64 }.into();
    }
    field(text, error, String::new()).into()
}

fn field(text: &str, error: serde_json::Error, path: String) -> JsonError {
    let is_not_finite = ["nan", "inf", "infinity"]
        .iter()
        .any(|name| word_at(text, error.line(), error.column()).eq_ignore_ascii_case(name));
    JsonError::Field { error, path, is_not_finite }
}

/// The word around this line and column, which count from 1.
fn word_at(text: &str, line: usize, column: usize) -> &str {
    let line = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let Some((before, after)) = line.split_at_checked(column.saturating_sub(1)) else { return "" };
    let is_other = |c: char| !c.is_ascii_alphabetic();
    let start = before.rfind(is_other).map_or(0, |at| at + 1);
    let end = after.find(is_other).unwrap_or(after.len());
    line.get(start..before.len() + end).unwrap_or_default()
}

/// Writes a signature as JSON text.
pub fn to_json(signature: &Signature) -> String {
    let mut text = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut text, Layout::default());
    // All map keys are strings, and the writer cannot fail, so no error is possible.
    let _ = signature.serialize(&mut writer);
    text.push(b'\n');
    String::from_utf8(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    fn text() -> String {
        to_json(&library::load("cray-t3d").unwrap())
    }

    #[test]
    fn a_file_cut_anywhere_is_refused_with_a_place() {
        let text = text();
        let end = text.trim_end().len();
        for cut in (0..end).filter(|&i| text.is_char_boundary(i)) {
            let error = from_json(&text[..cut]).unwrap_err();
            assert!(error.place.to_string().contains(':'), "cut at {cut}: {error:?}");
        }
    }

    #[test]
    fn samples_have_a_line_each() {
        let mut signature = library::load("cray-t3d").unwrap();
        assert!(!signature.samples.is_empty());
        let text = to_json(&signature);
        let lines = text.lines().filter(|line| line.contains("\"times\":["));
        assert_eq!(lines.count(), signature.samples.len());
        assert_eq!(from_json(&text).unwrap(), signature);
        signature.samples.clear();
        assert_eq!(to_json(&signature), serde_json::to_string_pretty(&signature).unwrap() + "\n");
    }

    #[test]
    fn a_wrong_type_names_line_and_field() {
        let error = from_json(&text().replace("3.1,", "\"fast\",")).unwrap_err();
        assert!(error.place.to_string().contains("tiers[0].latency.value"), "{error}");
        assert!(error.message.contains("fast"), "{error}");
    }

    /// Python's json writes NaN and Infinity.
    #[test]
    fn only_a_number_that_is_not_finite_gives_this_advice() {
        for (number, advice) in [
            ("NaN", "leave unknown values out"),
            ("-Infinity", "leave unknown values out"),
            ("nan", "leave unknown values out"),
            ("3.1\"", "check the quotes, commas"),
            ("fast", "check the quotes, commas"),
            ("3.1 2", "check the quotes, commas"),
        ] {
            let error = from_json(&text().replacen("3.1,", &format!("{number},"), 1)).unwrap_err();
            assert!(error.help.to_string().contains(advice), "{number}: {error}");
            assert!(error.message.starts_with("this is not JSON"), "{number}: {error}");
            assert!(error.place.to_string().contains(':'), "{number}: {error}");
        }
    }

    #[test]
    fn an_unknown_field_is_refused() {
        let error = from_json(&text().replace("\"latency\"", "\"lateness\"")).unwrap_err();
        assert!(error.message.contains("unknown field `lateness`"), "{error}");
        assert!(error.message.contains("latency"), "the known ones are offered: {error}");
    }

    #[test]
    fn impossible_numbers_are_refused_with_their_field() {
        let negative = from_json(&text().replace("3.1,", "-3.1,")).unwrap_err();
        assert_eq!(negative.place.to_string(), "tiers[0].latency.value");
        assert!(negative.message.contains("must not be negative"));
        for not_json in ["NaN,", "Infinity,", "1e999,"] {
            let error = from_json(&text().replace("3.1,", not_json)).unwrap_err();
            assert!(error.place.to_string().contains(':'), "{not_json}: {error:?}");
        }
    }

    #[test]
    fn a_newer_version_is_refused_as_such() {
        let newer = text().replace("\"loggia\": 1", "\"loggia\": 7, \"wormholes\": []");
        let error = from_json(&newer).unwrap_err();
        assert_eq!(error.message, "format version 7 is newer than this program");
        for never in ["0", "-1", "1.5", "\"1\"", "null"] {
            let text = text().replace("\"loggia\": 1", &format!("\"loggia\": {never}"));
            assert!(from_json(&text).is_err(), "{never}");
        }
    }

    #[test]
    fn an_older_version_is_converted() {
        // As if an older version had `label` instead of `title`.
        let rename: Migration = |value| {
            value["title"] = value["label"].take();
            value.as_object_mut().map(|o| o.remove("label"));
            Ok(())
        };
        let older = text().replacen("\"title\"", "\"label\"", 1);
        let signature = migrated(&older, 1, &[rename]).unwrap();
        assert_eq!(signature, library::load("cray-t3d").unwrap());
    }

    #[test]
    fn other_files_are_recognised_as_such() {
        for (other, word) in [
            ("{}", "not a Loggia"),
            ("[]", "expected a signature"),
            ("7", "expected a signature"),
            ("", "the text ends"),
            ("# README\n", "not a Loggia signature: it is not JSON"),
            ("\n num_ranks 2\n", "not a Loggia signature: it is not JSON"),
        ] {
            let error = from_json(other).unwrap_err();
            assert!(error.message.contains(word), "{error:?}");
        }
        assert!(from_json("\0\0\0\0").unwrap_err().place.to_string().starts_with("1:"));
        let deep = "[".repeat(100_000);
        assert!(from_json(&deep).is_err());
    }

    #[test]
    fn numbers_survive_to_the_last_bit() {
        let mut t3d = library::load("cray-t3d").unwrap();
        for value in ["0.1", "3.0000000000000004", "1e-300", "5e-324", "0.30000000000000004"] {
            t3d.set("L", value).unwrap();
            assert_eq!(from_json(&to_json(&t3d)).unwrap(), t3d);
        }
    }
}
