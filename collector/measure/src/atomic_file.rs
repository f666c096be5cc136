//! Atomic writing: a file is written completely or not at all.

use loggia_model::Error;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

/// Writes a temporary file and renames it to `path`.
pub fn write_whole<R>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut NamedTempFile>) -> io::Result<R>,
) -> Result<R, Error> {
    let failed = |error: io::Error| cannot_write(&error, path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut file = beside(folder.unwrap_or(Path::new("."))).map_err(failed)?;
    let mut out = BufWriter::with_capacity(1 << 16, &mut file);
    let result = write(&mut out).map_err(failed)?;
    out.flush().map_err(failed)?;
    drop(out);
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(result)
}

pub fn cannot_write(error: &io::Error, path: &Path) -> Error {
    // The error's own text may name the temporary file.
    let reason = match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        kind => kind.to_string(),
    };
    Error::new(
        format!("this file cannot be written: {reason}"),
        path.display().to_string(),
        "check the folder, its permissions and the free space",
    )
}

/// Refuses an existing file.
pub fn must_be_free(path: &Path) -> Result<(), Error> {
    if !path.exists() {
        return Ok(());
    }
    Err(Error::new(
        "the file exists",
        path.display().to_string(),
        "choose another name, or replace the file with --overwrite",
    ))
}

/// A temporary file with the permissions of a new file, which the umask restricts.
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
