//! What other programs write and read: outputs of benchmarks become signatures, and signatures become
//! files of other programs. And how far predictions are from results that were imported.

pub mod csv;
pub mod error;
pub mod export;
pub mod import;
pub mod score;
