//! A plain table: CSV with commas, semicolons or tabs, a header of known columns, and one measured
//! time in each row.
//!
//! | column | meaning |
//! |---|---|
//! | `op` | a collective operation, or `p2p` (RTT/2); without the column, all are `p2p` |
//! | `ranks`, `per_node` | number of ranks, and number of ranks per node |
//! | `pairs` | for `p2p`: number of concurrent pairs of ranks |
//! | `bytes` | the size, as OSU defines it, or according to `bytes_are` |
//! | `time_us` | the time |
//! | `low_us`, `high_us` | an interval of the time |
//! | `tier`, `mode` | tier and send mode of the messages |
//!
//! Lines that begin with `#` are comments; they become the source. A wrong row is an error, since
//! the author of the table can correct it.

use super::reader::{LineOutcome, Out, Reader};
use super::table::{MAX_BYTES, is_time};
use super::tier::TierName;
use super::{BenchmarkKind, Run, Tool};
use crate::error::{ColumnMistake, ImportError};
use csv::{ReaderBuilder, StringRecord, Trim};
use loggia_model::Error;
use loggia_model::csv::separator;
use loggia_model::signature::{BytesAre, Operation, Statistic};
use loggia_model::units::{Bytes, Micros, Procs};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// Maximum number of comments; maximum lengths of a comment and of the title.
const MAX_COMMENTS: usize = 32;
const LONGEST_COMMENT: usize = 300;
const LONGEST_TITLE: usize = 60;

/// A line with this many known columns is a header, even without the time.
const CLEARLY_A_TABLE: usize = 3;

/// The fact that holds the comments.
pub(super) const SOURCE: &str = "source";

#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
enum Column {
    Op,
    Ranks,
    PerNode,
    Pairs,
    Bytes,
    TimeUs,
    LowUs,
    HighUs,
    Tier,
    Mode,
    BytesAre,
}

impl Column {
    fn name(self) -> &'static str {
        self.into()
    }

    fn names() -> impl Iterator<Item = &'static str> {
        Column::VARIANTS.iter().map(|column| column.name())
    }

    fn error(self, mistake: ColumnMistake) -> Error {
        ImportError::Column { column: self.name(), mistake }.into()
    }
}

/// The columns of a header, in order; `None` for an unknown column.
struct Header {
    delimiter: u8,
    names: Vec<String>,
    columns: Vec<Option<Column>>,
}

impl Header {
    /// Reads a line, if it is a header.
    fn of(text: &str) -> Option<Self> {
        Header::split(text).filter(|header| {
            let has_time = header.find(Column::TimeUs).is_some();
            let known = header.known();
            has_time && known > 1 || known >= CLEARLY_A_TABLE
        })
    }

    /// The cells of a line, if it has several.
    fn split(text: &str) -> Option<Self> {
        let delimiter = separator(text);
        if text.starts_with('#') || !text.contains(delimiter) {
            return None;
        }
        let delimiter = u8::try_from(delimiter).ok()?;
        let names: Vec<String> =
            cells(text, delimiter).ok()?.iter().map(str::to_ascii_lowercase).collect();
        let columns = names.iter().map(|name| name.parse().ok()).collect();
        Some(Header { delimiter, names, columns })
    }

    /// Number of known columns.
    fn known(&self) -> usize {
        self.columns.iter().flatten().count()
    }

    fn find(&self, column: Column) -> Option<usize> {
        self.columns.iter().position(|known| *known == Some(column))
    }

    fn check(&self) -> Result<(), Error> {
        for column in Column::VARIANTS {
            if self.columns.iter().filter(|known| **known == Some(*column)).count() > 1 {
                return Err(column.error(ColumnMistake::Repeated));
            }
        }
        for column in [Column::TimeUs, Column::Bytes] {
            if self.find(column).is_none() {
                let known = Column::names().collect();
                return Err(column.error(ColumnMistake::Missing { known }));
            }
        }
        Ok(())
    }

