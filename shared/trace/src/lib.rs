//! Traces of MPI programs: what each rank called, with what, and when.
//!
//! The library that is preloaded into programs writes them, the replay reads them, and readers of
//! other tools' traces turn those into the same. So this crate has no dependency: it must be light
//! enough to sit in somebody else's program.
//!
//! | module | what it answers |
//! |---|---|
//! | [`call`] | what did a rank call |
//! | [`record`] | how is a call kept in a few bytes |
//! | [`header`] | whose trace is this, and how do its clocks compare |
//! | `words` | how is a call told to a person |
//! | [`mod@file`] | how is one rank's file read, also one that ends in the middle |
//!
//! # A rank's file
//!
//! A [header] of [`header::LENGTH`] bytes, then records, back to back; a byte 0 where a
//! record would begin is the end. A file that is mapped into memory while it is written is therefore
//! complete up to the last call at any moment, whatever happens to the program.

pub mod call;
pub mod file;
pub mod header;
pub mod record;
mod varint;
mod words;
