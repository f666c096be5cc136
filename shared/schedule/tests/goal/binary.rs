//! The binary layout, and each inconsistency with its byte.

use crate::round_trip::{goal_bytes, round_trip};
use loggia_schedule::goal::{self, binary, text};

/// A field of a file: a number, and its length in bytes.
type Field = (u64, usize);

fn file(fields: &[Field]) -> Vec<u8> {
    fields.iter().flat_map(|(value, bytes)| value.to_le_bytes().into_iter().take(*bytes)).collect()
}

const TEXT: &str = "num_ranks 2\nrank 0 {\na: send 258b to 1 tag 7 cpu 2 nic 1\nb: calc 9 cpu 1\n\
                    c: calc 5\nc requires a\nb requires a\nc irequires b\n}\n\
                    rank 1 {\nrecv 258b from -1 tag -1\n}\n";

/// The fields of [`TEXT`], written by hand from the format's description.
fn fields() -> Vec<Field> {
    let any = u64::from(u32::MAX);
    #[rustfmt::skip]
    let fields = vec![
        (4223, 8), (2, 4), (2, 1), (1, 1), (38, 8), (179, 8), (179, 8), (230, 8),
        // Rank 0, from byte 46.
        (3, 4), (1, 4), (0, 4),
        (0, 4), (1, 1), (1, 4), (258, 8), (7, 4), (2, 1), (1, 1), (2, 4), (0, 4), (0, 4), (2, 4),
        (1, 4), (3, 1), (0, 4), (9, 8), (0, 4), (1, 1), (0, 1), (0, 4), (2, 4), (1, 4), (2, 4),
        (2, 4), (3, 1), (0, 4), (5, 8), (0, 4), (0, 1), (0, 1), (0, 4), (3, 4), (0, 4), (3, 4),
        (2, 4), (1, 4), (2, 4),
        // Rank 1, from byte 187.
        (1, 4), (1, 4), (0, 4),
        (0, 4), (2, 1), (any, 4), (258, 8), (any, 4), (0, 1), (0, 1), (0, 4), (0, 4), (0, 4), (0, 4),
    ];
    fields
}

#[test]
fn the_layout_matches_its_description() {
    let (schedule, _) = text::read(TEXT.as_bytes()).unwrap();
    let mut written = Vec::new();
    binary::write(&schedule, &mut written).unwrap();
    assert_eq!(written, file(&fields()));
    assert_eq!(goal::read(&written).unwrap(), (schedule, Vec::new()));
}

/// The file with other numbers in some fields.
fn with(changes: &[(usize, u64)]) -> Vec<u8> {
    let mut fields = fields();
    for (field, value) in changes {
        fields[*field].0 = *value;
    }
    file(&fields)
}

#[test]
fn a_file_cut_anywhere_is_rejected_with_a_place() {
    let whole = with(&[]);
    for cut in 1..whole.len() {
        let error = goal::read(&whole[..cut]).unwrap_err();
        assert!(error.place.to_string().starts_with("byte "), "cut at {cut}: {error:?}");
    }
    let error = goal::read(&whole[..5]).unwrap_err();
    assert_eq!(error.message, "the file ends after 5 bytes, within its header");
    let error = goal::read(&whole[..40]).unwrap_err();
    assert_eq!(error.message, "2 ranks need at least 62 bytes, but the file has 40");
    let error = goal::read(&whole[..200]).unwrap_err();
    assert_eq!(error.message, "rank 1 ends at byte 238, but the file ends at 200");
}

/// Changed fields by number with their new values, the byte of the error, and its message.
type Case = (&'static [(usize, u64)], usize, &'static str);