    fn unknown(&self) -> Vec<&str> {
        let all = self.names.iter().zip(&self.columns);
        all.filter(|(_, column)| column.is_none()).map(|(name, _)| name.as_str()).collect()
    }
}

/// The cells of a line.
fn cells(text: &str, delimiter: u8) -> Result<StringRecord, Error> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .trim(Trim::All)
        .buffer_capacity(text.len() + 1)
        .from_reader(text.as_bytes());
    let mut record = StringRecord::new();
    reader
        .read_record(&mut record)
        .map_err(|error| ImportError::InvalidRow { reason: error.to_string() })?;
    Ok(record)
}

/// Returns a reader if the line is a header of a plain table.
pub(super) fn detect(text: &str) -> Option<Box<dyn Reader>> {
    let header = Header::of(text.trim_start_matches([' ', '\u{feff}']))?;
    Some(Box::new(PlainTable { header, line: 0, comments: Vec::new(), runs: Vec::new() }))
}

/// Why a line is no header of a plain table, although it names a column of one.
pub(super) fn unknown_header(text: &str) -> Option<String> {
    let header = Header::split(text.trim_start_matches([' ', '\u{feff}']))?;
    if header.known() == 0 || !header.names.iter().all(|name| is_column(name)) {
        return None;
    }
    let known = Column::names().collect::<Vec<_>>().join(", ");
    let mistake = match header.unknown().as_slice() {
        [] => "the header lacks the column time_us".to_owned(),
        [name] => format!("unknown column {name}"),
        names => format!("unknown columns {}", names.join(", ")),
    };
    Some(format!("{mistake}; known: {known}"))
}

/// Whether a cell can be the name of a column.
fn is_column(cell: &str) -> bool {
    cell.len() <= 40
        && cell.starts_with(char::is_alphabetic)
        && cell.chars().all(|c| c.is_alphanumeric() || "_-. ()[]/%".contains(c))
}

/// The properties shared by the rows of a run.
#[derive(Clone, PartialEq)]
struct RunKey {
    kind: BenchmarkKind,
    ranks: Option<u32>,
    per_node: Option<u32>,
    tier: Option<TierName>,
    mode: Option<String>,
}

struct PlainTable {
    header: Header,
    /// Line of the header.
    line: u64,
    comments: Vec<String>,
    runs: Vec<(RunKey, usize)>,
}

impl Reader for PlainTable {
    fn begin(&mut self, _text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        self.line = out.line;
        self.header.check()?;
        let unknown = self.header.unknown();
        if !unknown.is_empty() {
            out.unused_columns(&unknown.join(", "));
        }
        Ok(LineOutcome::Known)
    }

    fn takes_comments(&mut self, comments: &[(u64, String)]) -> bool {
        comments.iter().for_each(|(_, comment)| self.comment(comment));
        true
    }

    fn ends_anywhere(&self) -> bool {
        true
    }

    fn line(&mut self, text: &str, out: &mut Out) -> Result<LineOutcome, Error> {
        if text.trim().is_empty() {
            return Ok(LineOutcome::Known);
        }
        if text.trim_start().starts_with('#') {
            self.comment(text);
            return Ok(LineOutcome::Known);
        }
        let cells = cells(text, self.header.delimiter)?;
        if cells.len() != self.header.columns.len() {
            let (cells, columns) = (cells.len(), self.header.columns.len());
            return Err(ImportError::RowLength { cells, columns }.into());
        }
        let row = Row { header: &self.header, cells };
        let key = row.key()?;
        let bytes = row.bytes(&key.kind)?;
        let time =
            row.time(Column::TimeUs)?.ok_or_else(|| Column::TimeUs.error(ColumnMistake::NoTime))?;
        let bounds = row.bounds(time)?;
        let run = self.run(key, out);
        for (statistic, time) in [(Statistic::Reported, Some(time))].into_iter().chain(bounds) {
            if let Some(time) = time {
                out.row_of(run, bytes, Micros(time), statistic);
            }
        }
        Ok(LineOutcome::Row)
    }

