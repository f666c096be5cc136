//! Helpers for the tests of several readers.

use super::{File, Trace};
use loggia_files::Bytes;
use loggia_trace::call::{Call, List};

pub(crate) fn file(name: &str, bytes: &(impl AsRef<[u8]> + ?Sized)) -> File {
    File { name: name.to_owned(), bytes: Bytes::new(bytes.as_ref().to_vec()) }
}

/// A call as text.
pub(super) fn shown(call: Call) -> String {
    format!("{call:?}")
}

/// Calls of a rank as text, with gap and duration in nanoseconds.
pub(super) fn calls(trace: &Trace, rank: usize) -> Vec<(u64, u64, String)> {
    trace.ranks[rank]
        .records()
        .map(|record| (record.gap, record.duration, shown(record.call)))
        .collect()
}

/// Calls of a rank as text, without their times.
pub(super) fn words(trace: &Trace, rank: usize) -> Vec<String> {
    trace.ranks[rank].records().map(|record| shown(record.call)).collect()
}

/// Bytes to or from each rank.
pub(super) fn list(bytes: &'static [u64]) -> List<'static> {
    List::new(Box::leak(Box::default()), bytes.iter().copied())
}

/// Whether the stated number of records of every rank can be read.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn is_sound(trace: &Trace) -> bool {
    trace.ranks.iter().all(|rank| {
        let mut records = rank.records();
        records.by_ref().count() as u64 == rank.records && records.flaw().is_none()
    })
}

/// Whether every rank's trace is complete.
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn is_whole(trace: &Trace) -> bool {
    trace.ranks.iter().all(|rank| rank.end == loggia_trace::file::End::Whole)
}
