//! Errors of a build.

use std::fmt;

/// An error, its place, and its remedy.
#[derive(Debug)]
pub(crate) struct Problem {
    what: String,
    help: String,
}

impl Problem {
    pub(crate) fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  {}", self.what, self.help)
    }
}
