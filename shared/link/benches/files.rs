//! Cost of loading files and making links. Budget: loading and validating a signature of 10,000
//! samples in ≤ 20 ms.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use divan::Bencher;
use divan::counter::BytesCount;
use loggia_link::state::State;
use loggia_model::signature::{Quantity, Samples};
use loggia_model::units::{Bytes, Micros};
use loggia_model::{Signature, json, library};

fn main() {
    println!("budget: loading a signature of 10,000 samples ≤ 20 ms");
    for name in library::names() {
        let (link, _) = loggia_link::encode(&State::of(library::load(name).unwrap()));
        println!("link of {name}: {} characters", link.len());
    }
    divan::main();
}

/// A signature with 10,000 times in sets of a given size.
fn with_samples(set_size: usize) -> Signature {
    let mut t3d = library::load("cray-t3d").unwrap();
    let time = |i: usize| Micros(1.0 + (i * 7919 % 10_000) as f64 / 9973.0);
    t3d.samples = (0..10_000 / set_size)
        .map(|set| Samples {
            tier: Some("network".to_owned()),
            style: Some("isend".to_owned()),
            bytes: Some(Bytes(set as u64)),
            times: (0..set_size).map(|i| time(set * set_size + i)).collect(),
            source: "benchmark".to_owned(),
            ..Samples::raw(Quantity::SendOverhead)
        })
        .collect();
    t3d
}

#[divan::bench(args = [1, 100, 10_000])]
fn load_10_000_samples_in_sets_of(bencher: Bencher, set_size: usize) {
    let text = json::to_json(&with_samples(set_size));
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| json::from_json(&text).unwrap());
}

#[divan::bench]
fn load_a_built_in_machine(bencher: Bencher) {
    bencher.bench_local(|| library::load("ap3000-mpi").unwrap());
}

#[divan::bench]
fn make_a_link(bencher: Bencher) {
    let state = State::of(library::load("ap3000-mpi").unwrap());
    bencher.bench_local(|| loggia_link::encode(&state));
}

#[divan::bench]
fn open_a_link(bencher: Bencher) {
    let (link, _) = loggia_link::encode(&State::of(library::load("ap3000-mpi").unwrap()));
    bencher.bench_local(|| loggia_link::decode(&link).unwrap());
}
