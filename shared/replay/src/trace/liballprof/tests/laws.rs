//! Every file is read or rejected, without a panic.

use super::super::{looks_like, read};
use crate::trace::testing::{file, is_sound, is_whole};
use proptest::prelude::*;

const GOOD: &str = "# Init clockdiff: 3.5\nMPI_Init:-:1:2:1000\n\
    MPI_Comm_split:1010:7,0,2:0:-1:640:1020\nMPI_Cart_create:1021:7,0,2:1:1:1:0:648:1022\n\
    MPI_Irecv:1023:1:10:13,1,1:-1:-1:9,0,2:800:1024\nMPI_Test:1025:800:64:0:1026\n\
    MPI_Isend:1027:1:10:13,1,1:1:3:8,0,2:808:1028\nMPI_Waitany:1029:2:800:64:0:1030\n\
    MPI_Waitall:1031:2:800:0:1032\nMPI_Comm_free:1033:640:1034\n\
    MPI_Alltoallv:1035:16:64:1,3:64:0,1:1,4,4:32:64:1,1:64:4,0:1,4,4:9,0,2:1036\n\
    MPI_Win_create:1037:64:4096:8:0:7,0,2:640:1038\n\
    MPI_Put:1039:1:3:10,8,8:1:0:3:10,8,8:5:1040\n\
    # Finalize clockdiff: 4\nMPI_File_sync:1041:3:1042\nMPI_Finalize:1043:-\n";

fn good_line() -> impl Strategy<Value = &'static str> {
    prop::sample::select(GOOD.lines().collect::<Vec<_>>())
}

proptest! {
    #[test]
    fn damaged_bytes_never_panic(
        flips in prop::collection::vec((0..GOOD.len(), any::<u8>()), 0..6),
        digits in prop::collection::vec((0..GOOD.len(), b'0'..=b'9'), 0..12),
        cut in 0..=GOOD.len(),
    ) {
        let mut bytes = GOOD.as_bytes().to_vec();
        for (at, digit) in digits {
            if bytes[at].is_ascii_digit() {
                bytes[at] = digit;
            }
        }
        for (at, byte) in flips {
            bytes[at] = byte;
        }
        bytes.truncate(cut);
        looks_like(&bytes);
        let first = file("t-0", &bytes);
        let second = file("t-1", &GOOD.replace(",0,2:", ",1,2:"));
        if let Ok(trace) = read("run", vec![first, second]) {
            prop_assert!(is_sound(&trace));
        }
    }

    #[test]
    fn random_fields_never_panic(
        lines in prop::collection::vec(
            (good_line(), any::<u16>(), any::<i64>()),
            0..30,
        ),
    ) {
        let mut text = String::new();
        for (line, place, number) in lines {
            let mut fields: Vec<String> = line.split(':').map(str::to_owned).collect();
            let place = usize::from(place) % fields.len();
            if place > 0 {
                fields[place] = number.to_string();
            }
            text.push_str(&fields.join(":"));
            text.push('\n');
        }
        let _ = read("run", vec![file("t-0", &text)]);
    }
}

#[test]
fn the_undamaged_trace_is_whole() {
    let files = vec![
        file("t-0", GOOD),
        file("t-1", &GOOD.replace(",0,2:", ",1,2:").replace(":1:3:8,", ":0:3:8,")),
    ];
    let trace = read("run", files).unwrap();
    assert!(is_whole(&trace), "{:?}", trace.warnings);
}
