//! `loggia score`

use super::results::ResultFacts;
use clap::Args;
use loggia_exchange::score::Condition;

#[derive(Args)]
pub(crate) struct Score {
    /// A built-in name, a file, a link, or - for standard input
    pub(crate) sig: String,
    /// Measured results, in any format that `import` reads: files, folders of them, ZIP archives.
    /// Without results, each measured time of the signature is predicted from the other times
    #[arg(value_name = "RESULTS")]
    pub(crate) results: Vec<String>,
    #[command(flatten)]
    pub(crate) facts: ResultFacts,
    /// Exit with 1 if one of these conditions holds, such as 'allreduce.median>20%'
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) fail_on: Vec<Condition>,
}
