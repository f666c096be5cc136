//! What the fuzzer and `cargo test` both do with bytes from anywhere.

use loggia_schedule::goal::{self, binary, text};
use loggia_schedule::schedule::Schedule;

/// Reads the bytes as text and as binary. Neither may panic; an error is a line that says where;
/// what can be read is written in both forms, and reads back as the same schedule.
pub(crate) fn goal_bytes(bytes: &[u8]) {
    assert!(
        goal::read(bytes).is_ok() == (text::read(bytes).is_ok() || binary::read(bytes).is_ok())
    );
    for read in [text::read, binary::read] {
        match read(bytes) {
            Ok((schedule, _)) => round_trip(&schedule),
            Err(error) => {
                assert!(!error.message.is_empty() && !error.place.is_nowhere(), "{error:?}");
                assert!(error.to_string().lines().count() <= 2, "{error:?}");
            }
        }
    }
}

/// Writes the schedule in both forms and reads both again.
pub(crate) fn round_trip(schedule: &Schedule) {
    let mut written = String::new();
    text::write(schedule, &mut written).expect("a string takes everything");
    let (again, warnings) = goal::read(written.as_bytes()).expect("what was written is right");
    assert!(again == *schedule && warnings.is_empty(), "{warnings:?}\n{written}");

    let mut written = Vec::new();
    binary::write(schedule, &mut written).expect("a vector takes everything");
    let (again, warnings) = goal::read(&written).expect("what was written is right");
    assert!(again == *schedule && warnings.is_empty(), "{warnings:?}\n{written:?}");
}
