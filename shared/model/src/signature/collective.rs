//! Collective operations as closed forms T(m, p) = T0(p) + t_b(p)·m + t_c(p)·m.

use super::{Form, Quality};
use crate::Error;
use crate::error::Input;
use crate::units::{Bytes, Procs};
use serde::{Deserialize, Serialize};

/// A collective operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// All ranks wait until all have arrived.
    Barrier,
    /// The vector of the root to all ranks.
    Bcast,
    /// A block of each rank to the root.
    Gather,
    /// A block from the root to each rank.
    Scatter,
    /// The sum of all vectors, at the root.
    Reduce,
    /// The sum of all vectors, at all ranks.
    Allreduce,
    /// The sum of the vectors of rank 0 up to each rank (parallel prefix).
    Scan,
    /// A block of each rank to all ranks.
    Allgather,
    /// The sum of all vectors, one block per rank.
    ReduceScatter,
    /// A block from each rank to each rank (total exchange).
    Alltoall,
}

/// The meaning of a number of bytes, which differs between sources and algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BytesAre {
    /// Bytes from one rank to another.
    PerPair,
    /// Bytes that one rank contributes or receives: a block, or all p blocks of an alltoall.
    PerRank,
    /// Sum of all blocks.
    Total,
    /// The vector of each rank.
    Vector,
}

/// A range that includes both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Range<U> {
    /// The smallest value.
    pub low: U,
    /// The largest value.
    pub high: U,
}

impl<U: PartialOrd> Range<U> {
    /// Whether the range includes a value.
    #[expect(clippy::needless_pass_by_value, reason = "values here are small and Copy")]
    pub fn contains(&self, value: U) -> bool {
        self.low <= value && value <= self.high
    }
}

/// The closed form of one operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Collective {
    /// The operation.
    pub op: Operation,
    /// The routine that was timed, such as `MPI_Bcast`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routine: Option<String>,
    /// The meaning of m.
    pub bytes_are: BytesAre,
    /// T0(p), in µs.
    pub startup: Form,
    /// t_b(p): transmission, in µs/byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_byte: Option<Form>,
    /// t_c(p): arithmetic of the reduction, in µs/byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compute_per_byte: Option<Form>,
    /// The fitted range of p.
    pub procs: Range<Procs>,
    /// The fitted range of sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Range<Bytes>>,
    /// Quality of the form.
    #[serde(default, rename = "verdict")]
    pub quality: Quality,
    /// Paper and table, or measurement and fit.
    #[serde(default)]
    pub source: String,
    /// A limit of the form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Collective {
    /// Whether the form says something about this number of processes. A form that was fitted at a
    /// single number says nothing about the growth.
    #[must_use]
    pub fn is_known_at(&self, procs: Procs) -> bool {
        self.procs.low != self.procs.high || self.procs.low == procs
    }
}

impl Operation {
    /// All operations, in display order.
    pub const ALL: [Operation; 10] = [
        Operation::Barrier,
        Operation::Bcast,
        Operation::Gather,
        Operation::Scatter,
        Operation::Reduce,
        Operation::Allreduce,
        Operation::Scan,
        Operation::Allgather,
        Operation::ReduceScatter,
        Operation::Alltoall,
    ];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Barrier => "barrier",
            Operation::Bcast => "bcast",
            Operation::Gather => "gather",
            Operation::Scatter => "scatter",
            Operation::Reduce => "reduce",
            Operation::Allreduce => "allreduce",
            Operation::Scan => "scan",
            Operation::Allgather => "allgather",
            Operation::ReduceScatter => "reduce_scatter",
            Operation::Alltoall => "alltoall",
        }
    }

    /// The operation with this name; names of the papers are also accepted.
    pub fn named(name: &str) -> Result<Self, Error> {
        let spelled = name.trim().to_ascii_lowercase().replace(['-', ' '], "_");
        match spelled.trim_start_matches("mpi_") {
            "broadcast" => Ok(Operation::Bcast),
            "total_exchange" => Ok(Operation::Alltoall),
            "prefix" | "parallel_prefix" => Ok(Operation::Scan),
            other => Operation::ALL.into_iter().find(|op| op.name() == other).ok_or_else(|| {
                Error::unknown(
                    "operation",
                    name,
                    Input::Operation,
                    Operation::ALL.map(Operation::name),
                )
            }),
        }
    }

    /// f(m, p)/m of Hwang, Wang & Wang 1997, Section 3: the total number of messages of the
    /// operation. The paper defines it for these operations only.
    pub fn aggregated_messages(self, p: Procs) -> Option<f64> {
        let p = p.count();
        match self {
            Operation::Bcast
            | Operation::Gather
            | Operation::Scatter
            | Operation::Reduce
            | Operation::Scan => Some(p - 1.0),
            Operation::Alltoall => Some(p * (p - 1.0)),
            _ => None,
        }
    }

    /// The count of bytes in algorithms, and in questions without a form.
    pub fn bytes_are(self) -> BytesAre {
        match self {
            Operation::Alltoall => BytesAre::PerPair,
            Operation::Gather | Operation::Scatter | Operation::Allgather => BytesAre::PerRank,
            Operation::ReduceScatter => BytesAre::Total,
            _ => BytesAre::Vector,
        }
    }

    /// Possible counts of bytes.
    pub fn counts(self) -> &'static [BytesAre] {
        match self {
            Operation::Alltoall => &[BytesAre::PerPair, BytesAre::PerRank, BytesAre::Total],
            Operation::Gather | Operation::Scatter | Operation::Allgather => {
                &[BytesAre::PerRank, BytesAre::Total]
            }
            Operation::ReduceScatter => &[BytesAre::PerRank, BytesAre::Total, BytesAre::Vector],
            _ => &[BytesAre::Vector],
        }
    }

    /// The possible counts as text: `per_rank or total`.
    pub fn counts_in_words(self) -> String {
        self.counts().iter().map(|count| count.name()).collect::<Vec<_>>().join(" or ")
    }

    /// Factor between `basis` and the buffer of a rank: its vector, or its p blocks.
    fn in_the_whole(self, basis: BytesAre, p: Procs) -> f64 {
        let p = p.count();
        match (self, basis) {
            (Operation::Alltoall, BytesAre::PerPair) => p,
            (Operation::Alltoall, BytesAre::Total) => 1.0 / p,
            (
                Operation::Gather
                | Operation::Scatter
                | Operation::Allgather
                | Operation::ReduceScatter,
                BytesAre::PerPair | BytesAre::PerRank,
            ) => p,
            _ => 1.0,
        }
    }
}

