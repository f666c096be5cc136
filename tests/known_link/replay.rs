//! Replays, on a slow link, programs that were traced on a fast one.

use crate::assumed::assumed;
use crate::judged::{Failure, check_repeatedly, collected_file};
use crate::lab::file::finished;
use crate::lab::link::{Link, gigabit};
use crate::lab::mpirun::{Library, Mpirun, example};
use crate::lab::running::{alone, loggia, run};
use crate::shared::{FAR, FAR_LINK, MESSAGES, SHARED_WIRE};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A program with its number of ranks on each host.
struct Program {
    mpirun: Mpirun,
    ranks: [u32; 2],
    path: PathBuf,
    words: &'static str,
    /// The folder of the traces.
    folder: TempDir,
}

impl Program {
    fn of(name: &str, words: &'static str, ranks: [u32; 2]) -> Option<Self> {
        let mpirun = Mpirun::of(Library::OpenMpi)?;
        let path = example(name)?;
        let folder = tempfile::tempdir().unwrap();
        Some(Program { mpirun, ranks, path, words, folder })
    }

    fn traced(&self, link: &Link, name: &str) {
        let launcher = link.launcher(&self.mpirun, self.ranks, "");
        let mut command = loggia(self.folder.path(), &format!("trace --overwrite -o {name} --"));
        command.arg(launcher.get_program()).args(launcher.get_args());
        command.arg(&self.path).args(self.words.split(' '));
        command.envs(launcher.get_envs().filter_map(|(key, value)| Some((key, value?))));
        run(&mut command).good();
    }

    /// Traces the program on the fast link, as `near`, and on the slow link, by these names; none if
    /// there is no such link.
    fn near_and_far(&self, delay: u32, names: &[&str]) -> Option<Link> {
        {
            let near = Link::up(gigabit(0))?;
            self.traced(&near, "near");
        }
        let far = Link::up(gigabit(delay))?;
        names.iter().for_each(|name| self.traced(&far, name));
        Some(far)
    }

    fn replayed(&self, trace: &str, sig: &Path, words: &str) -> Value {
        let words = format!("replay {trace} {} --json {words}", sig.display());
        serde_json::from_str(&run(&mut loggia(self.folder.path(), &words)).good().out).unwrap()
    }
}

/// The predicted and the measured time of all ranks in calls of this name.
fn times_in(answer: &Value, call: &str) -> [f64; 2] {
    let calls = answer["operations"].as_array().unwrap();
    let of = calls.iter().find(|of| of["call"] == call).unwrap();
    ["predicted_us", "measured_us"].map(|time| of[time].as_f64().unwrap())
}

/// A program that overlaps is traced on the fast link and predicted on the slow one. In LogGPO, its
/// handshakes wait for calls; LogGP overlaps them with computation, and has a larger error.
#[test]
fn a_trace_without_delay_predicts_the_run_with_one() {
    // Rows of numbers as large as this go by a handshake, and computation is longer than their way.
    let words = "--size 64 --iterations 20 --bytes 200000 --compute 5000us --sleep";
    let Some(halo) = Program::of("halo", words, [1, 1]) else { return };
    let _alone = alone();
    check_repeatedly(|| {
        // Farther away, 200,000 bytes would wait for TCP's window as well.
        let delay = FAR / 3;
        // The run that was disturbed least counts.
        let runs = ["far", "again", "third"];
        let Some(far) = halo.near_and_far(delay, &runs) else { return Ok(String::new()) };
        let words = format!("--max-time 20s {MESSAGES}");
        let sig = collected_file(&far, &halo.mpirun, halo.ranks, "", &words);
        let assumed = assumed(&finished(&sig), "network");
        let replayed = |name: &str, rules: &str| {
            halo.replayed(name, &sig, &format!("--rules {rules}{assumed}"))
        };
        let took = |name: &str| replayed(name, "loggpo")["measured_us"].as_f64().unwrap();
        let real = runs.map(took).into_iter().fold(f64::INFINITY, f64::min);
        let error =
            |rules: &str| replayed("near", rules)["predicted_us"].as_f64().unwrap() / real - 1.0;
        let [loggp, loggpo] = ["loggp", "loggpo"].map(error);
        let words = format!(
            "predicted from a trace without delay, {delay} µs away: LogGPO {:+.1}%, LogGP {:+.1}%",
            100.0 * loggpo,
            100.0 * loggp
        );
        match loggpo.abs() <= 0.05 && loggp.abs() > loggpo.abs() {
            true => Ok(words),
            false => Err(Failure::Wrong(words)),
        }
    });
}

