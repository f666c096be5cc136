//! Errors of links.

use loggia_model::Error;
use std::fmt;

/// Why a link cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// The text contains no link.
    NotALink,
    /// A version unknown to this program.
    UnknownVersion(String),
    /// Longer than any link of this program.
    TooLong,
    /// The link was changed or truncated.
    Damaged(Damage),
    /// The state has a part unknown to this program.
    UnknownContent(Error),
    /// The state has an invalid value.
    Invalid(Error),
}

/// How a link was damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// An invalid character.
    Character,
    /// The end is missing or a character was changed; the checksum does not distinguish these cases.
    CutOff,
    /// The stated length of the text exceeds the maximum.
    ClaimsTooMuch,
    /// The content is not text.
    NoText,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Damage::Character => "it contains an invalid character",
            Damage::CutOff => "it was truncated, or a character was changed",
            Damage::ClaimsTooMuch => "its stated length exceeds the maximum",
            Damage::NoText => "its content is not text",
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
        let newer = "it may be from a newer Loggia: update this program";
        let prefix = super::PREFIX;
        match error {
            LinkError::NotALink => Error::new(
                "this is not a Loggia link",
                "link",
                format!("a link contains a part that begins with {prefix}"),
            ),
            LinkError::UnknownVersion(version) => {
                Error::new(format!("link version {version} is unknown"), "link", newer)
            }
            LinkError::TooLong => Error::new(
                "this link is too long",
                "link",
                "the maximum is 1 MiB: share the file instead",
            ),
            LinkError::Damaged(damage) => Error::new(
                format!("this link is damaged: {damage}"),
                "link",
                format!("copy the whole link again, from {prefix} to its end"),
            ),
            LinkError::UnknownContent(error) => Error::new(
                format!("this link contains data unknown to this program: {}", error.message),
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
