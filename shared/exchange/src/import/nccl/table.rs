//! Rows of two halves, out of place and in place, in every layout that there was.

use crate::import::table::{NO_TIME, UNEVEN, is_time, number, size};
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::{Bytes, Micros};

/// Where a half of the table has what.
#[derive(Clone, Debug, PartialEq)]
struct Half {
    time: usize,
    rate: Option<usize>,
    wrong: Option<usize>,
    /// Columns of each repetition.
    each: Vec<(usize, Statistic)>,
}

/// A table's header.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    /// How many words a row has: a time of day has two.
    words: usize,
    operation: Option<usize>,
    halves: Vec<Half>,
    /// Whether the time is only what the processor spent.
    pub(super) is_of_processor: bool,
    /// Whether repetitions are listed.
    pub(super) has_each: bool,
}

/// A row's numbers: of each half, by what they are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row<'a> {
    pub(super) bytes: Bytes,
    pub(super) datatype: &'a str,
    pub(super) operation: &'a str,
    pub(super) halves: [Vec<(Statistic, Micros)>; 2],
}

/// What a line is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ParsedRow<'a> {
    Row(Row<'a>),
    No,
    Refused(&'static str),
}

/// A rate is printed with two figures behind the point or more, and the time with four in all.
const ROUNDED: f64 = 0.02;

impl Table {
    /// Of a header line, without `#`.
    pub(super) fn of(header: &str) -> Option<Self> {
        let names: Vec<&str> = header.split_ascii_whitespace().collect();
        if names.first() != Some(&"size") {
            return None;
        }
        let is_time = |name: &&str| matches!(*name, "time" | "cputime");
        let begins: Vec<usize> = (0..names.len()).filter(|at| is_time(&names[*at])).collect();
        let half = |begin: &usize| {
            let end = begins.iter().find(|other| *other > begin).copied().unwrap_or(names.len());
            let find = |name: &str| (*begin..end).find(|at| names[*at] == name);
            let each = [("i_min", Statistic::Minimum), ("i_p99", Statistic::Percentile(99))];
            Half {
                time: *begin,
                rate: find("algbw"),
                wrong: find("#wrong"),
                each: each.iter().filter_map(|(name, of)| Some((find(name)?, *of))).collect(),
            }
        };
        let has_day = names.last() == Some(&"timestamp");
        let halves: Vec<Half> = begins.iter().take(2).map(half).collect();
        (!halves.is_empty()).then(|| Table {
            words: names.len() + usize::from(has_day),
            operation: names.iter().position(|name| *name == "redop"),
            is_of_processor: names.contains(&"cputime"),
            has_each: names.contains(&"i_min"),
            halves,
        })
    }

    /// The numbers of a row. Where there is no operation or no root, some versions print blanks.
    ///
    /// # Errors
    /// Where a number has a comma.
    pub(super) fn row<'a>(&self, text: &'a str) -> Result<ParsedRow<'a>, Error> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [first, count, datatype, ..] = words[..] else { return Ok(ParsedRow::No) };
        let is_name = datatype.starts_with(|c: char| c.is_ascii_alphabetic());
        let (Some(bytes), Some(_), true) = (number(first)?, number(count)?, is_name) else {
            return Ok(ParsedRow::No);
        };
        let blank = self.words.wrapping_sub(words.len());
        let first_half = self.halves.first().map_or(0, |half| half.time);
        let Some(bytes) = size(bytes) else { return Ok(ParsedRow::Refused("its size is none")) };
        if blank > 2 || first_half < 3 + blank {
            return Ok(ParsedRow::Refused(UNEVEN));
        }
        let word = |at: usize| words.get(at - blank).copied().unwrap_or_default();
        let operation = match self.operation {
            Some(at) if blank == 0 => words[at],
            _ => "",
        };
        let mut row = Row { bytes, datatype, operation, ..Row::default() };
        for (half, times) in self.halves.iter().zip(&mut row.halves) {
            let Some(time) = number(word(half.time))? else { continue };
            if half.wrong.and_then(|at| word(at).parse::<f64>().ok()).is_some_and(|n| n > 0.0) {
                return Ok(ParsedRow::Refused("its data was wrong"));
            }
            if !is_time(time) {
                return Ok(ParsedRow::Refused(NO_TIME));
            }
            if blank > 0 && !half.rate.is_some_and(|at| fits(bytes, time, word(at))) {
                return Ok(ParsedRow::Refused(UNEVEN));
            }
            times.push((Statistic::Mean, Micros(time)));
            for (at, of) in &half.each {
                let time = number(word(*at))?.filter(|time| is_time(*time));
                times.extend(time.map(|time| (*of, Micros(time))));
            }
        }
        let is_empty = row.halves.iter().all(Vec::is_empty);
        Ok(if is_empty { ParsedRow::No } else { ParsedRow::Row(row) })
    }
}

/// Whether that may be the rate at that time, in 10^9 bytes a second.
fn fits(bytes: Bytes, time: f64, rate: &str) -> bool {
    let expected = bytes.count() / time / 1e3;
    rate.parse::<f64>()
        .is_ok_and(|rate| libm::fabs(rate - expected) <= ROUNDED + ROUNDED * libm::fabs(expected))
}
