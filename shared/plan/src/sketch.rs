//! A sketch: the steps of an iteration of a program, in ten lines of TOML.
//!
//! ```toml
//! iterations = 500
//!
//! [grid]
//! cells = [4096, 4096]          # divided among the ranks: strong scaling; `block`: each rank's
//!
//! [[step]]
//! halo = "8 * face"             # bytes to each neighbour
//! during = "2ns * cells"        # computed while they are in flight
//!
//! [[step]]
//! allreduce = 8
//! every = 10
//! ```

pub mod edit;
pub mod error;
mod outline;
mod read;
pub mod schema;

use super::expression::Expression;
use loggia_model::error::Place;
use loggia_model::signature::Operation;

/// A sketched program.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    pub name: Option<String>,
    /// Number of iterations.
    pub iterations: u64,
    /// Ranks per node.
    pub ranks_per_node: Option<u32>,
    pub grid: Option<Grid>,
    /// Named constants, in the order of the text.
    pub constants: Vec<Constant>,
    /// Steps of an iteration.
    pub steps: Vec<Step>,
}

impl Sketch {
    /// Whether any step is a collective operation.
    #[must_use]
    pub fn has_collectives(&self) -> bool {
        fn any(steps: &[Step]) -> bool {
            steps.iter().any(|step| match &step.action {
                Action::Collective { .. } => true,
                Action::Steps(steps) => any(steps),
                _ => false,
            })
        }
        any(&self.steps)
    }
}

/// Cells in one, two or three dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Number of cells along each side.
    pub sides: Vec<u64>,
    pub of: GridExtent,
    /// Whether the first cell is a neighbour of the last one.
    pub is_periodic: bool,
}

/// The meaning of a grid's sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridExtent {
    /// The whole grid, divided among the ranks: strong scaling.
    Global,
    /// The block of a rank: weak scaling.
    Block,
}

/// A named constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub name: String,
    /// `None` for `?`, a constant to be fitted.
    pub value: Option<Expression>,
    pub kind: super::expression::Kind,
    /// Line and column.
    pub place: Place,
}

/// One step of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// First line of the step.
    pub line: usize,
    pub action: Action,
    /// Computation during the communication.
    pub during: Option<Expression>,
    /// Number of repetitions.
    pub times: Option<Expression>,
    /// Number of iterations from one execution to the next.
    pub every: u64,
}

/// The action of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Every rank computes.
    Compute(Expression),
    /// Every rank sends to its neighbours in the grid, and receives from them.
    Halo {
        /// Bytes to each neighbour.
        bytes: Expression,
        /// Whether ranks across edges and corners are neighbours, too.
        with_corners: bool,
    },
    /// Every rank exchanges with a partner at distance 2^k in round k, from 0.
    Exchange {
        /// Bytes in each direction.
        bytes: Expression,
        /// Factor of the distance, if given.
        apart: Option<Expression>,
    },
    /// Every rank sends to the next rank, and receives from the previous one.
    Shift(Expression),
    /// A collective operation of all ranks.
    Collective {
        op: Operation,
        /// Bytes, as the operation counts them.
        bytes: Expression,
        /// The algorithm; by default the best.
        algorithm: Option<String>,
    },
    /// Blocks of work pass through the grid from a corner. A rank starts a block after both
    /// upstream neighbours.
    Wavefront {
        /// Bytes of a block to each of the two neighbours.
        bytes: Expression,
        /// The computation of a block.
        work: Expression,
        /// Number of blocks.
        blocks: Expression,
    },
    /// Several steps.
    Steps(Vec<Step>),
}

/// Maximum length of a sketch, in bytes.
pub const LONGEST: usize = 1 << 16;

/// Example sketches: name and text.
pub const EXAMPLES: [(&str, &str); 3] = [
    ("halo", include_str!("../../../docs/sketches/halo.toml")),
    ("conjugate-gradient", include_str!("../../../docs/sketches/conjugate-gradient.toml")),
    ("wavefront", include_str!("../../../docs/sketches/wavefront.toml")),
];

/// Actions of steps, besides the collective operations.
pub(super) const ACTIONS: [&str; 6] =
    ["compute", "halo", "exchange", "shift", "wavefront", "steps"];
