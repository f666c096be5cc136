//! TOML with line and column of errors.

use crate::error::LessonError;
use loggia_model::Error;
use loggia_model::error::Place;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(crate) type Value<'i> = Spanned<DeValue<'i>>;
pub(crate) type Table<'i> = DeTable<'i>;

pub(crate) struct Toml<'a> {
    pub(crate) text: &'a str,
}

impl<'a> Toml<'a> {
    pub(crate) fn parse(&self) -> Result<Spanned<DeTable<'a>>, Error> {
        DeTable::parse(self.text).map_err(|error| {
            let place = self.place(error.span().map_or(0, |span| span.start));
            LessonError::NotToml(error.message().to_owned()).at(place)
        })
    }

    pub(crate) fn place(&self, at: usize) -> Place {
        Place::in_text(self.text, at)
    }

    pub(crate) fn refuse(&self, at: &Range<usize>, error: LessonError) -> Error {
        error.at(self.place(at.start))
    }

    /// Refuses unknown keys; the error suggests the nearest known key.
    pub(crate) fn check_keys(&self, table: &Table<'a>, known: &[&str]) -> Result<(), Error> {
        for name in table.keys() {
            let key: &str = name.get_ref();
            if !known.contains(&key) {
                let place = self.place(name.span().start);
                return Err(Error::unknown("key", key, place, known.iter().copied()));
            }
        }
        Ok(())
    }

    pub(crate) fn table<'v>(&self, value: &'v Value<'a>) -> Result<&'v Table<'a>, Error> {
        let table = value.get_ref().as_table();
        table.ok_or_else(|| self.refuse(&value.span(), LessonError::ExpectedTable))
    }

    pub(crate) fn list<'v>(&self, value: &'v Value<'a>) -> Result<&'v [Value<'a>], Error> {
        let list = value.get_ref().as_array();
        list.map(|list| &list[..])
            .ok_or_else(|| self.refuse(&value.span(), LessonError::ExpectedList))
    }

    /// A text, or a number as text.
    pub(crate) fn word(&self, value: &Value<'a>) -> Result<String, Error> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) => Ok(number.to_string()),
            DeValue::Float(number) => Ok(number.to_string()),
            _ => Err(self.refuse(&value.span(), LessonError::ExpectedText)),
        }
    }

    pub(crate) fn words(&self, value: &Value<'a>) -> Result<Vec<String>, Error> {
        self.list(value)?.iter().map(|item| self.word(item)).collect()
    }

    pub(crate) fn number(&self, value: &Value<'a>) -> Result<f64, Error> {
        let number = self.word(value)?.replace('_', "").parse::<f64>().ok();
        number
            .filter(|number| number.is_finite())
            .ok_or_else(|| self.refuse(&value.span(), LessonError::ExpectedNumber))
    }

    /// A whole number above zero.
    pub(crate) fn positive_integer(&self, value: &Value<'a>) -> Result<u64, Error> {
        let number = self.word(value)?.parse::<u64>().ok().filter(|number| *number > 0);
        number.ok_or_else(|| self.refuse(&value.span(), LessonError::ExpectedPositiveInteger))
    }

    /// `5%`
    pub(crate) fn percent(&self, value: &Value<'a>) -> Result<f64, Error> {
        let text = self.word(value)?;
        let number = text.trim().strip_suffix('%').and_then(|n| n.trim().parse::<f64>().ok());
        number
            .filter(|percent| (0.0..=100.0).contains(percent))
            .map(|p| p / 100.0)
            .ok_or_else(|| self.refuse(&value.span(), LessonError::NotAPercentage(text.clone())))
    }

    /// The entries of a table, in the order of the text.
    pub(crate) fn in_order<'v>(
        &self,
        value: &'v Value<'a>,
    ) -> Result<Vec<(String, &'v Value<'a>)>, Error> {
        let mut all: Vec<_> = self.table(value)?.iter().collect();
        all.sort_by_key(|(name, _)| name.span().start);
        Ok(all.into_iter().map(|(name, value)| (name.get_ref().to_string(), value)).collect())
    }
}
