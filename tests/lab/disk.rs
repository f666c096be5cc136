//! A disk of its own, so small that it fills up, or one that cannot be written to.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;
use std::{fs, thread};

pub(crate) struct Disk(pub(crate) PathBuf);

impl Disk {
    /// None, and a word about it, where nobody may mount it.
    pub(crate) fn mounted(options: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap().keep();
        let disk = Disk(folder);
        if disk.mount(options) {
            return Some(disk);
        }
        let name = thread::current().name().unwrap_or_default().to_owned();
        let _ = writeln!(io::stderr(), "skipped: {name}: only root can mount a disk for it");
        None
    }

    fn mount(&self, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", options, "loggia-test"]).arg(&self.0);
        mount.output().is_ok_and(|done| done.status.success())
    }

    /// From now on nothing can be written to it.
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
