//! A sketch's steps on p ranks of a machine.

use super::decomposition::Decomposition;
use super::machine::Machine;
use loggia_model::units::Procs;

/// The machine and the ranks that execute steps.
#[derive(Clone, Copy, Debug)]
pub struct Deployment<'a> {
    pub machine: &'a Machine,
    /// Number of ranks.
    pub procs: Procs,
    /// Ranks per node.
    pub ranks_per_node: Option<u32>,
    /// The grid, if there is one.
    pub decomposition: Option<&'a Decomposition>,
    /// Number of iterations.
    pub iterations: u64,
}
