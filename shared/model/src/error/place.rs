//! Places of errors.

use super::{Input, one_line};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// The place of an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// No place: the message is sufficient.
    #[default]
    Nowhere,
    /// An input, with its value if known.
    Input(Input, Option<String>),
    /// Line and column (if known) of a text, both from 1.
    Text(u64, Option<u64>),
    /// A name: of a field, a file, a host.
    Named(String),
    /// A place in a file.
    File(String, Box<Place>),
}

impl Place {
    /// A line of a text, from 1.
    pub fn line(line: u64) -> Self {
        Place::Text(line, None)
    }

    /// Line and column of a text, both from 1.
    pub fn at(line: u64, column: u64) -> Self {
        Place::Text(line, Some(column))
    }

    /// Line and column of the byte `at` of a text.
    pub fn in_text(text: &str, at: usize) -> Self {
        let before = text.get(..at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Place::at(line as u64, column as u64)
    }

    /// This place in a file.
    #[must_use]
    pub fn in_file(self, file: &str) -> Self {
        Place::File(one_line(file.to_owned()), Box::new(self))
    }

    /// Whether there is nothing to show.
    pub fn is_nowhere(&self) -> bool {
        *self == Place::Nowhere
    }

    /// As text; `name` gives the name of an input.
    pub fn worded(&self, name: &impl Fn(Input, Option<&str>) -> String) -> String {
        match self {
            Place::Nowhere => String::new(),
            Place::Input(input, value) => one_line(name(*input, value.as_deref())),
            Place::Text(line, None) => line.to_string(),
            Place::Text(line, Some(column)) => format!("{line}:{column}"),
            Place::Named(place) => place.clone(),
            Place::File(file, inner) => match inner.worded(name).as_str() {
                "" => file.clone(),
                inner if inner.starts_with(|c: char| c.is_ascii_digit()) => {
                    format!("{file}:{inner}")
                }
                inner => format!("{file}: {inner}"),
            },
        }
    }
}

impl From<Input> for Place {
    fn from(input: Input) -> Self {
        Place::Input(input, None)
    }
}

impl<T: Into<String>> From<(Input, T)> for Place {
    fn from((input, value): (Input, T)) -> Self {
        Place::Input(input, Some(value.into()))
    }
}

impl From<String> for Place {
    fn from(name: String) -> Self {
        if name.is_empty() { Place::Nowhere } else { Place::Named(one_line(name)) }
    }
}

impl From<&str> for Place {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}

impl From<&String> for Place {
    fn from(name: &String) -> Self {
        name.clone().into()
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(&super::neutral))
    }
}
