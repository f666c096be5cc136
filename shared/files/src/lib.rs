//! Files that somebody has read or mapped, with their names; and those inside archives.

mod error;
mod file;
mod packed;

pub use error::ArchiveError;
pub use file::{Bytes, File};
pub use packed::{MOST_UNPACKED, is_archive, unpacked, unpacked_within};