/// A signature measured between two ranks predicts a run of four ranks, two on each host. Every step of
/// the solver waits for sums over all ranks.
#[test]
fn what_two_ranks_measure_predicts_four() {
    let words = "--size 128 --iterations 2 --compute 3000us --sleep";
    let Some(program) = Program::of("conjugate_gradient", words, [2, 2]) else { return };
    let _alone = alone();
    check_repeatedly(|| {
        // Four ranks that wait share two processors: the run that was disturbed less counts.
        let runs = ["far", "again"];
        let Some(far) = program.near_and_far(FAR, &runs) else { return Ok(String::new()) };
        let sig = FAR_LINK.signature(&far, &program.mpirun)?;
        let assumed = assumed(&finished(&sig), "network");
        let words = format!("--nodes block:2 --rules loggp{assumed}");
        let said = |name: &str, what: &str| -> f64 {
            program.replayed(name, &sig, &words)[what].as_f64().unwrap()
        };
        let [one, other] = runs.map(|name| said(name, "measured_us"));
        let error = said("near", "predicted_us") / one.min(other) - 1.0;
        let words =
            format!("four ranks, by a signature of two, {FAR} µs away: {:+.1}%", 100.0 * error);
        match error.abs() <= 0.1 {
            true => Ok(words),
            false => {
                FAR_LINK.forget();
                Err(Failure::Wrong(words))
            }
        }
    });
}

/// An alltoall of four ranks per host, which share a wire: its time agrees with the simulation with R_N,
/// and not with the one in which every rank has its own wire.
#[test]
fn an_alltoall_of_ranks_that_share_the_wire_takes_what_is_simulated() {
    let words = "--size 512 --iterations 6";
    let Some(transpose) = Program::of("transpose", words, SHARED_WIRE.ranks) else { return };
    let _alone = alone();
    SHARED_WIRE.check(&transpose.mpirun, |link, sig| {
        // TCP waits 200 ms after a lost packet: of these runs, the one that waited least counts.
        let runs = ["first", "second", "third"];
        runs.iter().for_each(|name| transpose.traced(link, name));
        let file = finished(sig);
        // Eight ranks on two processors measure little of what takes microseconds.
        let inside = ["L=2us", "o_s=2us", "o_r=2us", "g=2us", "G=0.5ns"];
        let inside = inside.map(|value| format!(" --set node.{value}")).concat();
        let assumed = assumed(&file, "network") + &inside;
        let error = |more: &str| {
            let words = format!("--nodes block:4 --rules loggp{assumed}{more}");
            let times =
                runs.map(|name| times_in(&transpose.replayed(name, sig, &words), "Alltoall"));
            let least = times.into_iter().min_by(|a, b| a[1].total_cmp(&b[1]));
            let [predicted, measured] = least.unwrap();
            predicted / measured - 1.0
        };
        let [shared, own] = [error(""), error(" --set network.R_N=none")];
        let words = format!(
            "an alltoall of 4 + 4 ranks: {:+.1}%, without R_N {:+.1}%",
            100.0 * shared,
            100.0 * own
        );
        match shared.abs() <= 0.1 && own.abs() > 0.3 {
            true => Ok(words),
            false => Err(Failure::Wrong(words)),
        }
    });
}
