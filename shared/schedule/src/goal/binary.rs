//! GOAL binary: the input format of LogGOPSim, packed, little-endian.
//!
//! ```text
//! u64 4223                            the magic number; offsets count from its end
//! u32 ranks, u8 cpu, u8 nic           the highest cpu and nic of any operation
//! u64 begin, u64 end                  of each rank's block
//!
//! u32 ops, u32 roots                  a block; operations are numbered from 0 in each rank
//! u32 root                            each operation without dependencies, in order
//! 39 bytes                            each operation:
//!     u32 needs                       number of its dependencies
//!     u8 kind                         1 send, 2 recv, 3 calc
//!     u32 peer, u64 size, u32 tag, u8 cpu, u8 nic
//!     u32 count, u32 first            part of the list: operations that begin after its end
//!     u32 count, u32 first            part of the list: operations that begin after its begin
//! u32 op                              the list
//! ```

mod read;
mod write;

pub use read::read;
pub use write::write;

const MAGIC: [u8; 8] = 4223u64.to_le_bytes();
/// Length of magic number, ranks, cpu and nic.
const HEADER: usize = 14;
/// Length of a rank's begin and end.
const RANGE: usize = 16;
/// Length of a block's counts.
const COUNTS: usize = 8;
/// Length of an operation.
const OP: usize = 39;

/// Whether the bytes begin like a binary file, even if they are shorter than the magic number.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    let begin = bytes.len().min(MAGIC.len());
    begin > 0 && bytes[..begin] == MAGIC[..begin]
}
