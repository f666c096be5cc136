//! Atomic writing: a file is written completely or not at all.

use loggia_model::Error;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::{Builder, NamedTempFile, TempPath};

/// Writes a temporary file and renames it to `path`. A device or a pipe is written directly,
/// because it must not be replaced by a file.
pub fn write_whole<R>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<R>,
) -> Result<R, Error> {
    let failed = |error: io::Error| cannot_write(&error, path);
    if is_stream(path) {
        let mut stream = File::options().write(true).open(path).map_err(failed)?;
        return written(&mut stream, write).map_err(failed);
    }
    // A link stays, and its file is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut file = temporary_for(&target).map_err(failed)?;
    let result = written(file.as_file_mut(), write).map_err(failed)?;
    file.persist(&target).map_err(|error| failed(error.error))?;
    Ok(result)
}

/// Whether the path is a device, a pipe or a socket.
fn is_stream(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn written<R>(
    file: &mut File,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> io::Result<R>,
) -> io::Result<R> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    let result = write(&mut out)?;
    out.flush()?;
    Ok(result)
}

pub fn cannot_write(error: &io::Error, path: &Path) -> Error {
    Error::new(
        format!("this file cannot be written: {}", reason(error)),
        path.display().to_string(),
        "check the folder, its permissions and the free space",
    )
}

/// The reason of the error, without the name of the temporary file that the system's text may
/// contain.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "the path is a folder".to_owned(),
        kind => kind.to_string(),
    }
}

/// Refuses an existing file. Writing to a device or a pipe replaces nothing.
pub fn must_be_free(path: &Path) -> Result<(), Error> {
    if !path.exists() || is_stream(path) {
        return Ok(());
    }
    Err(Error::new(
        "the file exists",
        path.display().to_string(),
        "choose another name, or replace the file with --overwrite",
    ))
}

/// The temporary file for `path`. Its name is fixed, so that a run reuses the file of a killed run;
/// or random, if another run is writing the same file.
fn temporary_for(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if let Some(file) = path.file_name().and_then(|name| part(folder, name)) {
        return Ok(file);
    }
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// `.NAME.part`, empty and locked; `None` if another run holds the lock, or if it is a link.
#[cfg(unix)]
fn part(folder: &Path, name: &OsStr) -> Option<NamedTempFile> {
    use std::os::unix::fs::MetadataExt;
    let mut part = OsString::from(".");
    part.push(name);
    part.push(".part");
    let path = folder.join(part);
    let file = File::options().write(true).create(true).truncate(false).open(&path).ok()?;
    file.try_lock().ok()?;
    // Between opening and locking, another run may have renamed the file.
    let (opened, named) = (file.metadata().ok()?, path.symlink_metadata().ok()?);
    let is_own = named.is_file() && named.nlink() == 1 && named.ino() == opened.ino();
    if !is_own {
        return None;
    }
    file.set_len(0).ok()?;
    Some(NamedTempFile::from_parts(file, TempPath::try_from_path(path).ok()?))
}

#[cfg(not(unix))]
fn part(_: &Path, _: &OsStr) -> Option<NamedTempFile> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use std::os::unix::fs::symlink;

    fn written(path: &Path, text: &str) {
        write_whole(path, |out| out.write_all(text.as_bytes())).unwrap();
    }

    #[test]
    fn the_file_of_a_killed_run_is_reused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::write(folder.path().join(".a.json.part"), "a longer text than the next one").unwrap();
        written(&path, "whole");
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn two_runs_that_write_one_file_do_not_mix() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_whole(&path, |out| {
            out.write_all(b"of the ")?;
            out.flush()?;
            written(&path, "of the other");
            assert_eq!(fs::read_to_string(&path).unwrap(), "of the other");
            out.write_all(b"first")
        })
        .unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "of the first");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn only_a_file_that_would_be_replaced_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        must_be_free(&path).unwrap();
        fs::write(&path, "a person's own").unwrap();
        assert_eq!(must_be_free(&path).unwrap_err().message, "the file exists");
        must_be_free(Path::new("/dev/null")).unwrap();
    }

    /// A reader of the pipe gets the whole text, and the pipe remains.
    #[test]
    fn a_pipe_is_written_to() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read_to_string(path).unwrap()
        });
        written(&path, "whole");
        assert!(path.metadata().unwrap().file_type().is_fifo());
        assert_eq!(reader.join().unwrap(), "whole");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_full_device_is_an_error() {
        let error = write_whole(Path::new("/dev/full"), |out| out.write_all(b"text")).unwrap_err();
        assert!(error.message.contains("no storage space"), "{error:?}");
    }

    #[test]
    fn a_link_stays_and_its_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let [link, file] = ["link.json", "a.json"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        written(&link, "whole");
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "whole");
    }

    #[test]
    fn a_link_instead_of_the_temporary_file_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["a.json", "other"].map(|name| folder.path().join(name));
        fs::write(&other, "another's").unwrap();
        symlink(&other, folder.path().join(".a.json.part")).unwrap();
        written(&path, "whole");
        assert_eq!(fs::read_to_string(&other).unwrap(), "another's");
        assert_eq!(fs::read_to_string(&path).unwrap(), "whole");
    }
}
