//! Measured times over the message size.

use super::{Operation, Point, Statistic};
use crate::units::Procs;
use serde::{Deserialize, Serialize};

/// Measured times over the message size: RTT/2 between two processes, or a collective operation on
/// some ranks. Predictions use them, interpolated between the sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The collective operation; absent for RTT/2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<Operation>,
    /// The tier of the messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// The name of the send mode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// The number of ranks of a collective operation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub procs: Option<Procs>,
    /// Ranks per node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_node: Option<u32>,
    /// Number of pairs of ranks on the same two nodes that exchanged concurrently; absent for one
    /// pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u32>,
    /// The statistic of each time.
    pub statistic: Statistic,
    /// The times, by size. Bytes of a collective operation are counted as in its algorithms
    /// ([`Operation::bytes_are`]).
    pub points: Vec<Point>,
    /// File and tool, or measurement.
    #[serde(default)]
    pub source: String,
}
