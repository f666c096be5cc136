//! A reported number: value, bounds, quality and source.

use crate::units::{Interval, Magnitude};
use serde::{Deserialize, Serialize};

/// The source of an assumed value.
pub const ASSUMED: &str = "assumed";

/// Quality of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Quality {
    /// Printed in a publication.
    #[default]
    Published,
    /// Measured, and it repeats.
    Good,
    /// Measured, with a doubt that the source spells out.
    Uncertain,
    /// Measured, but unusable: there is no value, and the source holds the reason.
    Unusable,
    /// Typed by a person who asks "what if".
    Assumed,
}

impl Quality {
    /// The quality of a parameter, as people read it.
    pub fn words(self) -> &'static str {
        match self {
            Quality::Published => "published",
            Quality::Good => "good",
            Quality::Uncertain => "fair",
            Quality::Unusable => "unusable",
            Quality::Assumed => "assumed",
        }
    }
}

/// A reported number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
// `default` alone would ask for `U: Default`.
#[serde(deny_unknown_fields, bound(deserialize = "U: Deserialize<'de>"))]
pub struct Parameter<U> {
    /// The number; absent only if `verdict` is `unusable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<U>,
    /// Lower bound, as far as the source gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<U>,
    /// Upper bound, as far as the source gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<U>,
    /// Quality of the value.
    #[serde(default, rename = "verdict")]
    pub quality: Quality,
    /// Paper and table, or measurement and estimator.
    #[serde(default)]
    pub source: String,
}

impl<U: Magnitude> Parameter<U> {
    /// A number that a person assumes.
    pub fn assumed(value: U) -> Self {
        Parameter {
            value: Some(value),
            low: None,
            high: None,
            quality: Quality::Assumed,
            source: ASSUMED.to_owned(),
        }
    }

    /// The value with its bounds, unless it is unusable.
    pub fn interval(&self) -> Option<Interval<U>> {
        let value = self.value.filter(|_| self.quality != Quality::Unusable)?;
        let low = self.low.unwrap_or(value);
        let high = self.high.unwrap_or(value);
        Some(Interval { value, low, high })
    }
}

/// The value with its bounds, of a parameter that may be absent.
pub(crate) fn known<U: Magnitude>(parameter: Option<&Parameter<U>>) -> Option<Interval<U>> {
    parameter.and_then(Parameter::interval)
}
