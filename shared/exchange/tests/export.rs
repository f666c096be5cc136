//! Exported files follow the rules of the other programs and give Loggia's predictions.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "export/csv.rs"]
mod csv;
#[path = "export/loggopsim.rs"]
mod loggopsim;
#[path = "export/machines.rs"]
mod machines;
#[path = "export/platform.rs"]
mod platform;
#[path = "export/python.rs"]
mod python;
#[path = "export/simgrid.rs"]
mod simgrid;
