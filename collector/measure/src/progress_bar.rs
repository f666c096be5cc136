//! Progress of a long run: one updated line on a terminal, plain lines elsewhere.

use std::io::{self, IsTerminal, Write, stderr};
use std::time::Instant;

pub struct Progress {
    begin: Instant,
    terminal: bool,
    /// Seconds until progress is shown.
    patience: f64,
    /// Estimated seconds of the finished parts, and of the whole run.
    done: f64,
    all: f64,
    /// Time of the last shown line.
    last_shown: Option<f64>,
}

/// Seconds between two lines without a terminal.
const PLAIN_INTERVAL: f64 = 5.0;

impl Progress {
    pub fn start() -> Self {
        let terminal = stderr().is_terminal();
        let begin = Instant::now();
        Progress { begin, terminal, patience: 0.0, done: 0.0, all: 0.0, last_shown: None }
    }

    /// Shows nothing during the first `patience` seconds.
    pub fn quiet_for(self, patience: f64) -> Self {
        Progress { patience, ..self }
    }

    /// Sets the estimate of the whole run, in seconds.
    pub fn set_total(&mut self, all: f64) {
        self.all = all;
    }

    /// Adds parts to the estimate of the whole run.
    pub fn add_to_total(&mut self, more: f64) {
        self.all += more;
    }

    /// Shows the part that starts.
    pub fn start_part(&mut self, title: &str) {
        let spent = self.begin.elapsed().as_secs_f64();
        if spent < self.patience {
            return;
        }
        // Scale the estimates by the measured pace.
        let pace = if self.done > 1.0 { spent / self.done } else { 1.0 };
        let left = duration((self.all - self.done).max(0.0) * pace);
        let share = if self.all > 0.0 { self.done / self.all * 100.0 } else { 0.0 };
        let line = format!("{share:3.0}%  about {left} left  {title}");
        if self.terminal {
            let _ = write!(stderr(), "\r\u{1b}[K{line}");
            let _ = stderr().flush();
        } else if self.last_shown.is_none_or(|last| spent - last >= PLAIN_INTERVAL) {
            remark(&line);
        } else {
            return;
        }
        self.last_shown = Some(spent);
    }

    /// Adds a finished part, by its estimate.
    pub fn finish_part(&mut self, estimate: f64) {
        self.done += estimate;
    }

    /// Shows the total time, if progress was shown.
    pub fn end(&self, done: &str) {
        if self.last_shown.is_none() {
            return;
        }
        if self.terminal {
            let _ = write!(stderr(), "\r\u{1b}[K");
        }
        remark(&format!("{done} in {}", duration(self.begin.elapsed().as_secs_f64())));
    }
}

/// Seconds in a readable unit.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.5 => "1 s".to_owned(),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Prints a remark to standard error; a failure to do so is ignored.
pub fn remark(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
