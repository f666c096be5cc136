//! The cost of tracing, the speed of replay, and the error of predictions for the machine that was
//! traced, with its own signature.
//!
//! A part that cannot be measured here prints why. Tracing needs an MPI library.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

mod traces;

use loggia_files::{Bytes, File};
use loggia_model::simulation_model::SimulationModel;
use loggia_model::{Signature, library};
use loggia_replay::trace::{OpenedTrace, SPEED, open};
use loggia_replay::{Replay, ReplayOptions};
use loggia_simulate::RunSetting;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::time::Instant;
use std::{env, fs};
use traces::{Program, RANKS, trace};

fn main() {
    let mut arguments = env::args().skip_while(|argument| argument != "--replay").skip(1);
    if let (Some(name), Some(records)) = (arguments.next(), arguments.next()) {
        let program = Program::ALL.into_iter().find(|program| program.name() == name);
        return bench_replay(program.unwrap(), records.parse().unwrap());
    }
    tracing();
    println!(
        "\nreplay, LogGP on the T3D; a halo exchange of 64 ranks, without and with an allreduce"
    );
    println!(
        "{:<12} {:>12} {:>9} {:>12} {:>12} {:>10}",
        "program", "records", "MB", "read M/s", "run M/s", "peak, MB"
    );
    for program in Program::ALL {
        for records in [100_000u64, 1_000_000, 10_000_000] {
            let child = Command::new(env::current_exe().unwrap())
                .args(["--replay", program.name(), &records.to_string()])
                .output();
            let output = child.unwrap();
            print!(
                "{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    large();
    predicting();
}

/// Speed and anonymous memory of `loggia replay` on a trace of about 1 GB. Pages of the mapped trace
/// are not counted: the kernel can reclaim them.
fn large() {
    const RECORDS: u64 = 100_000_000;
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = 0;
    for rank in 0..RANKS {
        let file = trace(Program::HaloAndSum, rank, RANKS, RECORDS / u64::from(RANKS));
        bytes += file.len();
        fs::write(folder.path().join(format!("rank-{rank}.trace")), file).unwrap();
    }
    let begin = Instant::now();
    let mut command = Command::new(loggia());
    command.args(["replay", "--json", "--rules", "loggp"]).arg(folder.path()).arg("cray-t3d");
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    let mut peak = 0.0f64;
    while child.try_wait().unwrap().is_none() {
        peak = peak.max(memory_field(child.id(), "RssAnon:").unwrap_or_default());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(child.wait().unwrap().success());
    println!(
        "`loggia replay` of {:.2} GB, {RECORDS} records: {:.2} M records/s, its own memory {peak:.0} MB (budget 1000)",
        bytes as f64 / 1e9,
        RECORDS as f64 / begin.elapsed().as_secs_f64() / 1e6
    );
}

/// A memory field of `/proc/PID/status`, in MB.
fn memory_field(process: u32, name: &str) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().trim_end_matches(" kB").parse::<f64>().ok().map(|kilobytes| kilobytes / 1e3)
}

/// Replays a trace of this many records; prints its speed and peak memory.
fn bench_replay(program: Program, records: u64) {
    let file = |rank| File {
        name: format!("rank-{rank}.trace"),
        bytes: Bytes::new(trace(program, rank, RANKS, records / u64::from(RANKS))),
    };
    let files: Vec<File> = (0..RANKS).map(file).collect();
    let megabytes = files.iter().map(|file| file.bytes.len()).sum::<usize>() as f64 / 1e6;
    let signature = library::load("cray-t3d").unwrap();
    let begin = Instant::now();
    let OpenedTrace::Calls(trace) = open("halo", files, SPEED).unwrap() else { unreachable!() };
    let replay = Replay::new(Rc::new(trace), ReplayOptions::default()).unwrap();
    let read = begin.elapsed().as_secs_f64();
    let end = run(&replay, &signature);
    let all = begin.elapsed().as_secs_f64();
    assert!(end > 0.0);
    let records = replay.summary.records as f64;
    let peak = memory_field(std::process::id(), "VmHWM:");
    println!(
        "{:<12} {records:>12} {megabytes:>9.1} {:>12.2} {:>12.2} {:>10.0}   all: {:.2} M records/s (budget 5)",
        program.name(),
        records / read / 1e6,
        records / (all - read) / 1e6,
        peak.unwrap_or(f64::NAN),
        records / all / 1e6
    );
}

fn run(replay: &Replay, signature: &Signature) -> f64 {
    let setting = RunSetting::of(signature, None, None, None).unwrap();
    let simulation = replay.simulation(SimulationModel::LogGp, &setting).unwrap();
    replay.answer(&simulation).unwrap().predicted_us.unwrap().0
}

fn loggia() -> &'static str {
    env!("CARGO_BIN_EXE_loggia")
}

/// Standard output of a command; `None` if it cannot start or fails.
fn output(program: &str, args: &[&str], folder: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder);
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    let output = command.output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Time that tracing adds to a call, and bytes per record; the best of five runs each.
fn tracing() {
    println!(
        "tracing, messages to self: Isend, Recv, Wait (budget: 150 ns per call, 24 bytes per record)"
    );
    println!(
        "{:>9} {:>12} {:>12} {:>12} {:>14}",
        "library", "plain, ns", "traced, ns", "added, ns", "bytes/record"
    );
    for library in ["openmpi", "mpich"] {
        let folder = tempfile::tempdir().unwrap();
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/many_calls.c");
        let source = source.to_string_lossy().into_owned();
        let compiler = format!("mpicc.{library}");
        if output(&compiler, &["-O2", "-o", "program", &source], folder.path()).is_none() {
            println!("{library:>9} not measured: {compiler} is missing");
            continue;
        }
        let launcher = format!("mpirun.{library}");
        let calls = "3000000";
        let time = |text: Option<String>| -> f64 {
            text.unwrap().split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        let (mut plain, mut traced) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..5 {
            let args = ["-n", "1", "./program", calls];
            plain = plain.min(time(output(&launcher, &args, folder.path())));
            let args =
                ["trace", "-o", "t", "--overwrite", "--", &launcher, "-n", "1", "./program", calls];
            traced = traced.min(time(output(loggia(), &args, folder.path())));
        }
        let length = fs::metadata(folder.path().join("t/rank-0.trace")).unwrap().len() as f64;
        let each = length / (calls.parse::<f64>().unwrap() * 1.1);
        println!("{library:>9} {plain:>12.1} {traced:>12.1} {:>12.1} {each:>14.1}", traced - plain);
    }
}

/// The five examples at three sizes, with options for small, medium and large messages.
const PROGRAMS: [(&str, [&str; 3]); 5] = [
    ("halo", ["--size 64", "--size 256", "--size 128 --bytes 1000000"]),
    ("conjugate_gradient", ["--size 2048", "--size 8192", "--size 32768"]),
    ("wavefront", ["--size 6", "--size 10", "--size 20"]),
    ("transpose", ["--size 128", "--size 384", "--size 768"]),
    ("ring", ["--size 128", "--size 256", "--size 512"]),
];

/// Errors of predictions on this machine, with its own signature.
fn predicting() {
    let Some(examples) = examples() else {
        println!(
            "\nnot predicted: the examples are not built, or mpirun is missing; `make bench` builds them"
        );
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mpirun = |args: &str| -> Option<String> {
        let args = format!("--bind-to core -n 2 {args}");
        output("mpirun", &args.split(' ').collect::<Vec<_>>(), folder.path())
    };
    if mpirun(&format!("{} collect -o here.json", loggia())).is_none() {
        println!("\nnot predicted: `loggia collect` with two ranks failed");
        return;
    }
    println!(
        "\nthis machine, two ranks, its own signature (target: mean absolute error of LogGPO below 5%)"
    );
    println!("{:<20} {:<28} {:>12} {:>9} {:>9}", "program", "", "measured, µs", "loggp", "loggpo");
    let mut errors = [Vec::new(), Vec::new()];
    for (program, sizes) in PROGRAMS {
        for args in sizes {
            let path = examples.join(program);
            let line = format!(
                "trace --overwrite -o t -- mpirun --bind-to core -n 2 {} {args}",
                path.display()
            );
            let traced = output(loggia(), &line.split(' ').collect::<Vec<_>>(), folder.path());
            if traced.is_none() {
                println!("{program:<20} {args:<28} failed");
                continue;
            }
            let mut cells = String::new();
            let mut measured = f64::NAN;
            for (rules, errors) in ["loggp", "loggpo"].iter().zip(&mut errors) {
                let line = format!("replay t here.json --json --rules {rules}");
                let answer = output(loggia(), &line.split(' ').collect::<Vec<_>>(), folder.path());
                let answer: Value =
                    answer.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
                measured = answer["measured_us"].as_f64().unwrap_or(measured);
                match answer["error"].as_f64() {
                    Some(error) => {
                        errors.push(error.abs());
                        cells += &format!(" {:>8.1}%", 100.0 * error);
                    }
                    None => cells += "         –",
                }
            }
            println!("{program:<20} {args:<28} {measured:>12.0}{cells}");
        }
    }
    let mean = |errors: &[f64]| 100.0 * errors.iter().sum::<f64>() / errors.len() as f64;
    println!("{:<62} {:>8.1}% {:>8.1}%", "mean absolute error", mean(&errors[0]), mean(&errors[1]));
}

/// The folder of the examples, if they are built.
fn examples() -> Option<PathBuf> {
    let folder = Path::new(loggia()).with_file_name("examples");
    let are_built =
        folder.join("halo").exists() && Command::new("mpirun").arg("--version").output().is_ok();
    are_built.then_some(folder)
}
