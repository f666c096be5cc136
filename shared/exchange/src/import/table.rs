//! Headers and rows of tables.

use crate::error::ImportError;
use loggia_model::Error;
use loggia_model::units::{Bytes, Micros};

/// The columns of a table, by the names in its header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns(Vec<String>);

impl Columns {
    /// Reads a header whose names contain no spaces.
    pub(super) fn words(header: &str) -> Self {
        Columns(header.split_ascii_whitespace().map(str::to_owned).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The column with the first of these names that exists.
    pub(super) fn find(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.0.iter().position(|column| column == name))
    }
}

/// Reason for a row that does not fit its header.
pub(super) const UNEVEN: &str = "the row does not have one word per column";
/// Reason for a row without a positive, finite time.
pub(super) const NO_TIME: &str = "its time is not a positive number";
/// A row whose size cannot be read.
pub(super) const NO_SIZE: &str = "its size is not a whole number of bytes";
/// A row whose data the benchmark found damaged.
pub(super) const INVALID_DATA: &str = "its data validation failed";

/// The numbers of a row; `None` if a word is not a number.
///
/// # Errors
/// If a number contains a comma; its parts would be read as other numbers.
pub(super) fn numbers(text: &str) -> Result<Option<Vec<f64>>, Error> {
    let mut numbers = Vec::with_capacity(8);
    let mut comma_error = None;
    for word in text.split_ascii_whitespace() {
        match number(word) {
            Ok(Some(number)) => numbers.push(number),
            Ok(None) => return Ok(None),
            Err(error) => comma_error = comma_error.or(Some(error)),
        }
    }
    comma_error.map_or_else(|| Ok((!numbers.is_empty()).then_some(numbers)), Err)
}

/// A word as a number; `None` for other words, and for a number that overflows. `nan` and `inf`, with
/// or without sign, give `NaN`.
///
/// # Errors
/// If it contains a decimal comma or a thousands separator.
pub(super) fn number(word: &str) -> Result<Option<f64>, Error> {
    let unsigned = word.trim_start_matches(['-', '+']);
    let begins = unsigned.trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit());
    if !begins {
        let is_not_finite =
            ["nan", "inf", "infinity"].iter().any(|name| unsigned.eq_ignore_ascii_case(name));
        return Ok(is_not_finite.then_some(f64::NAN));
    }
    match word.parse::<f64>() {
        Ok(number) => Ok(number.is_finite().then_some(number)),
        Err(_) if has_comma(unsigned) => {
            Err(ImportError::DecimalComma { word: word.to_owned() }.into())
        }
        Err(_) => Ok(None),
    }
}

/// Whether a word is a number with commas.
fn has_comma(word: &str) -> bool {
    let is_digit = |part: &str| part.starts_with(|c: char| c.is_ascii_digit());
    let mut parts = word.split(',');
    parts.next().is_some()
        && word.contains(',')
        && parts.all(is_digit)
        && word.bytes().all(|b| b.is_ascii_digit() || b",.eE+-".contains(&b))
}

/// A time in seconds, rounded to ps, finer than any tool prints; `None` if invalid.
pub(super) fn seconds(time: f64) -> Option<Micros> {
    let time = libm::round(time * 1e12) / 1e6;
    is_time(time).then_some(Micros(time))
}

/// Whether it is finite and positive.
pub(super) fn is_time(time: f64) -> bool {
    time.is_finite() && time > 0.0
}

/// Maximum message size; every smaller size is exact as `f64`.
pub(super) const MAX_BYTES: u64 = 1 << 53;

/// A whole number of bytes up to [`MAX_BYTES`].
pub(super) fn size(number: f64) -> Option<Bytes> {
    let is_size = (0.0..=MAX_BYTES as f64).contains(&number) && libm::trunc(number) == number;
    is_size.then_some(Bytes(number as u64))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn a_header_names_columns() {
        let imb = Columns::words("       #bytes #repetitions      t[usec]   Mbytes/sec");
        assert_eq!((imb.len(), imb.find(&["t[usec]"])), (4, Some(2)));
    }

    #[test]
    fn numbers_have_points() {
        assert_eq!(numbers("8   1.50 -2e3").unwrap(), Some(vec![8.0, 1.5, -2000.0]));
        assert_eq!(numbers("8 Pass").unwrap(), None);
        assert_eq!(numbers("").unwrap(), None);
        assert!(numbers("-nan").unwrap().unwrap()[0].is_nan());
        assert_eq!(numbers("8 infinite").unwrap(), None);
        assert!(numbers("8   1,50").unwrap_err().help.to_string().contains("LC_ALL=C"));
        assert!(numbers("1,048,576   1.50").is_err());
        assert!(numbers("1048576   1,024.5").is_err());
        assert_eq!(number("1e-05").unwrap(), Some(1e-5));
        // Words, not numbers.
        assert_eq!(number("[1,0]").unwrap(), None);
        assert_eq!(numbers("0,1 are the ranks").unwrap(), None);
    }

    #[test]
    fn sizes_are_whole() {
        assert_eq!(size(8.0), Some(Bytes(8)));
        assert_eq!([size(-8.0), size(1.5), size(f64::NAN), size(1e300)], [None; 4]);
        assert_eq!(seconds(0.0000001), Some(Micros(0.1)));
        assert_eq!([seconds(-1.0), seconds(1e-13), seconds(1e300)], [None; 3]);
    }
}
