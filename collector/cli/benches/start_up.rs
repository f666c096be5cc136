//! Start-up time of the command. Budget: `--help` and `predict` finish in ≤ 10 ms.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::process::{Command, Stdio};

fn main() {
    println!("budget: ≤ 10 ms from the start of the process to its end");
    divan::main();
}

#[divan::bench(
    sample_count = 50,
    args = [
        "--help",
        "list",
        "predict p2p cray-t3d --bytes 64KiB",
        "predict collective cray-t3d --op alltoall --procs 64 --bytes 512",
        "choose ap3000-mpi --op allgather --procs 8 --bytes 64",
    ]
)]
fn loggia(args: &str) {
    let status = Command::new(env!("CARGO_BIN_EXE_loggia"))
        .args(args.split(' '))
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}
