//! Many plans at once, with the built command: on the cores of this machine, under a real `mpirun`,
//! and interrupted. The output is the same in every case.
//!
//! `LOGGIA_UNDER_TEST=/path/to/loggia` tests another build, such as one with another MPI library;
//! MPI tests have `mpi::` in their names.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod lab;

use lab::running::{Running, loggia, run, signal};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Nine plans, and three that fail because their machine lacks parameters.
const ARGUMENTS: &str = "plan idea.toml cray-t3d now-sparc ibm-sp2 convex-exemplar --procs 4,9,256 \
                        --sweep n=64,256,1024 --sweep progress=dependent";

const SKETCH: &str = "[let]\nn = 512\n[grid]\ncells = [1024, 1024]\n[[step]]\nhalo = \"8 * n\"\n\
                      during = \"2us * n / p\"\n[[step]]\nallreduce = 8\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("idea.toml"), SKETCH).unwrap();
    folder
}

/// Output of a run on one thread.
fn single_threaded(folder: &Path) -> String {
    run(&mut loggia(folder, &format!("{ARGUMENTS} --json --jobs 1"))).good().out
}

fn finished_plans(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("all.json.part")).unwrap_or_default();
    text.matches('\n').count().saturating_sub(1)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn any_number_of_threads_gives_the_same_plans() {
    let folder = folder();
    let expected = single_threaded(folder.path());
    for jobs in [2, 5] {
        let arguments = format!("{ARGUMENTS} --json --jobs {jobs}");
        assert!(
            run(&mut loggia(folder.path(), &arguments)).good().out == expected,
            "{jobs} threads"
        );
    }
    let answer: serde_json::Value = serde_json::from_str(&expected).unwrap();
    let plans = answer["plans"].as_array().unwrap();
    assert_eq!(plans.len(), 9);
    assert_eq!(plans[4]["machine"], "now-sparc");
    assert_eq!(plans[4]["with"]["n"], "256");
    assert_eq!(answer["untold"].as_array().unwrap().len(), 3);
    // One of these plans in a run of its own.
    let arguments =
        "plan idea.toml now-sparc --procs 4,9,256 --let n=256 --progress dependent --json";
    let own: serde_json::Value =
        serde_json::from_str(&run(&mut loggia(folder.path(), arguments)).good().out).unwrap();
    assert_eq!(plans[4]["points"], own["plans"][0]["points"]);
}

#[test]
fn a_table_has_a_row_for_each_number_of_ranks_of_each_plan() {
    let folder = folder();
    let arguments = format!("{ARGUMENTS} -o all.csv");
    run(&mut loggia(folder.path(), &arguments))
        .good()
        .printed(&["9 plans are in all.csv", "3 times"]);
    let text = fs::read_to_string(folder.path().join("all.csv")).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[0].starts_with("machine,n,progress,ranks,iteration (us),"), "{}", rows[0]);
    assert_eq!(rows.len(), 1 + 9 * 3);
    assert!(rows[1 + 4 * 3 + 1].starts_with("now-sparc,256,dependent,9,"), "{}", rows[14]);
    assert_eq!(names(folder.path()), ["all.csv", "idea.toml"]);
    // A second run does not overwrite the file.
    let again = run(&mut loggia(folder.path(), &arguments));
    again.exited(2, &["all.csv", "--overwrite"]);
    run(&mut loggia(folder.path(), &format!("{arguments} --overwrite"))).good();
}

/// Takes long enough to be interrupted.
const SLOW: &str = "plan idea.toml cray-t3d now-sparc --procs 4..1Ki --sweep n=64..4096 \
                    --sweep scale-latency=1,2,3";

/// Output of the uninterrupted run, on one thread.
fn uninterrupted(folder: &Path) -> String {
    run(&mut loggia(folder, &format!("{SLOW} --json --jobs 1"))).good().out
}

/// Interrupts a run after two plans, and resumes it.
fn interrupted(
    folder: &Path,
    begin: &mut Command,
    interrupt: impl FnOnce(&Running),
    resume: &mut Command,
) {
    let mut running = Running::start(begin);
    running.until("its second plan", |_| (finished_plans(folder) >= 2).then_some(()));
    interrupt(&running);
    let stopped = running.wait(Duration::from_secs(20));
    assert_ne!(stopped.code, Some(0), "{}{}", stopped.out, stopped.err);
    assert_eq!(names(folder), ["all.json.part", "idea.toml"]);
    let known = finished_plans(folder);
    assert!(known < 42, "nothing was left to do");
    // Without --resume, and with other arguments, the partial file is neither continued nor lost.
    let arguments = format!("{SLOW} -o all.json");
    run(&mut loggia(folder, &arguments)).exited(2, &["all.json.part", "--resume"]);
    let other = format!("{arguments} --resume --rules logp");
    run(&mut loggia(folder, &other)).exited(2, &["another plan"]);
    assert_eq!(finished_plans(folder), known);
    run(resume).good().printed(&[&format!("{known} of 42 plans were read from all.json.part")]);
    assert_eq!(names(folder), ["all.json", "idea.toml"]);
    let file = fs::read_to_string(folder.join("all.json")).unwrap();
    assert!(file == uninterrupted(folder), "the resumed run has another output");
}

#[test]
fn a_stopped_run_on_threads_is_resumed() {
    let folder = folder();
    let folder = folder.path();
    let mut begin = loggia(folder, &format!("{SLOW} -o all.json --jobs 1"));
    let mut resume = loggia(folder, &format!("{SLOW} -o all.json --resume"));
    interrupted(folder, &mut begin, |running| signal(running.pid(), "TERM"), &mut resume);
}

mod mpi {
    use super::*;
    use crate::lab::mpirun::Mpirun;

    #[test]
    fn any_number_of_ranks_gives_the_same_plans() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = folder();
        let expected = single_threaded(folder.path());
        for ranks in [1, 2, 4] {
            let arguments = format!("{ARGUMENTS} --json");
            let run = run(&mut mpirun.command(folder.path(), ranks, &arguments)).good();
            assert!(run.out == expected, "output on {ranks} ranks differs: {}", run.err);
        }
    }

    #[test]
    fn a_killed_rank_loses_no_finished_plan() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = folder();
        let folder = folder.path();
        let mut begin = mpirun.command(folder, 3, &format!("{SLOW} -o all.json"));
        let mut resume = mpirun.command(folder, 2, &format!("{SLOW} -o all.json --resume"));
        let kill = |running: &Running| {
            let ranks = running.ranks();
            signal(ranks[&2], "KILL");
        };
        interrupted(folder, &mut begin, kill, &mut resume);
    }

    /// The error is printed once, and no rank waits forever.
    #[test]
    fn an_invalid_request_ends_all_ranks() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = folder();
        for (arguments, error) in [
            ("plan absent.toml cray-t3d", "absent.toml"),
            ("plan idea.toml cray-t3d --sweep m=1,2", "unknown name `m`"),
        ] {
            let run = run(&mut mpirun.command(folder.path(), 2, arguments));
            let err = run.err.clone();
            assert!(run.code != Some(0), "{err}");
            assert_eq!(err.matches(error).count(), 1, "{err}");
        }
    }
}
