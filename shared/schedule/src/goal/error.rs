//! Mistakes in GOAL files.

use crate::schedule::Flaw;
use loggia_model::Error;
use loggia_model::error::Place;

/// Why a file of GOAL binary cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BinaryError {
    NotBinary,
    /// The file ends inside its header, after this number of bytes.
    ShortHeader(usize),
    ShortFile {
        ranks: u32,
        least: u64,
        has: usize,
    },
    /// A rank's block begins inside the header or the block before it.
    OutOfOrder {
        rank: u32,
        begin: u64,
    },
    BlockBeyondEnd {
        rank: u32,
        end: u64,
        length: u64,
    },
    /// The block is shorter than its counts.
    ShortBlock {
        rank: u32,
        begin: u64,
        end: u64,
    },
    /// The block is too short for its operations and roots.
    ShortTables {
        rank: u32,
        ops: u64,
        roots: u64,
        needed: u64,
        has: usize,
    },
    /// The list of dependents is not a whole number of entries.
    OddList {
        rank: u32,
        bytes: usize,
    },
    TooManyOps,
    UnknownKind {
        rank: u32,
        kind: u8,
    },
    NoSuchRank {
        rank: u32,
        peer: u32,
        ranks: u32,
    },
    /// A root that is not the next operation without dependencies.
    WrongRoot {
        rank: u32,
        root: u32,
        expected: Option<u32>,
    },
    MissingRoot {
        rank: u32,
        op: u32,
    },
    /// An entry of the list of dependents that belongs to no operation.
    StrayEntry {
        rank: u32,
        entry: usize,
    },
    /// An entry that belongs to two operations.
    SharedEntry {
        rank: u32,
        entry: usize,
    },
    EntriesBeyondList {
        rank: u32,
        begin: u64,
        end: u64,
        has: usize,
    },
    /// An operation is a dependent of fewer operations than stated, or (`None`) of more.
    WrongCount {
        rank: u32,
        op: usize,
        stated: u32,
        found: Option<u32>,
    },
    WaitsForItself {
        rank: u32,
        op: u32,
    },
    NoSuchOp {
        rank: u32,
        op: u32,
        ops: usize,
    },
}

impl BinaryError {
    /// The error at a byte of the file.
    pub(super) fn at(self, byte: usize) -> Error {
        Error::new(self.message(), format!("byte {byte}"), self.help())
    }

    fn message(&self) -> String {
        use BinaryError::*;
        match self {
            NotBinary => "the file does not begin with the magic number 4223".to_owned(),
            ShortHeader(has) => format!("the file ends after {has} bytes, within its header"),
            ShortFile { ranks, least, has } => {
                format!("{ranks} ranks need at least {least} bytes, but the file has {has}")
            }
            OutOfOrder { rank: 0, begin } => {
                format!("rank 0 begins at byte {begin}, within the header")
            }
            OutOfOrder { rank, begin } => {
                format!("rank {rank} begins at byte {begin}, within rank {}", rank - 1)
            }
            BlockBeyondEnd { rank, end, length } => {
                format!("rank {rank} ends at byte {end}, but the file ends at {length}")
            }
            ShortBlock { rank, begin, end } => {
                format!("rank {rank} has the bytes {begin} to {end}: too few for a block")
            }
            ShortTables { rank, ops, roots, needed, has } => format!(
                "rank {rank}: {ops} operations and {roots} roots need {needed} bytes, but its \
                 block has {has}"
            ),
            OddList { rank, bytes } => {
                format!(
                    "rank {rank}: the list of dependents has {bytes} bytes, not a multiple of 4"
                )
            }
            TooManyOps => Flaw::TooManyOps.to_string(),
            UnknownKind { rank, kind } => {
                format!("rank {rank}: unknown kind {kind} of an operation")
            }
            NoSuchRank { rank, peer, ranks } => {
                format!("rank {rank} names rank {peer}, but there are {ranks} ranks")
            }
            WrongRoot { rank, root, expected: Some(op) } => {
                format!("rank {rank}: found root {root}, expected {op}")
            }
            WrongRoot { rank, root, expected: None } => {
                format!("rank {rank}: found root {root}, expected no further root")
            }
            MissingRoot { rank, op } => {
                format!("rank {rank}: operation {op} has no dependencies, but is not a root")
            }
            StrayEntry { rank, entry } => {
                format!("rank {rank}: entry {entry} of the list belongs to no operation")
            }
            SharedEntry { rank, entry } => {
                format!("rank {rank}: entry {entry} of the list belongs to two lists")
            }
            EntriesBeyondList { rank, begin, end, has } => {
                format!("rank {rank}: entries {begin} to {end} exceed the list, which has {has}")
            }
            WrongCount { rank, op, stated, found: Some(found) } => {
                format!(
                    "rank {rank}: operation {op} states {stated} predecessors, but {found} operations list it as a successor"
                )
            }
            WrongCount { rank, op, stated, found: None } => {
                format!(
                    "rank {rank}: operation {op} states {stated} predecessors, but more operations list it as a successor"
                )
            }
            WaitsForItself { rank, op } => {
                format!("rank {rank}: operation {op} waits for itself, so it never begins")
            }
            NoSuchOp { rank, op, ops } => {
                format!("rank {rank}: operation {op} is listed, but there are only {ops}")
            }
        }
    }

