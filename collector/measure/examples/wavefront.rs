//! A wavefront: particles stream through a block of matter from each of its eight corners.
//!
//! What it teaches: the pattern of Sweep3D. A rank can begin only after its neighbours towards the
//! corner have sent their outflow, so the computation runs diagonally across the ranks: the pipeline
//! must fill and drain. Small blocks (`--depth`, `--angles`) fill it fast but need many small
//! messages; large blocks need few messages but fill it slowly. Every message is blocking and on the
//! critical path: overhead and latency limit this program, bandwidth hardly does.
//!
//! ```text
//!   corner → (0,0) → (0,1) → (0,2)      for each corner, block of angles, block of planes:
//!              ↓       ↓       ↓          Recv     from the west and from the north
//!            (1,0) → (1,1) → (1,2)        compute  the block's cells in the wave's direction
//!              ↓       ↓       ↓          Send     to the east and to the south
//!            (2,0) → (2,1) → (2,2)      (the corner determines west and north)
//! ```
//!
//! ```sh
//! cargo build -p loggia --examples --features mpi
//! mpirun -n 4 target/debug/examples/wavefront --size 10 --iterations 10 --depth 10 --compute 50us
//! ```
//!
//! The source of the matter is chosen so that the flux is a known linear function. In each
//! iteration, scattering leaves at most a tenth of the error.

mod support;

use mpi::Tag;
use mpi::topology::{CartesianCommunicator, SimpleCommunicator};
use mpi::traits::{Communicator, Destination, Source};
use std::f64::consts::FRAC_PI_2;
use support::{Arguments, Failure, Outcome, Work, check, largest, sum, timed};

const FACE: Tag = 1;
/// Number of blocks of angles per corner.
const ANGLE_BLOCKS: usize = 2;
/// Total cross section of a cell, and the part that scatters in all directions.
const TOTAL: f64 = 1.0;
const SCATTERED: f64 = 0.1;
/// Slopes of the exact flux in x, y and z.
const SLOPES: [f64; 3] = [0.01, 0.02, 0.03];
/// The golden section, which distributes angles evenly.
const GOLDEN: f64 = 0.618_033_988_749_895;

fn main() -> std::process::ExitCode {
    support::run("wavefront", program)
}

fn program(world: &SimpleCommunicator, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let size = arguments.number("size", 10);
    let iterations = arguments.number("iterations", 10);
    let depth = arguments.number("depth", 10);
    let blocks = arguments.number("blocks", 4);
    let angles = arguments.number("angles", 3);
    let work = arguments.work();
    arguments.finish()?;
    let grid = support::grid(world)?;
    let place = grid.get_layout().coords;
    let first = [place[1] as usize * size, place[0] as usize * size];
    let flux = vec![0.0; size * size * depth * blocks];
    let source = flux.clone();
    let mut matter = Matter { sides: [size, size, depth], blocks, angles, first, source, flux };

    let seconds = timed(world, || {
        for _ in 0..iterations {
            matter.iterate(&grid, &work);
        }
    });

    let exact = || (0..matter.flux.len()).map(|cell| exact(matter.position(cell)));
    let errors = exact().zip(&matter.flux).map(|(exact, flux)| exact - flux);
    let remaining = (SCATTERED / TOTAL).powi(iterations as i32);
    let remaining = largest(world, exact().map(|exact| remaining * exact));
    check(world, "the flux", errors, remaining + 1e-10)?;
    let checksum = sum(world, matter.flux.iter().copied());
    Ok(Outcome { size, iterations, seconds, checksum })
}

/// The exact flux at x, y, z; just outside the matter it is the inflow.
fn exact(place: [f64; 3]) -> f64 {
    1.0 + SLOPES[0] * place[0] + SLOPES[1] * place[1] + SLOPES[2] * place[2]
}

/// One rank's columns of cells.
struct Matter {
    /// Cells of a block in x, y and z.
    sides: [usize; 3],
    blocks: usize,
    /// Number of angles in a block of angles.
    angles: usize,
    /// The x and y of the first cell.
    first: [usize; 2],
    /// Emission and scattering of each cell.
    source: Vec<f64>,
    flux: Vec<f64>,
}

/// The direction of a wave: the signs in x, y and z, and the cosines of its angles.
struct Direction {
    signs: [f64; 3],
    cosines: Vec<[f64; 3]>,
}

impl Matter {
    /// Sweeps the waves from all corners.
    fn iterate(&mut self, grid: &CartesianCommunicator, work: &Work) {
        for index in 0..self.flux.len() {
            let emission = (TOTAL - SCATTERED) * exact(self.position(index));
            self.source[index] = emission + SCATTERED * self.flux[index];
        }
        self.flux.fill(0.0);
        for corner in 0..8 {
            let signs = [4, 2, 1].map(|bit| if corner & bit == 0 { 1.0 } else { -1.0 });
            for angle_block in 0..ANGLE_BLOCKS {
                let angles = angle_block * self.angles..(angle_block + 1) * self.angles;
                let all = ANGLE_BLOCKS * self.angles;
                let cosines = angles.map(|angle| cosines(angle, all)).collect();
                self.sweep(grid, &Direction { signs, cosines }, work);
            }
        }
    }

