//! Information that files lack, given by the user.

use super::reader::Read;
use super::run::Run;
use super::tier::TierName;
use crate::error::{ImportError, Incomplete};
use loggia_model::Error;
use loggia_model::error::{Input, Place};
use loggia_model::signature::Operation;
use serde::{Deserialize, Serialize};

/// A value given by the user: for one file, or for all files that lack it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerFile<T> {
    /// A part of the file name; or the end of `FILE:LINE`, as in a question; or, after `=`, the
    /// whole `FILE:LINE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub value: T,
}

impl<T> PerFile<T> {
    /// Reads `VALUE`, or `FILE=VALUE`.
    ///
    /// # Errors
    /// The error of the value's reader.
    pub fn parse(text: &str, value: impl Fn(&str) -> Result<T, Error>) -> Result<Self, Error> {
        match text.rsplit_once('=') {
            Some((file, rest)) if !file.is_empty() => {
                Ok(PerFile { file: Some(file.to_owned()), value: value(rest)? })
            }
            _ => Ok(PerFile { file: None, value: value(text)? }),
        }
    }

    /// A value for the run that starts at a line.
    pub fn at(file: &str, line: u64, value: T) -> Self {
        PerFile { file: Some(format!("={file}:{line}")), value }
    }

    fn applies_to(&self, run: &Run) -> bool {
        let Some(pattern) = &self.file else { return true };
        if let Some(whole) = pattern.strip_prefix('=') {
            return format!("{}:{}", run.file, run.line) == whole;
        }
        let has_line = pattern
            .rsplit_once(':')
            .is_some_and(|(_, line)| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()));
        match has_line {
            true => format!("{}:{}", run.file, run.line).ends_with(pattern.as_str()),
            false => run.file.contains(pattern.as_str()),
        }
    }
}

/// The value for a run: the last one for its file, else the last one for all.
pub(super) fn value_for<'a, T>(all: &'a [PerFile<T>], run: &Run) -> Option<&'a T> {
    let applicable = || all.iter().rev().filter(|value| value.applies_to(run));
    applicable()
        .find(|value| value.file.is_some())
        .or_else(|| applicable().next())
        .map(|value| &value.value)
}

/// Information given by the user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImportOptions {
    /// Number of ranks.
    pub ranks: Vec<PerFile<u32>>,
    /// Tier of the messages.
    pub tier: Vec<PerFile<TierName>>,
    /// Timed operation.
    pub op: Vec<PerFile<Operation>>,
    /// Number of nodes.
    pub nodes: Option<u32>,
    /// The signature's name.
    pub name: Option<String>,
    pub title: Option<String>,
    /// Host or hosts of the measurement.
    pub host: Option<String>,
    /// Date of the measurement.
    pub date: Option<String>,
    /// Whether to leave out runs with missing information.
    pub leaves_out: bool,
}

impl ImportOptions {
    /// The first value for one file that applies to no run. Values for a whole `FILE:LINE` are
    /// answers to questions, and their file may have been removed since.
    pub(super) fn unmatched(&self, read: &Read) -> Option<ImportError> {
        fn pattern<'a, T>(all: &'a [PerFile<T>], runs: &[Run]) -> Option<&'a str> {
            let unused = |value: &&PerFile<T>| !runs.iter().any(|run| value.applies_to(run));
            let mut patterns = all.iter().filter(unused).filter_map(|value| value.file.as_deref());
            patterns.find(|pattern| !pattern.starts_with('='))
        }
        let runs = &read.runs;
        let (input, pattern) = pattern(&self.ranks, runs)
            .map(|pattern| (Input::Ranks, pattern))
            .or_else(|| Some((Input::Tier, pattern(&self.tier, runs)?)))
            .or_else(|| Some((Input::Operation, pattern(&self.op, runs)?)))?;
        let mut files: Vec<String> = runs.iter().map(|run| run.file.clone()).collect();
        files.dedup();
        (!files.is_empty()).then(|| ImportError::NoFile {
            input,
            pattern: pattern.to_owned(),
            files,
        })
    }
}

/// A question to the user about information that a file lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    pub about: About,
    pub file: String,
    /// First line.
    pub line: u64,
    pub benchmark: String,
    /// The value suggested by the file's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perhaps: Option<String>,
}

/// The kind of missing information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// Number of ranks.
    Ranks,
    /// Timed operation.
    Operation,
}

impl About {
    /// The input for the answer.
    pub fn input(self) -> Input {
        match self {
            About::Ranks => Input::Ranks,
            About::Operation => Input::Operation,
        }
    }

    /// The missing information, as user-visible text.
    pub fn words(self) -> &'static str {
        match self {
            About::Ranks => "its number of ranks",
            About::Operation => "its operation",
        }
    }
}

