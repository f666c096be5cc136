//! Conjugate gradients: a sparse matrix spread over a grid of ranks, as in NPB's program CG.
//!
//! What it teaches: a solver is a chain of short exchanges, each of which depends on the previous
//! one. After each product with the matrix, every rank has a part of a sum. log₂(columns) exchanges
//! across the row of ranks complete the sum; one more, with the *transpose partner*, moves it to the
//! rank that needs it for the next product. Each of the two scalar products takes log₂(columns)
//! exchanges of 8 bytes: pure latency. More ranks shorten the computation, but not the latency.
//!
//! ```text
//!    columns:  0     1     2     3       exchange: Irecv from a partner, Send to it, Wait
//!   row 0:   [ 0 ]↔[ 1 ] [ 2 ]↔[ 3 ]     1. sum of a product: ranks 1, 2, 4 … apart in the row
//!            [   ]←───→  [   ]           2. the sum, with the transpose partner
//!   row 1:   [ 4 ]↔[ 5 ] [ 6 ]↔[ 7 ]     3. scalar product: ranks … 4, 2, 1 apart in the row
//! ```
//!
//! ```sh
//! cargo build -p loggia --examples --features mpi
//! mpirun -n 4 target/debug/examples/conjugate_gradient --size 8192 --iterations 15 --compute 100us
//! ```
//!
//! As in NPB, an iteration is a solution in 25 steps, part of an inverse power method. The number
//! of ranks is a power of two. The program checks each solution's residual and the product with the
//! matrix.

mod support;

use mpi::Tag;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Source};
use std::ops::Range;
use support::{Arguments, Failure, Outcome, Work, check, timed};

const EXCHANGE: Tag = 1;
/// Steps of a solution.
const STEPS: usize = 25;
/// Numbers on each side of the diagonal, in each row of the matrix.
const NEIGHBOURS: usize = 6;

fn main() -> std::process::ExitCode {
    support::run("conjugate_gradient", program)
}

fn program(world: &SimpleCommunicator, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let size = arguments.number("size", 8192);
    let iterations = arguments.number("iterations", 15);
    let work = arguments.work();
    arguments.finish()?;
    let place = Place::of(world)?;
    if !size.is_multiple_of(place.columns) {
        let message = format!("--size {size}: not a multiple of {}", place.columns);
        return Err(Failure::Usage(message));
    }
    let solver = Solver::new(world, place, size, work);

    let mut vector = vec![1.0 / (size as f64).sqrt(); size / solver.place.columns];
    let mut eigenvalue = 0.0;
    let mut residuals = Vec::new();
    let seconds = timed(world, || {
        for _ in 0..iterations {
            let (solution, residual) = solver.solve(&vector);
            residuals.push(residual);
            eigenvalue = 1.0 / solver.scalar_product(&vector, &solution);
            let length = solver.scalar_product(&solution, &solution).sqrt();
            vector = solution.iter().map(|number| number / length).collect();
        }
    });

    check(world, "the residual of a solution", residuals.into_iter(), 1e-6)?;
    let wave = |at: usize| (at as f64).sin();
    let own = solver.own_columns();
    let product = solver.product(&own.clone().map(wave).collect::<Vec<_>>());
    let expected = own
        .map(|row| entries(row, size).map(|(column, number)| number * wave(column)).sum::<f64>());
    let errors = expected.zip(product).map(|(expected, found)| expected - found);
    check(world, "the product with the matrix", errors, 1e-10)?;
    Ok(Outcome { size, iterations, seconds, checksum: eigenvalue })
}

/// A rank's place in the grid of ranks, with as many columns as rows, or twice as many.
struct Place {
    row: usize,
    column: usize,
    rows: usize,
    columns: usize,
}

impl Place {
    fn of(world: &SimpleCommunicator) -> Result<Self, Failure> {
        let (rank, ranks) = (world.rank() as usize, world.size() as usize);
        if !ranks.is_power_of_two() {
            let message = format!("{ranks} ranks: their number must be a power of two");
            return Err(Failure::Usage(message));
        }
        let rows = 1 << (ranks.ilog2() / 2);
        let columns = ranks / rows;
        Ok(Place { row: rank / columns, column: rank % columns, rows, columns })
    }

    /// The distances of a rank's partners in its row.
    fn distances(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.columns.ilog2()).map(|bit| 1 << bit)
    }

    fn across(&self, distance: usize) -> usize {
        self.row * self.columns + (self.column ^ distance)
    }

    /// Number of columns that hold parts of the result of one row of ranks.
    fn parts(&self) -> usize {
        self.columns / self.rows
    }

    fn transpose_partner(&self) -> usize {
        let (row, part) = (self.column / self.parts(), self.column % self.parts());
        row * self.columns + self.row * self.parts() + part
    }
}

struct Solver<'a> {
    world: &'a SimpleCommunicator,
    place: Place,
    size: usize,
    work: Work,
    /// A rank's block of the matrix: the columns and values of each row.
    matrix: Vec<Vec<(usize, f64)>>,
}

