//! Size of the page, load time, cost of a drag, and length of links.
//! Measured in headless Chromium, the page served by the command.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

#[path = "../../../tests/browser/mod.rs"]
mod browser;
#[allow(dead_code, reason = "some programs are for other benchmarks")]
mod traces;

use browser::{Page, visit};
use loggia_plan::sketch::EXAMPLES;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use traces::{Program, RANKS, trace};

fn main() {
    sizes();
    links();
    visit("", async |page| {
        arrival(page).await;
        drags(page).await;
        what_if(page).await;
        plans(page).await;
    });
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Bytes of the first load, and of modules loaded on demand.
fn sizes() {
    println!("page, wasm + js (budget 900 kB raw, 350 kB gzip)");
    let index = fs::read_to_string(root().join("dist/index.html")).unwrap();
    let mut sums = [[0_usize; 3]; 2];
    for folder in ["dist", "dist/later", "dist/simulator"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if !name.ends_with(".wasm") && !name.ends_with(".js") {
                continue;
            }
            let content = fs::read(&path).unwrap();
            let is_first = folder == "dist" && (index.contains(&name) || name.starts_with("later"));
            let sizes = [content.len(), gzip(&content), brotli(&content)];
            let sum = &mut sums[usize::from(!is_first)];
            for (all, one) in sum.iter_mut().zip(sizes) {
                *all += one;
            }
        }
    }
    for (label, [raw, gzip, brotli]) in ["first load", "on demand"].into_iter().zip(sums) {
        println!("  {label:<12} {raw:>9} B raw {gzip:>9} B gzip {brotli:>9} B brotli");
    }
}

fn gzip(content: &[u8]) -> usize {
    // Deflate at the best level, plus gzip's header and trailer.
    miniz_oxide::deflate::compress_to_vec(content, 9).len() + 18
}

fn brotli(content: &[u8]) -> usize {
    let mut packed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 11, ..Default::default() };
    brotli::BrotliCompress(&mut &*content, &mut packed, &parameters).unwrap();
    packed.len()
}

fn loggia(args: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_loggia")).args(args).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The length of the link of each built-in signature, and of a measured signature.
fn links() {
    println!("links (budget of a fully measured signature: 1900 characters)");
    let length = |sig: &str| loggia(&["link", sig, "--json"])["link"].as_str().unwrap().len();
    for one in loggia(&["list", "--json"]).as_array().unwrap() {
        let name = one["name"].as_str().unwrap();
        println!("  {name:<16} {:>5}", length(name));
    }
    let measured = Path::new(env!("CARGO_TARGET_TMPDIR")).join("measured.json");
    let measured = measured.to_str().unwrap();
    let from = ["--transport", "synthetic", "--from", "cray-t3d", "--noise", "5%", "--overwrite"];
    let collect = [&["collect", "--quick", "-o", measured][..], &from[..]].concat();
    let done = Command::new(env!("CARGO_BIN_EXE_loggia")).args(collect).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    println!("  {:<16} {:>5}", "a measured one", length(measured));
}

/// Records when the page shows the first result and the first handle.
const WATCH: &str = "
    const mark = name => { window[name] ??= performance.now() };
    new MutationObserver(() => {
        if (document.querySelector('[data-quantity]')) mark('answered');
        if (document.querySelector('.plot .handle')) mark('interactive');
    }).observe(document, { childList: true, subtree: true });
";

async fn arrival(page: &Page) {
    println!("from the start of loading (budget: useful paint 500 ms, interactive 1000 ms)");
    let script = json!({"source": WATCH});
    page.devtools("Page.addScriptToEvaluateOnNewDocument", script).await;
    let mut rows: Vec<[f64; 3]> = Vec::new();
    for _ in 0..7 {
        page.devtools("Network.clearBrowserCache", json!({})).await;
        page.open("").await;
        page.find(".plot .handle").await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        let paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";
        let row = page.evaluate(&format!("[{paint}, window.answered, window.interactive]")).await;
        rows.push([0, 1, 2].map(|i| row[i].as_f64().unwrap()));
    }
    for (i, label) in ["first paint", "first answer", "interactive"].into_iter().enumerate() {
        let mut all: Vec<f64> = rows.iter().map(|row| row[i]).collect();
        all.sort_by(f64::total_cmp);
        println!("  {label:<13} {:>6.0} ms, median of 7, {:.0} to {:.0}", all[3], all[0], all[6]);
    }
}

/// Moves a view's first slider forth and back, and measures the time of the page's thread for each
/// input: the change, the computation and the new layout.
const DRAG: &str = "async () => {
    const sliders = [...document.querySelectorAll('main input[type=range]')];
    const slider = sliders.find(one => one.offsetParent) ??
        document.querySelector('input[type=range]');
    if (!slider) return null;
    const task = () => new Promise(done => {
        const channel = new MessageChannel();
        channel.port1.onmessage = done;
        channel.port2.postMessage(0);
    });
    const times = [];
    const [low, high] = [Number(slider.min || 0), Number(slider.max || 100)];
    for (let i = 0; i < 120; i++) {
        const share = 0.2 + 0.6 * Math.abs(((i / 30) % 2) - 1);
        const begin = performance.now();
        slider.value = String(Math.round(low + (high - low) * share));
        slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
        await task();
        document.body.offsetHeight;
        times.push(performance.now() - begin);
        await new Promise(done => setTimeout(done, 5));
    }
    times.sort((a, b) => a - b);
    return [times[60], times[114], times[119]];
}";

