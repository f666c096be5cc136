//! A systolic ring: bodies that attract each other, distributed over the ranks.
//!
//! What it teaches: all pairs can be computed without a collective operation and without memory for
//! all bodies. Each rank keeps its own bodies and one visiting block; p − 1 steps bring every block.
//! A rank sends the visiting block *before* it computes with it, so that both overlap. If the
//! library makes progress during computation, a step costs the maximum of computing and sending,
//! otherwise their sum. Each rank waits only for its neighbour, but after p steps one slow rank
//! delays all ranks.
//!
//! ```text
//!   ┌──→ rank 0 ──→ rank 1 ──→ rank 2 ──→ rank 3 ──┐    Isend    the visiting block to the right
//!   └──────────────────────────────────────────────┘    compute  its pull on the rank's own bodies
//!                                                       Recv     the next block from the left
//!        p − 1 times per iteration, then all bodies move   Wait     until the send completes
//! ```
//!
//! ```sh
//! cargo build -p loggia --examples --features mpi
//! mpirun -n 4 target/debug/examples/ring --size 256 --iterations 20 --compute 200us
//! ```
//!
//! At the end the program compares the pull on each body with a direct sum over all bodies, and the
//! momentum of all bodies must be 0, as at the start.

mod support;

use mpi::Tag;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use support::{Arguments, Failure, Outcome, Work, check, sum, timed};

const BLOCK: Tag = 1;
/// The time step.
const STEP: f64 = 1e-3;
/// Squared softening length, which limits the pull of near bodies.
const SOFTENING: f64 = 1e-2;

/// The position of a body, and its mass.
type Body = [f64; 4];
/// The velocity of a body, or the pull on it.
type Vector = [f64; 3];

fn main() -> std::process::ExitCode {
    support::run("ring", program)
}

fn program(world: &SimpleCommunicator, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let size = arguments.number("size", 256);
    let iterations = arguments.number("iterations", 20);
    let work = arguments.work();
    arguments.finish()?;
    let first = world.rank() as usize * size;
    let mut bodies: Vec<Body> = (first..first + size).map(body).collect();
    let mut speeds = vec![[0.0; 3]; size];

    let seconds = timed(world, || {
        for _ in 0..iterations {
            let pulls = pulls(world, &bodies, &work);
            advance(&mut bodies, &mut speeds, &pulls);
        }
    });

    let mut all: Vec<Body> = vec![[0.0; 4]; size * world.size() as usize];
    world.all_gather_into(bodies.as_flattened(), all.as_flattened_mut());
    let mut expected = vec![[0.0; 3]; size];
    add_pulls(&mut expected, &bodies, &all);
    let found = pulls(world, &bodies, &Work::none());
    let errors = found.as_flattened().iter().zip(expected.as_flattened());
    check(
        world,
        "the pull of all bodies",
        errors.map(|(found, expected)| found - expected),
        1e-10,
    )?;
    for axis in 0..3 {
        let momentum = bodies.iter().zip(&speeds).map(|(body, speed)| body[3] * speed[axis]);
        let momentum = sum(world, momentum);
        check(world, "the momentum of all bodies", std::iter::once(momentum), 1e-10)?;
    }
    let checksum = sum(world, bodies.iter().flat_map(|body| &body[..3]).map(|place| place.powi(2)));
    Ok(Outcome { size, iterations, seconds, checksum })
}

/// The pull of all bodies on a rank's own bodies; the blocks of the other ranks visit it.
fn pulls(world: &SimpleCommunicator, bodies: &[Body], work: &Work) -> Vec<Vector> {
    let (rank, ranks) = (world.rank(), world.size());
    let right = world.process_at_rank((rank + 1) % ranks);
    let left = world.process_at_rank((rank + ranks - 1) % ranks);
    let mut pulls = vec![[0.0; 3]; bodies.len()];
    let mut visiting = bodies.to_vec();
    let mut arriving = visiting.clone();
    for _ in 1..ranks {
        mpi::request::scope(|scope| {
            let sent = right.immediate_send_with_tag(scope, visiting.as_flattened(), BLOCK);
            add_pulls(&mut pulls, bodies, &visiting);
            work.run(visiting.as_flattened());
            left.receive_into_with_tag(arriving.as_flattened_mut(), BLOCK);
            sent.wait_without_status();
        });
        std::mem::swap(&mut visiting, &mut arriving);
    }
    add_pulls(&mut pulls, bodies, &visiting);
    work.run(visiting.as_flattened());
    pulls
}

/// Adds the pull of the visiting bodies on a rank's own bodies.
fn add_pulls(pulls: &mut [Vector], bodies: &[Body], visiting: &[Body]) {
    for (pull, body) in pulls.iter_mut().zip(bodies) {
        for other in visiting {
            let distance = [other[0] - body[0], other[1] - body[1], other[2] - body[2]];
            let square = distance[0] * distance[0]
                + distance[1] * distance[1]
                + distance[2] * distance[2]
                + SOFTENING;
            let strength = other[3] / (square * square.sqrt());
            for axis in 0..3 {
                pull[axis] += strength * distance[axis];
            }
        }
    }
}

/// Advances a rank's bodies by one time step.
fn advance(bodies: &mut [Body], speeds: &mut [Vector], pulls: &[Vector]) {
    for ((body, speed), pull) in bodies.iter_mut().zip(speeds).zip(pulls) {
        for axis in 0..3 {
            speed[axis] += STEP * pull[axis];
            body[axis] += STEP * speed[axis];
        }
    }
}

/// The initial state of a body, equal on all ranks.
fn body(number: usize) -> Body {
    // Multiples of irrational numbers fill a cube evenly.
    let scattered = |irrational: f64| (number as f64 * irrational).fract();
    let place = [2f64.sqrt(), 3f64.sqrt(), 5f64.sqrt()].map(scattered);
    [place[0], place[1], place[2], 1e-3 * (1.0 + scattered(7f64.sqrt()))]
}
