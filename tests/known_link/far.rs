//! A link whose delay is much longer than the noise of a busy machine, and its signature, which all
//! predictions share.

use crate::assumed::is_known;
use crate::judged::Failure;
use crate::lab::file::{finished, tier};
use crate::lab::link::{Link, gigabit};
use crate::lab::mpirun::Mpirun;
use crate::lab::running::run;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

/// Delay in one direction, in µs.
pub(crate) const FAR: u32 = 3000;
const FILE: &str = "sig.json";

/// The signature as text; none before the first measurement, and after a wrong prediction.
static MEASURED: Mutex<Option<String>> = Mutex::new(None);

pub(crate) fn link() -> Option<Link> {
    Link::up(gigabit(FAR))
}

/// A file with the signature of [`link`], of one host and of both hosts. A signature without L or G is
/// measured again.
pub(crate) fn signature(link: &Link, mpirun: &Mpirun) -> Result<PathBuf, Failure> {
    let mut known = MEASURED.lock().unwrap();
    if let Some(text) = &*known {
        let path = link.folder().join(FILE);
        fs::write(&path, text).unwrap();
        return Ok(path);
    }
    let path = measured(link, mpirun, [2, 2], 10);
    let file = finished(&path);
    for name in ["network", "node"] {
        for parameter in ["latency", "gap_per_byte"] {
            let of = &tier(&file, name)[parameter];
            if !is_known(of) {
                return Err(Failure::Unsteady(format!("{parameter} of {name} is unknown: {of}")));
            }
        }
    }
    *known = Some(fs::read_to_string(&path).unwrap());
    Ok(path)
}

/// A file with a signature measured between two ranks in about `seconds`.
pub(crate) fn measured(link: &Link, mpirun: &Mpirun, ranks: [u32; 2], seconds: u32) -> PathBuf {
    let what = "--only eager-limit,ping-pong,two-processor,flood,progress --style isend";
    let words = format!("collect --max-time {seconds}s {what} -o {FILE} --overwrite");
    run(&mut link.mpirun(mpirun, ranks, "", &words)).good();
    link.folder().join(FILE)
}

/// Drops the signature, so that the next test measures it again.
pub(crate) fn forget() {
    *MEASURED.lock().unwrap() = None;
}
