//! Many plans at once, the built command: over the cores of this machine, under a real `mpirun`, and
//! interrupted. Whoever works on them, the same is said.
//!
//! `LOGGIA_UNDER_TEST=/path/to/loggia` tests another build, such as one with another MPI library;
//! what is about MPI has `mpi::` in its name.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod lab;

use lab::running::{Running, loggia, run, signal};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Twelve plans, and three more of a machine that cannot be planned on.
const QUESTION: &str = "plan idea.toml cray-t3d now-sparc ibm-sp2 convex-exemplar --procs 4,9,256 \
                        --sweep n=64,256,1024 --sweep progress=dependent";

const SKETCH: &str = "[let]\nn = 512\n[grid]\ncells = [1024, 1024]\n[[step]]\nhalo = \"8 * n\"\n\
                      during = \"2us * n / p\"\n[[step]]\nallreduce = 8\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("idea.toml"), SKETCH).unwrap();
    folder
}

/// What one thread alone says.
fn alone(folder: &Path) -> String {
    run(&mut loggia(folder, &format!("{QUESTION} --json --jobs 1"))).good().out
}

fn kept(folder: &Path) -> usize {
    let text = fs::read_to_string(folder.join("all.json.part")).unwrap_or_default();
    text.matches('\n').count().saturating_sub(1)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|one| one.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn any_number_of_threads_says_the_same() {
    let folder = folder();
    let said = alone(folder.path());
    for jobs in [2, 5] {
        let words = format!("{QUESTION} --json --jobs {jobs}");
        assert!(run(&mut loggia(folder.path(), &words)).good().out == said, "{jobs} threads");
    }
    let answer: serde_json::Value = serde_json::from_str(&said).unwrap();
    let plans = answer["plans"].as_array().unwrap();
    assert_eq!(plans.len(), 9);
    assert_eq!(plans[4]["machine"], "now-sparc");
    assert_eq!(plans[4]["with"]["n"], "256");
    assert_eq!(answer["untold"].as_array().unwrap().len(), 3);
    // One of them, asked alone.
    let words = "plan idea.toml now-sparc --procs 4,9,256 --let n=256 --progress dependent --json";
    let own: serde_json::Value =
        serde_json::from_str(&run(&mut loggia(folder.path(), words)).good().out).unwrap();
    assert_eq!(plans[4]["points"], own["plans"][0]["points"]);
}

#[test]
fn a_table_has_a_row_for_each_number_of_ranks_of_each_plan() {
    let folder = folder();
    let words = format!("{QUESTION} -o all.csv");
    run(&mut loggia(folder.path(), &words)).good().said(&["9 plans are in all.csv", "3 times"]);
    let text = fs::read_to_string(folder.path().join("all.csv")).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert!(rows[0].starts_with("machine,n,progress,ranks,iteration (us),"), "{}", rows[0]);
    assert_eq!(rows.len(), 1 + 9 * 3);
    assert!(rows[1 + 4 * 3 + 1].starts_with("now-sparc,256,dependent,9,"), "{}", rows[14]);
    assert_eq!(names(folder.path()), ["all.csv", "idea.toml"]);
    // What was written is not lost by asking again.
    let again = run(&mut loggia(folder.path(), &words));
    again.ended(2, &["all.csv", "--overwrite"]);
    run(&mut loggia(folder.path(), &format!("{words} --overwrite"))).good();
}

/// Enough for a hand to come in between.
const SLOW: &str = "plan idea.toml cray-t3d now-sparc --procs 4..1Ki --sweep n=64..4096 \
                    --sweep scale-latency=1,2,3";

/// The whole of it, by one thread.
fn whole(folder: &Path) -> String {
    run(&mut loggia(folder, &format!("{SLOW} --json --jobs 1"))).good().out
}

/// Does some harm after two plans, and has another run go on to the end.
fn interrupted(
    folder: &Path,
    begin: &mut Command,
    harm: impl FnOnce(&Running),
    go_on: &mut Command,
) {
    let mut running = Running::start(begin);
    running.until("its second plan", |_| (kept(folder) >= 2).then_some(()));
    harm(&running);
    let stopped = running.wait(Duration::from_secs(20));
    assert_ne!(stopped.code, Some(0), "{}{}", stopped.out, stopped.err);
    assert_eq!(names(folder), ["all.json.part", "idea.toml"]);
    let known = kept(folder);
    assert!(known < 42, "nothing was left to do");
    // Without a word about it, it is neither gone on with nor lost; nor is it by another question.
    let words = format!("{SLOW} -o all.json");
    run(&mut loggia(folder, &words)).ended(2, &["all.json.part", "--resume"]);
    let other = format!("{words} --resume --rules logp");
    run(&mut loggia(folder, &other)).ended(2, &["another plan"]);
    assert_eq!(kept(folder), known);
    run(go_on).good().said(&[&format!("{known} of 42 plans were read from all.json.part")]);
    assert_eq!(names(folder), ["all.json", "idea.toml"]);
    let file = fs::read_to_string(folder.join("all.json")).unwrap();
    assert!(file == whole(folder), "what was interrupted says something else");
}

#[test]
fn threads_that_are_stopped_are_gone_on_with() {
    let folder = folder();
    let folder = folder.path();
    let mut begin = loggia(folder, &format!("{SLOW} -o all.json --jobs 1"));
    let mut go_on = loggia(folder, &format!("{SLOW} -o all.json --resume"));
    interrupted(folder, &mut begin, |running| signal(running.pid(), "TERM"), &mut go_on);
}

mod mpi {
    use super::*;
    use crate::lab::mpirun::Mpirun;

    #[test]
    fn any_number_of_ranks_says_the_same() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = folder();
        let said = alone(folder.path());
        for ranks in [1, 2, 4] {
            let words = format!("{QUESTION} --json");
            let run = run(&mut mpirun.command(folder.path(), ranks, &words)).good();
            assert!(run.out == said, "{ranks} ranks say something else: {}", run.err);
        }
    }

    #[test]
    fn a_rank_that_is_killed_loses_nothing_that_was_planned() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = folder();
        let folder = folder.path();
        let mut begin = mpirun.command(folder, 3, &format!("{SLOW} -o all.json"));
        let mut go_on = mpirun.command(folder, 2, &format!("{SLOW} -o all.json --resume"));
        let kill = |running: &Running| {
            let ranks = running.ranks();
            signal(ranks[&2], "KILL");
        };
        interrupted(folder, &mut begin, kill, &mut go_on);
    }

    /// What is wrong is said once, and no rank waits for a question that does not come.
    #[test]
    fn a_question_that_cannot_be_asked_ends_all_ranks() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = folder();
        for (words, said) in [
            ("plan absent.toml cray-t3d", "absent.toml"),
            ("plan idea.toml cray-t3d --sweep m=1,2", "unknown name `m`"),
        ] {
            let run = run(&mut mpirun.command(folder.path(), 2, words));
            let err = run.err.clone();
            assert!(run.code != Some(0), "{err}");
            assert_eq!(err.matches(said).count(), 1, "{err}");
        }
    }
}
