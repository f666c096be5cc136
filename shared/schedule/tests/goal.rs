//! GOAL files: accepted and rejected files, places of errors, and round trips.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "goal/binary.rs"]
mod binary;
#[cfg(not(target_arch = "wasm32"))]
#[path = "goal/damage.rs"]
mod damage;
#[cfg(not(target_arch = "wasm32"))]
#[path = "goal/files.rs"]
mod files;
#[cfg(not(target_arch = "wasm32"))]
#[path = "../../../fuzz/src/memory.rs"]
mod memory;
#[path = "../../../fuzz/src/goal.rs"]
mod round_trip;
#[path = "goal/text.rs"]
mod text;