impl<'a> Solver<'a> {
    fn new(world: &'a SimpleCommunicator, place: Place, size: usize, work: Work) -> Self {
        let mut solver = Solver { world, place, size, work, matrix: Vec::new() };
        let (columns, rows) = (solver.own_columns(), size / solver.place.rows);
        let own = |row| {
            let inside = entries(row, size).filter(|(column, _)| columns.contains(column));
            inside.map(|(column, number)| (column - columns.start, number)).collect()
        };
        let first = solver.place.row * rows;
        solver.matrix = (first..first + rows).map(own).collect();
        solver
    }

    fn own_columns(&self) -> Range<usize> {
        let count = self.size / self.place.columns;
        self.place.column * count..(self.place.column + 1) * count
    }

    /// Solves matrix · solution = right in [`STEPS`] steps; returns the solution and its relative
    /// residual.
    fn solve(&self, right: &[f64]) -> (Vec<f64>, f64) {
        let mut solution = vec![0.0; right.len()];
        let (mut residual, mut direction) = (right.to_vec(), right.to_vec());
        let start = self.scalar_product(&residual, &residual);
        let mut square = start;
        for _ in 0..STEPS {
            let product = self.product(&direction);
            self.work.run(&product);
            // After an exact solution, the divisor is 0.
            let step = square / self.scalar_product(&direction, &product).max(f64::MIN_POSITIVE);
            add(&mut solution, step, &direction);
            add(&mut residual, -step, &product);
            let before = square.max(f64::MIN_POSITIVE);
            square = self.scalar_product(&residual, &residual);
            for (direction, residual) in direction.iter_mut().zip(&residual) {
                *direction = residual + square / before * *direction;
            }
        }
        let mut remainder = right.to_vec();
        add(&mut remainder, -1.0, &self.product(&solution));
        (solution, (self.scalar_product(&remainder, &remainder) / start).sqrt())
    }

    /// The product of the matrix with a vector; each rank has the vector's part for its columns.
    fn product(&self, vector: &[f64]) -> Vec<f64> {
        let times = |row: &Vec<(usize, f64)>| {
            row.iter().map(|(column, number)| number * vector[*column]).sum::<f64>()
        };
        let mut sums: Vec<f64> = self.matrix.iter().map(times).collect();
        let part = self.place.column % self.place.parts();
        let own = part * vector.len()..(part + 1) * vector.len();
        let mut incoming = vec![0.0; vector.len()];
        for distance in self.place.distances() {
            let partner = self.place.across(distance);
            // If a row's sums have two parts, the first exchange sends the other part.
            let other = if distance < self.place.parts() { 1 - part } else { part };
            let outgoing = &sums[other * vector.len()..(other + 1) * vector.len()];
            self.exchange(partner, outgoing, &mut incoming);
            add(&mut sums[own.clone()], 1.0, &incoming);
        }
        let partner = self.place.transpose_partner();
        if partner != self.world.rank() as usize {
            self.exchange(partner, &sums[own], &mut incoming);
            return incoming;
        }
        sums.drain(own).collect()
    }

    /// The scalar product of two vectors, bitwise equal on all ranks.
    fn scalar_product(&self, one: &[f64], other: &[f64]) -> f64 {
        let mut sum: f64 = one.iter().zip(other).map(|(one, other)| one * other).sum();
        for distance in self.place.distances().rev() {
            let mut incoming = [0.0];
            self.exchange(self.place.across(distance), &[sum], &mut incoming);
            sum += incoming[0];
        }
        sum
    }

    fn exchange(&self, partner: usize, outgoing: &[f64], incoming: &mut [f64]) {
        let partner = self.world.process_at_rank(partner as i32);
        mpi::request::scope(|scope| {
            let request = partner.immediate_receive_into_with_tag(scope, incoming, EXCHANGE);
            partner.send_with_tag(outgoing, EXCHANGE);
            request.wait_without_status();
        });
    }
}

fn add(vector: &mut [f64], factor: f64, other: &[f64]) {
    for (number, other) in vector.iter_mut().zip(other) {
        *number += factor * other;
    }
}

/// A row of the matrix: columns and numbers. The matrix is symmetric and diagonally dominant.
fn entries(row: usize, size: usize) -> impl Iterator<Item = (usize, f64)> {
    let off_diagonal = (1..=NEIGHBOURS)
        .map(move |k| 97 * k * k % size)
        .flat_map(move |distance| [(row + distance) % size, (row + size - distance) % size])
        .filter(move |column| *column != row)
        .map(move |column| (column, (((row + 1) * (column + 1)) as f64).sin()));
    let weight: f64 = off_diagonal.clone().map(|(_, number)| number.abs()).sum();
    off_diagonal.chain(std::iter::once((row, 1.0 + 1.5 * weight)))
}
