//! The communication parameters of a machine, with their sources and uncertainty.
//!
//! The collector and the importers write a [`Signature`], the page loads it, and links carry it.
//! Any part may be absent if the source does not report it. Code that needs an absent part returns
//! an error instead of a guess.

mod before_change;
mod collection;
mod collective;
mod curve;
mod edit;
pub mod error;
mod form;
mod identity;
pub mod listing;
mod new;
mod noise;
mod parameter;
mod progress;
mod sample;
mod style;
mod table;
mod tier;
mod validate;

pub use collection::{Clock, Collection, Host, Measured};
pub use collective::{BytesAre, Collective, Operation, Range};
pub use curve::{At, Curve, Point};
pub use edit::{Defaults, parameters as editable_parameters, symbol_of};
pub(crate) use form::Scale;
pub use form::{Form, FormTerm, RankFunction};
pub use identity::{Machine, Origin, short_name};
pub use noise::{Noise, Tail};
pub(crate) use parameter::known;
pub use parameter::{ASSUMED, Parameter, Quality};
pub use progress::{Progress, ProgressKind, Transfer, TransferFrom};
pub use sample::{Quantity, Round, Samples, Statistic};
pub use style::{Mode, Style, StyleName};
pub use table::Table;
pub use tier::{DepthPoint, Reach, Tier};

use crate::Error;
use crate::error::Input;
use crate::units::Procs;
use error::SignatureError;
use serde::{Deserialize, Serialize};

/// The communication parameters of a machine, as a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// The version of this format.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1)))]
    pub loggia: u32,
    /// A short name of small letters, digits and hyphens, such as `cray-t3d`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[a-z0-9-]{1,100}$")))]
    pub name: String,
    /// The name as people write it, such as "Cray T3D".
    pub title: String,
    /// The source of the numbers.
    pub origin: Origin,
    /// The measured machine.
    #[serde(default, skip_serializing_if = "Machine::is_empty")]
    pub machine: Machine,
    /// Settings and environment of the measurement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<Collection>,
    /// Limits of the numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Paths between two processes: the first is the default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiers: Vec<Tier>,
    /// Closed forms of collective operations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collectives: Vec<Collective>,
    /// Measured times over sizes; predictions prefer them to models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// The tiers before a parameter was changed. Tables and closed forms describe the machine with
    /// these tiers; their times are scaled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiers_before_change: Vec<Tier>,
    /// The samples of the fitted parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Samples>,
}

impl Signature {
    /// The version of the format that this crate writes.
    pub const VERSION: u32 = 1;

    /// The tier with this name; without a name, the first.
    pub fn tier(&self, name: Option<&str>) -> Result<&Tier, Error> {
        let first = self
            .tiers
            .first()
            .ok_or_else(|| SignatureError::NoTiers { title: self.title.clone() })?;
        let Some(name) = name else { return Ok(first) };
        self.tiers.iter().find(|t| t.name == name).ok_or_else(|| {
            Error::unknown("tier", name, Input::Tier, self.tiers.iter().map(|t| t.name.as_str()))
        })
    }

    /// The largest number of ranks with measurements.
    #[must_use]
    pub fn measured_ranks(&self) -> Procs {
        let forms = self.collectives.iter().map(|form| form.procs.high.0);
        let samples = self.samples.iter().filter_map(|samples| samples.procs).map(|procs| procs.0);
        let tables = self.tables.iter().filter_map(|table| table.procs).map(|procs| procs.0);
        let run = self.collection.as_ref().map(|collection| collection.ranks);
        Procs(forms.chain(samples).chain(tables).chain(run).max().unwrap_or(2).max(2))
    }

    /// The warning if a time is for more ranks than measured.
    #[must_use]
    pub fn extrapolated(&self, ranks: u32, has_card: bool) -> Option<String> {
        let measured = self.measured_ranks();
        (ranks > measured.0).then(|| measured.beyond(has_card))
    }

    /// Whether the placement of ranks on nodes matters: the machine has several tiers, or a network
    /// card of known rate.
    pub fn distinguishes_nodes(&self) -> bool {
        let has_card = |tier: &Tier| known(tier.node_gap_per_byte.as_ref()).is_some();
        self.tiers.len() > 1 || self.tiers.iter().any(has_card)
    }

    /// The closed form of an operation, if the signature has it.
    pub fn collective(&self, op: Operation) -> Option<&Collective> {
        self.collectives.iter().find(|c| c.op == op)
    }
}

#[cfg(test)]
mod tests {
    use crate::library;
    use crate::units::Procs;

    /// A fit may refuse a form of measured times, and a link leaves out the samples.
    #[test]
    fn tables_alone_count_as_measurements() {
        let mut signature = library::load("polaris-nccl").expect("a built-in machine");
        signature.collectives.clear();
        signature.samples.clear();
        assert_eq!(signature.measured_ranks(), Procs(512));
    }
}
