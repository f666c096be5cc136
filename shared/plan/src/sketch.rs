//! A sketch: what a program does in an iteration, in ten lines of TOML.
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
mod outline;
mod read;
pub mod schema;

use super::expression::Expression;
use loggia_model::error::Place;
use loggia_model::signature::Operation;

/// A program, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// Its name.
    pub name: Option<String>,
    /// How often its steps are done.
    pub iterations: u64,
    /// How many ranks share a node.
    pub ranks_per_node: Option<u32>,
    /// What its ranks have a part of.
    pub grid: Option<Grid>,
    /// Numbers with names, in the order in which they are written.
    pub constants: Vec<Constant>,
    /// What is done in an iteration.
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
    /// How many in each.
    pub sides: Vec<u64>,
    /// Of what.
    pub of: GridExtent,
    /// Whether the last cell's neighbour is the first.
    pub is_periodic: bool,
}

/// What a grid's sides are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridExtent {
    /// Of the whole, which is divided: strong scaling.
    Global,
    /// Of each rank's block: weak scaling.
    Block,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// What it is; none if it is asked for, as `?`.
    pub value: Option<Expression>,
    /// What it counts.
    pub kind: super::expression::Kind,
    /// Where it stands: line and column.
    pub place: Place,
}

/// One step of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// In which line of the sketch it begins.
    pub line: usize,
    /// What is done.
    pub action: Action,
    /// What is computed while messages are in flight.
    pub during: Option<Expression>,
    /// How often.
    pub times: Option<Expression>,
    /// In one of so many iterations only.
    pub every: u64,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Every rank computes.
    Compute(Expression),
    /// Every rank sends to its neighbours in the grid, and receives from them.
    Halo {
        /// So many bytes to each.
        bytes: Expression,
        /// Whether those across edges and corners are neighbours, too.
        with_corners: bool,
    },
    /// Every rank exchanges with a partner: in the first round the next, in the k-th 2^k away.
    Exchange {
        /// So many bytes each way.
        bytes: Expression,
        /// So many times as far away, if that is said.
        apart: Option<Expression>,
    },
    /// Every rank sends to the next, and receives from the one before.
    Shift(Expression),
    /// A collective operation of all.
    Collective {
        /// Which.
        op: Operation,
        /// With how many bytes, counted as the operation counts them.
        bytes: Expression,
        /// By which algorithm; else by the best.
        algorithm: Option<String>,
    },
    /// Blocks of work run through the grid from a corner: a rank begins one when both neighbours
    /// before it are done with it.
    Wavefront {
        /// So many bytes to each of the two neighbours behind it, for each block.
        bytes: Expression,
        /// The computation of a block.
        work: Expression,
        /// How many blocks.
        blocks: Expression,
    },
    /// Several steps.
    Steps(Vec<Step>),
}

/// So many bytes no sketch has.
pub const LONGEST: usize = 1 << 16;

/// A few, to begin with: each a name and a text.
pub const EXAMPLES: [(&str, &str); 3] = [
    ("halo", include_str!("../../../docs/sketches/halo.toml")),
    ("conjugate-gradient", include_str!("../../../docs/sketches/conjugate-gradient.toml")),
    ("wavefront", include_str!("../../../docs/sketches/wavefront.toml")),
];

/// The words for what a step may do, besides the operations' names.
pub(super) const ACTIONS: [&str; 6] =
    ["compute", "halo", "exchange", "shift", "wavefront", "steps"];
