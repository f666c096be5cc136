//! Runs independent tasks on the cores of this machine or the ranks of an MPI program. The result of
//! a task is a text that does not depend on where it ran.
//!
//! | file | contents |
//! |---|---|
//! | `cores` | a pool of threads over a shared queue |
//! | `ranks` | rank 0 hands out tasks; the other ranks request them |
//! | `checkpoint` | finished tasks in a file, to resume from |

mod checkpoint;
mod cores;
#[cfg(feature = "mpi")]
mod ranks;

pub(crate) use checkpoint::Checkpoint;
pub(crate) use cores::lead as over_cores;
#[cfg(feature = "mpi")]
pub(crate) use ranks::{dismiss, follow, lead as over_ranks};

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The number of a task, and its result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) task: usize,
    pub(crate) text: String,
}

/// Runs the task of a given number.
pub(crate) type RunTask<'a> = Box<dyn FnMut(usize) -> String + 'a>;

pub(crate) struct WorkerPool<B> {
    pub(crate) threads: usize,
    /// Called once per thread; its result runs the tasks of that thread.
    pub(crate) begin: B,
}

/// Tasks not started yet.
struct Queue(Mutex<VecDeque<usize>>);

impl Queue {
    fn new(tasks: impl IntoIterator<Item = usize>) -> Self {
        Queue(Mutex::new(tasks.into_iter().collect()))
    }

    fn take(&self, max: usize) -> Vec<usize> {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = max.min(tasks.len());
        tasks.drain(..count).collect()
    }

    fn next(&self) -> Option<usize> {
        self.take(1).pop()
    }

    /// Drops all remaining tasks.
    fn close(&self) {
        self.take(usize::MAX);
    }
}