async fn drags(page: &Page) {
    println!("main thread for an input while dragging (budget: 16 ms at the 95th percentile)");
    let views = [
        ("cray-t3d", "message"),
        ("cray-t3d", "protocols"),
        ("cray-t3d", "overlap"),
        ("cray-t3d", "collectives"),
        ("cray-t3d", "simulate"),
        ("cray-t3d", "plan"),
        ("cray-t3d", "compare"),
        ("cray-t3d", "signature"),
    ];
    for (sig, view) in views {
        let link = loggia(&["link", sig, "--view", view, "--json"]);
        page.open(link["link"].as_str().unwrap()).await;
        page.find("main section h2").await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        row(page, view).await;
    }
    println!("the same, compared with all comparable machines");
    for view in ["message", "protocols", "overlap", "plan", "signature"] {
        let link = ["link", "cray-t3d", "--view", view, "--set", "machines=yes", "--json"];
        page.open(loggia(&link)["link"].as_str().unwrap()).await;
        page.find("#beside .chips").await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        row(page, view).await;
    }
    page.open("#figure=hwang-3").await;
    page.find(".small-multiples").await;
    row(page, "figures").await;
}

async fn row(page: &Page, view: &str) {
    let times = page.call(DRAG, &[]).await;
    match times.as_array() {
        None => println!("  {view:<12} has no slider"),
        Some(times) => {
            let [median, p95, maximum] = [0, 1, 2].map(|i| times[i].as_f64().unwrap());
            println!(
                "  {view:<12} median {median:>6.1} ms, 95th percentile {p95:>6.1} ms, maximum {maximum:>6.1} ms"
            );
        }
    }
}

/// Moves a what-if slider, and measures the time until the estimate and until the exact result.
const WHAT_IF: &str = "async (steps) => {
    const shown = name => document.querySelector(`[data-quantity='replay.${name}']`)?.dataset.value;
    const before = shown('predicted_us');
    const slider = document.querySelector('#scale_latency');
    const begin = performance.now();
    slider.value = String(steps);
    slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
    const row = [null, null];
    while (row[1] === null && performance.now() - begin < 20000) {
        await new Promise(done => setTimeout(done, 1));
        const now = performance.now() - begin;
        if (row[0] === null && shown('estimated_us')) row[0] = now;
        const exact = shown('predicted_us');
        if (exact && exact !== before) row[1] = now;
    }
    return row;
}";

/// Response times of what-if changes of a long trace.
async fn what_if(page: &Page) {
    const RECORDS: u64 = 147_000;
    let link = loggia(&["link", "cray-t3d", "--view", "replay", "--set", "rules=loggp", "--json"]);
    page.open(link["link"].as_str().unwrap()).await;
    page.find("#example").await;
    let records = RECORDS / u64::from(RANKS);
    let file =
        |rank| (format!("rank-{rank}.trace"), trace(Program::HaloAndSum, rank, RANKS, records));
    page.drop_files(&(0..RANKS).map(file).collect::<Vec<_>>()).await;
    page.find("#critical-path [data-quantity='simulate.d_gap']").await;
    let mut rows = Vec::new();
    for steps in [5, 10, -5, -10, 0] {
        tokio::time::sleep(Duration::from_secs(5)).await;
        rows.push(page.call(WHAT_IF, &[json!(steps)]).await);
    }
    println!("what-if on a trace of a million events (budget: estimate 100 ms, exact 1000 ms)");
    waits(["estimate", "exact"], &rows);
}

/// Moves a slider of the sketch form, and measures the time until the first change of the plan and
/// until the plan is complete.
const SLIDE: &str = "async (steps) => {
    const point = () => document.querySelector(`[data-quantity^='plan.'][data-quantity$='points.19.time_us']`);
    const shown = () => point()?.dataset.value;
    const before = shown();
    const slider = [...document.querySelectorAll('.sketch-form .stages .slider')].at(0);
    const begin = performance.now();
    slider.value = String(Number(slider.value) + steps);
    slider.dispatchEvent(new InputEvent('input', { bubbles: true }));
    const row = [null, null];
    while (row[1] === null && performance.now() - begin < 20000) {
        await new Promise(done => setTimeout(done, 1));
        const now = performance.now() - begin;
        if (row[0] === null && shown() !== before) row[0] = now;
        const isComplete = !point()?.dataset.quantity.includes('estimated');
        if (row[0] !== null && isComplete) row[1] = now;
    }
    return row;
}";

/// Response times of a slider of a sketch that is planned up to a million ranks.
async fn plans(page: &Page) {
    println!("a slider of a sketch, planned on 20 numbers of ranks to 1,048,576 (budget: 100 ms)");
    for (name, text) in EXAMPLES {
        let sketch = format!("sketch={text}");
        let args = ["link", "cray-t3d", "--view", "plan", "--set", "ranks=2..1Mi", "--set"];
        let link = loggia(&[&args[..], &[&sketch, "--json"]].concat());
        page.open(link["link"].as_str().unwrap()).await;
        page.find("[data-quantity='plan.plans.0.points.19.time_us']").await;
        let mut rows = Vec::new();
        for steps in [5, 9, -4, 7, -6, 3] {
            rows.push(page.call(SLIDE, &[json!(steps)]).await);
        }
        println!("  {name}");
        waits(["first change", "complete"], &rows);
    }
}

/// Prints the range of both response times.
fn waits(labels: [&str; 2], rows: &[Value]) {
    for (i, label) in labels.into_iter().enumerate() {
        let mut all: Vec<f64> = rows.iter().filter_map(|row| row[i].as_f64()).collect();
        all.sort_by(f64::total_cmp);
        match all[..] {
            [first, .., last] => println!("  {label:<13} {first:>6.0} to {last:.0} ms"),
            _ => println!("  {label:<13} never"),
        }
    }
}
