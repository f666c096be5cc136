//! What a message pattern costs on a machine.
//!
//! This crate is pure: no clock, no file, no thread, no MPI, no browser. The command `loggia` and
//! the explorer page both ask it for every number, so the two always agree.
//!
//! | module | what it answers |
//! |---|---|
//! | [`units`] | what is a microsecond, a byte, a per-byte gap; how are they read and written |
//! | [`signature`] | what is known about a machine, by whom, how surely |
//! | [`library`] | which published machines come built in |
//! | [`codec`] | how a signature becomes a JSON file or a link |
//! | [`model`] | what do LogP, LogGP, Hockney … predict; what do collectives cost |
//! | [`collective`] | by which algorithms are collectives done, and what does each cost |
//! | [`compare`] | which of several machines is the fastest, and what has changed between runs of one |
//! | [`protocol`] | what do T, TA, RTA and RAT cost, and as what timeline |
//! | [`goal`] | how a schedule is read from GOAL text and binary, and written as both |
//! | [`simulate`] | when does a schedule end on a machine, where does the time go |
//! | [`stats`] | what do noisy samples say, and how surely |
//! | [`fit`] | which parameters do measured samples give |
//! | [`figures`] | what do the papers' figures show, drawn again from their tables |
//! | [`export`] | what do other programs read: a signature in their formats |
//! | [`files`] | what did somebody read or map, and what is in an archive |
//! | [`import`] | what have other benchmarks printed, and which signature does that make |
//! | [`trace`] | what did the ranks of a real program call, and when |
//! | [`state`] | what does a link hold: signatures, view and inputs |
//! | [`error`] | what went wrong, where, and what to do |
//!
//! The papers are called by their numbers throughout:
//! `000` Al-Tawil & Moritz, *Performance Modeling and Evaluation of MPI* (JPDC 61(2), 2001);
//! `001` Hwang, Wang & Wang, *Evaluating MPI Collective Communication on the SP2, T3D, and Paragon
//! Multicomputers*;
//! `002` Chen, Zhai, Zhang & Zheng, *LogGPO: An accurate communication model for performance
//! prediction of MPI programs* (doi 10.1007/s11432-009-0161-2);
//! `003` Bell et al., *An Evaluation of Current High-Performance Networks* (IPDPS 2003);
//! `004` Touriño & Doallo, *Characterization of Message-Passing Overhead on the AP3000
//! Multicomputer*.

pub mod codec;
pub mod collective;
pub mod compare;
pub mod error;
pub mod export;
pub mod figures;
pub mod files;
pub mod fit;
pub mod goal;
pub mod import;
pub mod library;
pub mod model;
pub mod plan;
pub mod protocol;
pub mod replay;
#[cfg(feature = "schema")]
pub mod schema;
pub mod signature;
pub mod simulate;
pub mod state;
pub mod stats;
pub mod timeline;
pub mod trace;
pub mod units;

pub use error::Error;
pub use signature::Signature;
