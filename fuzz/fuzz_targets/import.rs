//! Bytes from anywhere, as what other benchmarks print.
#![no_main]

#[path = "../damaged.rs"]
mod damaged;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    damaged::import_bytes(bytes);
});
