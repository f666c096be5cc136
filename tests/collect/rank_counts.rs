//! One rank, an odd number of ranks, more ranks than processors, and idle ranks.

use crate::lab::file::{finished, tier};
use crate::lab::mpirun::Library;
use crate::lab::running::{alone, beside_another, binary, run};
use std::process::Command;

const SHORT: &str = "collect --quick --only ping-pong --sizes 8 -o sig.json";

mod mpi {
    use super::*;
    use crate::lab::mpirun::{Mpirun, with_loggia};
    use crate::lab::running::{PATIENCE, Running, skip};
    use serde_json::json;
    use std::fs;
    use std::thread::{available_parallelism, sleep};
    use std::time::{Duration, Instant};

    #[test]
    fn one_rank_alone_is_refused() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = tempfile::tempdir().unwrap();
        let run = run(&mut mpirun.command(folder.path(), 1, SHORT));
        run.exited(2, &["at least two ranks are needed", "-n 2", "--transport threads"]);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0);
    }

    /// Each process is then the only rank of its own job.
    #[test]
    fn the_launcher_of_another_library_writes_nothing() {
        let Some(mpirun) = Mpirun::here() else { return };
        let other = match mpirun.library {
            Library::OpenMpi => "mpirun.mpich",
            Library::Mpich => "mpirun.openmpi",
        };
        let folder = tempfile::tempdir().unwrap();
        let mut command = std::process::Command::new(other);
        if command.arg("--version").output().is_err() {
            return skip(&format!("{other} is not installed"));
        }
        let mut command = std::process::Command::new(other);
        command.args(["-n", "2"]).current_dir(folder.path());
        with_loggia(&mut command, SHORT);
        let run = run(&mut command);
        assert!(run.code != Some(0), "{}{}", run.out, run.err);
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "{}{}", run.out, run.err);
    }

    #[test]
    fn three_ranks() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = tempfile::tempdir().unwrap();
        let _slot = beside_another();
        let run = run(&mut mpirun.command(folder.path(), 3, SHORT)).good();
        run.printed(&["3 ranks on 1 host"]);
        let file = finished(&folder.path().join("sig.json"));
        assert_eq!(file["collection"]["ranks"], 3);
        assert_eq!(file["collection"]["hosts"][0]["ranks"], json!([0, 1, 2]));
        tier(&file, "node");
    }

    #[test]
    fn more_ranks_than_processors_are_noticed() {
        let Some(mpirun) = Mpirun::here() else { return };
        let processors = available_parallelism().unwrap().get() as u32;
        if processors > 6 {
            return skip("this machine has too many processors for this test");
        }
        let folder = tempfile::tempdir().unwrap();
        let _slot = beside_another();
        let ranks = processors + 2;
        let run = run(&mut mpirun.command(folder.path(), ranks, SHORT)).good();
        run.printed(&[&format!("{ranks} ranks on {processors} processor")]);
        let file = finished(&folder.path().join("sig.json"));
        assert_eq!(file["collection"]["ranks"], ranks);
        let notes = file["notes"].to_string();
        assert!(notes.contains(&format!("{ranks} ranks on {processors} processor")), "{notes}");
    }

    /// An idle rank leaves its processor to the measured ranks.
    #[test]
    fn an_idle_rank_sleeps() {
        let Some(mpirun) = Mpirun::here() else { return };
        let folder = tempfile::tempdir().unwrap();
        let _alone = alone();
        let arguments = "collect --thorough --only ping-pong --sizes 8..1MiB --max-time 20s";
        let arguments = format!("{arguments} -o sig.json");
        let mut running = Running::start(&mut mpirun.command(folder.path(), 3, &arguments));
        let file = folder.path().join("sig.json");
        running.until("its first save", |_| file.exists().then_some(()));
        let pid = running.ranks()[&2];
        let (begin, before) = (Instant::now(), processor_seconds(pid));
        sleep(Duration::from_secs(1));
        let (busy, elapsed) = (processor_seconds(pid) - before, begin.elapsed().as_secs_f64());
        assert!(busy < 0.2 * elapsed, "rank 2 is idle and used {busy} s of {elapsed} s");
        crate::lab::running::signal(running.pid(), "TERM");
        running.wait(PATIENCE);
    }

    /// CPU time of a process, in seconds; the kernel counts in hundredths.
    fn processor_seconds(pid: u32) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let after = stat.rsplit_once(')').unwrap().1;
        let ticks = after.split_whitespace().skip(11).take(2).map(|t| t.parse::<f64>().unwrap());
        ticks.sum::<f64>() / 100.0
    }
}

/// Ranks that take turns on one processor show no progress of the library.
#[test]
fn progress_is_withheld_if_ranks_share_a_processor() {
    let folder = tempfile::tempdir().unwrap();
    let _alone = alone();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    let first = allowed.trim().split(['-', ',']).next().unwrap();
    let mut command = Command::new("taskset");
    command.args(["-c", first]).arg(binary()).current_dir(folder.path());
    let arguments = "collect --transport threads --quick --only eager-limit,progress -o sig.json";
    run(command.args(arguments.split(' '))).good();
    let file = finished(&folder.path().join("sig.json"));
    let progress = &tier(&file, "node")["progress"];
    assert!(progress["kind"].is_null(), "{progress}");
    let source = progress["source"].as_str().unwrap();
    assert!(source.contains("separate processors"), "{source}");
}
