//! Files that somebody has read or mapped, with their names.

use std::fmt;
use std::sync::Arc;

/// Bytes in memory, or of a file that is mapped into memory.
#[derive(Clone)]
pub struct Bytes(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl Bytes {
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

/// A file, with its name for messages.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name, as the user knows it.
    pub name: String,
    /// Its content.
    pub bytes: Bytes,
}

impl File {
    /// The first 4 KiB, from which its kind is recognised.
    pub fn head(&self) -> &[u8] {
        &self.bytes[..self.bytes.len().min(1 << 12)]
    }
}
