//! A mounted disk that is small enough to fill up, or read-only.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;
use std::{fs, thread};

pub(crate) struct Disk(pub(crate) PathBuf);

impl Disk {
    /// `None`, with a message, if this user may not mount a disk.
    pub(crate) fn mounted(options: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap().keep();
        let disk = Disk(folder);
        if disk.mount(options) {
            return Some(disk);
        }
        let name = thread::current().name().unwrap_or_default().to_owned();
        let _ = writeln!(io::stderr(), "skipped: {name}: only root can mount a disk");
        None
    }

    fn mount(&self, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "loggia-test"]).arg(&self.0);
        mount.output().is_ok_and(|output| output.status.success())
    }

    /// Remounts the disk read-only.
    pub(crate) fn make_read_only(&self) {
        assert!(self.mount("remount,ro"), "{}", self.0.display());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).stderr(std::process::Stdio::null()).status();
        let _ = fs::remove_dir(&self.0);
    }
}
