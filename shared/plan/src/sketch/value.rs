//! Values of a sketch with their positions.

use toml::Spanned;
use toml::de::DeValue;

/// Line number from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).matches('\n').count() + 1
}

pub(super) type Value<'i> = Spanned<DeValue<'i>>;
