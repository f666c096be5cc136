//! The built command, started as a user starts it, with a deadline, and the processes it is made of.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{env, fs, io};

/// The command that cargo built with these tests, or another build of it, such as one with another
/// MPI library.
pub(crate) fn binary() -> PathBuf {
    let other = env::var_os("LOGGIA_UNDER_TEST");
    other.map_or_else(|| env!("CARGO_BIN_EXE_loggia").into(), PathBuf::from)
}

/// Says plainly that something is not tested, and why.
pub(crate) fn skip(why: &str) {
    let name = thread::current().name().unwrap_or_default().to_owned();
    // Not by a macro: from those the test harness keeps what a test says that does not fail.
    let _ = writeln!(io::stderr(), "skipped: {name}: {why}");
}

/// Says what a test found, where everybody sees it.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// The processors for one measurement at a time: tests of one program run side by side.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static MACHINE: Mutex<()> = Mutex::new(());
    // A test that failed has left no harm in it.
    MACHINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// So long may any run of these tests take on a slow and noisy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// What a run printed, and how it ended; no code if a signal did that.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// Of a run that must succeed.
    #[track_caller]
    pub(crate) fn good(self) -> Self {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        self
    }

    /// Of a run that must end with that exit code, and say why, and where, in these words.
    #[track_caller]
    pub(crate) fn ended(self, code: i32, words: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        self.said(words)
    }

    /// Of a run that must say this.
    #[track_caller]
    pub(crate) fn said(self, words: &[&str]) -> Self {
        for word in words {
            let said = self.err.contains(word) || self.out.contains(word);
            assert!(said, "{word:?} is not said in:\n{}{}", self.out, self.err);
        }
        self
    }
}

/// A command under way. It and all that it started end when this is dropped.
pub(crate) struct Running {
    child: Child,
    name: String,
    streams: [Stream; 2],
}

/// What one of its streams has brought so far.
struct Stream {
    text: Arc<Mutex<Vec<u8>>>,
    end: JoinHandle<()>,
}

impl Stream {
    fn of(mut source: impl Read + Send + 'static) -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let theirs = text.clone();
        let end = thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = source.read(&mut buffer) {
                theirs.lock().unwrap().extend_from_slice(&buffer[..length]);
            }
        });
        Stream { text, end }
    }

    fn so_far(&self) -> String {
        String::from_utf8_lossy(&self.text.lock().unwrap()).into_owned()
    }
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        let name = format!("{command:?}");
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.unwrap_or_else(|error| panic!("cannot start {name}: {error}"));
        let out = Stream::of(child.stdout.take().unwrap());
        let err = Stream::of(child.stderr.take().unwrap());
        Running { child, name, streams: [out, err] }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// What it has said so far, in its errors.
    pub(crate) fn err(&self) -> String {
        self.streams[1].so_far()
    }

    /// Waits until that is so.
    #[track_caller]
    pub(crate) fn until<T>(
        &mut self,
        what: &str,
        mut there: impl FnMut(&mut Self) -> Option<T>,
    ) -> T {
        let begin = Instant::now();
        loop {
            if let Some(found) = there(self) {
                return found;
            }
            let status = self.ended();
            assert!(
                status.is_none() && begin.elapsed() < PATIENCE,
                "{} did not come to {what}: {status:?}\n{}",
                self.name,
                self.err()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for its end, which must come in time.
    #[track_caller]
    pub(crate) fn wait(mut self, most: Duration) -> Run {
        let begin = Instant::now();
        let status = loop {
            let late = begin.elapsed() > most;
            match self.ended() {
                // Also what it leaves behind must end: it holds the streams.
                Some(status) if self.streams.iter().all(|s| s.end.is_finished()) => break status,
                _ if late => panic!(
                    "{} did not end within {most:?}:\n{}{}",
                    self.name,
                    self.streams[0].so_far(),
                    self.err()
                ),
                _ => thread::sleep(Duration::from_millis(5)),
            }
        };
        let [out, err] = [0, 1].map(|which| self.streams[which].so_far());
        Run { code: status.code(), out, err }
    }

    /// The processes of the command under test below this one, by their ranks.
    pub(crate) fn ranks(&self) -> BTreeMap<u32, u32> {
        let command = fs::canonicalize(binary()).unwrap();
        let is_it =
            |pid: &u32| fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|e| e == command);
        descendants(self.pid())
            .into_iter()
            .filter(is_it)
            .filter_map(|pid| Some((rank_of(pid)?, pid)))
            .collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let children = descendants(self.pid());
        if self.ended().is_none() {
            // It first, so that it cannot do anything about their ends.
            for pid in [self.pid()].into_iter().chain(children) {
                signal(pid, "KILL");
            }
        }
        let _ = self.child.wait();
    }
}

/// Starts a command and waits for its end.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Run {
    Running::start(command).wait(PATIENCE)
}

/// The command under test with these words, in a folder.
pub(crate) fn loggia(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(binary());
    command.args(words.split_whitespace()).current_dir(folder);
    command
}

/// Sends a signal to a process; if it is gone already, nothing is lost.
pub(crate) fn signal(pid: u32, name: &str) {
    let _ = Command::new("sh")
        .args(["-c", &format!("kill -{name} {pid}")])
        .stderr(Stdio::null())
        .status();
}

/// The number that the launcher gave a process.
fn rank_of(pid: u32) -> Option<u32> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let text = String::from_utf8_lossy(&environment).into_owned();
    text.split('\0').find_map(|setting| {
        let (name, value) = setting.split_once('=')?;
        matches!(name, "OMPI_COMM_WORLD_RANK" | "PMI_RANK").then(|| value.parse().ok())?
    })
}

/// All processes that came from one.
fn descendants(of: u32) -> Vec<u32> {
    let mut parents: Vec<(u32, u32)> = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The program's name stands in parentheses and may hold anything.
        let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
        if let Some(parent) = after.split_whitespace().nth(1).and_then(|p| p.parse().ok()) {
            parents.push((pid, parent));
        }
    }
    let mut found = vec![of];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(parents.iter().filter(|(_, p)| *p == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    found.remove(0);
    found
}
