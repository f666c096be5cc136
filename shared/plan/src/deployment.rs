//! A sketch's steps on p ranks of a machine.

use super::decomposition::Decomposition;
use super::machine::Machine;
use loggia_model::units::Procs;

/// Where steps are done.
#[derive(Clone, Copy, Debug)]
pub struct Deployment<'a> {
    /// On which machine.
    pub machine: &'a Machine,
    /// On so many ranks …
    pub procs: Procs,
    /// … of which so many share a node.
    pub ranks_per_node: Option<u32>,
    /// Which have parts of this grid.
    pub decomposition: Option<&'a Decomposition>,
    /// How often all is done.
    pub iterations: u64,
}
