//! Values of inputs, read from text.

use super::LONGEST_TEXT;
use crate::error::StateError;
use loggia_model::Error;
use loggia_model::model::composition::OWN_FORM;
use loggia_model::placement::Placement;
use loggia_model::ranks::ranks;
use std::str::FromStr;

pub(super) fn parsed<T: FromStr<Err = Error>>(value: &str) -> Result<Option<T>, Error> {
    value.parse().map(Some)
}

pub(super) fn text(value: &str) -> Result<Option<String>, Error> {
    Ok(Some(value.to_owned()))
}

/// A whole number from 1.
fn positive(value: &str, or: fn(String) -> StateError) -> Result<u32, Error> {
    let number = value.trim().parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| or(value.to_owned()).into())
}

pub(super) fn step(value: &str) -> Result<u32, Error> {
    positive(value, StateError::NotAStep)
}

pub(super) fn depth(value: &str) -> Result<u32, Error> {
    positive(value, StateError::NotADepth)
}

/// `ring,bruck`
pub(super) fn names(value: &str) -> Vec<String> {
    value.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// The method of that name. Older links name the closed form `formula`.
pub(super) fn method(name: &str) -> &str {
    if name == "formula" { OWN_FORM } else { name }
}

/// `None` for an empty text.
pub(super) fn non_empty(value: &str) -> Option<&str> {
    Some(value.trim()).filter(|value| !value.is_empty())
}

/// `None` for the factor 1.
pub(super) fn factor_or_none(factor: f64) -> Option<f64> {
    Some(factor).filter(|factor| *factor != 1.0)
}

/// A placement; `None` for an empty text. The number of ranks is still unknown.
pub(super) fn placement(value: &str) -> Result<Option<String>, Error> {
    let value = value.trim();
    (!value.is_empty()).then(|| Placement::parse(value).map(|_| value.to_owned())).transpose()
}

/// Checks numbers of ranks for plans.
pub(super) fn checked_ranks(value: &str) -> Result<String, Error> {
    ranks(check_length(value)?).map(|_| value.to_owned())
}

pub(super) fn check_length(value: &str) -> Result<&str, Error> {
    match value.len() <= LONGEST_TEXT {
        true => Ok(value),
        false => Err(StateError::TextTooLong { most: LONGEST_TEXT }.into()),
    }
}

/// Name of a figure; `None` for `none`.
pub(super) fn figure(value: &str) -> Option<String> {
    Some(value.trim()).filter(|name| *name != "none").map(str::to_owned)
}

pub(super) fn yes_or_no(value: &str) -> Result<bool, Error> {
    match value.trim() {
        "yes" | "true" => Ok(true),
        "no" | "false" => Ok(false),
        _ => Err(StateError::NotYesOrNo(value.to_owned()).into()),
    }
}
