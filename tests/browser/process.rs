//! A program that runs as long as a test needs it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Ended when dropped, also by a test that fails. Its input is open as long.
pub(crate) struct Process {
    child: Child,
    // Kept open: a program that prints to a closed pipe dies.
    output: BufReader<ChildStdout>,
    name: String,
}

impl Process {
    pub(crate) fn start(program: &Path, arguments: &[&str]) -> Self {
        let name = format!("{} {}", program.display(), arguments.join(" "));
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {name}: {error}"));
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, output, name }
    }

    /// Waits for a line of its output that has this in it.
    pub(crate) fn line_with(&mut self, mark: &str) -> String {
        self.says(mark).unwrap_or_else(|| {
            panic!("{} ended without a line with {mark:?}; its errors are above", self.name)
        })
    }

    /// Waits for such a line; none if it ends before.
    pub(crate) fn says(&mut self, mark: &str) -> Option<String> {
        let mut line = String::new();
        while self.output.read_line(&mut line).is_ok_and(|length| length > 0) {
            if line.contains(mark) {
                return Some(line);
            }
            line.clear();
        }
        None
    }

    /// Gives it five seconds to end by itself.
    pub(crate) fn wait(&mut self) {
        drop(self.child.stdin.take());
        for _ in 0..100 {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(50)),
                _ => return,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
