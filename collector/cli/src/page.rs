//! The built page's files: embedded into the command or, where it was built without the feature
//! `page`, those in `dist/`, so that a change of the page costs no new build of the command.

use crate::report::Failure;
use hyper::body::Bytes;
use loggia_model::Error;

/// The page, by its path in `dist/`.
pub(crate) const INDEX: &str = "index.html";
/// The same as one file.
pub(crate) const ONE_FILE: &str = "page.html";

/// A file of the page by its path in `dist/`; none where it is not there, or nothing was built.
pub(crate) fn file(name: &str) -> Option<Bytes> {
    files::find(name)
}

/// The page as one file, which holds no state yet.
pub(crate) fn one_file() -> Result<String, Failure> {
    let page = file(ONE_FILE).and_then(|page| String::from_utf8(page.into()).ok());
    page.ok_or_else(not_built)
}

/// Why there is nothing to show.
pub(crate) fn not_built() -> Failure {
    Failure::Failed(Error::new(files::MISSING, "dist/", "run `make site`, then build this again"))
}

#[cfg(feature = "page")]
mod files {
    use hyper::body::Bytes;

    pub(super) const MISSING: &str = "the page is not built into this program";

    /// The files of `dist/` by their path in it; empty when the page was not built first.
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
        // Only the name that the page itself uses: `index.html/` is another.
        let is_exact = is_below && !name.ends_with('/') && !name.contains("//");
        is_exact.then(|| fs::read(Path::new(DIST).join(below)).ok().map(Bytes::from)).flatten()
    }
}
