//! Communication cost of message patterns on a machine.
//!
//! This crate is pure: no clock, no file, no thread, no MPI, no browser. The command `loggia` and
//! the page both take every number from it, so both agree.
//!
//! | module | contents |
//! |---|---|
//! | [`units`] | units (microsecond, byte, per-byte gap): reading and writing them |
//! | [`signature`] | the parameters of a machine, with their sources and uncertainty |
//! | [`json`] | reading and writing a signature as JSON |
//! | [`library`] | the built-in machines |
//! | [`model`] | predictions of LogP, LogGP, Hockney …; costs of collective operations |
//! | [`measured`] | measured times: at the measured sizes and ranks, interpolated, extrapolated |
//! | [`protocol`] | times and timelines of the protocols T, TA, RTA and RAT |
//! | [`compare`] | ranking of several machines; changes between runs of one machine |
//! | [`stats`] | estimates from noisy samples, and their confidence intervals |
//! | [`what_if`], [`placement`], [`ranks`], [`rules`], [`numbers`] | values shared with other crates |
//! | [`error`] | errors: fact, place, remedy |
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
pub mod csv;
pub mod error;
pub mod json;
pub mod library;
pub mod measured;
pub mod model;
pub mod numbers;
pub mod placement;
pub mod protocol;
pub mod ranks;
#[cfg(feature = "schema")]
pub mod schema;
pub mod signature;
pub mod simulation_model;
pub mod stats;
pub mod timeline;
pub mod units;
pub mod what_if;

pub use error::Error;
pub use signature::Signature;
