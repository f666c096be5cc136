//! Errors of JSON files.

use crate::Error;
use crate::error::Place;
use crate::signature::Signature;
use serde_json::Number;
use serde_json::error::Category;

/// The reason why a JSON text cannot be read.
#[derive(Debug)]
pub enum JsonError {
    /// Its first character, at this line and column, does not begin a JSON object.
    NotJson {
        line: u64,
        column: u64,
    },
    /// The version of the format is missing.
    NotASignature,
    /// A version of the format newer than this program.
    NewerVersion(u32),
    NoVersion(Number),
    /// An error in a field, with its path from the root.
    Field {
        error: serde_json::Error,
        path: String,
        /// Whether NaN or Infinity is there, which some programs write.
        is_not_finite: bool,
    },
}

impl From<JsonError> for Error {
    fn from(error: JsonError) -> Self {
        use JsonError::*;
        const FIRST: &str = "a signature begins with {\"loggia\": 1, the version of its format";
        match error {
            NotJson { line, column } => Error::new(
                "this is not a Loggia signature: it is not JSON",
                Place::at(line, column),
                FIRST,
            ),
            NotASignature => Error::new(
                "this is not a Loggia signature: it has no field `loggia`",
                Place::Nowhere,
                FIRST,
            ),
            NewerVersion(version) => Error::new(
                format!("format version {version} is newer than this program"),
                "loggia",
                format!("this one reads up to version {}; use a newer Loggia", Signature::VERSION),
            ),
            NoVersion(number) => Error::new(
                format!("there is no format version {number}"),
                "loggia",
                format!("versions are whole numbers from 1 to {}", Signature::VERSION),
            ),
            Field { error, path, is_not_finite } => of_field(&error, &path, is_not_finite),
        }
    }
}

fn of_field(error: &serde_json::Error, path: &str, is_not_finite: bool) -> Error {
    let text = error.to_string();
    let message = text.split(" at line ").next().unwrap_or(&text);
    let place = match (error.line() as u64, error.column() as u64, path) {
        (0, _, path) => path.into(),
        // At the end of the text, no character of the line may have been read.
        (line, column, "" | ".") => Place::at(line, column.max(1)),
        (line, column, path) => format!("{line}:{} ({path})", column.max(1)).into(),
    };
    match (error.classify(), message.strip_prefix("EOF while parsing ")) {
        (Category::Eof, inside) => Error::new(
            format!("the text ends inside {}", inside.unwrap_or("a value")),
            place,
            "the text was cut off; copy it again",
        ),
        (Category::Data, _) => Error::new(
            message,
            place,
            "see the allowed values in shared/model/signature.schema.json",
        ),
        (Category::Syntax | Category::Io, _) => Error::new(
            format!("this is not JSON: {message}"),
            place,
            match is_not_finite {
                true => "NaN and Infinity are not JSON: leave unknown values out",
                false => "check the quotes, commas and brackets before this place",
            },
        ),
    }
}
