//! Time of one prediction. Budget: a LogGP or collective prediction takes ≤ 100 ns.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use loggia_model::model::composition::Question;
use loggia_model::model::exchange::{Arrivals, Costs, MessageProtocol, exchange};
use loggia_model::model::{Model, Route, collective, metrics};
use loggia_model::signature::{Operation, ProgressKind, Transfer};
use loggia_model::units::{Bytes, Micros, Procs};
use loggia_model::{Signature, library, protocol};

fn main() {
    println!("budget: a LogGP or a collective prediction ≤ 100 ns");
    divan::main();
}

fn machine(name: &str) -> Signature {
    library::load(name).unwrap()
}

#[divan::bench]
fn loggp(bencher: Bencher) {
    let t3d = machine("cray-t3d");
    let route = Route::of(&t3d, None, None).unwrap();
    bencher
        .counter(ItemsCount::new(1u32))
        .bench_local(|| Model::LogGp.predict(&route, black_box(Bytes(5000))));
}

#[divan::bench]
fn hockney(bencher: Bencher) {
    let ap3000 = machine("ap3000-mpi");
    let route = Route::of(&ap3000, None, None).unwrap();
    bencher
        .counter(ItemsCount::new(1u32))
        .bench_local(|| Model::Hockney.predict(&route, black_box(Bytes(5000))));
}

#[divan::bench]
fn collective_total_exchange(bencher: Bencher) {
    let t3d = machine("cray-t3d");
    let form = t3d.collective(Operation::Alltoall).unwrap();
    bencher
        .counter(ItemsCount::new(1u32))
        .bench_local(|| collective::cost(form, black_box(Procs(64)), black_box(512.0)));
}

#[divan::bench]
fn collective_reduce_with_arithmetic(bencher: Bencher) {
    let ap3000 = machine("ap3000-mpi");
    let form = ap3000.collective(Operation::Reduce).unwrap();
    bencher
        .counter(ItemsCount::new(1u32))
        .bench_local(|| collective::cost(form, black_box(Procs(12)), black_box(480_000.0)));
}

#[divan::bench]
fn collective_scatter_with_a_power(bencher: Bencher) {
    let ap3000 = machine("ap3000-mpi");
    let form = ap3000.collective(Operation::Scatter).unwrap();
    bencher
        .counter(ItemsCount::new(1u32))
        .bench_local(|| collective::cost(form, black_box(Procs(12)), black_box(480_000.0)));
}

#[divan::bench]
fn loggpo_exchange(bencher: Bencher) {
    let [control, initiation, copy, latency, bytes] = [2.0, 5.0, 7.0, 10.0, 100.0].map(Micros);
    let costs = Costs { control, initiation, copy, latency, bytes };
    let at = Arrivals { recv_wait: Micros(50.0), ..Arrivals::default() };
    bencher.counter(ItemsCount::new(1u32)).bench_local(|| {
        exchange(MessageProtocol::Rat, ProgressKind::Dependent, black_box(&costs), black_box(&at))
    });
}

#[divan::bench]
fn protocol_with_its_timeline(bencher: Bencher) {
    let t3d = machine("cray-t3d");
    let route = Route::of(&t3d, None, None).unwrap();
    bencher
        .counter(ItemsCount::new(1u32))
        .bench_local(|| protocol::predict(&route, Transfer::Rat, black_box(Bytes(5000))));
}

#[divan::bench]
fn choice_among_compositions(bencher: Bencher) {
    let ap3000 = machine("ap3000-mpi");
    let question = Question::of(&ap3000, Operation::Allgather, Procs(8), Bytes(64), None).unwrap();
    bencher.counter(ItemsCount::new(1u32)).bench_local(|| black_box(question).ranking(&ap3000));
}

#[divan::bench]
fn metrics_with_peaks(bencher: Bencher) {
    let ap3000 = machine("ap3000-mpi");
    let form = ap3000.collective(Operation::Bcast).unwrap();
    bencher.bench_local(|| metrics::of_collective(form, black_box(Procs(12))));
}
