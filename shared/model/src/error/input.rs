//! The inputs of a user.

use serde::{Deserialize, Serialize};
use strum::{EnumIter, IntoStaticStr};

/// A setting of the user: an option of the command, a field of the page.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, EnumIter, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Input {
    Algorithm,
    Bytes,
    /// The count of bytes of a collective operation.
    BytesAre,
    /// Columns of a history.
    Columns,
    Count,
    /// The condition on which a comparison fails.
    FailOn,
    /// Measured runs for the fit of a sketch.
    Fit,
    /// The format of an export.
    Format,
    /// Import only recognised parts.
    LeaveOut,
    /// A constant of a sketch.
    Let,
    /// The signature that receives an import.
    Merge,
    Model,
    /// Placement of ranks on nodes.
    Nodes,
    Operation,
    /// O, the overhead per byte, as a single number.
    OverheadPerByte,
    Procs,
    /// Number of ranks of imported benchmarks.
    Ranks,
    Root,
    /// The simulation model.
    Rules,
    ScaleCompute,
    Segment,
    /// A parameter of a signature.
    Set,
    /// The machine.
    Signature,
    /// LogGP parameters as single numbers, instead of a signature.
    SingleNumbers,
    /// The send mode.
    Style,
    Sweep,
    Tier,
    View,
}

impl Input {
    /// The name, with words joined by `-`.
    pub fn name(self) -> &'static str {
        self.into_str()
    }
}
