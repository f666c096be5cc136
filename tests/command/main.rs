//! The built command, run as by a user at a terminal.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod agreement;
mod answers;
mod compare;
#[path = "../lab/disk.rs"]
mod disk;
mod documents;
mod export;
mod import;
mod killed;
mod lesson;
#[path = "../lab/oracle.rs"]
mod oracle;
mod plan;
mod refusals;
mod replay;
mod run;
mod score;
mod sharing;
mod simulate;
mod unwritable;
