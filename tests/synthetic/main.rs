//! The collector on a synthetic machine, which follows a signature: the coverage of its intervals,
//! and the error rate of comparisons of two runs.
//!
//! `LOGGIA_COVERAGE_RUNS` sets the number of seeds, `LOGGIA_COMPARE_PAIRS` the number of pairs of
//! runs; `make bench` sets 200 and 100.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod compared;

use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Mutex;

/// Parameters of the machine, of sizes at which each can be identified.
const TRUTH: [&str; 11] = [
    "L=10us",
    "o_s=2us",
    "o_r=1.5us",
    "g=4us",
    "G=5ns",
    "S=8KiB",
    "progress=dependent",
    "transfer=rat",
    "O_control=1us",
    "O_i=2us",
    "O_c=1.5us",
];

fn loggia(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_loggia")).args(args).output().unwrap()
}

fn truth(folder: &Path, changes: &[&str]) -> String {
    let mut args = vec!["show", "cray-t3d", "--json"];
    args.extend(TRUTH.iter().chain(changes).flat_map(|set| ["--set", *set]));
    let path = folder.join("truth.json");
    let shown = loggia(&args);
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    std::fs::write(&path, shown.stdout).unwrap();
    path.display().to_string()
}

fn collected(folder: &Path, from: &str, seed: u64, more: &[&str]) -> Value {
    let file = folder.join(format!("{seed}.json"));
    let (path, seed) = (file.display().to_string(), seed.to_string());
    let mut args = vec!["collect", "-o", &path, "--overwrite", "--quick"];
    args.extend(["--transport", "synthetic", "--from", from, "--seed", &seed]);
    args.extend(more);
    let run = loggia(&args);
    assert!(run.status.success(), "seed {seed}: {}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

fn runs() -> u64 {
    from_environment("LOGGIA_COVERAGE_RUNS").unwrap_or(24)
}

/// A number from an environment variable.
fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Results of a function for each seed, on two threads, in the order of seeds.
fn on_two_cores<T: Send>(seeds: RangeInclusive<u64>, run: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let next = Mutex::new(seeds);
    let all: Mutex<BTreeMap<u64, T>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(seed) = next.lock().unwrap().next() else { return };
                    let result = run(seed);
                    all.lock().unwrap().insert(seed, result);
                }
            });
        }
    });
    all.into_inner().unwrap().into_values().collect()
}

/// Symbol, true value and estimate of each parameter.
fn estimates(signature: &Value) -> Vec<(&'static str, f64, Value)> {
    let tier = &signature["tiers"][0];
    let isend = tier["styles"].as_array().unwrap().iter().find(|s| s["name"] == "isend").unwrap();
    let at = |curve: &Value, bytes: u64| {
        let points = curve["points"].as_array().cloned().unwrap_or_default();
        points.into_iter().find(|p| p["bytes"] == bytes).unwrap_or(Value::Null)
    };
    vec![
        ("EEL", 13.5 + 7.0 * 0.005, tier["end_to_end_latency"].clone()),
        ("L", 10.0, tier["latency"].clone()),
        ("g", 4.0, tier["gap"].clone()),
        ("G", 0.005, tier["gap_per_byte"].clone()),
        ("o_s", 2.0, at(&isend["send_overhead"], 8)),
        ("o_r", 1.5, at(&isend["recv_overhead"], 8)),
        ("O'", 1.0, tier["progress"]["control_overhead"].clone()),
    ]
}

/// 5% noise on every cost, and 1% of the costs up to ten times as high.
#[test]
fn intervals_contain_the_true_values() {
    let folder = tempfile::tempdir().unwrap();
    let from = truth(folder.path(), &[]);
    let only = ["--only", "eager-limit,ping-pong,two-processor,flood"];
    let few = ["--style", "isend", "--sizes", "8,64,1KiB,8KiB,16KiB,128KiB,1MiB"];
    let args = [only.as_slice(), &few, &["--noise", "5%"]].concat();
    let all = on_two_cores(1..=runs(), |seed| collected(folder.path(), &from, seed, &args));
    let mut covered: BTreeMap<&str, Vec<bool>> = BTreeMap::new();
    let mut widths: BTreeMap<&str, f64> = BTreeMap::new();
    for signature in &all {
        for (symbol, truth, parameter) in estimates(signature) {
            let [value, low, high] =
                ["value", "low", "high"].map(|key| parameter[key].as_f64().unwrap());
            covered.entry(symbol).or_default().push(low <= truth && truth <= high);
            *widths.entry(symbol).or_default() += (high - low) / value / all.len() as f64;
        }
        let limit = &signature["tiers"][0]["progress"]["eager_limit"];
        assert_eq!((limit["low"].as_u64(), limit["high"].as_u64()), (Some(8192), Some(8193)));
    }
    let (mut hits, mut tries) = (0, 0);
    for (symbol, covered) in &covered {
        let hit = covered.iter().filter(|covered| **covered).count();
        (hits, tries) = (hits + hit, tries + covered.len());
        let share = 100.0 * hit as f64 / covered.len() as f64;
        let width = 100.0 * widths[symbol];
        println!(
            "{symbol:>4}: coverage {share:.0}% of {} runs, width of the interval {width:.1}%",
            covered.len()
        );
        assert!(width <= 10.0, "{symbol} is {width}% wide");
        assert!(share >= 80.0, "{symbol}: {share}%");
    }
    let share = 100.0 * f64::from(hits as u32) / f64::from(tries as u32);
    println!("all parameters: coverage {share:.1}% of {tries}");
    assert!(share >= 90.0, "{share}%");
}

#[test]
fn a_latency_below_the_noise_is_uncertain() {
    let folder = tempfile::tempdir().unwrap();
    // The latency is smaller than the noise of the overheads.
    let from = truth(folder.path(), &["L=0.1us"]);
    let args = ["--only", "ping-pong,two-processor", "--style", "isend", "--sizes", "8,1KiB"];
    let args = [args.as_slice(), &["--noise", "30%", "--outliers", "5%"]].concat();
    let signature = collected(folder.path(), &from, 1, &args);
    let latency = &signature["tiers"][0]["latency"];
    assert_eq!(latency["verdict"], "uncertain", "{latency}");
    assert_eq!(latency["low"], 0.0, "it may be 0: {latency}");
    assert!(latency["high"].as_f64().unwrap() > 0.1, "{latency}");
    assert!(latency["source"].as_str().unwrap().contains("too noisy"), "{latency}");
}

/// The fit finds the closed forms of Hwang, Wang & Wang 1997, Table 3, on a synthetic machine.
#[test]
fn published_forms_of_collective_operations_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--only", "collectives", "--procs", "16", "--sizes", "8,64KiB", "--noise", "5%"];
    let signature = collected(folder.path(), "cray-t3d", 1, &args);
    let forms = signature["collectives"].as_array().unwrap();
    let bcast = forms.iter().find(|form| form["op"] == "bcast").unwrap();
    // (23 log p + 12) + (0.013 log p − 0.0071) m
    let slope = |form: &Value| {
        let terms = form["terms"].as_array().unwrap().clone();
        terms.iter().find(|t| t["times"] == "log p").unwrap()["value"].as_f64().unwrap()
    };
    assert!((slope(&bcast["startup"]) / 23.0 - 1.0).abs() < 0.1, "{bcast}");
    assert!((slope(&bcast["per_byte"]) / 0.013 - 1.0).abs() < 0.15, "{bcast}");
}
