//! Files in a ZIP archive.

use crate::error::ArchiveError;
use crate::file::{Bytes, File};
use std::error::Error;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Maximum total size of the files in archives, limited by memory.
pub const MAX_UNPACKED: u64 = if cfg!(target_arch = "wasm32") { 1 << 30 } else { 4 << 30 };

/// Whether a file is an archive, by its first bytes.
pub fn is_archive(begin: &[u8]) -> bool {
    begin.starts_with(b"PK\x03\x04")
}

/// The files, with archives replaced by their contents.
pub fn unpacked(files: Vec<File>) -> Result<Vec<File>, ArchiveError> {
    unpacked_within(files, MAX_UNPACKED)
}

/// The files, with archives replaced by their contents, up to `most` bytes in total.
pub fn unpacked_within(files: Vec<File>, most: u64) -> Result<Vec<File>, ArchiveError> {
    let mut all = Vec::with_capacity(files.len());
    let mut room = most;
    for file in files {
        match is_archive(&file.bytes) {
            true => unpack(&file, &mut all, &mut room, most)?,
            false => all.push(file),
        }
    }
    Ok(all)
}

/// Unpacks an archive within the remaining size.
fn unpack(
    archive: &File,
    all: &mut Vec<File>,
    room: &mut u64,
    most: u64,
) -> Result<(), ArchiveError> {
    let damaged = |file: &str, error: &dyn Error| ArchiveError::Damaged {
        file: file.to_owned(),
        reason: error.to_string(),
    };
    let failed = |error| damaged(&archive.name, &error);
    let mut zip = ZipArchive::new(Cursor::new(&archive.bytes[..])).map_err(failed)?;
    let too_large = || ArchiveError::TooLarge { archive: archive.name.clone(), most };
    for index in 0..zip.len() {
        let file = zip.by_index(index).map_err(failed)?;
        if !file.is_file() {
            continue;
        }
        let name = format!("{}/{}", archive.name, file.name());
        let mut bytes = Vec::new();
        let read = file.take(room.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| damaged(&name, &error))?;
        *room = room.checked_sub(bytes.len() as u64).ok_or_else(too_large)?;
        all.push(File { name, bytes: Bytes::new(bytes) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use std::io::Write;
    use zip::write::{SimpleFileOptions, ZipWriter};

    fn file(name: &str, bytes: &(impl AsRef<[u8]> + ?Sized)) -> File {
        File { name: name.to_owned(), bytes: Bytes::new(bytes.as_ref().to_vec()) }
    }

    fn packed(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn unpacked_files_equal_the_originals() {
        let long = vec![7u8; 100_000];
        let bytes = packed(&[("t/rank-0.trace", &long), ("t/rank-1.trace", b"short")]);
        assert!(bytes.len() < 2_000 && is_archive(&bytes));
        let files = unpacked(vec![file("plain", &[1]), file("t.zip", &bytes)]).unwrap();
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["plain", "t.zip/t/rank-0.trace", "t.zip/t/rank-1.trace"]);
        assert_eq!((&files[1].bytes[..], &files[2].bytes[..]), (&long[..], &b"short"[..]));
        for cut in [10, bytes.len() / 2, bytes.len() - 1] {
            let error = unpacked(vec![file("t.zip", &bytes[..cut])]).unwrap_err();
            assert!(
                matches!(&error, ArchiveError::Damaged { file, .. } if file == "t.zip"),
                "{error:?}"
            );
            assert_eq!(loggia_model::Error::from(error).place.to_string(), "t.zip");
        }
    }
}
