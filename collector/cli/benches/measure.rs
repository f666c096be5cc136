//! Spread of five signatures of this machine, time per signature, and errors of the predictions.
//! Under `mpirun` if the build has MPI, otherwise between two threads.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use loggia_model::units::words::number;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const RUNS: usize = 5;

/// A parameter, its place in the file, and the maximum spread of runs as a fraction.
const PARAMETERS: [(&str, &str, f64); 6] = [
    ("EEL", "/tiers/0/end_to_end_latency", 0.02),
    ("g", "/tiers/0/gap", 0.02),
    ("G", "/tiers/0/gap_per_byte", 0.02),
    ("o_s", "send_overhead", 0.05),
    ("o_r", "recv_overhead", 0.05),
    ("L", "/tiers/0/latency", 0.05),
];

/// A measuring command on two ranks.
fn command(folder: &Path, args: &str) -> Command {
    let program = env!("CARGO_BIN_EXE_loggia");
    let mut command = if cfg!(feature = "mpi") {
        let mut command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.ci/mpi"));
        command.args(["run", "2", program]);
        command
    } else {
        Command::new(program)
    };
    command.args(args.split(' ')).current_dir(folder).stderr(Stdio::null());
    if !cfg!(feature = "mpi") {
        command.args(["--transport", "threads"]);
    }
    command
}

/// Value, low and high of a parameter, or of the send mode `isend` at eight bytes.
fn interval(file: &Value, place: &str) -> Option<[f64; 3]> {
    let of = match file.pointer(place) {
        Some(parameter) => parameter,
        None => {
            let styles = file.pointer("/tiers/0/styles")?.as_array()?;
            let style = styles.iter().find(|style| style["name"] == "isend")?;
            let points = style.get(place)?["points"].as_array()?;
            points.iter().find(|point| point["bytes"] == 8)?
        }
    };
    let number = |name: &str| of.get(name)?.as_f64();
    Some([number("value")?, number("low")?, number("high")?])
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    println!("budget: a full point-to-point signature in ≤ 60 s, a quick one in ≤ 10 s");
    let mut files = Vec::new();
    let only = "eager-limit,ping-pong,two-processor,flood,cpu-overlap,progress,one-sided";
    for run in 0..RUNS {
        let begin = Instant::now();
        let args = format!("collect --only {only} -o {run}.json");
        let status = command(folder.path(), &args).stdout(Stdio::null()).status().unwrap();
        assert!(status.success());
        let text = fs::read_to_string(folder.path().join(format!("{run}.json"))).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        println!("run {}: {:.1} s", run + 1, begin.elapsed().as_secs_f64());
        for note in file["notes"].as_array().into_iter().flatten() {
            println!("  ! {}", note.as_str().unwrap_or_default());
        }
        files.push(file);
    }
    let begin = Instant::now();
    let quick = format!("collect --quick --only {only} -o quick.json");
    assert!(command(folder.path(), &quick).stdout(Stdio::null()).status().unwrap().success());
    println!("quick: {:.1} s", begin.elapsed().as_secs_f64());
    println!("\nspread over {RUNS} runs, (maximum − minimum)/median; for L divided by EEL");
    let eel = interval(&files[0], PARAMETERS[0].1).map_or(f64::NAN, |[value, ..]| value);
    for (name, place, budget) in PARAMETERS {
        let found: Vec<[f64; 3]> = files.iter().filter_map(|file| interval(file, place)).collect();
        let mut values: Vec<f64> = found.iter().map(|[value, ..]| *value).collect();
        values.sort_by(f64::total_cmp);
        let (Some(minimum), Some(maximum)) = (values.first(), values.last()) else {
            println!("{name:4} unusable in every run");
            continue;
        };
        let reference = if name == "L" { eel } else { values[values.len() / 2] };
        let lows = found.iter().map(|[_, low, _]| *low).fold(f64::MIN, f64::max);
        let highs = found.iter().map(|[.., high]| *high).fold(f64::MAX, f64::min);
        println!(
            "{name:4} {:5.1}% (budget {:.0}%), {} of {RUNS} runs, intervals {}: {}",
            (maximum - minimum) / reference * 100.0,
            budget * 100.0,
            found.len(),
            if lows <= highs { "overlap" } else { "do not all overlap" },
            values.iter().map(|value| number(*value, 4)).collect::<Vec<_>>().join(" "),
        );
    }
    println!("\nbudget: median error ≤ 5% for the best model");
    let output = command(folder.path(), "validate 0.json").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let scores = text.lines().skip_while(|line| !line.contains("median error"));
    scores.for_each(|line| println!("{line}"));
}
