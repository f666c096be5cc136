//! Runs of schedules in both simulation models. One program, since each program compiles the
//! simulator anew.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "tests")]

mod cards;
mod cases;
mod curves;
mod handshakes;
mod oracle;
mod random;
mod random_schedules;
mod reference;
mod stream;
