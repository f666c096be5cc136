//! Import: what other benchmarks have printed becomes a signature.
//!
//! | file | question |
//! |---|---|
//! | `lines` | what did the tool print, without what launchers put before it |
//! | `table` | which number stands in which column |
//! | `reader` | what the readers of all tools share |
//! | `reading` | which tool printed an output; reading of files |
//! | `run` | one run of a benchmark: its conditions and its numbers |
//! | `osu`, `imb`, `netgauge`, `logp_mpi`, `reprompi`, `skampi`, `netpipe`, `nccl` | the output of that tool |
//! | `plain` | a table with a header of known columns, CSV or TSV |
//! | [`options`] | facts that the files do not state, given by the user |
//! | `tier` | the tier that messages crossed |
//! | `samples` | a run's numbers in the units of this program |
//! | [`result`] | the signature, and facts that no file needed |
//! | [`words`] | texts shared by the command and the page |
//! | [`merge`] | how an import completes an existing signature |
//!
//! Parsers take one line at a time, so that outputs may follow each other in one file, and a file may
//! be longer than memory. A tool is recognised by its output, not by the name of the file. Units are
//! converted once, where a number is read.

mod imb;
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
mod reading;
mod reprompi;
pub mod result;
mod run;
mod samples;
mod skampi;
mod table;
mod tier;
pub mod words;

pub use options::{ImportOptions, Question};
pub use reader::{LeftOut, Read};
pub use reading::{Importer, is_known};
pub use result::{ImportResult, make};
pub use run::{BenchmarkKind, Numbers, Run, Tool};
pub use tier::TierName;
