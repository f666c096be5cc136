//! What other programs write and read: outputs of benchmarks become signatures, and signatures become
//! files of other programs.

pub mod csv;
pub mod export;
pub mod import;
