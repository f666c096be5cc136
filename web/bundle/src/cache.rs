//! A cache of build results: to bind and optimise the same module again takes a minute and gives
//! the same bytes.

use crate::files::Files;
use crate::problem::Problem;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A folder with one folder for each result, named by the hash of its input.
pub(crate) struct Cache {
    folder: PathBuf,
}

/// Maximum number of results, so that a return to an earlier state is quick, too: a page has about
/// 50.
const NEWEST: usize = 256;

impl Cache {
    /// The results in `folder`, which need not exist.
    pub(crate) fn in_folder(folder: PathBuf) -> Self {
        Cache { folder }
    }

    /// Returns the cached files of this input; otherwise makes and caches them.
    pub(crate) fn or_make(
        &self,
        input: &[&[u8]],
        make: impl FnOnce() -> Result<Files, Problem>,
    ) -> Result<Files, Problem> {
        let place = self.folder.join(name(input));
        if let Ok(files) = read(&place) {
            // The date decides only the order in which results are deleted.
            let _ = fs::write(place.join(USED), []);
            return Ok(files);
        }
        let files = make()?;
        // If this fails, for example on a full disk, only the next build takes longer.
        let _ = write(&place, &files);
        Ok(files)
    }

    /// Deletes all but the newest results.
    pub(crate) fn tidy(&self) {
        let mut places: Vec<(SystemTime, PathBuf)> = fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| (used(&entry.path()), entry.path()))
            .collect();
        places.sort();
        let old = places.len().saturating_sub(NEWEST);
        for (_, place) in &places[..old] {
            let _ = fs::remove_dir_all(place);
        }
    }
}

/// An empty file among a result's files; its date is that of the last use.
const USED: &str = ".used";

fn used(place: &Path) -> SystemTime {
    let date = |path: &Path| fs::metadata(path).and_then(|found| found.modified());
    date(&place.join(USED)).or_else(|_| date(place)).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The hash of all parts with their lengths, so that different lists have different hashes.
fn name(input: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in input {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

fn read(place: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    for path in files_below(place)? {
        let name = path.strip_prefix(place).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if name != USED {
            files.insert(name, fs::read(path)?);
        }
    }
    Ok(files)
}

/// Writes to a temporary folder and renames it, so that a killed build leaves no incomplete result.
fn write(place: &Path, files: &Files) -> io::Result<()> {
    let beside = place.with_extension(format!("part-{}", std::process::id()));
    for (name, content) in files {
        let path = beside.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&beside))?;
        fs::write(path, content)?;
    }
    fs::rename(&beside, place).inspect_err(|_| {
        let _ = fs::remove_dir_all(&beside);
    })
}

/// All files in a folder and the folders in it.
pub(crate) fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files_below(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_input_is_made_once_and_another_again() {
        let folder = std::env::temp_dir().join(format!("loggia-kept-{}", std::process::id()));
        let cache = Cache::in_folder(folder.clone());
        let files = Files::from([("a/b".to_owned(), b"x".to_vec()), ("c".to_owned(), vec![])]);
        let make = |input: &[&[u8]]| {
            let mut made = false;
            let result = cache.or_make(input, || {
                made = true;
                Ok(files.clone())
            });
            assert_eq!(result.unwrap(), files);
            made
        };
        assert!(make(&[b"one", b"two"]));
        assert!(!make(&[b"one", b"two"]));
        assert!(make(&[b"onet", b"wo"]), "the same bytes in other parts are another input");
        cache.tidy();
        assert!(!make(&[b"one", b"two"]), "the newest are kept");
        assert!(cache.or_make(&[b"bad"], || Err(Problem::new("no", "no"))).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
