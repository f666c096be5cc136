//! What was measured, kept beside what was fitted to it.

use crate::units::{Bytes, Micros, Procs};
use serde::{Deserialize, Serialize};

/// Times of one thing under one condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Samples {
    /// What was timed.
    pub quantity: Quantity,
    /// Which collective operation, or composition such as `reduce+scatter`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub op: Option<String>,
    /// On which tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<String>,
    /// In which style.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<String>,
    /// Over how many processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub procs: Option<Procs>,
    /// With how many bytes, counted as the operation's form counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Bytes>,
    /// What each number is.
    pub statistic: Statistic,
    /// The times.
    pub times: Vec<Micros>,
    /// Paper and place, or measurement.
    #[serde(default)]
    pub source: String,
}

/// What was timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// A message, from the send call to its receipt.
    EndToEnd,
    /// The send call.
    SendOverhead,
    /// The receive call.
    RecvOverhead,
    /// The time a message in a flood.
    Gap,
    /// A collective operation.
    Collective,
    /// A collective operation with an empty or very short message.
    CollectiveStartup,
}

/// What each number of a set of samples is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// One repetition.
    Raw,
    /// The mean of repetitions.
    Mean,
    /// The median of repetitions.
    Median,
    /// The least of repetitions.
    Minimum,
    /// The largest mean of any rank, as `001` takes it.
    MaximumOverRanks,
    /// As printed, without saying what it is.
    Reported,
}