    fn end(&mut self, out: &mut Out) {
        if self.runs.is_empty() {
            out.leave_out_line(self.line, "this table has a header, but no row");
        }
        let Some(first) = self.comments.first() else { return };
        let mut title: String = first.chars().take(LONGEST_TITLE).collect();
        if title.len() < first.len() {
            title = format!("{}…", title.trim_end());
        }
        let source = self.comments.join("; ");
        for (_, run) in &self.runs {
            if let Some(run) = out.nth(*run) {
                run.benchmark.clone_from(&title);
                run.facts.push((SOURCE, source.clone()));
            }
        }
    }
}

impl PlainTable {
    fn comment(&mut self, text: &str) {
        let text = text.trim().trim_start_matches('#').trim();
        if !text.is_empty() && self.comments.len() < MAX_COMMENTS {
            let plain = text.chars().filter(|c| !c.is_control()).take(LONGEST_COMMENT);
            self.comments.push(plain.collect());
        }
    }

    fn run(&mut self, key: RunKey, out: &mut Out) -> usize {
        if let Some((_, run)) = self.runs.iter().find(|(known, _)| *known == key) {
            return *run;
        }
        let run = Run {
            procs: key.ranks.map(Procs),
            per_node: key.per_node,
            tier: key.tier.clone(),
            style: key.mode.clone(),
            ..Run::new(Tool::PlainTable, "", key.kind.clone())
        };
        let run = out.run(run);
        self.runs.push((key, run));
        run
    }
}

struct Row<'a> {
    header: &'a Header,
    cells: StringRecord,
}

