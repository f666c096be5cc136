//! How far a long run is: a line that renews itself on a terminal, plain lines elsewhere.

use std::io::{self, IsTerminal, Write, stderr};
use std::time::Instant;

/// Says how far a run is.
pub struct Progress {
    begin: Instant,
    terminal: bool,
    /// Nothing is said of what takes less than so many seconds.
    patience: f64,
    /// Seconds of the plan that are done, and all.
    done: f64,
    all: f64,
    /// When something was last said.
    spoke: Option<f64>,
}

/// Without a terminal, so many seconds pass between two lines.
const PLAIN_LINES_APART: f64 = 5.0;

impl Progress {
    pub fn start() -> Self {
        let terminal = stderr().is_terminal();
        let begin = Instant::now();
        Progress { begin, terminal, patience: 0.0, done: 0.0, all: 0.0, spoke: None }
    }

    /// The same, which says nothing of what is done within so many seconds.
    pub fn patient(self, patience: f64) -> Self {
        Progress { patience, ..self }
    }

    /// So many seconds are planned.
    pub fn expect(&mut self, all: f64) {
        self.all = all;
    }

    /// Before a part of it.
    pub fn at(&mut self, title: &str) {
        let spent = self.begin.elapsed().as_secs_f64();
        if spent < self.patience {
            return;
        }
        // The plan's seconds are estimates; how they go so far corrects the rest.
        let pace = if self.done > 1.0 { spent / self.done } else { 1.0 };
        let left = duration((self.all - self.done).max(0.0) * pace);
        let share = if self.all > 0.0 { self.done / self.all * 100.0 } else { 0.0 };
        let line = format!("{share:3.0}%  about {left} left  {title}");
        if self.terminal {
            let _ = write!(stderr(), "\r\u{1b}[K{line}");
            let _ = stderr().flush();
        } else if self.spoke.is_none_or(|last| spent - last >= PLAIN_LINES_APART) {
            remark(&line);
        } else {
            return;
        }
        self.spoke = Some(spent);
    }

    /// After it.
    pub fn did(&mut self, estimate: f64) {
        self.done += estimate;
    }

    /// At the end, if anything was said before.
    pub fn end(&self, done: &str) {
        if self.spoke.is_none() {
            return;
        }
        if self.terminal {
            let _ = write!(stderr(), "\r\u{1b}[K");
        }
        remark(&format!("{done} in {}", duration(self.begin.elapsed().as_secs_f64())));
    }
}

/// Seconds as people say them.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.5 => "1 s".to_owned(),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// A word beside the answer. If it cannot be written, the answer is still good.
pub fn remark(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
