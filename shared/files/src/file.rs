//! Files in memory or mapped into memory, with their names.

use std::fmt;
use std::sync::Arc;

/// Bytes in memory, or of a mapped file.
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

/// A file, with its name for error messages.
#[derive(Clone, Debug)]
pub struct File {
    /// The name, as shown to the user.
    pub name: String,
    /// The content.
    pub bytes: Bytes,
}

impl File {
    /// The first 4 KiB, which identify the format.
    pub fn head(&self) -> &[u8] {
        &self.bytes[..self.bytes.len().min(1 << 12)]
    }
}
