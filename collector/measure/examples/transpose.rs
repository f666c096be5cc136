//! An all-to-all transpose of a matrix whose rows are distributed over the ranks.
//!
//! What it teaches: the pattern of a two-dimensional Fourier transform. Rows and columns are computed
//! locally; in between, each rank sends a piece to every other rank. Each piece has n²/p² numbers, so
//! with more ranks the messages become many and small. First the bandwidth of the network limits the
//! time, then overhead and latency. A rank continues only after all its pieces have arrived.
//!
//! ```text
//!      before                    after           compute   each row
//!   0 │ a00 │ a01 │ a02 │    │ a00ᵀ│ a10ᵀ│ a20ᵀ│  Alltoall  piece aij goes from rank i to rank j
//!   1 │ a10 │ a11 │ a12 │ →  │ a01ᵀ│ a11ᵀ│ a21ᵀ│  compute   each row, which was a column
//!   2 │ a20 │ a21 │ a22 │    │ a02ᵀ│ a12ᵀ│ a22ᵀ│  Alltoall  back
//! ```
//!
//! ```sh
//! cargo build -p loggia --examples --features mpi
//! mpirun -n 4 target/debug/examples/transpose --size 384 --iterations 50 --compute 500us
//! ```
//!
//! The computation is the butterfly of a fast Fourier transform, which is its own inverse. After
//! an even number of iterations the matrix must equal the initial matrix.

mod support;

use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};
use std::f64::consts::FRAC_1_SQRT_2;
use support::{Arguments, Failure, Outcome, Work, check, sum, timed};

fn main() -> std::process::ExitCode {
    support::run("transpose", program)
}

fn program(world: &SimpleCommunicator, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let size = arguments.number("size", 384);
    let iterations = arguments.number("iterations", 50);
    let work = arguments.work();
    arguments.finish()?;
    let ranks = world.size() as usize;
    if !size.is_multiple_of(ranks) {
        let message = format!("--size {size}: not a multiple of the number of ranks, {ranks}");
        return Err(Failure::Usage(message));
    }
    let first = world.rank() as usize * size / ranks;
    let mut matrix = Matrix::new(size, first, size / ranks);

    let seconds = timed(world, || {
        for _ in 0..iterations {
            matrix.iterate(world, &work);
        }
    });
    let checksum = sum(world, matrix.numbers.iter().copied());

    if iterations % 2 == 1 {
        matrix.iterate(world, &Work::none());
    }
    check(world, "the matrix after all transposes", matrix.errors(element), 1e-9)?;
    matrix.transpose(world);
    let transposed = |row, column| element(column, row);
    check(world, "the transposed matrix", matrix.errors(transposed), 1e-9)?;
    Ok(Outcome { size, iterations, seconds, checksum })
}

/// An element of the initial matrix.
fn element(row: usize, column: usize) -> f64 {
    1.0 + ((row * 131 + column * 17) % 1009) as f64 / 1009.0
}

/// One rank's rows of a square matrix, and the buffers of its messages.
struct Matrix {
    size: usize,
    first: usize,
    rows: usize,
    numbers: Vec<f64>,
    outgoing: Vec<f64>,
    incoming: Vec<f64>,
}

impl Matrix {
    fn new(size: usize, first: usize, rows: usize) -> Self {
        let numbers: Vec<f64> = (first..first + rows)
            .flat_map(|row| (0..size).map(move |column| element(row, column)))
            .collect();
        let buffer = vec![0.0; numbers.len()];
        Matrix { size, first, rows, numbers, outgoing: buffer.clone(), incoming: buffer }
    }

    /// Computes the rows, then the columns.
    fn iterate(&mut self, world: &SimpleCommunicator, work: &Work) {
        for _ in 0..2 {
            self.butterfly();
            work.run(&self.numbers);
            self.transpose(world);
        }
    }

    /// Sums and differences of the two halves of each row.
    fn butterfly(&mut self) {
        for row in self.numbers.chunks_exact_mut(self.size) {
            let (low, high) = row.split_at_mut(self.size / 2);
            for (low, high) in low.iter_mut().zip(high) {
                let pair = (*low, *high);
                *low = FRAC_1_SQRT_2 * (pair.0 + pair.1);
                *high = FRAC_1_SQRT_2 * (pair.0 - pair.1);
            }
        }
    }

    fn transpose(&mut self, world: &SimpleCommunicator) {
        self.pack();
        world.all_to_all_into(&self.outgoing[..], &mut self.incoming[..]);
        self.unpack();
    }

    /// Transposes the piece for each rank and packs the pieces one after the other.
    fn pack(&mut self) {
        let pieces = self.outgoing.chunks_exact_mut(self.rows * self.rows);
        for (piece, numbers) in pieces.enumerate() {
            for (column, line) in numbers.chunks_exact_mut(self.rows).enumerate() {
                let place = piece * self.rows + column;
                for (row, number) in line.iter_mut().enumerate() {
                    *number = self.numbers[row * self.size + place];
                }
            }
        }
    }

    /// Puts the pieces of all ranks next to each other.
    fn unpack(&mut self) {
        let pieces = self.incoming.chunks_exact(self.rows * self.rows);
        for (piece, numbers) in pieces.enumerate() {
            for (row, line) in numbers.chunks_exact(self.rows).enumerate() {
                let place = row * self.size + piece * self.rows;
                self.numbers[place..place + self.rows].copy_from_slice(line);
            }
        }
    }

    /// The error of each number.
    fn errors(&self, expected: impl Fn(usize, usize) -> f64) -> impl Iterator<Item = f64> {
        self.numbers.iter().enumerate().map(move |(place, number)| {
            let (row, column) = (self.first + place / self.size, place % self.size);
            number - expected(row, column)
        })
    }
}