impl Question {
    /// A question about a run.
    pub(super) fn of(run: &Run, about: About) -> Self {
        let name = run.file.rsplit(['/', '\\']).next().unwrap_or_default();
        let perhaps = match about {
            About::Ranks => ranks_in(name).map(|ranks| ranks.to_string()),
            About::Operation => operation_of_name(run).map(|op| op.name().to_owned()),
        };
        let (file, line, benchmark) = (run.file.clone(), run.line, run.name());
        Question { about, file, line, benchmark, perhaps }
    }

    /// One error for all questions: the first question and its remedy.
    pub fn unanswered(all: &[Question]) -> Option<ImportError> {
        let first = all.first()?;
        Some(ImportError::Incomplete(Incomplete {
            place: Place::line(first.line).in_file(&first.file),
            benchmark: first.benchmark.clone(),
            missing: first.about.words(),
            input: first.about.input(),
            guess: first.perhaps.clone(),
            similar: all.len() - 1,
        }))
    }
}

/// The number in front of `p`, `np`, `ranks` … in a file's name.
fn ranks_in(name: &str) -> Option<u32> {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let mut before = None;
    for word in words {
        let (digits, unit) =
            word.split_at(word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len()));
        let is_unit = |word: &str| matches!(word, "p" | "np" | "procs" | "ranks" | "r" | "n");
        if let Ok(count) = digits.parse::<u32>()
            && (is_unit(&unit.to_ascii_lowercase())
                || unit.is_empty() && before.is_some_and(is_unit))
        {
            return Some(count);
        }
        before = Some(word);
        // np4, p16
        let at = word.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
        if is_unit(&word[..at].to_ascii_lowercase())
            && let Ok(count) = word[at..].parse()
        {
            return Some(count);
        }
    }
    None
}

/// The operation in a file name, such as `all_reduce_perf.log`.
fn operation_in(name: &str) -> Option<Operation> {
    const OTHER_NAMES: [(&str, Operation); 4] = [
        ("broadcast", Operation::Bcast),
        ("all_reduce", Operation::Allreduce),
        ("all_gather", Operation::Allgather),
        ("all_to_all", Operation::Alltoall),
    ];
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let spelled: String = format!("_{name}_").chars().map(plain).collect();
    let names = Operation::ALL.iter().map(|op| (op.name(), *op)).chain(OTHER_NAMES);
    let has = |(name, _): &(&str, Operation)| spelled.contains(&format!("_{name}_"));
    // The longest name: all_reduce contains reduce.
    names.filter(has).max_by_key(|(name, _)| name.len()).map(|(_, op)| op)
}

/// The operation in the file name of a run.
pub(super) fn operation_of_name(run: &Run) -> Option<Operation> {
    operation_in(run.file.rsplit(['/', '\\']).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::run::{BenchmarkKind, Tool};
    use super::*;

    fn run(file: &str, line: u64) -> Run {
        let run = Run::new(Tool::Osu, "Latency Test", BenchmarkKind::Message);
        Run { file: file.to_owned(), line, ..run }
    }

    #[test]
    fn values_apply_to_their_files_only() {
        let number = |text: &str| Ok(text.parse::<u32>().unwrap());
        let values =
            ["4", "eight.txt=8", "all.txt:30=16"].map(|text| PerFile::parse(text, number).unwrap());
        assert_eq!(value_for(&values, &run("a/four.txt", 1)), Some(&4));
        assert_eq!(value_for(&values, &run("a/eight.txt", 1)), Some(&8));
        assert_eq!(value_for(&values, &run("all.txt", 30)), Some(&16));
        assert_eq!(value_for(&values, &run("all.txt", 301)), Some(&4));
        let exactly = [PerFile::at("x.txt", 2, 8u32)];
        assert_eq!(value_for(&exactly, &run("x.txt", 2)), Some(&8));
        assert_eq!(value_for(&exactly, &run("ax.txt", 2)), None);
        assert_eq!(value_for(&exactly, &run("a/x.txt", 2)), None);
    }

    #[test]
    fn file_names_suggest_values() {
        for (name, ranks) in [
            ("osu_allreduce-4p-short.txt", Some(4)),
            ("allreduce.np16.out", Some(16)),
            ("bcast_np_32.txt", Some(32)),
            ("osu-7.4-osu_latency.txt", None),
            ("nccl-tests-2.13fmt-all_reduce_perf-16xH100-doc.txt", None),
        ] {
            assert_eq!(ranks_in(name), ranks, "{name}");
        }
        let all_reduce = "nccl-tests-2.13fmt-all_reduce_perf-16xH100-doc.txt";
        assert_eq!(operation_in(all_reduce), Some(Operation::Allreduce));
        assert_eq!(operation_in("reduce_scatter_perf.log"), Some(Operation::ReduceScatter));
        assert_eq!(operation_in("broadcast-8.txt"), Some(Operation::Bcast));
        for name in ["x.txt", "reduced.txt", "sendrecv_perf.log"] {
            assert_eq!(operation_in(name), None, "{name}");
        }
    }
}
