//! Files that somebody has read or mapped, with their names; and those inside archives.

mod error;
mod file;
mod packed;

pub use error::ArchiveError;
pub use file::{Bytes, File};
pub use packed::{is_archive, unpacked};
