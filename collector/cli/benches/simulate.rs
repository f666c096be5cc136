//! Speed and memory of simulated schedules, natively and in the browser.
//!
//! A case is timed from the machine's numbers to the completion of all ranks; the best of several
//! times counts. The schedule is built before, and no timeline is drawn. Each native case runs in
//! its own process, each case in the browser in a newly loaded module. Peak memory is read after the
//! first run: natively of the whole process, in the browser the module's linear memory. Both include
//! the schedule and its construction.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

#[path = "../../../tests/browser/mod.rs"]
mod browser;

use browser::Page;
use loggia_model::numbers::Numbers;
use loggia_model::signature::Operation;
use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::{Bytes, Micros, MicrosPerByte, Procs};
use loggia_simulate::ParameterSource;
use loggia_simulate::collective::{self, Shape};
use loggia_simulate::{RunSetting, Simulation};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

struct Case {
    /// The operation, its algorithm, ranks and bytes.
    of: (&'static str, &'static str, u32, u64),
    /// Completion time of LogGOPSim in µs, if known.
    end: Option<f64>,
    budget: Budget,
}

/// Limits of a native run; the browser may take twice the time.
#[derive(Clone, Copy, Default)]
struct Budget {
    /// Minimum, in millions per second.
    events: Option<f64>,
    seconds: Option<f64>,
    megabytes: Option<f64>,
}

const NONE: Budget = Budget { events: None, seconds: None, megabytes: None };

const CASES: [Case; 7] = [
    Case { of: ("bcast", "binomial", 1024, 1), end: None, budget: NONE },
    Case { of: ("bcast", "binomial", 131_072, 1), end: Some(93.5), budget: NONE },
    Case {
        of: ("bcast", "binomial", 1_048_576, 1),
        end: None,
        budget: Budget { events: Some(10.0), megabytes: Some(200.0), ..NONE },
    },
    Case {
        of: ("barrier", "dissemination", 16_384, 1),
        end: Some(77.0),
        budget: Budget { events: Some(20.0), ..NONE },
    },
    Case { of: ("allreduce", "ring", 1024, 1 << 20), end: Some(23_811.348), budget: NONE },
    Case { of: ("alltoall", "linear", 256, 1), end: Some(765.0), budget: NONE },
    Case {
        of: ("alltoall", "linear", 1024, 1),
        end: None,
        budget: Budget { seconds: Some(1.0), ..NONE },
    },
];

/// L, o and g in µs, G and O in µs per byte, S in bytes.
const NUMBERS: [f64; 6] = [2.5, 1.5, 1.0, 0.006, 0.0, 65535.0];

/// Minimum number of timings, minimum duration, and minimum seconds per timing.
const MIN_TIMINGS: u32 = 5;
const MIN_DURATION: Duration = Duration::from_millis(1500);
const TIMING_SECONDS: f64 = 0.02;

#[derive(Serialize, Deserialize)]
struct Figures {
    events: u64,
    end_us: f64,
    /// The minimum.
    seconds: f64,
    /// Unknown if there is no `/proc`.
    peak_bytes: Option<u64>,
}

fn main() {
    let mut arguments = env::args().skip_while(|argument| argument != "--case").skip(1);
    if let Some(case) = arguments.next() {
        let figures = measured(&CASES[case.parse::<usize>().unwrap()]);
        println!("{}", json!(figures));
        return;
    }
    println!(
        "simulation model loggops; L=2500 o=1500 g=1000 G=6 O=0 ns, S=65535; budget: natively the last"
    );
    println!("column, in the browser at least half the speed of native");
    println!(
        "\n{:<36} {:<6} {:>9} {:>10} {:>10} {:>8} {:>7}  budget",
        "case", "target", "events", "best, ms", "M events/s", "peak, MB", "÷native"
    );
    if let Some(why) = no_browser() {
        for index in 0..CASES.len() {
            natively(index);
        }
        println!("\nnot measured in the browser: {why}");
        return;
    }
    browser::visit("", async |page| {
        for (index, case) in CASES.iter().enumerate() {
            let native = natively(index);
            in_the_browser(page, case, &native).await;
        }
        let version = page.evaluate("navigator.userAgent.match(/Chrome.[0-9.]+/)[0]").await;
        println!(
            "\nwasm: {} on the module of dist/ as it is (`make site` builds it)",
            version.as_str().unwrap_or_default()
        );
    });
}

/// The reason why the simulator cannot be measured in the browser.
fn no_browser() -> Option<&'static str> {
    if env::var_os("LOGGIA_NO_BROWSER").is_some_and(|value| value == "1") {
        return Some("LOGGIA_NO_BROWSER=1");
    }
    if !browser::driver::is_installed() {
        return Some("Chromium with chromedriver is not installed; run `make setup`");
    }
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist");
    let index = fs::read_to_string(dist.join("index.html")).unwrap_or_default();
    let is_built = index.contains("loggia-simulator");
    (!is_built).then_some("dist/ has no simulator; `make site` builds it")
}

