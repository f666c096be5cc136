//! Files as somebody has read or mapped them, with their names; and those inside of archives.

mod packed;

pub use packed::{is_archive, unpacked};

use std::fmt;
use std::sync::Arc;

/// Bytes in memory, or of a file that is mapped into it.
#[derive(Clone)]
pub struct Bytes(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl Bytes {
    /// What somebody else has read or mapped.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Bytes(Arc::new(bytes))
    }
}

impl std::ops::Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} bytes", self.len())
    }
}

/// A file, with its name for whoever must be told about it.
#[derive(Clone, Debug)]
pub struct File {
    /// As the user knows it.
    pub name: String,
    /// What it holds.
    pub bytes: Bytes,
}

impl File {
    /// So much of it as shows what it is.
    pub fn head(&self) -> &[u8] {
        &self.bytes[..self.bytes.len().min(1 << 12)]
    }
}
