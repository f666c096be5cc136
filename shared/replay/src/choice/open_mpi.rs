//! Defaults of Open MPI 4.1: the fixed decisions of its `coll/tuned`, averaged over many clusters.
//! An algorithm that does not exist here is replaced by the nearest one. A k-nomial tree counts as
//! binomial, a split binary tree as binary, a neighbour exchange as a ring, a butterfly as
//! recursive halving; an exchange of two ranks counts as pairwise. Operators are assumed to
//! commute.

use loggia_model::signature::Operation;

/// Rows by exclusive upper bound on ranks; each holds algorithms by exclusive upper bound on bytes.
type Table = &'static [(u32, &'static [(u64, &'static str)])];

/// Any number of ranks.
const EVERY: u32 = u32::MAX;
/// Any number of bytes.
const ALL: u64 = u64::MAX;

/// Assumed size of an element in bytes. The library compares element counts when it splits vectors.
const ELEMENT: u64 = 4;

const ALLREDUCE: Table = &[
    (
        4,
        &[
            (8, "ring"),
            (4_096, "recursive-doubling"),
            (8_192, "ring"),
            (16_384, "recursive-doubling"),
            (262_144, "ring"),
            (ALL, "rabenseifner"),
        ],
    ),
    (8, &[(16, "ring"), (8_192, "recursive-doubling"), (ALL, "rabenseifner")]),
    (16, &[(8_192, "recursive-doubling"), (ALL, "rabenseifner")]),
    (32, &[(64, "ring"), (4_096, "recursive-doubling"), (ALL, "rabenseifner")]),
    (64, &[(128, "ring"), (ALL, "rabenseifner")]),
    (128, &[(262_144, "recursive-doubling"), (ALL, "rabenseifner")]),
    (256, &[(131_072, "reduce+bcast"), (262_144, "recursive-doubling"), (ALL, "rabenseifner")]),
    (512, &[(4_096, "reduce+bcast"), (ALL, "rabenseifner")]),
    (2_048, &[(2_048, "reduce+bcast"), (16_384, "recursive-doubling"), (ALL, "rabenseifner")]),
    (
        4_096,
        &[
            (2_048, "reduce+bcast"),
            (4_096, "ring"),
            (16_384, "recursive-doubling"),
            (ALL, "rabenseifner"),
        ],
    ),
    (
        EVERY,
        &[(2_048, "reduce+bcast"), (16_384, "ring"), (32_768, "recursive-doubling"), (ALL, "ring")],
    ),
];

const ALLTOALL: Table = &[
    (3, &[(32_768, "pairwise"), (262_144, "linear"), (ALL, "pairwise")]),
    (8, &[(524_288, "linear"), (1_048_576, "pairwise"), (ALL, "linear")]),
    (16, &[(ALL, "linear")]),
    (32, &[(4, "linear"), (512, "bruck"), (ALL, "linear")]),
    (64, &[(512, "bruck"), (ALL, "linear")]),
    (256, &[(1_024, "bruck"), (262_144, "linear"), (ALL, "pairwise")]),
    (512, &[(1_024, "bruck"), (32_768, "linear"), (ALL, "pairwise")]),
    (1_024, &[(512, "bruck"), (262_144, "linear"), (ALL, "pairwise")]),
    (2_048, &[(512, "bruck"), (ALL, "linear")]),
    (4_096, &[(1_024, "bruck"), (ALL, "linear")]),
    (8_192, &[(2_048, "bruck"), (ALL, "linear")]),
    (EVERY, &[(ALL, "pairwise")]),
];

const BARRIER: Table = &[
    (4, &[(ALL, "dissemination")]),
    (8, &[(ALL, "linear")]),
    (256, &[(ALL, "dissemination")]),
    (512, &[(ALL, "tree")]),
    (1_024, &[(ALL, "dissemination")]),
    (4_096, &[(ALL, "tree")]),
    (EVERY, &[(ALL, "dissemination")]),
];

const BCAST: Table = &[
    (
        4,
        &[
            (32, "chain"),
            (256, "binary"),
            (512, "chain"),
            (1_024, "binomial"),
            (32_768, "flat"),
            (131_072, "binary"),
            (262_144, "chain"),
            (524_288, "flat"),
            (1_048_576, "binomial"),
            (ALL, "binary"),
        ],
    ),
    (
        8,
        &[
            (64, "binary"),
            (128, "binomial"),
            (2_048, "binary"),
            (8_192, "binomial"),
            (1_048_576, "flat"),
            (ALL, "chain"),
        ],
    ),
    (
        16,
        &[
            (8, "binomial"),
            (64, "binary"),
            (4_096, "binomial"),
            (16_384, "binary"),
            (32_768, "binomial"),
            (ALL, "flat"),
        ],
    ),
    (32, &[(1_048_576, "binomial"), (ALL, "scatter+allgather")]),
    (128, &[(ALL, "binomial")]),
    (
        256,
        &[
            (2, "binomial"),
            (16_384, "binary"),
            (32_768, "flat"),
            (65_536, "binary"),
            (ALL, "binomial"),
        ],
    ),
    (1_024, &[(16_384, "binomial"), (32_768, "binary"), (ALL, "binomial")]),
    (2_048, &[(524_288, "binomial"), (ALL, "scatter+allgather")]),
    (4_096, &[(262_144, "binomial"), (ALL, "scatter+allgather")]),
    (EVERY, &[(8_192, "binomial"), (16_384, "binary"), (ALL, "binomial")]),
];

const REDUCE: Table = &[
    (4, &[(8, "rabenseifner"), (16, "binary"), (32, "chain"), (262_144, "flat"), (ALL, "chain")]),
    (
        8,
        &[
            (4_096, "binary"),
            (65_536, "chain"),
            (262_144, "binomial"),
            (524_288, "flat"),
            (1_048_576, "binomial"),
            (ALL, "flat"),
        ],
    ),
    (16, &[(8_192, "binary"), (ALL, "binomial")]),
    (32, &[(4_096, "binary"), (ALL, "binomial")]),
    (256, &[(ALL, "binomial")]),
    (512, &[(8_192, "binomial"), (16_384, "binary"), (ALL, "binomial")]),
    (2_048, &[(ALL, "binomial")]),
    (
        4_096,
        &[
            (512, "binomial"),
            (1_024, "binary"),
            (8_192, "binomial"),
            (16_384, "binary"),
            (ALL, "binomial"),
        ],
    ),
    (
        EVERY,
        &[
            (16, "binomial"),
            (32, "binary"),
            (1_024, "binomial"),
            (2_048, "binary"),
            (8_192, "binomial"),
            (16_384, "binary"),
            (ALL, "binomial"),
        ],
    ),
];

const REDUCE_SCATTER: Table = &[
    (4, &[(65_536, "pairwise"), (131_072, "recursive-halving"), (ALL, "pairwise")]),
    (8, &[(8, "reduce+scatter"), (262_144, "recursive-halving"), (ALL, "pairwise")]),
    (32, &[(262_144, "recursive-halving"), (ALL, "pairwise")]),
    (64, &[(64, "reduce+scatter"), (524_288, "recursive-halving"), (ALL, "pairwise")]),
    (512, &[(256, "reduce+scatter"), (ALL, "recursive-halving")]),
    (4_096, &[(512, "reduce+scatter"), (ALL, "recursive-halving")]),
    (8_192, &[(1_024, "reduce+scatter"), (ALL, "recursive-halving")]),
    (EVERY, &[(ALL, "recursive-halving")]),
];

const ALLGATHER: Table = &[
    (32, &[(ALL, "recursive-doubling")]),
    (64, &[(1_024, "recursive-doubling"), (ALL, "ring")]),
    (256, &[(512, "recursive-doubling"), (ALL, "ring")]),
    (
        512,
        &[(32, "recursive-doubling"), (128, "bruck"), (1_024, "recursive-doubling"), (ALL, "ring")],
    ),
    (
        1_024,
        &[(64, "recursive-doubling"), (256, "bruck"), (2_048, "recursive-doubling"), (ALL, "ring")],
    ),
    (
        2_048,
        &[
            (4, "recursive-doubling"),
            (8, "bruck"),
            (16, "recursive-doubling"),
            (32, "bruck"),
            (256, "recursive-doubling"),
            (512, "bruck"),
            (4_096, "recursive-doubling"),
            (ALL, "ring"),
        ],
    ),
    (
        4_096,
        &[
            (32, "bruck"),
            (128, "recursive-doubling"),
            (512, "bruck"),
            (4_096, "recursive-doubling"),
            (ALL, "ring"),
        ],
    ),
    (
        EVERY,
        &[
            (2, "recursive-doubling"),
            (8, "bruck"),
            (16, "recursive-doubling"),
            (512, "bruck"),
            (4_096, "recursive-doubling"),
            (ALL, "ring"),
        ],
    ),
];

const GATHER: Table = &[
    (
        4,
        &[
            (4, "linear"),
            (32_768, "binomial"),
            (65_536, "linear"),
            (131_072, "binomial"),
            (ALL, "linear"),
        ],
    ),
    (8, &[(1_024, "binomial"), (8_192, "linear"), (32_768, "binomial"), (ALL, "linear")]),
    (256, &[(ALL, "binomial")]),
    (512, &[(2_048, "binomial"), (8_192, "linear"), (ALL, "binomial")]),
    (EVERY, &[(ALL, "binomial")]),
];

const SCATTER: Table = &[
    (4, &[(ALL, "linear")]),
    (8, &[(2_048, "binomial"), (4_096, "linear"), (8_192, "binomial"), (ALL, "linear")]),
    (32, &[(16_384, "binomial"), (ALL, "linear")]),
    (64, &[(512, "binomial"), (8_192, "linear"), (16_384, "binomial"), (ALL, "linear")]),
    (EVERY, &[(512, "binomial"), (ALL, "linear")]),
];

pub(super) fn algorithm(op: Operation, procs: u32, bytes: u64) -> &'static str {
    let elements = bytes / ELEMENT;
    match (op, look_up(table(op), procs, bytes)) {
        // With fewer elements than ranks, some ranks would have none.
        (Operation::Allreduce, "ring") if elements < u64::from(procs) => "recursive-doubling",
        (Operation::Allreduce, "rabenseifner") if elements < rounded_down(procs) => "reduce+bcast",
        (Operation::Reduce, "rabenseifner") if elements < rounded_down(procs) => "flat",
        (Operation::Allgather, "recursive-doubling") if !procs.is_power_of_two() => "bruck",
        (_, chosen) => chosen,
    }
}

/// The largest power of two that is at most `procs`.
fn rounded_down(procs: u32) -> u64 {
    procs.checked_ilog2().map_or(0, |exponent| 1 << exponent)
}

fn table(op: Operation) -> Table {
    match op {
        Operation::Barrier => BARRIER,
        Operation::Bcast => BCAST,
        Operation::Gather => GATHER,
        Operation::Scatter => SCATTER,
        Operation::Reduce => REDUCE,
        Operation::Allreduce => ALLREDUCE,
        // From `coll/basic`.
        Operation::Scan => &[(EVERY, &[(ALL, "linear")])],
        Operation::Allgather => ALLGATHER,
        Operation::ReduceScatter => REDUCE_SCATTER,
        Operation::Alltoall => ALLTOALL,
    }
}

fn look_up(table: Table, procs: u32, bytes: u64) -> &'static str {
    let by_bytes = table.iter().find(|(end, _)| procs < *end).or(table.last());
    let by_bytes = by_bytes.map_or(&[][..], |(_, by_bytes)| by_bytes);
    let chosen = by_bytes.iter().find(|(end, _)| bytes < *end).or(by_bytes.last());
    chosen.map_or("linear", |(_, algorithm)| algorithm)
}
