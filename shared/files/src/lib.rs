//! Files in memory or mapped into memory, with their names; also files inside archives.

mod error;
mod file;
mod packed;

pub use error::ArchiveError;
pub use file::{Bytes, File};
pub use packed::{MAX_UNPACKED, is_archive, unpacked, unpacked_within};
