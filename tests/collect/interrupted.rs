//! A run that is interrupted by a batch system's limit or by the loss of a rank, and resumed later.

use crate::lab::file::{finished, list, measured, read, valid};
use crate::lab::mpirun::Library;
use crate::lab::running::{PATIENCE, Run, Running, beside_another, run, signal};
use crate::pair::{Launcher, threads_and_mpi};
use serde_json::Value;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

threads_and_mpi!(a_stopped_run_is_resumed, stopped_before_any_measurement);

/// Measurements of a run, in the order of each round.
type Kinds = [&'static str; 2];

/// Many short measurements, each with a save after it.
const SHORT: Kinds = ["ping-pong", "two-processor"];
/// The same number of longer measurements: Open MPI's `mpirun` passes a signal on after a second.
const LONG: Kinds = ["two-processor", "progress"];

/// The limit is high: with a low one, a resumed run with slower messages would plan fewer rounds, perhaps no
/// more than there are already.
fn plan(kinds: Kinds) -> String {
    format!("--only {} --style isend --sizes 8,4KiB --max-time 30s -o sig.json", kinds.join(","))
}

/// A launcher ends within two seconds; a rank that waits for a lost rank would never end.
const SOON: Duration = Duration::from_secs(20);

/// The file that a run writes meanwhile. It must always be complete.
struct Saved<'a> {
    path: &'a Path,
    /// Inode, length and time of the version that was read: reading it again would slow down the run.
    version: Option<(u64, u64, SystemTime)>,
    measurements: usize,
}

impl<'a> Saved<'a> {
    fn at(path: &'a Path) -> Self {
        Saved { path, version: None, measurements: 0 }
    }

    /// Number of measurements in the file, if there is one.
    fn measurements(&mut self) -> usize {
        let version = |file: Metadata| (file.ino(), file.len(), file.modified().unwrap());
        let version = self.path.metadata().ok().map(version);
        if version.is_some() && version != self.version {
            (self.version, self.measurements) = (version, measured(&read(self.path)).len());
        }
        self.measurements
    }
}

#[track_caller]
fn failed(run: &Run) {
    assert!(run.code != Some(0), "exited with 0:\n{}{}", run.out, run.err);
}

/// Starts the run, interrupts it after its second save, and checks its file.
fn interrupt(
    launcher: &Launcher,
    folder: &Path,
    kinds: Kinds,
    action: impl FnOnce(&mut Running),
) -> Run {
    let path = folder.join("sig.json");
    let mut running = Running::start(&mut launcher.collect(folder, &plan(kinds)));
    let mut saved = Saved::at(&path);
    running.until("its second save", |_| (saved.measurements() >= 2).then_some(()));
    let begin = Instant::now();
    action(&mut running);
    let run = running.wait(SOON);
    eprintln!("it ended after {:?} with {:?}:\n{}", begin.elapsed(), run.code, run.err);
    let file = valid(&path);
    assert_eq!(file["collection"]["finished"], false);
    assert!(measured(&file).len() >= 2);
    let left: Vec<_> = folder.read_dir().unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, ["sig.json"], "other files are left next to sig.json");
    run
}

/// Resumes the run to its end. Nothing is measured twice, and the file is complete at every moment.
fn resume(launcher: &Launcher, folder: &Path, kinds: Kinds) {
    let path = folder.join("sig.json");
    let before = read(&path);
    let mut running =
        Running::start(&mut launcher.collect(folder, &format!("{} --resume", plan(kinds))));
    let mut saved = Saved::at(&path);
    while running.status().is_none() {
        saved.measurements();
        thread::sleep(Duration::from_millis(1));
    }
    running.wait(PATIENCE).good();
    let after = finished(&path);
    let [old, new] = [&before, &after].map(|file| list(&file["collection"]["measured"]));
    assert!(new.starts_with(old) && new.len() > old.len());
    let [old, new] = [&before, &after].map(|file| list(&file["samples"]));
    // Later rounds follow earlier rounds, under the same conditions or another clock.
    let is_continued = |(old, new): (&Value, &Value)| {
        ["times", "rounds"].iter().all(|part| list(&new[part]).starts_with(list(&old[part])))
    };
    let is_kept = new.len() >= old.len() && old.iter().zip(new).all(is_continued);
    assert!(is_kept, "samples of the first part are not kept as they were");
    let names = measured(&after);
    // Each round once; the time limit may end the run within its last round.
    let of_round = |round| kinds.map(|what| format!("node: {what}, round {round}"));
    let expected: Vec<String> = (1..).flat_map(of_round).take(names.len()).collect();
    assert_eq!(names, expected);
}

fn a_stopped_run_is_resumed(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let _slot = beside_another();
    let kinds = if matches!(launcher, Launcher::Threads) { SHORT } else { LONG };
    let run = interrupt(launcher, folder.path(), kinds, |running| signal(running.pid(), "TERM"));
    if forwards_exit_code(launcher) {
        failed(&run);
    }
    if forwards_output(launcher) {
        run.printed(&["stopped by a signal", "measurements are saved in sig.json", "--resume"]);
    }
    let other = format!("{} --resume", plan(kinds).replace("4KiB", "8KiB"));
    let refused = crate::lab::running::run(&mut launcher.collect(folder.path(), &other));
    refused.exited(2, &["another plan"]);
    resume(launcher, folder.path(), kinds);
}

