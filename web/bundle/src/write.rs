//! Replaces `dist/` as a whole or not at all.

use crate::cache::files_below;
use crate::files::Files;
use crate::problem::Problem;
use std::fs;
use std::io;
use std::path::Path;

/// Whether `dist/` was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Replaced,
    /// It held the same files and is left alone, so that cargo does not embed them again.
    Unchanged,
}

/// Writes the site to a temporary folder next to `dist`, then renames it, so that `dist` is never
/// incomplete.
pub(crate) fn replace(dist: &Path, site: &Files) -> Result<Written, Problem> {
    if has_exactly(dist, site) {
        return Ok(Written::Unchanged);
    }
    let (new, old) = (dist.with_extension("new"), dist.with_extension("old"));
    swap(dist, &new, &old, site).map_err(|error| {
        Problem::new(
            format!("cannot write {}: {error}", dist.display()),
            format!(
                "make the folder above it writable; {} and {} may be deleted",
                new.display(),
                old.display()
            ),
        )
    })?;
    Ok(Written::Replaced)
}

fn swap(dist: &Path, new: &Path, old: &Path, site: &Files) -> io::Result<()> {
    remove(new)?;
    remove(old)?;
    for (name, content) in site {
        let path = new.join(name);
        fs::create_dir_all(path.parent().unwrap_or(new))?;
        fs::write(path, content)?;
    }
    if dist.exists() {
        fs::rename(dist, old)?;
    }
    if let Err(error) = fs::rename(new, dist) {
        // The old page is restored if possible; only the first error is reported.
        let _ = fs::rename(old, dist);
        return Err(error);
    }
    remove(old)
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether the folder holds exactly these files.
fn has_exactly(dist: &Path, site: &Files) -> bool {
    let same = |(name, content): (&String, &Vec<u8>)| {
        fs::read(dist.join(name)).is_ok_and(|found| found == *content)
    };
    files_below(dist).is_ok_and(|found| found.len() == site.len()) && site.iter().all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(files: &[(&str, &str)]) -> Files {
        files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn the_old_page_is_replaced_as_a_whole() {
        let folder = std::env::temp_dir().join(format!("loggia-bundle-{}", std::process::id()));
        let dist = folder.join("dist");
        fs::create_dir_all(&folder).unwrap();
        let first = site(&[("index.html", "a"), ("snippets/x/inline0.js", "b")]);
        let second = site(&[("index.html", "c")]);
        assert_eq!(replace(&dist, &first).unwrap(), Written::Replaced);
        assert_eq!(replace(&dist, &first).unwrap(), Written::Unchanged);
        assert_eq!(replace(&dist, &second).unwrap(), Written::Replaced);
        assert_eq!(files_below(&folder).unwrap(), [dist.join("index.html")]);
        assert_eq!(fs::read_to_string(dist.join("index.html")).unwrap(), "c");
        fs::remove_dir_all(&folder).unwrap();
    }
}
