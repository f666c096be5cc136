//! Mistakes in links.

use loggia_model::Error;
use std::fmt;

/// Why a link cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// The text has no part that looks like a link.
    NotALink,
    /// A version that this program does not know.
    UnknownVersion(String),
    /// Longer than any link of this program.
    TooLong,
    /// Changed or cut on its way.
    Damaged(Damage),
    /// Its state has a part that this program does not know.
    UnknownContent(Error),
    /// Its state has an invalid value.
    Invalid(Error),
}

/// How a link was damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It has a character that no link has.
    Character,
    /// Its end is missing, or a character has changed: the checksum does not tell which.
    CutOff,
    /// It claims a longer text than any link has.
    ClaimsTooMuch,
    /// What it holds is no text.
    NoText,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Damage::Character => "a character in it cannot be part of a link",
            Damage::CutOff => "it was cut off, or a character has changed",
            Damage::ClaimsTooMuch => "it claims more than a link can hold",
            Damage::NoText => "it holds no text",
        })
    }
}

impl From<Damage> for LinkError {
    fn from(damage: Damage) -> Self {
        LinkError::Damaged(damage)
    }
}

impl From<LinkError> for Error {
    fn from(error: LinkError) -> Self {
        let newer = "it may be newer than this program: use a newer Loggia";
        let prefix = super::PREFIX;
        match error {
            LinkError::NotALink => Error::new(
                "this is not a Loggia link",
                "link",
                format!("a link has a part that begins with {prefix}"),
            ),
            LinkError::UnknownVersion(version) => {
                Error::new(format!("link version {version} is not known here"), "link", newer)
            }
            LinkError::TooLong => {
                Error::new("this link is too long", "link", "1 MiB at most; share the file")
            }
            LinkError::Damaged(damage) => Error::new(
                format!("this link is damaged: {damage}"),
                "link",
                format!("copy the whole link again, from {prefix} to its end"),
            ),
            LinkError::UnknownContent(error) => Error::new(
                format!("this link holds what this program does not know: {}", error.message),
                error.place,
                newer,
            ),
            LinkError::Invalid(error) => error,
        }
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Error::from(self.clone()))
    }
}
