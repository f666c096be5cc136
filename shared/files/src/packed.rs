//! Files in a ZIP archive.

use crate::file::{Bytes, File};
use loggia_model::Error;
use std::io::{Cursor, Read};
use zip::ZipArchive;
use zip::result::ZipError;

/// What is in an archive may be so long in all: more does not fit into memory.
const MOST: u64 = 4 << 30;

/// Whether a file that begins so is an archive.
pub fn is_archive(begin: &[u8]) -> bool {
    begin.starts_with(b"PK\x03\x04")
}

/// Files as they are, and those in archives.
pub fn unpacked(files: Vec<File>) -> Result<Vec<File>, Error> {
    let mut all = Vec::with_capacity(files.len());
    for file in files {
        match is_archive(&file.bytes) {
            true => unpack(&file, &mut all)?,
            false => all.push(file),
        }
    }
    Ok(all)
}

fn unpack(archive: &File, all: &mut Vec<File>) -> Result<(), Error> {
    let help = "pack the folder again, or give its files";
    let failed = |error: ZipError| Error::new(error.to_string(), &archive.name, help);
    let mut zip = ZipArchive::new(Cursor::new(&archive.bytes[..])).map_err(failed)?;
    let mut length = 0u64;
    for index in 0..zip.len() {
        let file = zip.by_index(index).map_err(failed)?;
        if !file.is_file() {
            continue;
        }
        let name = format!("{}/{}", archive.name, file.name());
        let mut bytes = Vec::new();
        let room = MOST.saturating_sub(length);
        let read = file.take(room + 1).read_to_end(&mut bytes);
        read.map_err(|error| Error::new(error.to_string(), &name, help))?;
        length += bytes.len() as u64;
        if length > MOST {
            let words = format!("more than {} GiB are packed into this", MOST >> 30);
            return Err(Error::new(words, &archive.name, "unpack it, and give the folder"));
        }
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
    fn files_come_out_as_they_went_in() {
        let long = vec![7u8; 100_000];
        let bytes = packed(&[("t/rank-0.trace", &long), ("t/rank-1.trace", b"short")]);
        assert!(bytes.len() < 2_000 && is_archive(&bytes));
        let files = unpacked(vec![file("plain", &[1]), file("t.zip", &bytes)]).unwrap();
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["plain", "t.zip/t/rank-0.trace", "t.zip/t/rank-1.trace"]);
        assert_eq!((&files[1].bytes[..], &files[2].bytes[..]), (&long[..], &b"short"[..]));
        for cut in [10, bytes.len() / 2, bytes.len() - 1] {
            let error = unpacked(vec![file("t.zip", &bytes[..cut])]).unwrap_err();
            assert_eq!(error.place.to_string(), "t.zip");
        }
    }
}
