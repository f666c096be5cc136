//! Traces of MPI programs: each rank's calls with their arguments and times.
//!
//! The preloaded tracer writes traces, the replay reads them, and readers of other trace formats
//! produce the same records. This crate has no dependency: the tracer runs inside other people's
//! programs and must stay small.
//!
//! | module | content |
//! |---|---|
//! | [`call`] | calls of a rank |
//! | [`record`] | encoding of a call in a few bytes |
//! | [`header`] | run, rank, and clock of a file |
//! | [`slots`] | values with small numbers, such as open requests |
//! | `words` | calls as readable text |
//! | [`mod@file`] | reader of one rank's file, complete or cut off |
//!
//! # A rank's file
//!
//! A [header] of [`header::LENGTH`] bytes, then records without gaps; a byte 0 in place of a record
//! is the end. A file that is mapped into memory is therefore complete up to the last call, even if
//! the program crashes.

pub mod call;
pub mod file;
pub mod header;
pub mod record;
pub mod slots;
mod varint;
mod words;
