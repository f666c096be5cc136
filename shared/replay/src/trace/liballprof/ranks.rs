//! Assignment of files to ranks.

use super::first_reading::FirstReading;
use crate::trace::Source;
use crate::trace::error::{MissingRanks, TraceError};
use crate::trace::text::unsigned;

/// Number of ranks, and the rank of each file.
pub(super) fn ranks(
    name: &str,
    files: &[String],
    first_readings: &[FirstReading],
) -> Result<(u32, Vec<u32>), TraceError> {
    let size = size(files, first_readings)?;
    let mut ranks = Vec::with_capacity(files.len());
    for (file, first_reading) in files.iter().zip(first_readings) {
        ranks.push(match first_reading.world {
            Some((rank, ..)) => rank,
            None if size == 1 => 0,
            None => in_name(file)
                .filter(|rank| *rank < size)
                .ok_or_else(|| TraceError::UnknownRank { file: file.clone() })?,
        });
    }
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|file| ranks[*file]);
    for pair in order.windows(2) {
        if ranks[pair[0]] == ranks[pair[1]] {
            let (rank, source) = (ranks[pair[0]], Source::Liballprof);
            let (first, file) = (files[pair[0]].clone(), files[pair[1]].clone());
            return Err(TraceError::RepeatedRank { rank, file, first, source });
        }
    }
    if files.len() as u64 != u64::from(size) {
        let first = (0..size).filter(|rank| !ranks.contains(rank)).take(9).collect();
        let of = u64::from(size);
        let missing = MissingRanks { count: of - files.len() as u64, first, of };
        let (trace, source) = (name.to_owned(), Source::Liballprof);
        return Err(TraceError::MissingRanks { trace, missing, source });
    }
    Ok((size, ranks))
}

/// Number of ranks according to the files.
fn size(files: &[String], first_readings: &[FirstReading]) -> Result<u32, TraceError> {
    let mut known: Option<(u32, &str)> = None;
    for (file, first_reading) in files.iter().zip(first_readings) {
        let Some((_, size, line)) = first_reading.world else { continue };
        match known {
            None => known = Some((size, file)),
            Some((before, _)) if before == size => {}
            Some((other_size, other)) => {
                let (file, other) = (file.clone(), other.to_owned());
                let line = line as u64;
                return Err(TraceError::WorldSizes { file, line, size, other, other_size });
            }
        }
    }
    let files = u32::try_from(files.len()).unwrap_or(u32::MAX);
    Ok(known.map_or(files, |(size, _)| size))
}

/// The last number in a file's name; a number in the extension counts only if there is no other.
fn in_name(path: &str) -> Option<u32> {
    let name = path.rsplit(['/', '\\']).next()?;
    let last = |text: &str| {
        let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
        let begin = text[..end].rfind(|c: char| !c.is_ascii_digit());
        let begin = begin.map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        u32::try_from(unsigned(&text.as_bytes()[begin..end])?).ok()
    };
    name.rsplit_once('.').and_then(|(stem, _)| last(stem)).or_else(|| last(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_a_rank() {
        let cases = [
            ("pmpi-trace-rank-07.txt", Some(7)),
            ("run-3/trace-12.mp3", Some(12)),
            ("trace.4", Some(4)),
            ("é5é", Some(5)),
            ("run 2/trace.txt", None),
            ("99999999999.txt", None),
            ("", None),
        ];
        for (name, rank) in cases {
            assert_eq!(in_name(name), rank, "{name}");
        }
    }
}