impl Row<'_> {
    /// A cell; `None` if it is empty or the column is missing.
    fn cell(&self, column: Column) -> Option<&str> {
        let cell = self.cells.get(self.header.find(column)?)?;
        Some(cell).filter(|cell| !cell.is_empty())
    }

    fn count(&self, column: Column) -> Result<Option<u32>, Error> {
        let count = |cell: &str| match cell.parse::<u32>() {
            Ok(count) if count > 0 => Ok(count),
            _ => Err(column.error(ColumnMistake::NotACount(cell.to_owned()))),
        };
        self.cell(column).map(count).transpose()
    }

    fn time(&self, column: Column) -> Result<Option<f64>, Error> {
        let time = |cell: &str| match cell.parse::<f64>() {
            Ok(time) if is_time(time) => Ok(time),
            _ => Err(column.error(ColumnMistake::NotATime(cell.to_owned()))),
        };
        self.cell(column).map(time).transpose()
    }

    /// The interval of a time.
    fn bounds(&self, time: f64) -> Result<[(Statistic, Option<f64>); 2], Error> {
        let bound = |column: Column, is_beyond: fn(f64, f64) -> bool| {
            let bound = self.time(column)?;
            match bound.filter(|bound| is_beyond(*bound, time)) {
                None => Ok(bound),
                Some(_) => Err(column.error(ColumnMistake::OutsideInterval { time })),
            }
        };
        let (low, high) = (
            bound(Column::LowUs, |low, time| low > time)?,
            bound(Column::HighUs, |high, time| high < time)?,
        );
        Ok([(Statistic::Low, low), (Statistic::High, high)])
    }

    fn bytes(&self, kind: &BenchmarkKind) -> Result<Option<Bytes>, Error> {
        let is_barrier = *kind == BenchmarkKind::collective("barrier".to_owned(), false, false);
        match self.cell(Column::Bytes) {
            _ if is_barrier => Ok(None),
            Some(cell) => {
                let bytes = cell.parse().ok().filter(|bytes: &Bytes| bytes.0 <= MAX_BYTES);
                bytes
                    .map(Some)
                    .ok_or_else(|| Column::Bytes.error(ColumnMistake::NotASize(cell.to_owned())))
            }
            None => Err(Column::Bytes.error(ColumnMistake::NoSize)),
        }
    }

    fn key(&self) -> Result<RunKey, Error> {
        let (ranks, pairs) = (self.count(Column::Ranks)?, self.count(Column::Pairs)?);
        let op =
            match self.cell(Column::Op) {
                None if self.header.find(Column::Op).is_some() => {
                    return Err(Column::Op.error(ColumnMistake::NoOperation));
                }
                None | Some("p2p" | "P2P") => None,
                Some(name) => Some(Operation::named(name).map_err(|_| {
                    Column::Op.error(ColumnMistake::UnknownOperation(name.to_owned()))
                })?),
            };
        let key = RunKey {
            kind: BenchmarkKind::Message,
            ranks,
            per_node: self.count(Column::PerNode)?,
            tier: self.tier()?,
            mode: None,
        };
        match op {
            None => self.message(key, ranks, pairs),
            Some(op) => self.collective(key, op, pairs),
        }
    }

    fn message(
        &self,
        key: RunKey,
        ranks: Option<u32>,
        pairs: Option<u32>,
    ) -> Result<RunKey, Error> {
        let expected_ranks = u64::from(pairs.unwrap_or(1)) * 2;
        if let Some(ranks) = ranks.filter(|ranks| u64::from(*ranks) != expected_ranks) {
            return Err(Column::Ranks.error(ColumnMistake::RanksOfMessage { ranks, pairs }));
        }
        let kind = match pairs {
            None | Some(1) => BenchmarkKind::Message,
            pairs => BenchmarkKind::ConcurrentMessage { pairs },
        };
        let mode = self.cell(Column::Mode).map(str::to_ascii_lowercase);
        if let Some(mode) = mode.as_deref().filter(|mode| !is_name(mode)) {
            return Err(Column::Mode.error(ColumnMistake::NotASendMode(mode.to_owned())));
        }
        Ok(RunKey { kind, mode, ranks: None, ..key })
    }

    fn collective(&self, key: RunKey, op: Operation, pairs: Option<u32>) -> Result<RunKey, Error> {
        if pairs.is_some() {
            return Err(Column::Pairs.error(ColumnMistake::PairsOfCollective(op)));
        }
        if key.ranks == Some(1) {
            return Err(Column::Ranks.error(ColumnMistake::OneRank(op)));
        }
        let bytes_are = match self.cell(Column::BytesAre) {
            None => op.bytes_are(),
            Some(name) => self.bytes_are(op, name)?,
        };
        let (is_nonblocking, on_gpus) = match self.cell(Column::Mode) {
            None => (false, false),
            Some("nonblocking") => (true, false),
            Some("gpus") => (false, true),
            Some(mode) => {
                let mode = mode.to_owned();
                return Err(Column::Mode.error(ColumnMistake::ModeOfCollective { op, mode }));
            }
        };
        let (op, bytes_are) = (Some(op.name().to_owned()), Some(bytes_are));
        let kind = BenchmarkKind::Collective { op, bytes_are, is_nonblocking, on_gpus };
        Ok(RunKey { kind, ..key })
    }

    fn bytes_are(&self, op: Operation, name: &str) -> Result<BytesAre, Error> {
        let known = BytesAre::named(name).ok().filter(|known| op.counts().contains(known));
        known.ok_or_else(|| {
            let count = name.to_owned();
            Column::BytesAre.error(ColumnMistake::BytesOfCollective { op, count })
        })
    }

    fn tier(&self) -> Result<Option<TierName>, Error> {
        let named = |cell: &str| TierName::parse(cell).map_err(|error| error.at("column tier"));
        self.cell(Column::Tier).map(named).transpose()
    }
}

/// Whether the text can be the name of a send mode.
fn is_name(text: &str) -> bool {
    text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
