//! Archives: the unpacked size is bounded, whatever the archive claims.

use super::check_error;
use loggia_files::{Bytes, File, is_archive, unpacked_within};
use loggia_model::Error;

/// A small limit, so that a bomb is detected at once, in bytes.
const MAX_UNPACKED: u64 = 8 << 20;

pub(crate) fn check(bytes: &[u8]) {
    let file = File { name: "a.zip".to_owned(), bytes: Bytes::new(bytes.to_vec()) };
    match unpacked_within(vec![file], MAX_UNPACKED) {
        Ok(files) => {
            let held: u64 = files.iter().map(|file| file.bytes.len() as u64).sum();
            let own = if is_archive(bytes) { 0 } else { bytes.len() as u64 };
            assert!(held <= MAX_UNPACKED + own, "{held} bytes");
        }
        Err(error) => check_error(&Error::from(error)),
    }
}
