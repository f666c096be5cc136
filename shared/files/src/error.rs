//! Errors of archives.

use loggia_model::Error;
use std::fmt;

/// The reason why an archive cannot be unpacked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveError {
    /// The archive, or a file in it, is damaged.
    Damaged {
        /// The archive, or the file in it.
        file: String,
        /// The reason, as text of the archive reader.
        reason: String,
    },
    /// The files do not fit into memory.
    TooLarge {
        archive: String,
        /// The limit, in bytes.
        most: u64,
    },
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveError::Damaged { reason, .. } => f.write_str(reason),
            ArchiveError::TooLarge { most, .. } => {
                write!(f, "this archive contains more than {} GiB", most >> 30)
            }
        }
    }
}

impl From<ArchiveError> for Error {
    fn from(error: ArchiveError) -> Self {
        let message = error.to_string();
        match error {
            ArchiveError::Damaged { file, .. } => {
                Error::new(message, file, "pack the folder again, or give its files")
            }
            ArchiveError::TooLarge { archive, .. } => {
                Error::new(message, archive, "unpack it, and give the folder")
            }
        }
    }
}