    /// Sweeps one wave through all blocks, from two neighbours to the other two.
    fn sweep(&mut self, grid: &CartesianCommunicator, direction: &Direction, work: &Work) {
        let [x_sign, y_sign, z_sign] = direction.signs;
        let ((west, east), (north, south)) =
            (grid.shift(1, x_sign as i32), grid.shift(0, y_sign as i32));
        let mut faces = [0, 1, 2].map(|axis| {
            let cells = self.sides.iter().product::<usize>() / self.sides[axis];
            vec![0.0; cells * self.angles]
        });
        for step in 0..self.blocks {
            let block = oriented(z_sign, self.blocks, step);
            let inflows = [west.is_none(), north.is_none(), step == 0];
            for axis in (0..3).filter(|&axis| inflows[axis]) {
                self.set_inflow(axis, direction, block, &mut faces[axis]);
            }
            for (neighbour, face) in [west, north].into_iter().zip(&mut faces) {
                if let Some(rank) = neighbour {
                    grid.process_at_rank(rank).receive_into_with_tag(&mut face[..], FACE);
                }
            }
            self.cross(direction, block, &mut faces);
            work.run(&self.flux);
            for (neighbour, face) in [east, south].into_iter().zip(&faces) {
                if let Some(rank) = neighbour {
                    grid.process_at_rank(rank).send_with_tag(&face[..], FACE);
                }
            }
        }
    }

    /// Sets the inflow of a block at the boundary of the matter.
    fn set_inflow(&self, axis: usize, direction: &Direction, block: usize, face: &mut [f64]) {
        let mut sides = self.sides;
        sides[axis] = 1;
        for angle in 0..self.angles {
            for step in steps(sides) {
                let cell = self.oriented(direction, step);
                let mut place = self.position(self.index(block, cell));
                place[axis] -= direction.signs[axis];
                face[self.on_faces(angle, cell)[axis]] = exact(place);
            }
        }
    }

    /// Computes a wave in a block, cell by cell.
    fn cross(&mut self, direction: &Direction, block: usize, faces: &mut [Vec<f64>; 3]) {
        let weight = 1.0 / (8 * ANGLE_BLOCKS * self.angles) as f64;
        let [x_face, y_face, z_face] = faces;
        for (angle, &[x, y, z]) in direction.cosines.iter().enumerate() {
            let [by_x, by_y, by_z] = direction.signs;
            let slope = x * by_x * SLOPES[0] + y * by_y * SLOPES[1] + z * by_z * SLOPES[2];
            let all = TOTAL + x + y + z;
            for step in steps(self.sides) {
                let cell = self.oriented(direction, step);
                let index = self.index(block, cell);
                let [at_x, at_y, at_z] = self.on_faces(angle, cell);
                let entering = x * x_face[at_x] + y * y_face[at_y] + z * z_face[at_z];
                let leaving = (self.source[index] + slope + entering) / all;
                x_face[at_x] = leaving;
                y_face[at_y] = leaving;
                z_face[at_z] = leaving;
                self.flux[index] += weight * leaving;
            }
        }
    }

    /// The cell of a wave at a step.
    fn oriented(&self, direction: &Direction, step: [usize; 3]) -> [usize; 3] {
        let ([x, y, z], [columns, rows, planes]) = (direction.signs, self.sides);
        [oriented(x, columns, step[0]), oriented(y, rows, step[1]), oriented(z, planes, step[2])]
    }

    fn index(&self, block: usize, [x, y, z]: [usize; 3]) -> usize {
        ((block * self.sides[2] + z) * self.sides[1] + y) * self.sides[0] + x
    }

    /// The x, y and z of a cell in the whole matter.
    fn position(&self, index: usize) -> [f64; 3] {
        let (line, size) = (index / self.sides[0], self.sides[1]);
        let (x, y, z) = (index % self.sides[0], line % size, line / size);
        [(self.first[0] + x) as f64, (self.first[1] + y) as f64, z as f64]
    }

    /// The indices of a cell's particles of an angle on the faces across x, y and z.
    fn on_faces(&self, angle: usize, [x, y, z]: [usize; 3]) -> [usize; 3] {
        let [size, _, depth] = self.sides;
        let line = angle * depth + z;
        [line * size + y, line * size + x, (angle * size + y) * size + x]
    }
}

/// All steps of a wave through a block.
fn steps([x, y, z]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..x * y * z).map(move |step| [step % x, step / x % y, step / x / y])
}

/// The position of a step, counted from the other end if the sign is negative.
fn oriented(sign: f64, count: usize, step: usize) -> usize {
    if sign > 0.0 { step } else { count - 1 - step }
}

/// The cosines of an angle.
fn cosines(angle: usize, angles: usize) -> [f64; 3] {
    let up = (angle + 1) as f64 / (angles + 1) as f64;
    let around = FRAC_PI_2 * (0.5 + angle as f64 * GOLDEN).fract();
    let flat = (1.0 - up * up).sqrt();
    [flat * around.cos(), flat * around.sin(), up]
}
