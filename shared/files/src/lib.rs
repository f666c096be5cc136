//! Files that somebody has read or mapped, with their names; and those inside archives.

mod file;
mod packed;

pub use file::{Bytes, File};
pub use packed::{is_archive, unpacked};
