//! Compares plans with runs: the sketches of the example programs, planned with a signature that was
//! measured between two ranks, and the programs themselves on two and on four ranks.

use crate::judged::Failure;
use crate::lab::link::Link;
use crate::lab::mpirun::{Library, Mpirun, example};
use crate::lab::running::{alone, loggia, note, run};
use crate::shared::{FAR, FAR_LINK};
use serde_json::Value;
use std::path::Path;

/// Maximum number of runs. The fastest counts, since the ranks share two processors; a run within
/// [`ALLOWED`] is the last.
const RUNS: usize = 3;
/// Maximum error of a plan.
const ALLOWED: f64 = 0.1;

/// A program with its options, and the constants of its sketch for the same options.
struct Case {
    name: &'static str,
    options: &'static str,
    constants: &'static [&'static str],
}

/// The programs sleep instead of computing, since there are more ranks than processors; about as long
/// as their messages take.
const CASES: [Case; 6] = [
    Case {
        name: "halo",
        options: "--size 8 --iterations 60 --bytes 4096 --compute 2000us",
        constants: &["bytes=4096", "compute=2ms"],
    },
    Case {
        name: "halo",
        options: "--size 8 --iterations 20 --bytes 100000 --compute 8000us",
        constants: &["bytes=100000", "compute=8ms"],
    },
    Case {
        name: "conjugate_gradient",
        options: "--size 64 --iterations 1 --compute 10000us",
        constants: &["size=64", "compute=10ms"],
    },
    Case {
        name: "wavefront",
        options: "--size 4 --depth 4 --iterations 3 --compute 2000us",
        constants: &["depth=4", "compute=2ms"],
    },
    Case {
        name: "ring",
        options: "--size 8 --iterations 20 --compute 6000us",
        constants: &["size=8", "compute=6ms"],
    },
    Case {
        name: "transpose",
        options: "--size 16 --iterations 20 --compute 6000us",
        constants: &["size=16", "compute=6ms"],
    },
];

#[test]
fn sketches_say_how_long_the_programs_take() {
    let Some(mpirun) = Mpirun::of(Library::OpenMpi) else { return };
    if CASES.iter().any(|case| example(case.name).is_none()) {
        return;
    }
    let _alone = alone();
    let with_ranks = |case| [[1, 1], [2, 2]].map(|ranks| (case, ranks));
    let mut left: Vec<(&Case, [u32; 2])> = CASES.iter().flat_map(with_ranks).collect();
    let count = left.len() as f64;
    let mut all = 0.0;
    FAR_LINK.check(&mpirun, |far, sig| {
        let mut wrong = Vec::new();
        // Cases within the limit are not repeated.
        left.retain(|(case, ranks)| {
            let (error, words) = case.error(far, &mpirun, sig, *ranks);
            note(&words);
            let is_wrong = error > ALLOWED;
            match is_wrong {
                true => wrong.push(words),
                false => all += error,
            }
            is_wrong
        });
        let mean = 100.0 * all / count;
        match wrong.is_empty() {
            true => Ok(format!("planned from sketches, {FAR} µs away: mean error {mean:.1}%")),
            false => Err(Failure::Wrong(wrong.join("\n"))),
        }
    });
}

impl Case {
    /// The error of the plan, without sign; and both times in words.
    fn error(&self, far: &Link, mpirun: &Mpirun, sig: &Path, ranks: [u32; 2]) -> (f64, String) {
        let planned = self.planned(sig, ranks);
        let error = |real: f64| planned / real - 1.0;
        let mut real = f64::INFINITY;
        for _ in 0..RUNS {
            real = real.min(self.run(far, mpirun, ranks));
            if error(real).abs() <= ALLOWED {
                break;
            }
        }
        let error = error(real);
        let words = format!(
            "{} {} on {} ranks: {real:.0} µs an iteration, planned {planned:.0}: {:+.1}%",
            self.name,
            self.options,
            ranks.iter().sum::<u32>(),
            100.0 * error
        );
        (error.abs(), words)
    }

    /// The time of an iteration, in µs.
    fn run(&self, link: &Link, mpirun: &Mpirun, ranks: [u32; 2]) -> f64 {
        let mut command = link.launcher(mpirun, ranks, "");
        command.arg(example(self.name).unwrap());
        command.args(self.options.split(' ')).arg("--sleep");
        let out = run(&mut command).good().out;
        let of = |name: &str| {
            let word = out.split([',', ':']).find_map(|part| part.trim().strip_prefix(name));
            word.unwrap().trim().parse::<f64>().unwrap()
        };
        of("seconds") * 1e6 / of("iterations")
    }

    /// How long it takes by its sketch.
    fn planned(&self, sig: &Path, ranks: [u32; 2]) -> f64 {
        let sketch =
            format!("{}/../measure/examples/{}.toml", env!("CARGO_MANIFEST_DIR"), self.name);
        let lets: String = self.constants.iter().map(|one| format!(" --let {one}")).collect();
        let words = format!(
            "plan {sketch} {} --procs {} --ranks-per-node {} --json{lets}",
            sig.display(),
            ranks.iter().sum::<u32>(),
            ranks[0],
        );
        let folder = tempfile::tempdir().unwrap();
        let answer: Value =
            serde_json::from_str(&run(&mut loggia(folder.path(), &words)).good().out).unwrap();
        answer["plans"][0]["points"][0]["time_us"].as_f64().unwrap()
    }
}