    fn help(&self) -> &'static str {
        use BinaryError::*;
        match self {
            NotBinary => "GOAL binary begins with the number 4223 in eight bytes, little-endian",
            OutOfOrder { .. } => "write the blocks of the ranks in order",
            TooManyOps => "reduce the number of ranks or iterations",
            UnknownKind { .. } => "1 is a send, 2 a receive, 3 a computation",
            NoSuchRank { .. } => "ranks count from 0",
            WrongRoot { .. } | MissingRoot { .. } => {
                "the roots are the operations without dependencies, in order"
            }
            ShortHeader(_)
            | ShortFile { .. }
            | BlockBeyondEnd { .. }
            | ShortBlock { .. }
            | ShortTables { .. }
            | OddList { .. }
            | StrayEntry { .. }
            | SharedEntry { .. }
            | EntriesBeyondList { .. }
            | WrongCount { .. }
            | WaitsForItself { .. }
            | NoSuchOp { .. } => {
                "the file is damaged or was cut off; create it again from its text"
            }
        }
    }
}

/// Why GOAL text cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextError {
    /// A comment without an end.
    OpenComment,
    /// A violation of the grammar; the reader knows what it expected.
    Unexpected {
        found: String,
        expected: String,
        help: String,
    },
    TooLarge {
        number: String,
        quantity: String,
        most: u64,
    },
    /// The block of a rank other than the next.
    RankOutOfOrder {
        found: u64,
        expected: u32,
    },
    NoSuchRank {
        peer: u32,
        ranks: u32,
    },
    WaitsForItself {
        label: String,
    },
    UndefinedLabel {
        label: String,
        rank: u32,
    },
}

impl TextError {
    /// The error at a place of the text.
    pub(super) fn at(self, place: Place) -> Error {
        use TextError::*;
        let (message, help) = match self {
            OpenComment => (
                "this comment has no end: found the end of the file, expected `*/`".to_owned(),
                "close it, or begin it with `//` if it is one line".to_owned(),
            ),
            Unexpected { found, expected, help } => {
                (format!("found {found}, expected {expected}"), help)
            }
            TooLarge { number, quantity, most } => {
                (format!("found `{number}`, too large for {quantity}"), format!("at most {most}"))
            }
            RankOutOfOrder { found, expected } => {
                let again = if found < u64::from(expected) { " a second time" } else { "" };
                (
                    format!("found `rank {found}`{again}, expected `rank {expected}`"),
                    "give the ranks in order from 0, each once".to_owned(),
                )
            }
            NoSuchRank { peer, ranks } => (
                format!("found rank `{peer}`, expected 0 to {}", ranks - 1),
                format!("num_ranks is {ranks}"),
            ),
            WaitsForItself { label } => (
                format!("`{label}` waits for itself, so it never begins"),
                "name the operation that it waits for".to_owned(),
            ),
            UndefinedLabel { label, rank } => (
                format!("found label `{label}`, which rank {rank} does not define"),
                format!("write `{label}: ` before an operation of rank {rank}"),
            ),
        };
        Error::new(message, place, help)
    }
}
