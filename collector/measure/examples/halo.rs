//! Halo exchange: Jacobi's method for Laplace's equation on a grid cut into square blocks.
//!
//! What it teaches: messages that overlap with computation cost little. A rank first posts receives
//! of its neighbours' edges and sends its own edges. Then it computes the cells that need no
//! neighbour, waits, and computes its border. With `--bytes` the messages grow until the library
//! changes its protocol; then the overlap depends on the library's *progress*. Every tenth
//! iteration, an Allreduce sums the change and synchronises all ranks.
//!
//! ```text
//!            ↑ edge ↓ halo              Irecv ×4   from the four neighbours
//!         ┌───────────────┐             Isend ×4   to the four neighbours
//!   edge ←│ ┌───────────┐ │→ edge       compute    the interior (and --compute)
//!   halo →│ │ interior  │ │← halo       Waitall
//!         │ └───────────┘ │             compute    the border
//!         └───────────────┘             Allreduce  of the change, every tenth iteration
//!            ↓ edge ↑ halo
//! ```
//!
//! ```sh
//! cargo build -p loggia --examples --features mpi
//! mpirun -n 4 target/debug/examples/halo --size 128 --iterations 500 --compute 200us --bytes 65536
//! ```
//!
//! The start is a wave that each iteration multiplies by a known factor, so every
//! cell at the end is known.

mod support;

use mpi::Tag;
use mpi::collective::SystemOperation;
use mpi::topology::{CartesianCommunicator, CartesianLayout, SimpleCommunicator};
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use std::f64::consts::PI;
use std::ops::Range;
use support::{Arguments, Failure, Outcome, Work, check, sum, timed};

const HALO: Tag = 1;
/// Number of half waves across the whole grid, down and to the right.
const HALF_WAVES: [f64; 2] = [3.0, 2.0];

fn main() -> std::process::ExitCode {
    support::run("halo", program)
}

fn program(world: &SimpleCommunicator, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let size = arguments.number("size", 128);
    let iterations = arguments.number("iterations", 500);
    let bytes = arguments.number("bytes", 8 * size);
    let every = arguments.number("every", 10);
    let work = arguments.work();
    arguments.finish()?;
    if bytes < 8 * size {
        let message = format!("--bytes {bytes}: an edge has {} bytes already", 8 * size);
        return Err(Failure::Usage(message));
    }
    let grid = support::grid(world)?;
    let (wave, factor) = wave(&grid, size);
    let mut block = Block { size, current: wave.clone(), next: vec![0.0; wave.len()] };
    let mut sides = sides(&grid, size, bytes.div_ceil(8));

    let mut changes: Vec<f64> = vec![];
    let seconds = timed(world, || {
        for iteration in 1..=iterations {
            let own_change = iterate(&grid, &mut block, &mut sides, &work);
            if iteration % every == 0 {
                let mut all = 0.0;
                grid.all_reduce_into(&own_change, &mut all, SystemOperation::sum());
                changes.push(all);
            }
        }
    });

    let remaining = factor.powi(iterations as i32);
    let own = || (1..=size).flat_map(|row| Strip(row * (size + 2) + 1, 1, size).cells());
    let errors = own().map(|cell| block.current[cell] - remaining * wave[cell]);
    check(world, "the grid", errors, 1e-10)?;
    let growth = changes.windows(2).map(|pair| (pair[1] - pair[0]).max(0.0));
    check(world, "the growth of the change", growth, 1e-12)?;
    let checksum = sum(world, own().map(|cell| block.current[cell].powi(2)));
    Ok(Outcome { size, iterations, seconds, checksum })
}

/// The initial cells of a block, and their factor per iteration.
fn wave(grid: &CartesianCommunicator, size: usize) -> (Vec<f64>, f64) {
    let CartesianLayout { dims, coords, .. } = grid.get_layout();
    let step = |axis: usize| HALF_WAVES[axis] * PI / (dims[axis] as f64 * size as f64 + 1.0);
    let line = |axis: usize| {
        let first = coords[axis] as usize * size;
        let at = move |cell: usize| (step(axis) * (first + cell) as f64).sin();
        (0..size + 2).map(at).collect::<Vec<_>>()
    };
    let (down, across) = (line(0), line(1));
    let cells = down.iter().flat_map(|d| across.iter().map(move |a| d * a)).collect();
    (cells, 0.5 * (step(0).cos() + step(1).cos()))
}

