//! What the fuzzer and `cargo test` both do with outputs from anywhere.

use loggia_exchange::import::{ImportOptions, ImportResult, Importer, make};

/// Reads the bytes as an output of other benchmarks, in pieces as long as their first byte says. It may
/// not panic: it is an error that says where, or an import that holds what a signature may.
pub(crate) fn import_bytes(bytes: &[u8]) -> Option<ImportResult> {
    let piece = bytes.first().map_or(1, |byte| usize::from(*byte) * 16 + 1);
    let mut reading = Importer::default();
    reading.begin("damaged.txt");
    let told = bytes.chunks(piece).try_for_each(|piece| reading.tell(piece));
    match told.and_then(|()| reading.end()) {
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
