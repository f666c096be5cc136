//! Checks of the import with arbitrary bytes, for the fuzzer and `cargo test`.

use loggia_exchange::import::{ImportOptions, ImportResult, Importer, make};

/// Reads the bytes as an output of other benchmarks, in pieces whose length depends on the first
/// byte. It may not panic: the result is an error with its place, or an import with valid times.
pub(crate) fn import_bytes(bytes: &[u8]) -> Option<ImportResult> {
    let piece = bytes.first().map_or(1, |byte| usize::from(*byte) * 16 + 1);
    let mut reading = Importer::default();
    reading.begin("damaged.txt");
    let read = bytes.chunks(piece).try_for_each(|piece| reading.push(piece));
    match read.and_then(|()| reading.end()) {
        Err(error) => {
            assert!(error.place.to_string().starts_with("damaged.txt:"), "{error:?}");
            assert!(!error.message.is_empty(), "{error:?}");
            assert!(error.to_string().lines().count() <= 2, "{error:?}");
            None
        }
        Ok(()) => {
            let made = make(&reading.finish(), &ImportOptions::default());
            let samples = made.signature.iter().flat_map(|signature| &signature.samples);
            for time in samples.flat_map(|samples| &samples.times) {
                assert!(time.0.is_finite() && time.0 > 0.0, "{time:?}");
            }
            Some(made)
        }
    }
}
