//! The inputs of a user.

use serde::{Deserialize, Serialize};
use strum::{EnumIter, IntoStaticStr};

/// Something that a user can set: an option of the command, a field of the page.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, EnumIter, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Input {
    Algorithm,
    Bytes,
    /// What bytes of a collective operation count.
    BytesAre,
    /// Columns of a history.
    Columns,
    Count,
    /// The condition on which a comparison fails.
    FailOn,
    /// Measured runs that a sketch is fitted to.
    Fit,
    /// The format of an export.
    Format,
    /// Import only what is known, without the rest.
    LeaveOut,
    /// A constant of a sketch.
    Let,
    /// The signature that an import is added to.
    Merge,
    Model,
    /// Placement of ranks on nodes.
    Nodes,
    Operation,
    /// O, the overhead per byte, given as a single number.
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
    /// Its name, with words joined by `-`.
    pub fn name(self) -> &'static str {
        self.into_str()
    }
}
