//! Rows of numbers below a header that names them.

use crate::Error;

/// The columns of a table, by the names in its header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns(Vec<String>);

impl Columns {
    /// Of a header whose names stand apart by two blanks or more.
    pub(super) fn apart(header: &str) -> Self {
        let names = header.split("  ").map(str::trim).filter(|name| !name.is_empty());
        Columns(names.map(str::to_owned).collect())
    }

    /// Of a header whose names have no blanks in them.
    pub(super) fn words(header: &str) -> Self {
        Columns(header.split_whitespace().map(str::to_owned).collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Where the first of these names stands.
    pub(super) fn find(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.0.iter().position(|column| column == name))
    }
}

/// The words of a row that may be numbers; none for a row of other words.
///
/// # Errors
/// Where a number is written with a decimal comma: half of a number would be read as another one.
pub(super) fn numbers(text: &str) -> Result<Option<Vec<f64>>, Error> {
    let mut numbers = Vec::new();
    for word in text.split_whitespace() {
        match number(word)? {
            Some(number) => numbers.push(number),
            None => return Ok(None),
        }
    }
    Ok((!numbers.is_empty()).then_some(numbers))
}

/// A word as a number; none if it is none. What is no finite number, such as `-nan`, is `NaN`.
pub(super) fn number(word: &str) -> Result<Option<f64>, Error> {
    let is_digit = |at: Option<char>| at.is_some_and(|c| c.is_ascii_digit());
    if let Some((whole, part)) = word.split_once(',')
        && is_digit(whole.chars().last())
        && is_digit(part.chars().next())
        && part.bytes().all(|b| b.is_ascii_digit())
    {
        return Err(Error::new(
            format!("`{word}` has a decimal comma"),
            "",
            "run the benchmark with LC_ALL=C, or write the numbers with a point",
        ));
    }
    let unsigned = word.trim_start_matches(['-', '+']).to_ascii_lowercase();
    let is_lost = matches!(unsigned.as_str(), "nan" | "inf" | "infinity");
    if is_lost {
        return Ok(Some(f64::NAN));
    }
    let begins = word.trim_start_matches(['-', '+', '.']).starts_with(|c: char| c.is_ascii_digit());
    Ok(word.parse::<f64>().ok().filter(|number| begins && number.is_finite()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn a_header_names_columns() {
        let osu = Columns::apart("Size          Latency (us)");
        assert_eq!(osu.find(&["Avg Latency(us)", "Latency (us)"]), Some(1));
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
        assert!(numbers("8   1,50").unwrap_err().help.contains("LC_ALL=C"));
        assert_eq!(number("[1,0]").unwrap(), None);
    }
}
