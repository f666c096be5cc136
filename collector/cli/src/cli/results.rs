//! Facts that files of results do not state: for `import` and `score`.

use super::values;
use clap::Args;
use loggia_exchange::import::options::PerFile;
use loggia_exchange::import::{ImportOptions, TierName};
use loggia_model::signature::Operation;

#[derive(Args)]
pub(crate) struct ResultFacts {
    /// Set the number of ranks of files that do not state it (OSU's do not)
    #[arg(long, value_name = "[FILE=]N", value_parser = values::of_file(values::ranks))]
    pub(crate) ranks: Vec<PerFile<u32>>,
    /// Set the tier that messages crossed: network, node, NAME:inter or NAME:intra [default:
    /// network, with a note that this is assumed]
    #[arg(long, value_name = "[FILE=]TIER", value_parser = values::of_file(TierName::parse))]
    pub(crate) tier: Vec<PerFile<TierName>>,
    /// Set the operation of files that do not state it (older nccl-tests do not)
    #[arg(long, value_name = "[FILE=]OP", value_parser = values::of_file(Operation::named))]
    pub(crate) op: Vec<PerFile<Operation>>,
    /// Leave out results that lack one of these
    #[arg(long)]
    pub(crate) leave_out: bool,
}

impl ResultFacts {
    pub(crate) fn options(&self) -> ImportOptions {
        ImportOptions {
            ranks: self.ranks.clone(),
            tier: self.tier.clone(),
            op: self.op.clone(),
            leaves_out: self.leave_out,
            ..ImportOptions::default()
        }
    }
}
