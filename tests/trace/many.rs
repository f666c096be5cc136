//! Millions of calls, in bounded memory.

use crate::lab::running::note;
use crate::program::{Family, Program, both_families};
use std::fs;

both_families! { millions_of_calls_take_bounded_memory }

const CALLS: u64 = 4_000_000;
/// Additional memory of the traced program: the mapped part of the file, and the library. Three bytes for
/// each call would exceed it.
const MAX_KIB: u64 = 9 << 10;
/// Bytes per call on disk.
const MAX_BYTES: u64 = 24;

fn millions_of_calls_take_bounded_memory(family: Family) {
    let Some(program) = Program::compiled(family, "many_calls.c") else { return };
    let arguments = CALLS.to_string();
    let [plain, traced] =
        [program.plain(1, &arguments).good(), program.traced(1, &arguments).good()].map(|run| {
            let line = run.out.lines().next().unwrap().to_owned();
            let mut numbers = line.split(' ');
            let memory: u64 = numbers.next().unwrap().parse().unwrap();
            let time: f64 = numbers.next().unwrap().parse().unwrap();
            (memory, time)
        });
    let length = fs::metadata(program.folder().join("trace/rank-0.trace")).unwrap().len();
    let bytes_per_call = length as f64 / CALLS as f64;
    note(&format!(
        "{family:?}: {CALLS} calls: {} KiB more memory, {bytes_per_call:.1} bytes per call on disk, {:.0} ns \
         more per call",
        traced.0.saturating_sub(plain.0),
        traced.1 - plain.1
    ));
    assert!(traced.0 < plain.0 + MAX_KIB, "{} KiB, traced {} KiB", plain.0, traced.0);
    assert!(length < MAX_BYTES * CALLS, "{bytes_per_call} bytes per call");
}