/// Measures a case in a separate process.
fn natively(index: usize) -> Figures {
    let mut child = Command::new(env::current_exe().unwrap());
    let output = child.args(["--case", &index.to_string()]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let figures: Figures = serde_json::from_slice(&output.stdout).unwrap();
    CASES[index].print("native", &figures, None);
    figures
}

fn measured(case: &Case) -> Figures {
    let (op, algorithm, procs, bytes) = case.of;
    let shape = Shape::new(Procs(procs), Bytes(bytes));
    let algorithm = collective::named(Operation::named(op).unwrap(), algorithm).unwrap();
    let schedule = algorithm.schedule(&shape, &|_| 0).unwrap();
    let [latency, overhead, gap, gap_per_byte, overhead_per_byte, eager_limit] = NUMBERS;
    let setting = RunSetting::flat(ParameterSource::Numbers(Numbers {
        latency: Micros(latency),
        overhead: Micros(overhead),
        gap: Micros(gap),
        gap_per_byte: MicrosPerByte(gap_per_byte),
        overhead_per_byte: MicrosPerByte(overhead_per_byte),
        eager_limit: Some(Bytes(eager_limit as u64)),
    }));
    let run = || {
        let simulation = Simulation::new(&schedule, SimulationModel::LogGops, &setting).unwrap();
        let outcome = simulation.run();
        (outcome.events, simulation.micros(outcome.end()).0)
    };
    let begin = Instant::now();
    let (events, end_us) = run();
    let once = begin.elapsed().as_secs_f64();
    let peak_bytes = peak_bytes();
    let runs_per_timing = (TIMING_SECONDS / once).ceil() as u32;
    let (begin, mut best, mut times) = (Instant::now(), f64::INFINITY, 0);
    while times < MIN_TIMINGS || begin.elapsed() < MIN_DURATION {
        let begin = Instant::now();
        for _ in 0..runs_per_timing {
            std::hint::black_box(run());
        }
        best = best.min(begin.elapsed().as_secs_f64() / f64::from(runs_per_timing));
        times += 1;
    }
    Figures { events, end_us, seconds: best, peak_bytes }
}

/// The peak memory of this process.
fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// Like [`measured`], with JavaScript's clock.
const MEASURED: &str = "async (script, question, numbers, times, longEnough, atATime) => {
    const { Prepared, memory } = await import(script);
    const prepared = Prepared.of_algorithm(...question);
    const timed = (count) => {
        const begin = performance.now();
        for (let i = 0; i < count; i++) prepared.run(...numbers).free();
        return (performance.now() - begin) / 1e3 / count;
    };
    const run = prepared.run(...numbers);
    const { events, end_us } = run;
    run.free();
    const peak_bytes = memory.buffer.byteLength;
    const count = Math.ceil(atATime / Math.max(timed(1), 1e-4));
    const begin = performance.now();
    let seconds = Infinity;
    for (let i = 0; i < times || performance.now() - begin < 1e3 * longEnough; i++) {
        seconds = Math.min(seconds, timed(count));
    }
    return { events, end_us, seconds, peak_bytes };
}";

async fn in_the_browser(page: &Page, case: &Case, native: &Figures) {
    page.open("").await;
    let script = page.simulator().await;
    let limits = [json!(MIN_TIMINGS), json!(MIN_DURATION.as_secs_f64()), json!(TIMING_SECONDS)];
    let arguments = [&[script, json!(case.of), json!(NUMBERS)], &limits[..]].concat();
    let figures = serde_json::from_value(page.call(MEASURED, &arguments).await).unwrap();
    case.print("wasm", &figures, Some(native));
}

impl Case {
    fn print(&self, target: &str, figures: &Figures, native: Option<&Figures>) {
        let Figures { events, end_us, seconds, peak_bytes } = figures;
        let (op, algorithm, procs, _) = self.of;
        let expected = self.end.or_else(|| native.map(|native| native.end_us));
        assert_eq!(expected.unwrap_or(*end_us), *end_us, "{op} {target} ends wrongly");
        assert_eq!(native.map_or(*events, |native| native.events), *events, "{op} {target}");
        let name = format!("{op} {algorithm}, {procs} ranks");
        let rate = *events as f64 / seconds / 1e6;
        let peak = peak_bytes.map(|bytes| bytes as f64 / 1e6);
        let ratio = native.map(|native| native.seconds / seconds);
        println!(
            "{name:<36} {target:<6} {events:>9} {:>10.3} {rate:>10.1} {:>8} {:>7}  {}",
            seconds * 1e3,
            peak.map_or("?".to_owned(), |peak| format!("{peak:.1}")),
            ratio.map_or(String::new(), |ratio| format!("{ratio:.2}")),
            match ratio {
                Some(ratio) => verdict(ratio >= 0.5, "≥ 0.50 of native"),
                None => self.budget.verdicts(rate, *seconds, peak),
            }
        );
    }
}

impl Budget {
    fn verdicts(&self, rate: f64, seconds: f64, peak: Option<f64>) -> String {
        let events = self.events.map(|min| verdict(rate >= min, &format!("≥ {min} M/s")));
        let time = self.seconds.map(|max| verdict(seconds <= max, &format!("≤ {max} s")));
        let memory = self.megabytes.zip(peak);
        let memory = memory.map(|(max, peak)| verdict(peak <= max, &format!("≤ {max} MB")));
        [events, time, memory].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

fn verdict(kept: bool, budget: &str) -> String {
    format!("{budget}: {}", if kept { "ok" } else { "OVER" })
}
