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
const MAX_RESULTS: usize = 256;

impl Cache {
    /// The results in `folder`, which need not exist.
    pub(crate) fn in_folder(folder: PathBuf) -> Self {
        Cache { folder }
    }

    /// Returns the cached files of this input; otherwise makes and caches them.
    pub(crate) fn get_or_make(
        &self,
        input: &[&[u8]],
        build: impl FnOnce() -> Result<Files, Problem>,
    ) -> Result<Files, Problem> {
        let entry = self.folder.join(name(input));
        if let Ok(files) = read(&entry) {
            // The date decides only the order in which results are deleted.
            let _ = fs::write(entry.join(LAST_USE), []);
            return Ok(files);
        }
        let files = build()?;
        // If this fails, for example on a full disk, only the next build takes longer.
        let _ = write(&entry, &files);
        Ok(files)
    }

    /// Deletes all but the newest results.
    pub(crate) fn prune(&self) {
        let mut entries: Vec<(SystemTime, PathBuf)> = fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| (last_use(&entry.path()), entry.path()))
            .collect();
        entries.sort();
        let old = entries.len().saturating_sub(MAX_RESULTS);
        for (_, entry) in &entries[..old] {
            let _ = fs::remove_dir_all(entry);
        }
    }
}

/// An empty file among a result's files; its date is that of the last use.
const LAST_USE: &str = ".used";

fn last_use(entry: &Path) -> SystemTime {
    let date = |path: &Path| fs::metadata(path).and_then(|found| found.modified());
    date(&entry.join(LAST_USE)).or_else(|_| date(entry)).unwrap_or(SystemTime::UNIX_EPOCH)
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

fn read(entry: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    for path in files_below(entry)? {
        let name = path.strip_prefix(entry).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if name != LAST_USE {
            files.insert(name, fs::read(path)?);
        }
    }
    Ok(files)
}

/// Writes to a temporary folder and renames it, so that a killed build leaves no incomplete result.
fn write(entry: &Path, files: &Files) -> io::Result<()> {
    let temporary = entry.with_extension(format!("part-{}", std::process::id()));
    for (name, content) in files {
        let path = temporary.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&temporary))?;
        fs::write(path, content)?;
    }
    fs::rename(&temporary, entry).inspect_err(|_| {
        let _ = fs::remove_dir_all(&temporary);
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
    fn equal_input_is_built_once() {
        let folder = std::env::temp_dir().join(format!("loggia-kept-{}", std::process::id()));
        let cache = Cache::in_folder(folder.clone());
        let files = Files::from([("a/b".to_owned(), b"x".to_vec()), ("c".to_owned(), vec![])]);
        let build = |input: &[&[u8]]| {
            let mut built = false;
            let result = cache.get_or_make(input, || {
                built = true;
                Ok(files.clone())
            });
            assert_eq!(result.unwrap(), files);
            built
        };
        assert!(build(&[b"one", b"two"]));
        assert!(!build(&[b"one", b"two"]));
        assert!(build(&[b"onet", b"wo"]), "the same bytes in other parts are another input");
        cache.prune();
        assert!(!build(&[b"one", b"two"]), "the newest are kept");
        assert!(cache.get_or_make(&[b"bad"], || Err(Problem::new("no", "no"))).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
