//! Bytes from anywhere, as GOAL text and as GOAL binary.
#![no_main]

#[path = "../round_trip.rs"]
mod round_trip;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| round_trip::goal_bytes(bytes));
