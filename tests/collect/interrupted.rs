//! A run that is ended from outside, by a batch system's limit or by losing a rank, and goes on later.

use crate::lab::file::{finished, list, measured, read, valid};
use crate::lab::mpirun::Library;
use crate::lab::running::{PATIENCE, Run, Running, alone, run, signal};
use crate::pair::{Launcher, threads_and_mpi};
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

threads_and_mpi!(the_whole_run_is_stopped_and_goes_on, stopped_before_anything_is_measured);

/// Many short measurements, each with a save after it.
const PLAN: &str = "--only two-processor,progress --style isend --sizes 8,4KiB -o sig.json";

/// Ends take a launcher a second or two; a rank that waits for one that is gone would take forever.
const SOON: Duration = Duration::from_secs(20);

/// How many measurements the file holds; it is read while the run writes it, and must be whole.
fn saved(path: &Path) -> usize {
    if path.exists() { measured(&read(path)).len() } else { 0 }
}

#[track_caller]
fn ended_badly(run: &Run) {
    assert!(run.code != Some(0), "ended as if nothing were wrong:\n{}{}", run.out, run.err);
}

/// Starts the run, does something to it after its second save, and checks what it leaves.
fn interrupt(way: &Launcher, folder: &Path, harm: impl FnOnce(&mut Running)) -> Run {
    let path = folder.join("sig.json");
    let mut running = Running::start(&mut way.collect(folder, PLAN));
    running.until("its second save", |_| (saved(&path) >= 2).then_some(()));
    let begin = Instant::now();
    harm(&mut running);
    let run = running.wait(SOON);
    eprintln!("it ended after {:?} with {:?}:\n{}", begin.elapsed(), run.code, run.err);
    let file = valid(&path);
    assert_eq!(file["collection"]["finished"], false);
    assert!(measured(&file).len() >= 2);
    let left: Vec<_> = folder.read_dir().unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, ["sig.json"], "something is left beside the file");
    run
}

/// Goes on to the end; nothing is measured twice, and the file is whole at every moment.
fn go_on(way: &Launcher, folder: &Path) {
    let path = folder.join("sig.json");
    let before = read(&path);
    let mut running = Running::start(&mut way.collect(folder, &format!("{PLAN} --resume")));
    while running.ended().is_none() {
        saved(&path);
    }
    running.wait(PATIENCE).good();
    let after = finished(&path);
    let [old, new] = [&before, &after].map(|file| list(&file["collection"]["measured"]));
    assert!(new.starts_with(old) && new.len() > old.len());
    let [old, new] = [&before, &after].map(|file| list(&file["samples"]));
    // Later rounds come after earlier ones, under the same condition or another clock.
    let goes_on = |(old, new): (&Value, &Value)| {
        ["times", "rounds"].iter().all(|part| list(&new[part]).starts_with(list(&old[part])))
    };
    let is_kept = new.len() >= old.len() && old.iter().zip(new).all(goes_on);
    assert!(is_kept, "samples of the first part are not kept as they were");
    let names = measured(&after);
    let rounds = names.len() / 2;
    for (round, what) in (1..=rounds).flat_map(|r| ["two-processor", "progress"].map(|w| (r, w))) {
        let name = format!("node: {what}, round {round}");
        assert!(names.contains(&name.as_str()), "no {name} in {names:?}");
    }
    assert_eq!(names.len(), 2 * rounds, "something was measured twice: {names:?}");
}

fn the_whole_run_is_stopped_and_goes_on(way: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let _alone = alone();
    let run = interrupt(way, folder.path(), |running| signal(running.pid(), "TERM"));
    if hands_on(way) {
        ended_badly(&run);
    }
    if hears(way) {
        run.said(&["stopped by a signal", "measurements are saved in sig.json", "--resume"]);
    }
    let other = format!("{} --resume", PLAN.replace("4KiB", "8KiB"));
    let refused = crate::lab::running::run(&mut way.collect(folder.path(), &other));
    refused.ended(2, &["another plan"]);
    go_on(way, folder.path());
}

/// Whether last words reach anybody: Open MPI's `mpirun` waits a second after its own SIGTERM, sends
/// SIGTERM to its ranks and 15 ms later SIGKILL. Then nothing counts but the file.
fn hears(way: &Launcher) -> bool {
    !matches!(way, Launcher::Mpi(mpirun) if mpirun.library == Library::OpenMpi)
}

