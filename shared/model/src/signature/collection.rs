//! How the collector went about it: what a reader needs to repeat the run, or to doubt it.

use crate::units::Micros;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One run of the collector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Collection {
    /// How messages were exchanged: `mpi`, `tcp`, `threads` or `synthetic`.
    pub transport: String,
    /// What was planned, in words that decide whether a run can be resumed.
    pub plan: String,
    /// How many ranks took part.
    pub ranks: u32,
    /// Where they were, the ranks of each host together.
    pub hosts: Vec<Host>,
    /// The clock that all times were read from.
    pub clock: Clock,
    /// Settings of the message-passing library that were made from outside.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// What has been measured, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<Measured>,
    /// Whether all that was planned has been measured.
    #[serde(default)]
    pub finished: bool,
}

/// One host and its ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Its ranks.
    pub ranks: Vec<u32>,
    /// On which processors each of them may run, such as `0-3`.
    pub processors: Vec<String>,
}

/// A clock, as it was found to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Its name.
    pub source: String,
    /// The smallest step it was seen to make.
    pub resolution: Micros,
    /// What reading it takes.
    pub overhead: Micros,
}

/// One measurement of the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Which one.
    pub name: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// What it could not do, or what it found that no parameter tells.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}
