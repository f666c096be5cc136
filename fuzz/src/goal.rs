//! Checks of the GOAL reader with arbitrary bytes, for the fuzzer and `cargo test`.

use loggia_schedule::goal::{self, binary, text};
use loggia_schedule::schedule::Schedule;

/// Reads the bytes as text and as binary. Neither may panic; an error is a line with its place;
/// a schedule that can be read is written in both forms, and reads back as the same schedule.
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
    text::write(schedule, &mut written).expect("a string can be written");
    let (reread, warnings) = goal::read(written.as_bytes()).expect("written text can be read");
    assert!(reread == *schedule && warnings.is_empty(), "{warnings:?}\n{written}");

    let mut written = Vec::new();
    binary::write(schedule, &mut written).expect("a vector can be written");
    let (reread, warnings) = goal::read(&written).expect("written bytes can be read");
    assert!(reread == *schedule && warnings.is_empty(), "{warnings:?}\n{written:?}");
}
