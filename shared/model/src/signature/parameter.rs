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
    /// Published.
    #[default]
    Published,
    /// Measured, and reproducible.
    Good,
    /// Measured, with a limit that the source explains.
    Uncertain,
    /// Measured, but unusable: the value is absent, and the source has the reason.
    Unusable,
    /// Assumed by the user.
    Assumed,
}

impl Quality {
    /// The quality as text.
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
// Without an explicit bound, `default` would require `U: Default`.
#[serde(deny_unknown_fields, bound(deserialize = "U: Deserialize<'de>"))]
pub struct Parameter<U> {
    /// The number; absent only if `verdict` is `unusable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<U>,
    /// Lower bound, if the source gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<U>,
    /// Upper bound, if the source gives it.
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
    /// A number assumed by the user.
    pub fn assumed(value: U) -> Self {
        Parameter {
            value: Some(value),
            low: None,
            high: None,
            quality: Quality::Assumed,
            source: ASSUMED.to_owned(),
        }
    }

    /// The value with its bounds; none if unusable.
    pub fn interval(&self) -> Option<Interval<U>> {
        let value = self.value.filter(|_| self.quality != Quality::Unusable)?;
        let low = self.low.unwrap_or(value);
        let high = self.high.unwrap_or(value);
        Some(Interval { value, low, high })
    }
}

/// The value with its bounds; none if the parameter is absent or unusable.
pub(crate) fn known<U: Magnitude>(parameter: Option<&Parameter<U>>) -> Option<Interval<U>> {
    parameter.and_then(Parameter::interval)
}
