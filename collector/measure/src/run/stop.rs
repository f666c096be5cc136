//! SIGTERM, by which a batch system announces its limit, and what is said then. Files are saved
//! again and again, so nothing is left to be done but to say so.

use crate::progress_bar;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// So much later than the rank that leads do others end: time for its last words.
const MOMENT: Duration = Duration::from_millis(300);

/// From now on, a signal ends this process a moment later. An MPI library may end a rank whose message
/// comes from one that is gone, and that would be the one that leads, before it has said anything.
pub fn end_after_the_leader() {
    if let Ok(mut signals) = Signals::new([SIGTERM, SIGINT]) {
        std::thread::spawn(move || {
            if signals.forever().next().is_some() {
                std::thread::sleep(MOMENT);
                signal_hook::low_level::exit(1);
            }
        });
    }
}

/// What to say when the run is ended from outside. Whoever holds it is not ended: a file that is
/// being written is finished first.
#[derive(Clone)]
pub struct ExitMessage(Arc<Mutex<String>>);

impl ExitMessage {
    /// From now on, a signal ends the command with these words.
    pub fn prepare(at_first: &str) -> Self {
        let words = ExitMessage(Arc::new(Mutex::new(at_first.to_owned())));
        let theirs = words.clone();
        if let Ok(mut signals) = Signals::new([SIGTERM, SIGINT]) {
            std::thread::spawn(move || {
                if signals.forever().next().is_some() {
                    let words = theirs.hold();
                    progress_bar::remark(&format!("\nloggia: stopped from outside: {words}"));
                    signal_hook::low_level::exit(1);
                }
            });
        }
        words
    }

    /// Keeps signals waiting, for as long as this is held.
    pub fn hold(&self) -> MutexGuard<'_, String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
