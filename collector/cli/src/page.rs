//! The files of the built page: embedded with the feature `page`, otherwise read from `dist/`, so
//! that a change of the page needs no build of the command.

use crate::report::Failure;
use hyper::body::Bytes;
use loggia_model::Error;

pub(crate) const INDEX: &str = "index.html";
pub(crate) const ONE_FILE: &str = "page.html";

/// A file of the page by its path in `dist/`.
pub(crate) fn file(name: &str) -> Option<Bytes> {
    files::find(name)
}

/// The single-file page, without a state.
pub(crate) fn one_file() -> Result<String, Failure> {
    let page = file(ONE_FILE).and_then(|page| String::from_utf8(page.into()).ok());
    page.ok_or_else(not_built)
}

pub(crate) fn not_built() -> Failure {
    Failure::Failed(Error::new(files::MISSING, "dist/", "run `make site`, then build loggia again"))
}

#[cfg(feature = "page")]
mod files {
    use hyper::body::Bytes;

    pub(super) const MISSING: &str = "the page is not built into this program";

    /// The files of `dist/` by path; empty if the page was not built.
    static PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

    pub(super) fn find(name: &str) -> Option<Bytes> {
        let found = PAGE.iter().find(|(path, _)| *path == name);
        found.map(|(_, content)| Bytes::from_static(content))
    }
}

#[cfg(not(feature = "page"))]
mod files {
    use hyper::body::Bytes;
    use std::fs;
    use std::path::{Component, Path};

    pub(super) const MISSING: &str = "the page is not built";

    const DIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../dist");

    pub(super) fn find(name: &str) -> Option<Bytes> {
        let below = Path::new(name);
        let is_below = below.components().all(|part| matches!(part, Component::Normal(_)));
        // Exact names only: no `index.html/`.
        let is_exact = is_below && !name.ends_with('/') && !name.contains("//");
        is_exact.then(|| fs::read(Path::new(DIST).join(below)).ok().map(Bytes::from)).flatten()
    }
}
