//! What a message pattern costs on a machine.
//!
//! This crate is pure: no clock, no file, no thread, no MPI, no browser. The command `loggia` and
//! the explorer page both ask it for every number, so the two always agree.
//!
//! | module | what it answers |
//! |---|---|
//! | [`units`] | what is a microsecond, a byte, a per-byte gap; how are they read and written |
//! | [`signature`] | the parameters of a machine, with sources and uncertainty |
//! | [`json`] | how is a signature read from a JSON file, and written to one |
//! | [`library`] | which published machines are built in |
//! | [`model`] | what do LogP, LogGP, Hockney … predict; what do collectives cost |
//! | [`measured`] | what was measured at, between and beyond these bytes and ranks |
//! | [`protocol`] | what do T, TA, RTA and RAT cost, and as what timeline |
//! | [`compare`] | which of several machines is the fastest; what has changed between runs of one |
//! | [`stats`] | what do noisy samples say, and how surely |
//! | [`what_if`], [`placement`], [`ranks`], [`rules`], [`numbers`] | values that other crates share |
//! | [`error`] | what went wrong, where, and what to do |
//!
//! Papers are named by author and year:
//!
//! - Al-Tawil & Moritz 2001: *Performance Modeling and Evaluation of MPI* (JPDC 61(2)).
//! - Hwang, Wang & Wang 1997: *Evaluating MPI Collective Communication on the SP2, T3D, and Paragon
//!   Multicomputers*.
//! - Chen, Zhai, Zhang & Zheng 2009: *LogGPO: An accurate communication model for performance
//!   prediction of MPI programs* (doi 10.1007/s11432-009-0161-2).
//! - Bell et al. 2003: *An Evaluation of Current High-Performance Networks* (IPDPS).
//! - Touriño & Doallo 2001: *Characterization of Message-Passing Overhead on the AP3000
//!   Multicomputer*.

pub mod bounds;
pub mod compare;
pub mod error;
pub mod json;
pub mod library;
pub mod measured;
pub mod model;
pub mod numbers;
pub mod placement;
pub mod protocol;
pub mod ranks;
pub mod rules;
#[cfg(feature = "schema")]
pub mod schema;
pub mod signature;
pub mod stats;
pub mod timeline;
pub mod units;
pub mod what_if;

pub use error::Error;
pub use signature::Signature;
