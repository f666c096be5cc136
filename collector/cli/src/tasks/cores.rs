//! Over the cores of this machine.

use super::{Answer, Found, Queue, Workers};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, scope};

/// Has threads work on these pieces; each that is done is told, in no order.
///
/// # Errors
/// The first that `tell` has: no other piece is begun then.
pub(crate) fn lead<'a, E>(
    pieces: &[usize],
    workers: &Workers<impl Fn() -> Answer<'a> + Sync>,
    mut tell: impl FnMut(Found) -> Result<(), E>,
) -> Result<(), E> {
    let queue = Queue::new(pieces.iter().copied());
    scope(|scope| {
        let all = begin(scope, &queue, workers, pieces.len());
        let told = all.into_iter().try_for_each(&mut tell);
        queue.close();
        told
    })
}

/// Threads that take the next piece until none is left, no more of them than there are pieces.
pub(super) fn begin<'scope, 'a>(
    scope: &'scope Scope<'scope, '_>,
    queue: &'scope Queue,
    workers: &'scope Workers<impl Fn() -> Answer<'a> + Sync>,
    pieces: usize,
) -> Receiver<Found> {
    let (sender, found) = channel();
    for _ in 0..workers.threads.min(pieces) {
        let sender: Sender<Found> = sender.clone();
        scope.spawn(move || {
            let mut answer = (workers.begin)();
            while let Some(piece) = queue.next() {
                let text = answer(piece);
                if sender.send(Found { piece, text }).is_err() {
                    break;
                }
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn answer(of: impl FnMut(usize) -> String + 'static) -> Answer<'static> {
        Box::new(of)
    }

    #[test]
    fn each_piece_is_done_once_by_any_number_of_threads() {
        let pieces: Vec<usize> = (0..100).filter(|piece| piece % 3 > 0).collect();
        for threads in [1, 2, 7] {
            let workers = Workers { threads, begin: || answer(|piece| format!("{piece}²")) };
            let mut found = Vec::new();
            let told = lead(&pieces, &workers, |one: Found| {
                assert_eq!(one.text, format!("{}²", one.piece));
                found.push(one.piece);
                Ok::<_, ()>(())
            });
            told.unwrap();
            found.sort_unstable();
            assert_eq!(found, pieces);
        }
    }

    #[test]
    fn nothing_is_begun_after_an_error() {
        let pieces: Vec<usize> = (0..1000).collect();
        let workers = Workers { threads: 1, begin: || answer(|piece| piece.to_string()) };
        let mut told = 0;
        let stopped = lead(&pieces, &workers, |_| {
            told += 1;
            if told < 3 { Ok(()) } else { Err("full") }
        });
        assert_eq!((stopped, told), (Err("full"), 3));
    }
}
