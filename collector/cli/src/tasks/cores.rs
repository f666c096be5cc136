//! Runs tasks on the cores of this machine.

use super::{Outcome, Queue, RunTask, WorkerPool};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, scope};

/// Runs these tasks; `report` gets each outcome, in any order.
///
/// # Errors
/// The first error of `report`; no further task is started then.
pub(crate) fn lead<'a, E>(
    tasks: &[usize],
    pool: &WorkerPool<impl Fn() -> RunTask<'a> + Sync>,
    mut report: impl FnMut(Outcome) -> Result<(), E>,
) -> Result<(), E> {
    let queue = Queue::new(tasks.iter().copied());
    scope(|scope| {
        let all = begin(scope, &queue, pool, tasks.len());
        let reported = all.into_iter().try_for_each(&mut report);
        queue.close();
        reported
    })
}

/// Starts the threads, at most one per task.
pub(super) fn begin<'scope, 'a>(
    scope: &'scope Scope<'scope, '_>,
    queue: &'scope Queue,
    pool: &'scope WorkerPool<impl Fn() -> RunTask<'a> + Sync>,
    tasks: usize,
) -> Receiver<Outcome> {
    let (sender, outcomes) = channel();
    for _ in 0..pool.threads.min(tasks) {
        let sender: Sender<Outcome> = sender.clone();
        scope.spawn(move || {
            let mut run = (pool.begin)();
            while let Some(task) = queue.next() {
                let text = run(task);
                if sender.send(Outcome { task, text }).is_err() {
                    break;
                }
            }
        });
    }
    outcomes
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn run(of: impl FnMut(usize) -> String + 'static) -> RunTask<'static> {
        Box::new(of)
    }

    #[test]
    fn each_task_runs_once_with_any_number_of_threads() {
        let tasks: Vec<usize> = (0..100).filter(|task| task % 3 > 0).collect();
        for threads in [1, 2, 7] {
            let pool = WorkerPool { threads, begin: || run(|task| format!("{task}²")) };
            let mut outcomes = Vec::new();
            let reported = lead(&tasks, &pool, |outcome: Outcome| {
                assert_eq!(outcome.text, format!("{}²", outcome.task));
                outcomes.push(outcome.task);
                Ok::<_, ()>(())
            });
            reported.unwrap();
            outcomes.sort_unstable();
            assert_eq!(outcomes, tasks);
        }
    }

    #[test]
    fn no_task_starts_after_an_error() {
        let tasks: Vec<usize> = (0..1000).collect();
        let pool = WorkerPool { threads: 1, begin: || run(|task| task.to_string()) };
        let mut reported = 0;
        let stopped = lead(&tasks, &pool, |_| {
            reported += 1;
            if reported < 3 { Ok(()) } else { Err("full") }
        });
        assert_eq!((stopped, reported), (Err("full"), 3));
    }
}
