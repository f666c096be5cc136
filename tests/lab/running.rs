//! The built command, started as by a user, with a deadline, and its processes.

use super::mpirun::{Library, library};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use std::{env, fs, io};

/// The command that cargo built with these tests, or another build, such as one with another MPI
/// library.
pub(crate) fn binary() -> PathBuf {
    let other = env::var_os("LOGGIA_UNDER_TEST");
    other.map_or_else(|| env!("CARGO_BIN_EXE_loggia").into(), PathBuf::from)
}

/// Prints that this test is skipped, with the reason.
pub(crate) fn skip(reason: &str) {
    let name = thread::current().name().unwrap_or_default().to_owned();
    // The test harness would capture the output of `eprintln!` in a test that passes.
    let _ = writeln!(io::stderr(), "skipped: {name}: {reason}");
}

/// Prints a result of a test that passes, too.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Slots for measurements: tests of one program run in parallel.
static SLOTS: [Mutex<()>; 2] = [const { Mutex::new(()) }; 2];

/// The whole machine, for a test whose result depends on the measured times.
pub(crate) fn alone() -> [MutexGuard<'static, ()>; 2] {
    SLOTS.each_ref().map(lock)
}

/// A part of the machine, for a test that passes whatever the measured times are: one run computes while
/// another one starts or ends. Waiting ranks of MPICH never yield, so their run is alone: two runs at
/// a time would take three times as long.
pub(crate) fn beside_another() -> Vec<MutexGuard<'static, ()>> {
    if library() == Some(Library::Mpich) {
        return alone().into();
    }
    vec![SLOTS[0].try_lock().unwrap_or_else(|_| lock(&SLOTS[1]))]
}

/// A failed test leaves the lock in a valid state.
fn lock(slot: &'static Mutex<()>) -> MutexGuard<'static, ()> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Deadline of a run in these tests, on a slow and noisy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Output and exit code of a run; no code if a signal ended it.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// Fails unless the run succeeded.
    #[track_caller]
    pub(crate) fn good(self) -> Self {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        self
    }

    /// Fails unless the run exited with this code and printed all these texts.
    #[track_caller]
    pub(crate) fn exited(self, code: i32, texts: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        self.printed(texts)
    }

    /// Fails unless the run printed all these texts.
    #[track_caller]
    pub(crate) fn printed(self, texts: &[&str]) -> Self {
        for text in texts {
            let is_printed = self.err.contains(text) || self.out.contains(text);
            assert!(is_printed, "{text:?} is missing in:\n{}{}", self.out, self.err);
        }
        self
    }
}

/// A running command. It is killed with all its descendants when this is dropped.
pub(crate) struct Running {
    child: Child,
    name: String,
    streams: [Stream; 2],
}

/// The output of one stream so far.
struct Stream {
    text: Arc<Mutex<Vec<u8>>>,
    end: JoinHandle<()>,
}

impl Stream {
    fn of(mut source: impl Read + Send + 'static) -> Self {
        let text = Arc::new(Mutex::new(Vec::new()));
        let shared = text.clone();
        let end = thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = source.read(&mut buffer) {
                shared.lock().unwrap().extend_from_slice(&buffer[..length]);
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

    /// The exit status, if the command has ended.
    pub(crate) fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Standard error so far.
    pub(crate) fn err(&self) -> String {
        self.streams[1].so_far()
    }

    /// Waits until the condition gives a value.
    #[track_caller]
    pub(crate) fn until<T>(
        &mut self,
        what: &str,
        mut condition: impl FnMut(&mut Self) -> Option<T>,
    ) -> T {
        let begin = Instant::now();
        loop {
            if let Some(found) = condition(self) {
                return found;
            }
            let status = self.status();
            assert!(
                status.is_none() && begin.elapsed() < PATIENCE,
                "{} did not come to {what}: {status:?}\n{}",
                self.name,
                self.err()
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for its end; fails after this time.
    #[track_caller]
    pub(crate) fn wait(mut self, limit: Duration) -> Run {
        let begin = Instant::now();
        let status = loop {
            let is_late = begin.elapsed() > limit;
            match self.status() {
                // Its descendants must end, too: they keep the streams open.
                Some(status) if self.streams.iter().all(|s| s.end.is_finished()) => break status,
                _ if is_late => panic!(
                    "{} did not end within {limit:?}:\n{}{}",
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

    /// Process numbers of the command under test among the descendants, by rank.
    pub(crate) fn ranks(&self) -> BTreeMap<u32, u32> {
        let command = fs::canonicalize(binary()).unwrap();
        let is_command =
            |pid: &u32| fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|e| e == command);
        descendants(self.pid())
            .into_iter()
            .filter(is_command)
            .filter_map(|pid| Some((rank_of(pid)?, pid)))
            .collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let children = descendants(self.pid());
        if self.status().is_none() {
            // The parent first, so that it cannot restart its children.
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

/// The command under test with these arguments, in a folder.
pub(crate) fn loggia(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments.split_whitespace()).current_dir(folder);
    command
}

/// Sends a signal to a process; an ended process is ignored.
pub(crate) fn signal(pid: u32, name: &str) {
    let _ = Command::new("sh")
        .args(["-c", &format!("kill -{name} {pid}")])
        .stderr(Stdio::null())
        .status();
}

/// The rank that the launcher assigned to a process.
fn rank_of(pid: u32) -> Option<u32> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let text = String::from_utf8_lossy(&environment).into_owned();
    text.split('\0').find_map(|setting| {
        let (name, value) = setting.split_once('=')?;
        matches!(name, "OMPI_COMM_WORLD_RANK" | "PMI_RANK").then(|| value.parse().ok())?
    })
}

/// All descendants of a process.
fn descendants(of: u32) -> Vec<u32> {
    let mut parents: Vec<(u32, u32)> = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The program's name is in parentheses and may contain any character.
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
