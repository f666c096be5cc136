//! TOML with line and column of errors, for sketches and lessons.

use loggia_model::Error;
use loggia_model::error::Place;
use std::marker::PhantomData;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

pub type Value<'i> = Spanned<DeValue<'i>>;
pub type Table<'i> = DeTable<'i>;

/// A mistake in TOML, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlError {
    pub mistake: TomlMistake,
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TomlMistake {
    /// Not TOML, with the message of the parser.
    NotToml(String),
    UnknownKey {
        key: String,
        known: Vec<String>,
    },
    ExpectedTable,
    ExpectedList,
    ExpectedText,
    ExpectedTruth,
    ExpectedNumber,
    ExpectedPositiveInteger,
}

impl From<TomlError> for Error {
    fn from(TomlError { mistake, place }: TomlError) -> Self {
        use TomlMistake::*;
        let (message, help) = match mistake {
            NotToml(reason) => {
                let help = "a line is a [table] or key = value";
                return Error::new(format!("this is not TOML: {reason}"), place, help);
            }
            UnknownKey { key, known } => {
                return Error::unknown("key", &key, place, known.iter().map(String::as_str));
            }
            ExpectedTable => {
                ("expected a table", "write it as [name], with its keys on the lines below")
            }
            ExpectedList => ("expected a list", "such as [1, 2]"),
            ExpectedText => ("expected a text", "put it between quotes"),
            ExpectedTruth => ("expected `true` or `false`", "write one of them, without quotes"),
            ExpectedNumber => ("expected a number", "such as 606"),
            ExpectedPositiveInteger => ("expected a whole number above 0", "such as 8"),
        };
        Error::new(message, place, help)
    }
}

/// Line number from 1.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).matches('\n').count() + 1
}

/// A text in TOML, with the error type of its format.
pub struct Toml<'a, E> {
    pub source: &'a str,
    error: PhantomData<E>,
}

impl<'a, E: From<TomlError>> Toml<'a, E> {
    pub fn new(source: &'a str) -> Self {
        Toml { source, error: PhantomData }
    }

    pub fn parse(&self) -> Result<Spanned<Table<'a>>, E> {
        Table::parse(self.source).map_err(|error| {
            let at = error.span().unwrap_or_default();
            self.error(&at, TomlMistake::NotToml(error.message().to_owned()))
        })
    }

    pub fn place(&self, at: usize) -> Place {
        Place::in_text(self.source, at)
    }

    fn error(&self, at: &Range<usize>, mistake: TomlMistake) -> E {
        TomlError { mistake, place: self.place(at.start) }.into()
    }

    /// Refuses unknown keys; the error suggests the nearest known key.
    pub fn check_keys(&self, table: &Table<'a>, known: &[&str]) -> Result<(), E> {
        for name in table.keys() {
            let key: &str = name.get_ref();
            if !known.contains(&key) {
                let known = known.iter().copied().map(str::to_owned).collect();
                let mistake = TomlMistake::UnknownKey { key: key.to_owned(), known };
                return Err(self.error(&name.span(), mistake));
            }
        }
        Ok(())
    }

    pub fn table<'v>(&self, value: &'v Value<'a>) -> Result<&'v Table<'a>, E> {
        let table = value.get_ref().as_table();
        table.ok_or_else(|| self.error(&value.span(), TomlMistake::ExpectedTable))
    }

    pub fn list<'v>(&self, value: &'v Value<'a>) -> Result<&'v [Value<'a>], E> {
        let list = value.get_ref().as_array();
        list.map(|list| &list[..])
            .ok_or_else(|| self.error(&value.span(), TomlMistake::ExpectedList))
    }

    pub fn text(&self, value: &Value<'a>) -> Result<String, E> {
        let text = value.get_ref().as_str();
        text.map(str::to_owned).ok_or_else(|| self.error(&value.span(), TomlMistake::ExpectedText))
    }

    /// A text, or a number as text.
    pub fn word(&self, value: &Value<'a>) -> Result<String, E> {
        match value.get_ref() {
            DeValue::Integer(number) => Ok(number.to_string()),
            DeValue::Float(number) => Ok(number.to_string()),
            _ => self.text(value),
        }
    }

    pub fn words(&self, value: &Value<'a>) -> Result<Vec<String>, E> {
        self.list(value)?.iter().map(|item| self.word(item)).collect()
    }

    pub fn truth(&self, value: &Value<'a>) -> Result<bool, E> {
        let truth = value.get_ref().as_bool();
        truth.ok_or_else(|| self.error(&value.span(), TomlMistake::ExpectedTruth))
    }

    pub fn number(&self, value: &Value<'a>) -> Result<f64, E> {
        let number = self.word(value)?.replace('_', "").parse::<f64>().ok();
        number
            .filter(|number| number.is_finite())
            .ok_or_else(|| self.error(&value.span(), TomlMistake::ExpectedNumber))
    }

    /// A whole number above zero.
    pub fn positive_integer(&self, value: &Value<'a>) -> Result<u64, E> {
        let number = value.get_ref().as_integer();
        number
            .and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok())
            .filter(|number| *number > 0)
            .ok_or_else(|| self.error(&value.span(), TomlMistake::ExpectedPositiveInteger))
    }

    /// The entries of a table, in the order of the text.
    pub fn in_order<'v>(&self, value: &'v Value<'a>) -> Result<Vec<Entry<'v, 'a>>, E> {
        let mut all: Vec<_> = self.table(value)?.iter().collect();
        all.sort_by_key(|(name, _)| name.span().start);
        let entry = |(name, value): (&Spanned<DeString>, _)| Entry {
            name: name.get_ref().to_string(),
            at: name.span(),
            value,
        };
        Ok(all.into_iter().map(entry).collect())
    }
}

/// A key of a table, and its value.
pub struct Entry<'v, 'a> {
    pub name: String,
    /// Place of the key.
    pub at: Range<usize>,
    pub value: &'v Value<'a>,
}

impl Entry<'_, '_> {
    /// Whether formulas can use the key as a name.
    pub fn is_name(&self) -> bool {
        self.name.starts_with(|c: char| c.is_alphabetic())
            && self.name.chars().all(|c| c.is_alphanumeric() || c == '_')
    }
}
