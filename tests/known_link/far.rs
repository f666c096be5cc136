//! A link so far that its delay outweighs what a busy machine adds, and its signature, which is
//! measured once for all who predict by it.

use crate::lab::link::{Link, gigabit};
use crate::lab::mpirun::Mpirun;
use crate::lab::running::run;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

/// One way, in µs.
pub(crate) const FAR: u32 = 3000;

/// The text of the signature; none before the first measurement, and after a prediction by it was
/// wrong.
static MEASURED: Mutex<Option<String>> = Mutex::new(None);

pub(crate) fn link() -> Option<Link> {
    Link::up(gigabit(FAR))
}

/// A file with what is measured between two ranks at a time: on one host, and on both.
pub(crate) fn signature(link: &Link, mpirun: &Mpirun) -> PathBuf {
    let path = link.folder().join("sig.json");
    let mut measured = MEASURED.lock().unwrap();
    if let Some(text) = &*measured {
        fs::write(&path, text).unwrap();
    } else {
        let what = "--only eager-limit,ping-pong,two-processor,flood,progress --style isend";
        let words = format!("collect --max-time 30s {what} -o sig.json --overwrite");
        run(&mut link.mpirun(mpirun, [2, 2], "", &words)).good();
        *measured = Some(fs::read_to_string(&path).unwrap());
    }
    path
}

/// The next signature is measured anew.
pub(crate) fn forget() {
    *MEASURED.lock().unwrap() = None;
}
