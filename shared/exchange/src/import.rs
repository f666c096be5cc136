//! Import: what other benchmarks have printed becomes a signature.
//!
//! | file | question |
//! |---|---|
//! | `lines` | what did the tool print, without what launchers put before it |
//! | `table` | which number stands in which column |
//! | `reading` | whose output is that, and what was taken of it |
//! | `run` | what is known of one benchmark's run, and its numbers |
//! | `osu`, `imb`, `netgauge`, `logp_mpi`, `reprompi`, `skampi`, `netpipe`, `nccl` | how does that tool print |
//! | `plain` | a table with a header of known columns, CSV or TSV |
//! | [`options`] | what do the files not say, and who has said it instead |
//! | `tier` | which way did messages go |
//! | `samples` | how are a run's numbers counted here |
//! | [`result`] | which signature is that, and what was asked in vain |
//! | [`words`] | what do the command and the page say of it |
//! | [`merge`] | what does it add to a signature that there is already |
//!
//! Readers are told line by line, so that outputs may follow each other in one file, and a file may be
//! longer than memory. A tool is known by what it prints, not by what its file is called. Units are
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
pub use reading::{Importer, LeftOut, Read, is_known};
pub use result::{ImportResult, make};
pub use run::{BenchmarkKind, Numbers, Run, Tool};
pub use tier::TierName;
