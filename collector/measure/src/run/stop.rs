//! Termination by signals, such as SIGTERM at the limit of a batch job. Files are saved after each
//! measurement, so only a message is left to print.

use crate::progress_bar;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Delay of the end of other ranks, so that rank 0 can print its message.
const DELAY: Duration = Duration::from_millis(300);

/// Makes a signal end this process after a delay. Otherwise an MPI library could notice that this
/// rank ended, and end rank 0 before it prints its message.
pub fn end_after_the_leader() {
    if let Ok(mut signals) = Signals::new([SIGTERM, SIGINT]) {
        std::thread::spawn(move || {
            if signals.forever().next().is_some() {
                std::thread::sleep(DELAY);
                signal_hook::low_level::exit(1);
            }
        });
    }
}

/// The message that is printed when a signal ends the run. While the guard is held, signals wait, so
/// that a file is written completely.
#[derive(Clone)]
pub struct ExitMessage(Arc<Mutex<String>>);

impl ExitMessage {
    /// Makes a signal end the command with this message.
    pub fn prepare(initial: &str) -> Self {
        let message = ExitMessage(Arc::new(Mutex::new(initial.to_owned())));
        let handler_message = message.clone();
        if let Ok(mut signals) = Signals::new([SIGTERM, SIGINT]) {
            std::thread::spawn(move || {
                if signals.forever().next().is_some() {
                    let message = handler_message.hold();
                    progress_bar::remark(&format!("\nloggia: stopped by a signal: {message}"));
                    signal_hook::low_level::exit(1);
                }
            });
        }
        message
    }

    /// Delays signals until the guard is dropped.
    pub fn hold(&self) -> MutexGuard<'_, String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
