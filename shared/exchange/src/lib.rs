//! Exchange with other programs: import of benchmark outputs, export of signatures, and errors of
//! predictions compared with imported results.

pub mod csv;
pub mod error;
pub mod export;
pub mod import;
pub mod score;