#[test]
fn each_inconsistency_is_named_with_its_byte() {
    const HUGE: u64 = u32::MAX as u64;
    let cases: &[Case] = &[
        (
            &[(1, HUGE)],
            8,
            "4294967295 ranks need at least 103079215094 bytes, but the file has 238",
        ),
        (&[(4, 37)], 14, "rank 0 begins at byte 45, within the header"),
        (&[(6, 178)], 30, "rank 1 begins at byte 186, within rank 0"),
        (&[(7, 231)], 38, "rank 1 ends at byte 239, but the file ends at 238"),
        (
            &[(7, u64::MAX)],
            38,
            "rank 1 ends at byte 18446744073709551615, but the file ends at 238",
        ),
        (&[(5, 20)], 14, "rank 0 has the bytes 46 to 28: too few for a block"),
        (
            &[(4, u64::MAX)],
            14,
            "rank 0 has the bytes 18446744073709551615 to 187: too few for a block",
        ),
        (&[(5, 45)], 14, "rank 0 has the bytes 46 to 53: too few for a block"),
        (
            &[(8, HUGE)],
            46,
            "rank 0: 4294967295 operations and 1 roots need 167503724517 bytes, but its block has 141",
        ),
        (
            &[(9, HUGE)],
            46,
            "rank 0: 3 operations and 4294967295 roots need 17179869305 bytes, but its block has 141",
        ),
        (&[(8, 4)], 46, "rank 0: 4 operations and 1 roots need 168 bytes, but its block has 141"),
        (&[(5, 178)], 175, "rank 0: the list of dependents has 11 bytes, not a multiple of 4"),
        (&[(10, 1)], 54, "rank 0: found root 1, expected 0"),
        (&[(22, 0)], 58, "rank 0: operation 1 has no dependencies, but is not a root"),
        (&[(11, 1)], 54, "rank 0: found root 0, expected no further root"),
        (&[(12, 0)], 62, "rank 0: unknown kind 0 of an operation"),
        (&[(12, 4)], 62, "rank 0: unknown kind 4 of an operation"),
        (&[(13, 2)], 63, "rank 0 names rank 2, but there are 2 ranks"),
        (&[(13, HUGE)], 63, "rank 0 names rank 4294967295, but there are 2 ranks"),
        (&[(18, HUGE)], 81, "rank 0: entries 0 to 4294967295 exceed the list, which has 3"),
        (
            &[(19, HUGE)],
            81,
            "rank 0: entries 4294967295 to 4294967297 exceed the list, which has 3",
        ),
        (&[(19, 1)], 128, "rank 0: entry 2 of the list belongs to two lists"),
        (&[(18, 1)], 179, "rank 0: entry 1 of the list belongs to no operation"),
        (&[(44, 3)], 175, "rank 0: operation 3 is listed, but there are only 3"),
        (&[(44, HUGE)], 175, "rank 0: operation 4294967295 is listed, but there are only 3"),
        (&[(44, 0)], 175, "rank 0: operation 0 waits for itself, so it never begins"),
        (
            &[(44, 1)],
            179,
            "rank 0: operation 1 states 1 predecessors, but more operations list it as a successor",
        ),
        (
            &[(33, 3)],
            136,
            "rank 0: operation 2 states 3 predecessors, but 2 operations list it as a successor",
        ),
        (
            &[(33, 1)],
            183,
            "rank 0: operation 2 states 1 predecessors, but more operations list it as a successor",
        ),
        (&[(48, 4)], 187, "rank 1: 1 operations and 4 roots need 63 bytes, but its block has 51"),
    ];
    for (changes, byte, message) in cases {
        let bytes = with(changes);
        goal_bytes(&bytes);
        let error = goal::read(&bytes).unwrap_err();
        assert_eq!((&*error.message, error.place.to_string()), (*message, format!("byte {byte}")));
    }
    let error = binary::read(b"num_ranks 1").unwrap_err();
    assert_eq!(error.message, "the file does not begin with the magic number 4223");
    assert_eq!(error.in_file("x.bin").place.to_string(), "x.bin: byte 0");
}

#[test]
fn lists_may_be_in_any_order() {
    // The list of operation 0 follows that of operation 1.
    let (schedule, warnings) =
        goal::read(&with(&[(19, 1), (32, 0), (44, 2), (45, 2), (46, 1)])).unwrap();
    assert_eq!((schedule.after_done(0), schedule.after_start(1)), (&[2, 1][..], &[2][..]));
    assert!(warnings.is_empty());
    round_trip(&schedule);
}

#[test]
fn inconsistent_counts_are_warnings() {
    let mut odd = with(&[(2, 1), (3, 0)]);
    odd.extend_from_slice(b"more");
    let (schedule, warnings) = goal::read(&odd).unwrap();
    assert_eq!(schedule, goal::read(TEXT.as_bytes()).unwrap().0);
    assert_eq!(
        warnings,
        [
            "byte 12: the highest cpu is 1 in the header, but an operation uses 2",
            "byte 13: the highest nic is 0 in the header, but an operation uses 1",
            "4 bytes belong to no rank and were not read",
        ]
    );
}
