//! A path between two processes: across the network, or inside a node.

use super::{Curve, Noise, Parameter, Progress, Style};
use crate::Error;
use crate::error::Input;
use crate::units::{Micros, MicrosPerByte};
use serde::{Deserialize, Serialize};

/// Whether a tier is between nodes or inside a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// Between nodes.
    #[default]
    Inter,
    /// Inside a node.
    Intra,
}

/// The parameters of a path between two processes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tier {
    /// The name, such as `network` or `intra-node`.
    pub name: String,
    /// Between nodes or inside one.
    #[serde(default)]
    pub reach: Reach,
    /// The transport of its messages, as far as the collector could observe it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// L: latency of the network for one small message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<Parameter<Micros>>,
    /// g: the least time between consecutive messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<Parameter<Micros>>,
    /// G: the time per byte of a long message (S in LoGH{sSP} inside a node).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_per_byte: Option<Parameter<MicrosPerByte>>,
    /// 1/R_N: the time per byte of a node's network card, which all its ranks share, in each
    /// direction (Gropp, Olson & Samfass 2016).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node_gap_per_byte: Option<Parameter<MicrosPerByte>>,
    /// The number of ranks per node that sent concurrently in the measurement of R_N.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranks_per_node: Option<u32>,
    /// EEL (Bell et al. 2003): from the start of the send call to the receipt, for 8 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_to_end_latency: Option<Parameter<Micros>>,
    /// g by queue depth (Bell et al. 2003, Figure 5).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gap_by_depth: Vec<DepthPoint>,
    /// g(m) of PLogP: the measured gap by size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_by_size: Option<Curve>,
    /// Send modes: the first is the default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub styles: Vec<Style>,
    /// Parameters of LogGPO.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// Scatter of the times of a small message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noise: Option<Noise>,
}

/// The gap with this many messages in flight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DepthPoint {
    /// q: number of messages in flight.
    pub depth: u32,
    /// g at this depth.
    pub gap: Parameter<Micros>,
}

impl Tier {
    /// A tier without parameters.
    pub fn unknown(name: &str) -> Self {
        Tier {
            name: name.to_owned(),
            reach: Reach::Inter,
            path: None,
            latency: None,
            gap: None,
            gap_per_byte: None,
            node_gap_per_byte: None,
            ranks_per_node: None,
            end_to_end_latency: None,
            gap_by_depth: Vec::new(),
            gap_by_size: None,
            styles: Vec::new(),
            progress: None,
            noise: None,
        }
    }

    /// The send mode with this name, added without parameters if absent.
    pub fn style_or_new(&mut self, name: &str) -> &mut Style {
        let place = self.styles.iter().position(|style| style.name.0 == name);
        let place = place.unwrap_or_else(|| {
            self.styles.push(Style::unknown(name));
            self.styles.len() - 1
        });
        &mut self.styles[place]
    }

    /// The send mode with this name; without a name, the first, if any.
    pub fn style(&self, name: Option<&str>) -> Result<Option<&Style>, Error> {
        let Some(name) = name else { return Ok(self.styles.first()) };
        self.styles.iter().find(|s| s.name.0 == name).map(Some).ok_or_else(|| {
            Error::unknown(
                "send mode",
                name,
                Input::Style,
                self.styles.iter().map(|s| s.name.0.as_str()),
            )
        })
    }
}
