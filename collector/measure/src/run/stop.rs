//! Termination by signals, such as SIGTERM at the limit of a batch job. Files are saved after each
//! measurement, so only a message is left to print.

use crate::progress_bar;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How much later other ranks end than rank 0, which prints a message first.
const MOMENT: Duration = Duration::from_millis(300);

/// Makes a signal end this process after a delay. Otherwise an MPI library could end rank 0, because
/// its partner is gone, before it has printed its message.
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

/// The message printed when a signal ends the run. While it is held, signals wait, so that a file is
/// written completely.
#[derive(Clone)]
pub struct ExitMessage(Arc<Mutex<String>>);

impl ExitMessage {
    /// Makes a signal end the command with this message.
    pub fn prepare(at_first: &str) -> Self {
        let words = ExitMessage(Arc::new(Mutex::new(at_first.to_owned())));
        let theirs = words.clone();
        if let Ok(mut signals) = Signals::new([SIGTERM, SIGINT]) {
            std::thread::spawn(move || {
                if signals.forever().next().is_some() {
                    let words = theirs.hold();
                    progress_bar::remark(&format!("\nloggia: stopped by a signal: {words}"));
                    signal_hook::low_level::exit(1);
                }
            });
        }
        words
    }

    /// Delays signals until the guard is dropped.
    pub fn hold(&self) -> MutexGuard<'_, String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