/// Whether the exit code is the collector's: MPICH's `mpirun`, told to stop, ends with 0 or 15 as it happens.
fn hands_on(way: &Launcher) -> bool {
    !matches!(way, Launcher::Mpi(mpirun) if mpirun.library == Library::Mpich)
}

fn stopped_before_anything_is_measured(way: &Launcher) {
    let folder = tempfile::tempdir().unwrap();
    let _alone = alone();
    // The first measurement of this takes its time.
    let words = "--thorough --only ping-pong --sizes 1MiB,4MiB,16MiB -o sig.json";
    let mut running = Running::start(&mut way.collect(folder.path(), words));
    running.until("its plan", |running| running.err().contains("in total").then_some(()));
    signal(running.pid(), "TERM");
    let run = running.wait(SOON);
    if hands_on(way) {
        ended_badly(&run);
    }
    if hears(way) {
        run.said(&["stopped by a signal"]);
    }
    for entry in folder.path().read_dir().unwrap() {
        assert_eq!(entry.unwrap().file_name(), "sig.json");
    }
    let path = folder.path().join("sig.json");
    if path.exists() {
        valid(&path);
    }
}

/// What SIGKILL leaves of a file that is just being written must not lie about for ever.
#[test]
fn killed_while_it_saves() {
    let folder = tempfile::tempdir().unwrap();
    let _alone = alone();
    let others = || {
        let names = folder.path().read_dir().unwrap().flatten().map(|e| e.file_name());
        names.filter(|name| name != "sig.json").collect::<Vec<_>>()
    };
    let path = folder.path().join("sig.json");
    for _ in 0..5 {
        let words = "--only two-processor,progress --sizes 8..4KiB -o sig.json --overwrite";
        let mut running = Running::start(&mut Launcher::Threads.collect(folder.path(), words));
        // The larger the file, the longer it takes to write.
        running.until("its fourth save", |_| (saved(&path) >= 4).then_some(()));
        while running.ended().is_none() {
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
    let words = "--quick --only ping-pong --sizes 8 -o sig.json --overwrite";
    Running::start(&mut Launcher::Threads.collect(folder.path(), words)).wait(PATIENCE).good();
    assert_eq!(others(), [""; 0], "a half-written file is left beside the whole one");
}

mod of_mpi {
    use super::*;
    use crate::lab::mpirun::Mpirun;

    fn harmed(harm: impl FnOnce(&mut Running)) -> Option<Run> {
        let mpirun = Mpirun::here()?;
        let folder = tempfile::tempdir().unwrap();
        let _alone = alone();
        let way = Launcher::Mpi(mpirun);
        let run = interrupt(&way, folder.path(), harm);
        ended_badly(&run);
        go_on(&way, folder.path());
        Some(run)
    }

    fn rank(running: &Running, number: u32) -> u32 {
        let ranks = running.ranks();
        *ranks.get(&number).unwrap_or_else(|| panic!("rank {number} is not among {ranks:?}"))
    }

    #[test]
    fn the_other_rank_is_killed() {
        let run = harmed(|running| signal(rank(running, 1), "KILL"));
        assert!(run.is_none_or(|run| says_why(&run)), "why it ended is not said");
    }

    #[test]
    fn the_leading_rank_is_killed() {
        let run = harmed(|running| signal(rank(running, 0), "KILL"));
        assert!(run.is_none_or(|run| says_why(&run)), "why it ended is not said");
    }

    /// Here the launcher's own words count, too.
    fn says_why(run: &Run) -> bool {
        let all = format!("{}{}", run.out, run.err).to_lowercase();
        ["signal 9", "killed", "stopped by a signal"].iter().any(|words| all.contains(words))
    }

    /// As `srun` does at a job's limit.
    #[test]
    fn every_rank_is_told_to_stop() {
        let run = harmed(|running| running.ranks().values().for_each(|pid| signal(*pid, "TERM")));
        if let Some(run) = run {
            run.said(&["stopped by a signal", "measurements are saved in sig.json", "--resume"]);
        }
    }

    /// With other ranks it is another machine.
    #[test]
    fn more_ranks_do_not_go_on_with_it() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = tempfile::tempdir().unwrap();
        let _alone = alone();
        let way = Launcher::Mpi(mpirun.clone());
        interrupt(&way, folder.path(), |running| signal(running.pid(), "TERM"));
        let before: Value = read(&folder.path().join("sig.json"));
        let words = format!("collect {PLAN} --resume");
        let refused = run(&mut mpirun.command(folder.path(), 3, &words));
        refused.ended(2, &["another machine, or with other ranks"]);
        assert_eq!(read(&folder.path().join("sig.json")), before);
    }
}
