//! Cost of importing the outputs of other tools. Budget: 100 MB of text in ≤ 2 s, in bounded
//! memory.
#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark fails by panicking")]

#[path = "../../../fuzz/src/memory.rs"]
mod memory;

use loggia_exchange::import::{Importer, Read};
use std::fmt::Write;
use std::time::Instant;

const BYTES: usize = 100_000_000;
/// Bytes per read, as for files.
const PIECE: usize = 1 << 16;

fn main() {
    println!("budget: 100 MB of text ≤ 2 s");
    for (name, header, part) in
        [("OSU", "", osu()), ("ReproMPI", REPROMPI, reprompi()), ("IMB", IMB, imb())]
    {
        let start = Instant::now();
        let (read, peak) = memory::peak(|| import_repeated(header, &part));
        let seconds = start.elapsed().as_secs_f64();
        let count: u64 = read.runs.iter().map(|run| run.count()).sum();
        println!(
            "100 MB of {name}: {seconds:.2} s, peak memory {:.1} MB, {count} numbers",
            peak as f64 / 1e6
        );
        assert!(count > 100_000 && read.left_out.is_empty(), "{:?}", read.left_out);
    }
}

/// Imports the header once and the part repeatedly, up to [`BYTES`].
fn import_repeated(header: &str, part: &str) -> Read {
    let mut importer = Importer::default();
    importer.begin("many.txt");
    importer.push(header.as_bytes()).unwrap();
    let mut length = 0;
    while length < BYTES {
        for piece in part.as_bytes().chunks(PIECE) {
            importer.push(piece).unwrap();
        }
        length += part.len();
    }
    importer.end().unwrap();
    importer.finish()
}

fn osu() -> String {
    let mut text = "\n# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       \
                    Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
        .to_owned();
    for size in 0..21 {
        let size = 1u32 << size;
        writeln!(text, "{size:<10}{:>18.2}{:>18.2}{:>18.2}{:>12}", 4.5, 3.25, 9.75, 1000).unwrap();
    }
    text
}

const REPROMPI: &str = "#Command-Line Arguments: mpibenchmark\n#@datatype_extent_bytes=1\n\
                        #@nprocs=16\n#@runtime_type=local\n\
                        test       nrep        count    runtime_sec\n";

fn reprompi() -> String {
    let mut text = String::new();
    for test in ["MPI_Bcast", "MPI_Allreduce"] {
        for size in [8, 1024, 65536] {
            for row in 0..1000 {
                let time = 1e-6 * f64::from(row % 17 + size / 64 + 1);
                writeln!(text, "{test:>50} {row:>10} {size:>12} {time:>14.10} ").unwrap();
            }
        }
    }
    text
}

const IMB: &str = "#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part\n";

fn imb() -> String {
    let mut text = String::new();
    for (name, procs) in [("Allreduce", 4), ("Bcast", 8), ("Sendrecv", 8)] {
        write!(
            text,
            "\n#----------------\n# Benchmarking {name} \n# #processes = {procs} \n#------------\n"
        )
        .unwrap();
        text.push_str("       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n");
        for size in 0..23 {
            let size = 1u32 << size;
            writeln!(text, "{size:>13}{:>13}{:>13.2}{:>13.2}{:>13.2}", 1000, 3.25, 9.75, 4.5)
                .unwrap();
        }
    }
    text
}
