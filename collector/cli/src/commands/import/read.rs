//! Reads files, folders with their subfolders, archives, and standard input.

use crate::source::{cannot_read, entries};
use loggia_exchange::import::{Importer, Read as Found};
use loggia_files::{Bytes, File, is_archive, unpacked};
use loggia_model::Error;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Maximum depth of subfolders; deeper ones are skipped.
const DEEPEST: usize = 16;
/// Size of a piece read at once.
const PIECE: usize = 1 << 18;
/// Length of the magic number of an archive, in bytes.
const HEAD: usize = 4;

const HELP: &str =
    "check the path; FILE is the output of a benchmark, or a folder or ZIP archive of outputs";

/// Reads all files, folders and archives with these names.
pub(in crate::commands) fn all(names: &[String]) -> Result<Found, Error> {
    let mut reading = Importer::default();
    for name in names {
        let path = Path::new(name);
        if name == "-" {
            read_from(&mut reading, "standard input", io::stdin().lock())?;
        } else if path.is_dir() {
            let mut files = Vec::new();
            collect_files(path, 0, &mut files)?;
            if files.is_empty() {
                return Err(Error::new("this folder contains no file", name, HELP));
            }
            for file in files {
                read_file(&mut reading, &file)?;
            }
        } else {
            read_file(&mut reading, path)?;
        }
    }
    Ok(reading.finish())
}

/// Collects all files of a folder, sorted by name.
fn collect_files(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    for path in entries(folder, HELP)? {
        match path.is_dir() {
            true if depth < DEEPEST => collect_files(&path, depth + 1, files)?,
            true => {}
            false => files.push(path),
        }
    }
    Ok(())
}

fn read_file(reading: &mut Importer, path: &Path) -> Result<(), Error> {
    let name = path.display().to_string();
    let failed = |error: io::Error| cannot_read(&error, &name, HELP);
    let mut file = fs::File::open(path).map_err(failed)?;
    let mut head = Vec::new();
    file.by_ref().take(HEAD as u64).read_to_end(&mut head).map_err(failed)?;
    if !is_archive(&head) {
        return read_from(reading, &name, head.chain(file));
    }
    let mut bytes = head;
    file.read_to_end(&mut bytes).map_err(failed)?;
    for file in unpacked(vec![File { name, bytes: Bytes::new(bytes) }])? {
        reading.file(&file.name, &file.bytes)?;
    }
    Ok(())
}

fn read_from(reading: &mut Importer, name: &str, mut from: impl Read) -> Result<(), Error> {
    reading.begin(name);
    let mut piece = vec![0; PIECE];
    loop {
        match from.read(&mut piece) {
            Ok(0) => return reading.end(),
            Ok(length) => reading.push(&piece[..length])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(cannot_read(&error, name, HELP)),
        }
    }
}
