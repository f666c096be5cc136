//! Names of tiers.

use crate::error::ImportError;
use loggia_model::Error;
use loggia_model::signature::Reach;
use serde::{Deserialize, Serialize};

/// A tier, by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierName {
    pub name: String,
    /// Inside a node or between nodes.
    pub reach: Reach,
}

impl TierName {
    /// `network`, `node`, or `NAME:inter` and `NAME:intra`.
    ///
    /// # Errors
    /// For another name without `:inter` or `:intra`.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let tier = |name: &str, reach| Ok(TierName { name: name.to_owned(), reach });
        match text.trim().rsplit_once(':') {
            Some((name, "inter")) if !name.is_empty() => tier(name, Reach::Inter),
            Some((name, "intra")) if !name.is_empty() => tier(name, Reach::Intra),
            None if text.trim() == "network" => tier("network", Reach::Inter),
            None if text.trim() == "node" => tier("node", Reach::Intra),
            _ => Err(ImportError::UnknownReach { text: text.to_owned() }.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[test]
    fn a_tier_name_gives_its_reach() {
        assert_eq!(TierName::parse("node").unwrap().reach, Reach::Intra);
        assert_eq!(TierName::parse("ib:inter").unwrap().name, "ib");
        assert!(TierName::parse("ib").unwrap_err().help.to_string().contains("NAME:inter"));
    }
}
