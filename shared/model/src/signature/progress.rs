//! Parameters of LogGPO (Chen et al. 2009): progress and transfer.

use super::{Curve, Parameter, Quality};
use crate::Error;
use crate::units::{Bytes, Micros};
use serde::{Deserialize, Serialize};

/// The LogGPO part of a tier.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// S: messages up to this size are eager.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eager_limit: Option<Parameter<Bytes>>,
    /// S_cp: the kind of progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ProgressKind>,
    /// T_m: the transfer mechanism from a size on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transfer: Vec<TransferFrom>,
    /// O': processing a control message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control_overhead: Option<Parameter<Micros>>,
    /// O_i(m): starting the transmission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initiation: Option<Curve>,
    /// O_c(m): the receiver's copy out of the eager buffer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub copy: Option<Curve>,
    /// Quality of kind and transfer.
    #[serde(default, rename = "verdict")]
    pub quality: Quality,
    /// Paper and table, or the evidence.
    #[serde(default)]
    pub source: String,
}

/// S_cp: the kind of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ProgressKind {
    /// DCP: progress only during calls into the library.
    Dependent,
    /// ICP: progress by a thread or the network, also during computation.
    Independent,
}

/// T_m: the messages of a transfer (Al-Tawil & Moritz 2001, Figure 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Transfer {
    /// Transfer.
    T,
    /// Transfer, acknowledge.
    Ta,
    /// Request, transfer (pulled), acknowledge.
    Rta,
    /// Request, acknowledge, transfer (pushed).
    Rat,
}

/// The transfer used from a size on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TransferFrom {
    /// The smallest size.
    pub from: Bytes,
    /// The mechanism.
    pub transfer: Transfer,
}

impl Progress {
    /// The mechanism for a message of this size.
    pub fn transfer_at(&self, bytes: Bytes) -> Option<Transfer> {
        self.transfer.iter().rev().find(|t| t.from <= bytes).map(|t| t.transfer)
    }
}

impl ProgressKind {
    /// The kind with this name, or with this abbreviation of Chen et al. 2009.
    pub fn named(name: &str) -> Result<Self, Error> {
        match name.trim().to_ascii_lowercase().as_str() {
            "dependent" | "dcp" => Ok(ProgressKind::Dependent),
            "independent" | "icp" => Ok(ProgressKind::Independent),
            _ => Err(Error::unknown("progress", name, "", ["dependent", "independent"])),
        }
    }

    /// The abbreviation in Chen et al. 2009.
    pub fn symbol(self) -> &'static str {
        match self {
            ProgressKind::Dependent => "DCP",
            ProgressKind::Independent => "ICP",
        }
    }
}

impl Transfer {
    /// All mechanisms.
    pub const ALL: [Transfer; 4] = [Transfer::T, Transfer::Ta, Transfer::Rta, Transfer::Rat];

    /// The mechanism with this name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let symbol = name.trim().to_ascii_uppercase();
        Transfer::ALL
            .into_iter()
            .find(|t| t.symbol() == symbol)
            .ok_or_else(|| Error::unknown("protocol", name, "", ["t", "ta", "rta", "rat"]))
    }

    /// The messages of the mechanism.
    pub fn words(self) -> &'static str {
        match self {
            Transfer::T => "T: transfer",
            Transfer::Ta => "TA: transfer, acknowledge",
            Transfer::Rta => "RTA: request, transfer (pulled), acknowledge",
            Transfer::Rat => "RAT: request, acknowledge, transfer (pushed), acknowledge",
        }
    }

    /// The symbol in papers.
    pub fn symbol(self) -> &'static str {
        match self {
            Transfer::T => "T",
            Transfer::Ta => "TA",
            Transfer::Rta => "RTA",
            Transfer::Rat => "RAT",
        }
    }
}
