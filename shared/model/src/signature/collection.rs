//! The settings and environment of a measurement, needed to reproduce or verify it.

use crate::units::Micros;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One run of the collector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Collection {
    /// The transport of the messages: `mpi`, `tcp`, `threads` or `synthetic`.
    pub transport: String,
    /// The planned measurements as text; a run with an equal plan can be resumed.
    pub plan: String,
    /// Number of ranks.
    pub ranks: u32,
    /// Hosts with their ranks.
    pub hosts: Vec<Host>,
    /// The clock of all times.
    pub clock: Clock,
    /// Settings of the message-passing library from the environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// Finished measurements, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<Measured>,
    /// Whether all planned measurements are finished.
    #[serde(default)]
    pub finished: bool,
}

/// One host and its ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Name of the host.
    pub name: String,
    /// Its ranks.
    pub ranks: Vec<u32>,
    /// Processors on which each rank may run, such as `0-3`.
    pub processors: Vec<String>,
}

/// The measured properties of a clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Name of the clock.
    pub source: String,
    /// The smallest observed step.
    pub resolution: Micros,
    /// Time to read the clock.
    pub overhead: Micros,
}

/// One measurement of the plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Name of the measurement.
    pub name: String,
    /// Its duration, in seconds.
    pub seconds: f64,
    /// Its failures and observations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}
