#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| loggia_fuzz::check("goal", bytes));