/// One iteration: its messages overlap with the computation of the interior.
fn iterate(
    grid: &CartesianCommunicator,
    block: &mut Block,
    sides: &mut [Side],
    work: &Work,
) -> f64 {
    for side in sides.iter_mut() {
        side.pack(&block.current);
    }
    let mut change = 0.0;
    mpi::request::multiple_scope(2 * sides.len(), |scope, requests| {
        let mut sends = Vec::with_capacity(sides.len());
        for side in sides.iter_mut() {
            let peer = grid.process_at_rank(side.neighbour);
            let receive = peer.immediate_receive_into_with_tag(scope, &mut *side.incoming, HALO);
            requests.add(receive);
            sends.push((peer, &*side.outgoing));
        }
        for (peer, outgoing) in sends {
            requests.add(peer.immediate_send_with_tag(scope, outgoing, HALO));
        }
        change += block.relax_interior();
        work.run(&block.current);
        requests.wait_all(&mut Vec::new());
    });
    for side in sides.iter() {
        side.unpack(&mut block.current);
    }
    change += block.relax_border();
    std::mem::swap(&mut block.current, &mut block.next);
    change
}

/// The data sent to and received from one neighbour.
struct Side {
    neighbour: mpi::Rank,
    edge: Strip,
    halo: Strip,
    outgoing: Vec<f64>,
    incoming: Vec<f64>,
}

/// Cells in a line: the first cell, the step, and the count.
#[derive(Clone, Copy)]
struct Strip(usize, usize, usize);

impl Strip {
    fn cells(self) -> impl Iterator<Item = usize> {
        let Strip(first, step, count) = self;
        (0..count).map(move |place| first + place * step)
    }
}

/// The sides of a block that have a neighbour.
fn sides(grid: &CartesianCommunicator, size: usize, numbers: usize) -> Vec<Side> {
    let width = size + 2;
    let ((north, south), (west, east)) = (grid.shift(0, 1), grid.shift(1, 1));
    let row = |row: usize| Strip(row * width + 1, 1, size);
    let column = |column: usize| Strip(width + column, width, size);
    [
        (north, row(1), row(0)),
        (south, row(size), row(size + 1)),
        (west, column(1), column(0)),
        (east, column(size), column(size + 1)),
    ]
    .into_iter()
    .filter_map(|(neighbour, edge, halo)| {
        let (outgoing, incoming) = (vec![0.0; numbers], vec![0.0; numbers]);
        Some(Side { neighbour: neighbour?, edge, halo, outgoing, incoming })
    })
    .collect()
}

impl Side {
    fn pack(&mut self, cells: &[f64]) {
        for (number, cell) in self.outgoing.iter_mut().zip(self.edge.cells()) {
            *number = cells[cell];
        }
    }

    fn unpack(&self, cells: &mut [f64]) {
        for (number, cell) in self.incoming.iter().zip(self.halo.cells()) {
            cells[cell] = *number;
        }
    }
}

/// A square of cells with a frame of one cell around it.
struct Block {
    size: usize,
    current: Vec<f64>,
    next: Vec<f64>,
}

impl Block {
    fn relax_interior(&mut self) -> f64 {
        self.relax(2..self.size, 2..self.size)
    }

    fn relax_border(&mut self) -> f64 {
        let last = self.size;
        let mut change = self.relax(1..2, 1..last + 1);
        if last > 1 {
            change += self.relax(last..last + 1, 1..last + 1);
            change += self.relax(2..last, 1..2) + self.relax(2..last, last..last + 1);
        }
        change
    }

    /// Sets cells to the mean of their neighbours; returns the sum of the squared changes.
    fn relax(&mut self, rows: Range<usize>, columns: Range<usize>) -> f64 {
        let width = self.size + 2;
        let mut change = 0.0;
        for row in rows {
            for cell in row * width + columns.start..row * width + columns.end {
                let old = &self.current;
                let across = old[cell - 1] + old[cell + 1];
                let mean = 0.25 * (across + old[cell - width] + old[cell + width]);
                change += (mean - old[cell]).powi(2);
                self.next[cell] = mean;
            }
        }
        change
    }
}
