//! Work in pieces that do not need each other: over the cores of this machine, and over the ranks of
//! an MPI program. What comes of a piece is a text, the same wherever it was found.
//!
//! | file | what it holds |
//! |---|---|
//! | `cores` | threads that take the next piece until none is left |
//! | `ranks` | rank 0 gives pieces to the others; these ask for more |
//! | `kept` | what was found so far, in a file: going on after an interruption |

mod cores;
mod kept;
#[cfg(feature = "mpi")]
mod ranks;

pub(crate) use cores::lead as over_cores;
pub(crate) use kept::Kept;
#[cfg(feature = "mpi")]
pub(crate) use ranks::{dismiss, follow, lead as over_ranks};

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// A piece by its number, and what came of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Found {
    pub(crate) piece: usize,
    pub(crate) text: String,
}

/// What answers pieces, one after the other.
pub(crate) type Answer<'a> = Box<dyn FnMut(usize) -> String + 'a>;

/// Who works: `begin` is called by each thread once, what it gives is called for each piece.
pub(crate) struct Workers<B> {
    /// How many threads, …
    pub(crate) threads: usize,
    /// … each with what it needs to begin.
    pub(crate) begin: B,
}

/// The pieces that nobody has begun.
struct Queue(Mutex<VecDeque<usize>>);

impl Queue {
    fn new(pieces: impl IntoIterator<Item = usize>) -> Self {
        Queue(Mutex::new(pieces.into_iter().collect()))
    }

    /// The next ones, at most so many.
    fn take(&self, most: usize) -> Vec<usize> {
        let mut pieces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let most = most.min(pieces.len());
        pieces.drain(..most).collect()
    }

    fn next(&self) -> Option<usize> {
        self.take(1).pop()
    }

    /// From now on there is nothing left.
    fn close(&self) {
        self.take(usize::MAX);
    }
}
