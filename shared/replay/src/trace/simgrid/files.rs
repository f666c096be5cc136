//! Assignment of files to ranks.

use super::action::{self, Tokens};
use crate::trace::Source;
use crate::trace::error::{LineMistake, MissingRanks, TraceError};
use crate::trace::text::{Lines, few, show};
use loggia_files::File;
use rustc_hash::FxHashMap;

/// The files of a trace, with the lines of each rank.
pub(super) struct TraceFiles {
    pub(super) files: Vec<File>,
    /// The file of each rank.
    pub(super) ranks: Vec<RankLines>,
    /// Whether any rank tests for requests.
    pub(super) has_tests: bool,
    pub(super) warnings: Vec<String>,
}

/// The file with a rank's lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankLines {
    pub(super) file: usize,
    /// Whether the file also has lines of other ranks.
    pub(super) is_shared: bool,
}

/// Assigns the files of a list, or all files if there is no list, to ranks.
pub(super) fn find(name: &str, files: Vec<File>) -> Result<TraceFiles, TraceError> {
    let mut warnings = Vec::new();
    let files = listed(files, &mut warnings)?;
    let mut has_tests = false;
    let mut by_rank: FxHashMap<u32, usize> = FxHashMap::default();
    let mut rank_counts = vec![0usize; files.len()];
    for (index, file) in files.iter().enumerate() {
        let mut before = None;
        for line in Lines::new(&file.bytes).filter(|line| !line.is_silent()) {
            let mut words = Tokens::new(line);
            let rank = match words.rank() {
                Ok(rank) => rank,
                Err(_) if line.is_cut && line.number > 1 => break,
                Err(error) => return Err(error.in_file(&file.name)),
            };
            has_tests |= words.next().is_some_and(|word| word.eq_ignore_ascii_case(b"test"));
            if before != Some(rank) {
                before = Some(rank);
                let first = *by_rank.entry(rank).or_insert_with(|| {
                    rank_counts[index] += 1;
                    index
                });
                if first != index {
                    let other = files[first].name.clone();
                    let mistake = LineMistake::InAnotherFile { rank, file: other };
                    return Err(line.error(Source::SimGrid, 0, mistake).in_file(&file.name));
                }
            }
        }
    }
    let size = by_rank.keys().max().map_or(0, |last| u64::from(*last) + 1);
    if size == 0 {
        return Err(TraceError::Empty { trace: name.to_owned(), source: Some(Source::SimGrid) });
    }
    let is_present = |rank| by_rank.contains_key(&rank);
    if let Some(missing) = MissingRanks::among(size, by_rank.len(), is_present) {
        let (trace, source) = (name.to_owned(), Source::SimGrid);
        return Err(TraceError::MissingRanks { trace, missing, source });
    }
    let place = |rank: u32| {
        let file = by_rank[&rank];
        RankLines { file, is_shared: rank_counts[file] > 1 }
    };
    let ranks = (0..).take(by_rank.len()).map(place).collect();
    Ok(TraceFiles { files, ranks, has_tests, warnings })
}

/// Removes the list, and the files that it does not name.
fn listed(mut files: Vec<File>, warnings: &mut Vec<String>) -> Result<Vec<File>, TraceError> {
    let Some(at) = files.iter().position(|file| is_list(&file.bytes)) else { return Ok(files) };
    let list = files.remove(at);
    let mut named: Vec<Option<File>> = Vec::new();
    let mut rest: Vec<Option<File>> = files.into_iter().map(Some).collect();
    let by_name: FxHashMap<String, usize> = rest
        .iter()
        .enumerate()
        .filter_map(|(index, file)| Some((last_part(&file.as_ref()?.name).to_owned(), index)))
        .collect();
    for line in Lines::new(&list.bytes).filter(|line| !line.is_silent()) {
        let path = String::from_utf8_lossy(line.bytes.trim_ascii());
        let file = by_name.get(last_part(&path)).and_then(|index| rest[*index].take());
        if file.is_none() {
            let path = show(line.bytes.trim_ascii());
            let mistake = LineMistake::NotListedOnce { path };
            return Err(line.error(Source::SimGrid, 0, mistake).in_file(&list.name));
        }
        named.push(file);
    }
    let left: Vec<String> = rest.into_iter().flatten().map(|file| file.name).collect();
    if !left.is_empty() {
        let left = few(left.into_iter());
        warnings
            .push(format!("{}: files that are not in this list are not read: {left}", list.name));
    }
    Ok(named.into_iter().flatten().collect())
}

/// Whether a file is a list: one word per line, and the first line has no rank.
fn is_list(text: &[u8]) -> bool {
    let first = Lines::new(text).find(|line| !line.is_silent());
    first.is_some_and(|line| {
        let line = line.bytes.trim_ascii();
        let is_number = crate::trace::text::unsigned(line).is_some();
        !action::is_action_line(line) && !is_number && !line.iter().any(u8::is_ascii_whitespace)
    })
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
