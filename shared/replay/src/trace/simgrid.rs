//! SimGrid's time-independent traces: messages and amounts of computation of each rank, without
//! times.
//!
//! ```text
//! 0 init                    the rank, its action, the arguments
//! 0 compute 5e6             floating-point operations
//! 0 isend 1 7 1000 0        to, tag, count, datatype (a number; 0 is MPI_DOUBLE)
//! 0 wait 0 1 7              from, to, tag
//! 0 allreduce 10 500 0      count, operations, datatype
//! 0 finalize
//! ```
//!
//! One file holds all ranks, or each rank has its own file; a list may name the files, one per
//! line. Calls take no time here. Computation, also that of reductions, becomes a gap by a given
//! speed. All operations are among all ranks, as in SimGrid.
//!
//! | file | content |
//! |---|---|
//! | `action`, `collective` | parser of a line |
//! | `datatype` | sizes of datatypes |
//! | `files` | assignment of files to ranks |
//! | `open_by_message` | requests that a wait completes |
//! | `write` | the records |

mod action;
mod collective;
mod datatype;
mod files;
mod open_by_message;
#[cfg(test)]
mod tests;
mod write;

use super::error::{LineError, TraceError};
use super::text::Lines;
use super::{File, Rank, Source, Trace};
use action::{LineContext, Tokens};
use files::TraceFiles;
use write::Writer;

/// Whether a file with this beginning is a SimGrid trace.
pub fn looks_like(begin: &[u8]) -> bool {
    Lines::new(begin)
        .find(|line| !line.is_silent())
        .is_some_and(|line| action::is_action_line(line.bytes))
}

/// Reads a list with the files that it names, or the files alone. `speed` is the ranks' speed in
/// floating-point operations per µs.
pub fn read(name: &str, files: Vec<File>, speed: f64) -> Result<Trace, TraceError> {
    if !(speed.is_finite() && speed > 0.0) {
        return Err(TraceError::Speed { trace: name.to_owned(), speed });
    }
    let TraceFiles { files, ranks, has_tests, mut warnings } = files::find(name, files)?;
    let size = u32::try_from(ranks.len()).unwrap_or(u32::MAX);
    let mut writers: Vec<Writer> = (0..size).map(|rank| Writer::new(rank, speed)).collect();
    if has_tests {
        each_line(&files, &mut warnings, |words| {
            let rank = words.rank()?;
            let of = LineContext { rank, ranks: size, default: 1 };
            writers[rank as usize].survey(&words.action(of)?);
            Ok(())
        })?;
        warnings.clear();
        for writer in &mut writers {
            writer.begin_again();
        }
    }
    each_line(&files, &mut warnings, |words| {
        let rank = words.rank()?;
        let writer = &mut writers[rank as usize];
        let action = words.action(LineContext { rank, ranks: size, default: writer.default })?;
        writer.write(&action, words)
    })?;
    let mut read = Vec::with_capacity(writers.len());
    let mut notes = write::Notes::default();
    for (writer, file) in writers.into_iter().zip(ranks) {
        notes.add(&writer);
        let of_rank = &files[file.file];
        let rank_name = match file.is_shared {
            true => format!("{}, rank {}", of_rank.name, writer.rank),
            false => of_rank.name.clone(),
        };
        read.push(Rank::of_records(rank_name, writer.finish(), 0));
    }
    warnings.extend(notes.warnings(name));
    let (name, source) = (name.to_owned(), Source::SimGrid);
    Ok(Trace { name, source, library: None, ranks: read, warnings })
}

/// Calls `each` for the lines of all files.
fn each_line(
    files: &[File],
    warnings: &mut Vec<String>,
    mut each: impl FnMut(&mut Tokens) -> Result<(), LineError>,
) -> Result<(), TraceError> {
    for file in files {
        for line in Lines::new(&file.bytes).filter(|line| !line.is_silent()) {
            match each(&mut Tokens::new(line)) {
                Ok(()) => {}
                Err(_) if line.is_cut && line.number > 1 => {
                    warnings
                        .push(format!("{}:{}: the file is cut off here", file.name, line.number));
                }
                Err(error) => return Err(error.in_file(&file.name)),
            }
        }
    }
    Ok(())
}
