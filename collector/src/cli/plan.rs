//! `loggia plan`

use super::words;
use clap::Args;
use loggia_model::Error;
use loggia_model::simulate::Rules;
use loggia_model::units::Procs;

#[derive(Args)]
pub(crate) struct Plan {
    /// A sketch of the program; - for standard input
    pub(crate) sketch: String,
    /// The machines: as SIG everywhere
    #[arg(required = true, value_name = "SIG")]
    pub(crate) sigs: Vec<String>,
    /// Numbers of ranks: a list, or a range in powers of two such as 2..1M
    #[arg(long, value_name = "LIST", default_value = "2..1Ki")]
    pub(crate) procs: String,
    /// How many ranks share a node [default: what the sketch says]
    #[arg(long, value_name = "N")]
    pub(crate) ranks_per_node: Option<u32>,
    /// Tier of messages between nodes [default: the signature's first]
    #[arg(long)]
    pub(crate) tier: Option<String>,
    /// Style of sending [default: the tier's first]
    #[arg(long)]
    pub(crate) style: Option<String>,
    /// Rules of messages [default: the richest that the signature allows]
    #[arg(long, value_parser = words::rules())]
    pub(crate) rules: Option<Rules>,
    /// Fit the sketch's open constants (`?`) to runs: a CSV of procs and time
    #[arg(long, value_name = "MEASURED.csv")]
    pub(crate) fit: Option<String>,
    /// Simulate the whole up to so many ranks; beyond, steps are added up
    #[arg(long, value_name = "P", default_value_t = loggia_model::plan::answer::SIMULATED)]
    pub(crate) simulate: u32,
    /// Show what each step takes
    #[arg(long)]
    pub(crate) steps: bool,
}

/// More numbers of ranks than anybody reads.
const MOST: usize = 1000;

impl Plan {
    /// The numbers of ranks, rising.
    pub(crate) fn procs(&self) -> Result<Vec<Procs>, Error> {
        let refused = |message: String| {
            Error::new(message, "--procs", "write such as 2,4,6 or 2..1M for powers of two")
        };
        let number = |word: &str| {
            let found = word.trim().parse::<Procs>().ok().filter(|procs| procs.0 > 0);
            let wrong = || refused(format!("`{word}` is not a number of ranks"));
            found.map(|procs| u64::from(procs.0)).ok_or_else(wrong)
        };
        let all = words::doubling(&self.procs, number)?;
        match all.len() {
            0 => Err(refused("no number of ranks is in that range".to_owned())),
            count if count > MOST => Err(refused(format!("{count} numbers of ranks are too many"))),
            // Each is no larger than one that was a number of ranks.
            _ => Ok(all.into_iter().map(|procs| Procs(procs as u32)).collect()),
        }
    }
}
