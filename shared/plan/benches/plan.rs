//! Time of a plan to 1,048,576 ranks, with bounds and what-ifs. Budget: ≤ 1 s each; the page
//! follows a slider within 100 ms.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use divan::Bencher;
use loggia_model::library;
use loggia_model::units::Procs;
use loggia_plan::request::Request;
use loggia_plan::sketch::Sketch;

fn main() {
    println!("budget: a plan to 1,048,576 ranks ≤ 1 s, and ≤ 100 ms behind a slider of the page");
    divan::main();
}

fn plan(bencher: Bencher, text: &str) {
    let sketch = Sketch::read(text).unwrap();
    let machine = library::load("cray-t3d").unwrap();
    let procs: Vec<Procs> = (1..=20).map(|power| Procs(1 << power)).collect();
    bencher.bench_local(|| Request::of(&sketch, &machine).over(&procs).unwrap());
}

#[divan::bench]
fn halo(bencher: Bencher) {
    plan(bencher, include_str!("../../../docs/sketches/halo.toml"));
}

#[divan::bench]
fn conjugate_gradient(bencher: Bencher) {
    plan(bencher, include_str!("../../../docs/sketches/conjugate-gradient.toml"));
}

#[divan::bench]
fn wavefront(bencher: Bencher) {
    plan(bencher, include_str!("../../../docs/sketches/wavefront.toml"));
}
