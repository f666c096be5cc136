//! Times over the size of a message, as they were measured.

use super::{Operation, Point, Statistic};
use crate::units::Procs;
use serde::{Deserialize, Serialize};

/// Measured times of one thing over the size of the message: RTT/2 between two
/// processes, or a collective operation over some ranks. Predictions at and between these sizes are
/// taken from here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The collective operation; without one, RTT/2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<Operation>,
    /// The tier that the messages crossed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// The send mode, as a style's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// The number of ranks of a collective operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub procs: Option<Procs>,
    /// Ranks per node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_node: Option<u32>,
    /// So many pairs of ranks on the same two nodes exchanged at once; without it, one pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u32>,
    /// The statistic of each time.
    pub statistic: Statistic,
    /// The times, by size. A collective operation's bytes are counted as its algorithms count them
    /// ([`Operation::bytes_are`]).
    pub points: Vec<Point>,
    /// File and tool, or measurement.
    #[serde(default)]
    pub source: String,
}
