//! The machine of a signature, and the source of the numbers.

use serde::{Deserialize, Serialize};

/// The machine. Unknown properties are absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Processor type and clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<String>,
    /// Number of nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u32>,
    /// Processors or cores per node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores_per_node: Option<u32>,
    /// The network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The message-passing library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// Version of the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library_version: Option<String>,
}

impl Machine {
    /// Whether all properties are unknown.
    pub fn is_empty(&self) -> bool {
        *self == Machine::default()
    }
}

/// A text as the short name of a signature: small letters, digits and hyphens. The result may be
/// empty.
#[must_use]
pub fn short_name(text: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = text.chars().map(fit).take(100).collect();
    name.trim_matches('-').to_owned()
}

/// The source of the numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Origin {
    /// Printed in a publication.
    Citation {
        /// Authors, title, place and year.
        citation: String,
        /// Date of publication: a year or a date.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        date: Option<String>,
    },
    /// Measured on the machine itself.
    Measurement {
        /// The measuring tool and its version.
        tool: String,
        /// Method of measurement.
        method: String,
        /// Host or hosts.
        host: String,
        /// The command line.
        command: String,
        /// Date or time of the measurement.
        date: String,
    },
    /// Given by the user, or derived from another signature.
    Assumption {
        /// Author, or origin of the values.
        from: String,
    },
}

impl Origin {
    /// A summary in one line.
    pub fn summary(&self) -> String {
        match self {
            Origin::Citation { citation, .. } => citation.clone(),
            Origin::Measurement { tool, host, date, .. } => format!("{tool} on {host}, {date}"),
            Origin::Assumption { from } => format!("assumed: {from}"),
        }
    }
}
