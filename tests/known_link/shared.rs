//! Links with signatures that several tests share: each is measured once.

use crate::assumed::is_known;
use crate::judged::{FILE, Failure, check_repeatedly, collected_file};
use crate::lab::file::{finished, tier};
use crate::lab::link::{Link, SLOW, Wire, gigabit};
use crate::lab::mpirun::Mpirun;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Delay of [`FAR_LINK`] in one direction, in µs: much longer than the noise of a busy machine.
pub(crate) const FAR: u32 = 3000;

/// Two ranks on each host, far away.
pub(crate) static FAR_LINK: SharedLink = SharedLink {
    wire: gigabit(FAR),
    ranks: [2, 2],
    words: MESSAGES,
    needed: &[
        ("network", "latency"),
        ("network", "gap_per_byte"),
        ("node", "latency"),
        ("node", "gap_per_byte"),
    ],
    measured: Mutex::new(None),
};

/// Four ranks on each host, which share 100 Mbit/s.
pub(crate) static SHARED_WIRE: SharedLink = SharedLink {
    wire: SLOW,
    ranks: [4, 4],
    words: "--only eager-limit,ping-pong,two-processor,flood --sizes 8,32KiB,64KiB --style isend",
    needed: &[
        ("network", "latency"),
        ("network", "gap_per_byte"),
        ("network", "node_gap_per_byte"),
    ],
    measured: Mutex::new(None),
};

/// Measurements of all parameters of messages.
pub(crate) const MESSAGES: &str =
    "--only eager-limit,ping-pong,two-processor,flood,progress --style isend";

pub(crate) struct SharedLink {
    wire: Wire,
    pub(crate) ranks: [u32; 2],
    /// What is measured.
    words: &'static str,
    /// Tiers and parameters without which a signature is measured again.
    needed: &'static [(&'static str, &'static str)],
    /// The signature as text; none before the first measurement, and after a wrong prediction.
    measured: Mutex<Option<String>>,
}

impl SharedLink {
    /// Checks what follows from the signature, repeatedly; after a failure with a new signature.
    pub(crate) fn check(
        &self,
        mpirun: &Mpirun,
        mut check: impl FnMut(&Link, &Path) -> Result<String, Failure>,
    ) {
        check_repeatedly(|| {
            let Some(link) = Link::up(self.wire) else { return Ok(String::new()) };
            let sig = self.signature(&link, mpirun)?;
            check(&link, &sig).inspect_err(|_| self.forget())
        });
    }

    /// A file with the signature, in the folder of `link`.
    pub(crate) fn signature(&self, link: &Link, mpirun: &Mpirun) -> Result<PathBuf, Failure> {
        let mut known = self.measured.lock().unwrap();
        if let Some(text) = &*known {
            let path = link.folder().join(FILE);
            fs::write(&path, text).unwrap();
            return Ok(path);
        }
        let words = format!("--max-time 10s {}", self.words);
        let path = collected_file(link, mpirun, self.ranks, "", &words);
        let file = finished(&path);
        for (name, parameter) in self.needed {
            let of = &tier(&file, name)[parameter];
            if !is_known(of) {
                return Err(Failure::Unsteady(format!("{parameter} of {name} is unknown: {of}")));
            }
        }
        *known = Some(fs::read_to_string(&path).unwrap());
        Ok(path)
    }

    /// Drops the signature, so that the next test measures it again.
    pub(crate) fn forget(&self) {
        *self.measured.lock().unwrap() = None;
    }
}
