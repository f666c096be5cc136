//! Columns of OSU's tables: `# Size   Avg Latency(us)   Min Latency(us)  Iterations`.

use crate::import::table::{INVALID_DATA, NO_SIZE, NO_TIME, is_time, number, size};
use loggia_model::Error;
use loggia_model::signature::Statistic;
use loggia_model::units::{Bytes, Micros};

/// The content of a column.
#[derive(Clone, Debug, PartialEq)]
enum Column {
    /// The size, in bytes.
    Bytes,
    /// A time, in µs.
    Time(Statistic),
    /// MB/s, of 10^6 bytes.
    Rate(Statistic),
    /// Messages per second, over all pairs.
    Messages,
    /// The result of the data validation.
    Validation,
    /// Number of iterations; not used.
    Iterations,
    /// A quantity that a signature cannot hold.
    Other(String),
}

/// The columns of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Columns(Vec<Column>);

/// A row's numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub(super) bytes: Option<Bytes>,
    pub(super) times: Vec<(Statistic, Micros)>,
}

/// The result of reading a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ParsedRow {
    Row(Row),
    NotARow,
    Refused(&'static str),
}

impl Columns {
    /// Reads a header. Names contain spaces and may be separated by a single space; a name ends
    /// with its unit.
    pub(super) fn of(header: &str) -> Option<Self> {
        let mut columns = Vec::new();
        let mut name = String::new();
        for word in header.split_ascii_whitespace() {
            if !name.is_empty() {
                name.push(' ');
            }
            name.push_str(word);
            let is_complete = word.ends_with(')')
                || matches!(word, "Size" | "MB/s" | "Messages/s" | "Iterations" | "Validation")
                    && name != "Transmit Size";
            if is_complete || name == "Transmit Size" {
                columns.push(Column::named(std::mem::take(&mut name)));
            }
        }
        let is_table = name.is_empty()
            && columns.iter().any(|column| matches!(column, Column::Time(_) | Column::Rate(_)));
        is_table.then_some(Columns(columns))
    }

    /// The names of the unused columns.
    pub(super) fn unused_names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for column in &self.0 {
            if let Column::Other(name) = column {
                names.push(name.as_str());
            }
        }
        names
    }

    /// The numbers of a row. Rates count all pairs and directions; they are converted to the time
    /// per message of one pair in one direction.
    pub(super) fn row(&self, words: &[&str], messages: f64) -> Result<ParsedRow, Error> {
        if words.len() != self.0.len() {
            let is_row = words.first().is_some_and(|word| matches!(number(word), Ok(Some(_))));
            let uneven = ParsedRow::Refused(super::UNEVEN);
            return Ok(if is_row { uneven } else { ParsedRow::NotARow });
        }
        let mut row = Row::default();
        let mut time_by_messages = None;
        for (column, word) in self.0.iter().zip(words) {
            if *column == Column::Validation {
                match *word {
                    "Pass" => continue,
                    "Fail" => return Ok(ParsedRow::Refused(INVALID_DATA)),
                    _ => return Ok(ParsedRow::NotARow),
                }
            }
            let Some(number) = number(word)? else { return Ok(ParsedRow::NotARow) };
            let statistic = match column {
                Column::Bytes => {
                    row.bytes = size(number);
                    if row.bytes.is_none() {
                        return Ok(ParsedRow::Refused(NO_SIZE));
                    }
                    continue;
                }
                Column::Time(statistic) | Column::Rate(statistic) => *statistic,
                Column::Messages => {
                    time_by_messages = Some(messages * 1e6 / number);
                    continue;
                }
                _ => continue,
            };
            let time = match (column, row.bytes) {
                // bytes / (MB/s) = µs
                (Column::Rate(_), Some(bytes)) => messages * bytes.count() / number,
                _ => number,
            };
            if is_time(time) {
                row.times.push((statistic, Micros(time)));
            } else if statistic == Statistic::Mean {
                return Ok(ParsedRow::Refused(NO_TIME));
            }
        }
        // The message rate has more digits than the bandwidth.
        if let Some(time) = time_by_messages.filter(|time| is_time(*time)) {
            row.times.retain(|(statistic, _)| *statistic != Statistic::Mean);
            row.times.push((Statistic::Mean, Micros(time)));
        }
        Ok(if row.times.is_empty() { ParsedRow::Refused(NO_TIME) } else { ParsedRow::Row(row) })
    }
}

impl Column {
    fn named(name: String) -> Self {
        match name.as_str() {
            "Size" => return Column::Bytes,
            "Avg Latency(us)" | "Latency (us)" | "Latency(us)" | "Avg Lat(us)"
            | "Pure Comm.(us)" => return Column::Time(Statistic::Mean),
            "Min Latency(us)" | "Min Comm.(us)" => {
                return Column::Time(Statistic::MinimumOverRanks);
            }
            "Max Latency(us)" | "Max Comm.(us)" => {
                return Column::Time(Statistic::MaximumOverRanks);
            }
            "Bandwidth (MB/s)" | "MB/s" => return Column::Rate(Statistic::Mean),
            "Messages/s" => return Column::Messages,
            "Iterations" => return Column::Iterations,
            "Validation" => return Column::Validation,
            _ => {}
        }
        let percent = |unit: &str| {
            let percent = name.strip_prefix('P')?.strip_suffix(unit)?.trim().parse::<u8>().ok()?;
            (1..100).contains(&percent).then_some(percent)
        };
        let statistic = |percent| match percent {
            50 => Statistic::Median,
            other => Statistic::Percentile(other),
        };
        if let Some(percent) = percent("Tail Lat(us)") {
            return Column::Time(statistic(percent));
        }
        // The p-th percentile of rates is the (100 − p)-th percentile of times.
        if let Some(percent) = percent("Tail BW(MB/s)") {
            return Column::Rate(statistic(100 - percent));
        }
        Column::Other(name)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    fn row(header: &str, text: &str) -> Vec<(Statistic, f64)> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match Columns::of(header).unwrap().row(&words, 1.0).unwrap() {
            ParsedRow::Row(row) => {
                row.times.iter().map(|(statistic, time)| (*statistic, time.0)).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn names_end_with_their_units() {
        use Statistic::{MaximumOverRanks, Mean, Median, MinimumOverRanks, Percentile};
        let full = "Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations";
        assert_eq!(
            row(full, "4 9.5 8.5 10.5 200"),
            [(Mean, 9.5), (MinimumOverRanks, 8.5), (MaximumOverRanks, 10.5)]
        );
        // A single space between the last two names.
        let tail =
            "Size      Bandwidth (MB/s)        Validation P50 Tail BW(MB/s) P99 Tail BW(MB/s)";
        assert_eq!(
            row(tail, "8 4.0 Pass 2.0 8.0"),
            [(Mean, 2.0), (Median, 4.0), (Percentile(1), 1.0)]
        );
        let mbw_mr = "Size                  MB/s        Messages/s";
        assert_eq!(row(mbw_mr, "1 6.55 6400000.00"), [(Mean, 0.15625)]);
        let overlap = "Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)";
        assert_eq!(row(overlap, "35.5 12.2 11.0 0.0"), [(Mean, 11.0)]);
        let columns = Columns::of(overlap).unwrap();
        assert_eq!(columns.unused_names(), ["Overall(us)", "Compute(us)", "Overlap(%)"]);
        assert_eq!(Columns::of("Overall = Coll. Init + Compute + MPI_Test + MPI_Wait"), None);
        assert_eq!(Columns::of("[ pairs: 2 ] [ window size: 64 ]"), None);
    }
}
