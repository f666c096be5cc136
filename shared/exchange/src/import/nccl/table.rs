//! Rows with two halves, out of place and in place, in the layouts of all versions.

use crate::import::table::{INVALID_DATA, NO_SIZE, NO_TIME, UNEVEN, is_time, number, size};
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::{Bytes, Micros};

/// Columns of a half of the table.
#[derive(Clone, Debug, PartialEq)]
struct Half {
    time: usize,
    rate: Option<usize>,
    wrong: Option<usize>,
    /// Columns of each repetition.
    repetitions: Vec<(usize, Statistic)>,
}

/// A table's header.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    /// Number of words per row; a timestamp has two.
    words: usize,
    operation: Option<usize>,
    halves: Vec<Half>,
    /// Whether the times are CPU times.
    pub(super) is_cpu_time: bool,
    /// Whether statistics of repetitions are listed.
    pub(super) has_repetitions: bool,
}

/// The numbers of a row, by half and statistic.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row<'a> {
    pub(super) bytes: Bytes,
    pub(super) datatype: &'a str,
    pub(super) operation: &'a str,
    pub(super) halves: [Vec<(Statistic, Micros)>; 2],
}

/// The result of reading a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ParsedRow<'a> {
    Row(Row<'a>),
    NotARow,
    Refused(&'static str),
}

/// Tolerance for rounding: a rate has at least two decimals, and a time has four digits.
const TOLERANCE: f64 = 0.02;

impl Table {
    /// Reads a header line, without `#`.
    pub(super) fn of(header: &str) -> Option<Self> {
        let names: Vec<&str> = header.split_ascii_whitespace().collect();
        if names.first() != Some(&"size") {
            return None;
        }
        let is_time = |name: &&str| matches!(*name, "time" | "cputime");
        let starts: Vec<usize> = (0..names.len()).filter(|at| is_time(&names[*at])).collect();
        let half = |start: &usize| {
            let end = starts.iter().find(|other| *other > start).copied().unwrap_or(names.len());
            let find = |name: &str| (*start..end).find(|at| names[*at] == name);
            let repetitions = [("i_min", Statistic::Minimum), ("i_p99", Statistic::Percentile(99))];
            Half {
                time: *start,
                rate: find("algbw"),
                wrong: find("#wrong"),
                repetitions: repetitions
                    .iter()
                    .filter_map(|(name, statistic)| Some((find(name)?, *statistic)))
                    .collect(),
            }
        };
        let has_timestamp = names.last() == Some(&"timestamp");
        let halves: Vec<Half> = starts.iter().take(2).map(half).collect();
        (!halves.is_empty()).then(|| Table {
            words: names.len() + usize::from(has_timestamp),
            operation: names.iter().position(|name| *name == "redop"),
            is_cpu_time: names.contains(&"cputime"),
            has_repetitions: names.contains(&"i_min"),
            halves,
        })
    }

    /// The numbers of a row. Some versions print blanks if there is no operation or no root.
    ///
    /// # Errors
    /// If a number contains a comma.
    pub(super) fn row<'a>(&self, text: &'a str) -> Result<ParsedRow<'a>, Error> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [first, count, datatype, ..] = words[..] else { return Ok(ParsedRow::NotARow) };
        let is_name = datatype.starts_with(|c: char| c.is_ascii_alphabetic());
        let (Some(bytes), Some(_), true) = (number(first)?, number(count)?, is_name) else {
            return Ok(ParsedRow::NotARow);
        };
        let missing_words = self.words.wrapping_sub(words.len());
        let first_half = self.halves.first().map_or(0, |half| half.time);
        let Some(bytes) = size(bytes) else {
            return Ok(ParsedRow::Refused(NO_SIZE));
        };
        if missing_words > 2 || first_half < 3 + missing_words {
            return Ok(ParsedRow::Refused(UNEVEN));
        }
        let word = |at: usize| words.get(at - missing_words).copied().unwrap_or_default();
        let operation = match self.operation {
            Some(at) if missing_words == 0 => words[at],
            _ => "",
        };
        let mut row = Row { bytes, datatype, operation, ..Row::default() };
        for (half, times) in self.halves.iter().zip(&mut row.halves) {
            let Some(time) = number(word(half.time))? else { continue };
            if half.wrong.and_then(|at| word(at).parse::<f64>().ok()).is_some_and(|n| n > 0.0) {
                return Ok(ParsedRow::Refused(INVALID_DATA));
            }
            if !is_time(time) {
                return Ok(ParsedRow::Refused(NO_TIME));
            }
            if missing_words > 0 && !half.rate.is_some_and(|at| is_rate(bytes, time, word(at))) {
                return Ok(ParsedRow::Refused(UNEVEN));
            }
            times.push((Statistic::Mean, Micros(time)));
            for (at, statistic) in &half.repetitions {
                let time = number(word(*at))?.filter(|time| is_time(*time));
                times.extend(time.map(|time| (*statistic, Micros(time))));
            }
        }
        let is_empty = row.halves.iter().all(Vec::is_empty);
        Ok(if is_empty { ParsedRow::NotARow } else { ParsedRow::Row(row) })
    }
}

/// Whether `rate`, in 10^9 bytes per second, is consistent with bytes and time.
fn is_rate(bytes: Bytes, time: f64, rate: &str) -> bool {
    let expected = bytes.count() / time / 1e3;
    rate.parse::<f64>().is_ok_and(|rate| {
        libm::fabs(rate - expected) <= TOLERANCE + TOLERANCE * libm::fabs(expected)
    })
}
