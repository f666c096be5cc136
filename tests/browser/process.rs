//! A program that runs for the duration of a test.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Killed when dropped, also by a failed test. Its input stays open until then.
pub(crate) struct Process {
    child: Child,
    // Kept open: printing to a closed pipe ends a program.
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

    /// Waits for an output line with this text.
    pub(crate) fn line_with(&mut self, mark: &str) -> String {
        self.try_line_with(mark).unwrap_or_else(|| {
            panic!("{} ended without a line with {mark:?}; its errors are above", self.name)
        })
    }

    /// Waits for an output line with this text; `None` if the program ends first.
    pub(crate) fn try_line_with(&mut self, mark: &str) -> Option<String> {
        let mut line = String::new();
        while self.output.read_line(&mut line).is_ok_and(|length| length > 0) {
            if line.contains(mark) {
                return Some(line);
            }
            line.clear();
        }
        None
    }

    /// Closes the input, and waits up to five seconds for the end of the program.
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