impl BytesAre {
    pub const ALL: [BytesAre; 4] =
        [BytesAre::PerPair, BytesAre::PerRank, BytesAre::Total, BytesAre::Vector];

    /// The name in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            BytesAre::PerPair => "per_pair",
            BytesAre::PerRank => "per_rank",
            BytesAre::Total => "total",
            BytesAre::Vector => "vector",
        }
    }

    /// The count with this name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let spelled = name.trim().to_ascii_lowercase().replace('-', "_");
        BytesAre::ALL.into_iter().find(|b| b.name() == spelled).ok_or_else(|| {
            Error::unknown("count", name, Input::BytesAre, BytesAre::ALL.map(BytesAre::name))
        })
    }

    /// As text after a number of bytes.
    pub fn words(self) -> &'static str {
        match self {
            BytesAre::PerPair => "from each rank to each other",
            BytesAre::PerRank => "for each rank",
            BytesAre::Total => "in total",
            BytesAre::Vector => "in the vector",
        }
    }

    /// Converts bytes of this count to the buffer of a rank: its vector, or its p blocks.
    pub fn to_whole(self, op: Operation, p: Procs, bytes: f64) -> f64 {
        bytes * op.in_the_whole(self, p)
    }

    /// Converts the buffer of a rank to this count.
    pub fn of_whole(self, op: Operation, p: Procs, whole: f64) -> f64 {
        whole / op.in_the_whole(self, p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_papers_are_accepted() {
        assert_eq!(Operation::named("total exchange"), Ok(Operation::Alltoall));
        assert_eq!(Operation::named("MPI_Reduce_scatter"), Ok(Operation::ReduceScatter));
        assert!(Operation::named("bcst").unwrap_err().help.to_string().contains("bcast"));
    }

    /// Hwang, Wang & Wang 1997, Section 3.
    #[test]
    fn aggregated_message_length() {
        assert_eq!(Operation::Alltoall.aggregated_messages(Procs(64)), Some(4032.0));
        assert_eq!(Operation::Scan.aggregated_messages(Procs(64)), Some(63.0));
        for op in [
            Operation::Barrier,
            Operation::Allreduce,
            Operation::Allgather,
            Operation::ReduceScatter,
        ] {
            assert_eq!(op.aggregated_messages(Procs(64)), None);
        }
    }

    #[test]
    fn every_count_converts_and_back() {
        let p = Procs(8);
        let whole = |basis: BytesAre, op, m| basis.to_whole(op, p, m);
        assert_eq!(whole(BytesAre::PerRank, Operation::Gather, 10.0), 80.0);
        assert_eq!(whole(BytesAre::Total, Operation::Gather, 80.0), 80.0);
        assert_eq!(whole(BytesAre::PerPair, Operation::Alltoall, 10.0), 80.0);
        assert_eq!(whole(BytesAre::PerRank, Operation::Alltoall, 80.0), 80.0);
        assert_eq!(whole(BytesAre::Total, Operation::Alltoall, 640.0), 80.0);
        assert_eq!(whole(BytesAre::Vector, Operation::Allreduce, 80.0), 80.0);
        for op in Operation::ALL {
            for &basis in op.counts() {
                assert_eq!(basis.of_whole(op, p, basis.to_whole(op, p, 24.0)), 24.0);
            }
        }
    }
}