/// Whether the final message is printed. Open MPI's `mpirun` waits a second after its own SIGTERM,
/// sends SIGTERM to its ranks, and 15 ms later SIGKILL. Then only the file is checked.
fn forwards_output(launcher: &Launcher) -> bool {
    !matches!(launcher, Launcher::Mpi(mpirun) if mpirun.library == Library::OpenMpi)
}

/// Whether the exit code is the collector's. MPICH's `mpirun` exits with 0 or 15 after SIGTERM.
fn forwards_exit_code(launcher: &Launcher) -> bool {
    !matches!(launcher, Launcher::Mpi(mpirun) if mpirun.library == Library::Mpich)
}

fn stopped_before_any_measurement(launcher: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let _slot = beside_another();
    // Its first measurement takes long.
    let arguments = "--thorough --only ping-pong --sizes 1MiB,4MiB,16MiB -o sig.json";
    let mut running = Running::start(&mut launcher.collect(folder.path(), arguments));
    running.until("its plan", |running| running.err().contains("in total").then_some(()));
    signal(running.pid(), "TERM");
    let run = running.wait(SOON);
    if forwards_exit_code(launcher) {
        failed(&run);
    }
    if forwards_output(launcher) {
        run.printed(&["stopped by a signal"]);
    }
    for entry in folder.path().read_dir().unwrap() {
        assert_eq!(entry.unwrap().file_name(), "sig.json");
    }
    let path = folder.path().join("sig.json");
    if path.exists() {
        valid(&path);
    }
}

/// A partial file of a killed run is removed by the next run.
#[test]
fn killed_while_it_saves() {
    let folder = tempfile::tempdir().unwrap();
    let _slot = beside_another();
    let others = || {
        let names = folder.path().read_dir().unwrap().flatten().map(|e| e.file_name());
        names.filter(|name| name != "sig.json").collect::<Vec<_>>()
    };
    let path = folder.path().join("sig.json");
    for _ in 0..5 {
        let arguments = "--only two-processor,progress --sizes 8..4KiB -o sig.json --overwrite";
        let mut running = Running::start(&mut Launcher::Threads.collect(folder.path(), arguments));
        // The larger the file, the longer it takes to write.
        let mut saved = Saved::at(&path);
        running.until("its fourth save", |_| (saved.measurements() >= 4).then_some(()));
        while running.status().is_none() {
            if !others().is_empty() {
                signal(running.pid(), "KILL");
            }
        }
        running.wait(SOON);
        valid(&path);
        if !others().is_empty() {
            break;
        }
    }
    eprintln!("left after SIGKILL: {:?}", others());
    let arguments = "--quick --only ping-pong --sizes 8 -o sig.json --overwrite";
    Running::start(&mut Launcher::Threads.collect(folder.path(), arguments)).wait(PATIENCE).good();
    assert_eq!(others(), [""; 0], "a partial file is left next to the complete file");
}

mod of_mpi {
    use super::*;
    use crate::lab::mpirun::Mpirun;

    fn interrupted(action: impl FnOnce(&mut Running)) -> Option<Run> {
        let mpirun = Mpirun::here()?;
        let folder = tempfile::tempdir().unwrap();
        let _slot = beside_another();
        let launcher = Launcher::Mpi(mpirun);
        let run = interrupt(&launcher, folder.path(), SHORT, action);
        failed(&run);
        resume(&launcher, folder.path(), SHORT);
        Some(run)
    }

    fn rank(running: &Running, number: u32) -> u32 {
        let ranks = running.ranks();
        *ranks.get(&number).unwrap_or_else(|| panic!("rank {number} is not among {ranks:?}"))
    }

    #[test]
    fn rank_1_is_killed() {
        let run = interrupted(|running| signal(rank(running, 1), "KILL"));
        assert!(run.is_none_or(|run| gives_cause(&run)), "no cause is printed");
    }

    #[test]
    fn rank_0_is_killed() {
        let run = interrupted(|running| signal(rank(running, 0), "KILL"));
        assert!(run.is_none_or(|run| gives_cause(&run)), "no cause is printed");
    }

    /// Whether loggia or the launcher prints the cause.
    fn gives_cause(run: &Run) -> bool {
        let all = format!("{}{}", run.out, run.err).to_lowercase();
        ["signal 9", "killed", "stopped by a signal"].iter().any(|text| all.contains(text))
    }

    /// As by `srun` at a job's time limit.
    #[test]
    fn every_rank_gets_sigterm() {
        let run =
            interrupted(|running| running.ranks().values().for_each(|pid| signal(*pid, "TERM")));
        if let Some(run) = run {
            run.printed(&["stopped by a signal", "measurements are saved in sig.json", "--resume"]);
        }
    }

    /// Other ranks count as another machine.
    #[test]
    fn more_ranks_do_not_resume_the_run() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = tempfile::tempdir().unwrap();
        let _slot = beside_another();
        let launcher = Launcher::Mpi(mpirun.clone());
        interrupt(&launcher, folder.path(), LONG, |running| signal(running.pid(), "TERM"));
        let before: Value = read(&folder.path().join("sig.json"));
        let arguments = format!("collect {} --resume", plan(LONG));
        let refused = run(&mut mpirun.command(folder.path(), 3, &arguments));
        refused.exited(2, &["another machine, or on other ranks"]);
        assert_eq!(read(&folder.path().join("sig.json")), before);
    }
}
