//! Import: outputs of other benchmarks become a signature.
//!
//! | file | content |
//! |---|---|
//! | `lines` | the lines of an output, without the prefixes of launchers |
//! | `table` | columns, and numbers of rows |
//! | `reader` | the trait of all output readers |
//! | `importer` | recognises the tool of an output; reads files |
//! | `run` | a run of a benchmark: its conditions and its numbers |
//! | `osu`, `imb`, `netgauge`, `logp_mpi`, `reprompi`, `skampi`, `netpipe`, `nccl` | reader of one tool |
//! | `plain` | a table with a header of known columns, CSV or TSV |
//! | [`options`] | information that the files lack, given by the user |
//! | `tier` | names of tiers |
//! | `samples` | converts a run's numbers into samples |
//! | [`result`] | the signature and the report |
//! | [`words`] | texts shared by the command and the page |
//! | [`merge`] | how an import completes an existing signature |
//!
//! Readers take one line at a time: a file may contain several outputs, and may be larger than memory.
//! A tool is recognised by its output, not by the file name. Units are converted once, when a number
//! is read.

mod imb;
mod importer;
mod lines;
mod logp_mpi;
pub mod merge;
mod nccl;
mod netgauge;
mod netpipe;
pub mod options;
mod osu;
mod plain;
mod reader;

mod reprompi;
pub mod result;
mod run;
mod samples;
mod skampi;
mod table;
mod tier;
pub mod words;

pub use importer::{Importer, is_known};
pub use options::{ImportOptions, Question};
pub use reader::{LeftOut, Read};

pub use result::{ImportResult, make};
pub use run::{BenchmarkKind, Numbers, Run, Tool};
pub use tier::TierName;
