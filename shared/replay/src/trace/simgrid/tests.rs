#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::*;
use crate::trace::error::LineMistake;
use crate::trace::testing::{self, file, list, shown, words};
use loggia_model::Error;
use loggia_trace::call::{
    ANY_TAG, Call, Collective, Envelope, Mode, Operation, Peer, ReductionOperator, WORLD,
};
use loggia_trace::file::End;

/// Reads one file of all ranks, at 1,000 operations per µs.
fn run(text: &str) -> Result<Trace, TraceError> {
    read("run", vec![file("all.txt", text)], 1_000.0)
}

/// Calls of a rank as text, with the gap before each in nanoseconds.
fn calls(trace: &Trace, rank: usize) -> Vec<(u64, String)> {
    let without_duration = |(gap, duration, call)| {
        assert_eq!(duration, 0);
        (gap, call)
    };
    testing::calls(trace, rank).into_iter().map(without_duration).collect()
}

fn rank(peer: u32, tag: u32, bytes: u64) -> Envelope {
    Envelope { peer: Peer::Rank(peer), tag, bytes, comm: WORLD }
}

fn complete(how: &str, done: &[u32]) -> String {
    let all: Vec<String> = done
        .iter()
        .map(|done| format!("CompletedRequest {{ request: {done}, met: None }}"))
        .collect();
    let (requested, all) = (done.len(), all.join(", "));
    format!("Complete {{ how: {how}, requested: {requested}, done: [{all}] }}")
}

#[test]
fn a_ring_computes_at_its_speed() {
    let body = |r: u32| {
        let (next, before) = ((r + 1) % 3, (r + 2) % 3);
        format!(
            "{r} init\n{r} compute 5e3\n{r} isend {next} 7 100 0\n{r} sleep 2e-6\n\
             {r} recv {before} 7 100 0\n{r} compute 0.6\n{r} wait {r} {next} 7\n{r} compute 0.6\n\
             {r} finalize\n"
        )
    };
    let text = format!("# three ranks\r\n\n{}{}{}", body(0), body(1), body(2));
    let trace = run(&text.replace('\n', "\r\n")).unwrap();
    assert_eq!(trace.warnings, [""; 0]);
    assert_eq!((trace.source, trace.ranks.len()), (Source::SimGrid, 3));
    let got = rank(0, 7, 800);
    let expected = [
        (5_000, shown(Call::Isend(Mode::Standard, rank(2, 7, 800), 0))),
        (2_000, shown(Call::Recv { got, any_source: false, any_tag: false })),
        (1, complete("Wait", &[0])),
        // Rounding errors do not add up: 0.6 + 0.6 ns become 1 ns.
        (0, shown(Call::Finalize)),
    ];
    assert_eq!(calls(&trace, 1), expected);
    assert_eq!((trace.ranks[1].name.as_str(), trace.ranks[1].end), ("all.txt, rank 1", End::Whole));
}

#[test]
fn a_list_names_a_trace_for_each_rank() {
    let files = || {
        vec![
            file("x/b.txt", "1 init\n1 recv 0 1 10\n1 finalize\n"),
            file("x/list.txt", "a.txt\nsub/b.txt\n"),
            file("x/a.txt", "0 init\n0 send 1 1 10\n0 finalize\n"),
        ]
    };
    let trace = read("run", files(), 1.0).unwrap();
    assert_eq!(trace.ranks[0].name, "x/a.txt");
    assert_eq!(calls(&trace, 0)[0].1, shown(Call::Send(Mode::Standard, rank(1, 1, 10))));
    let mut more = files();
    more.push(file("x/c.txt", "2 init\n"));
    let trace = read("run", more, 1.0).unwrap();
    assert_eq!(
        trace.warnings,
        ["x/list.txt: files that are not in this list are not read: x/c.txt"]
    );
    let mut fewer = files();
    fewer.remove(0);
    let error = Error::from(read("run", fewer, 1.0).unwrap_err());
    assert_eq!(error.place.to_string(), "x/list.txt:2:1");
    assert!(error.message.starts_with("the list names `sub/b.txt`"), "{}", error.message);
}

#[test]
fn collectives_keep_their_arguments() {
    let text = "0 init 1\n0 bcast 5e1\n0 bcast 5 1 1\n0 reduce 10 2000 1 5\n0 allreduce 10 0\n\
                0 alltoall 3 4 1 2\n0 alltoallv 9 1 2 9 3 4 1 2\n0 gather 3 4 0 1 2\n\
                0 allgather 3 3\n0 gatherv 3 3 5 0 1 2\n0 allgatherv 3 3 5 1 0 3\n\
                0 scatter 3 4 1 1 2\n0 scatterv 3 5 3 0 2 1\n0 reducescatter 3 5 1e3 1\n\
                0 scan 2 0 1\n0 exscan 2 0 1\n0 barrier\n0 allgatherv 3 3 5 0 3 0\n0 finalize\n\
                1 init\n1 gatherv 3 3 5 0 1 2\n1 finalize";
    let trace = run(text).unwrap();
    assert_eq!(trace.warnings, [""; 0]);
    let new = |op, bytes| Collective::new(op, WORLD, bytes);
    let combine = Some(ReductionOperator::Own);
    let expected = [
        (0, Collective { root: Some(0), ..new(Operation::Bcast, 400) }),
        (0, Collective { root: Some(1), ..new(Operation::Bcast, 20) }),
        (0, Collective { root: Some(1), combine, ..new(Operation::Reduce, 40) }),
        (2_000, Collective { combine, ..new(Operation::Allreduce, 80) }),
        (0, new(Operation::Alltoall, 12)),
        (
            0,
            Collective {
                sends: list(&[4, 8]),
                receives: list(&[3, 4]),
                ..new(Operation::Alltoallv, 0)
            },
        ),
        (0, Collective { root: Some(0), ..new(Operation::Gather, 12) }),
        (0, new(Operation::Allgather, 24)),
        (0, Collective { root: Some(0), receives: list(&[3, 5]), ..new(Operation::Gatherv, 12) }),
        (0, Collective { receives: list(&[12, 20]), ..new(Operation::Allgatherv, 12) }),
        (0, Collective { root: Some(1), ..new(Operation::Scatter, 4) }),
        (0, Collective { root: Some(0), sends: list(&[3, 5]), ..new(Operation::Scatterv, 12) }),
        (0, Collective { receives: list(&[12, 20]), combine, ..new(Operation::ReduceScatter, 0) }),
        (1_000, Collective { combine, ..new(Operation::Scan, 8) }),
        (0, Collective { combine, ..new(Operation::Exscan, 8) }),
        (0, new(Operation::Barrier, 0)),
        (0, Collective { receives: list(&[24, 40]), ..new(Operation::Allgatherv, 24) }),
    ];
    for (index, (record, (gap, expected))) in trace.ranks[0].records().zip(expected).enumerate() {
        let expected = (gap, Call::Collective(expected));
        assert_eq!((record.gap, record.call), expected, "{index}");
    }
    let gather = Collective { root: Some(0), ..new(Operation::Gatherv, 12) };
    assert_eq!(trace.ranks[1].records().next().unwrap().call, Call::Collective(gather));
}

#[test]
fn waits_find_their_requests() {
    let text = "0 init\n0 irecv -555 -444 10\n0 irecv 1 4 10\n0 isend 1 4 10\n0 isend -666 0 10\n\
                0 wait 0 1 4\n0 wait 1 0 9\n0 waitall\n0 wait 0 1 4\n0 isend 1 5 10\n0 finalize\n\
                1 init\n1 recv -555 4 -1\n1 sendRecv 4 0 5 -555 1 2\n1 finalize\n";
    let trace = run(text).unwrap();
    let found = words(&trace, 0);
    let wildcard = Envelope { peer: Peer::AnySource, tag: ANY_TAG, bytes: 10, comm: WORLD };
    assert_eq!(found[0], shown(Call::Irecv(wildcard, 0)));
    let no_peer = Envelope { peer: Peer::Null, tag: 0, ..wildcard };
    assert_eq!(found[3], shown(Call::Isend(Mode::Standard, no_peer, 3)));
    assert_eq!(found[4], complete("Wait", &[2]));
    assert_eq!(found[5], complete("Wait", &[0]), "it accepts any source and any tag");
    assert_eq!(found[6], complete("Waitall", &[1, 3]));
    assert!(found[7].starts_with("Isend") && found[8].starts_with("Complete { how: Waitall"));
    let got = Envelope { peer: Peer::AnySource, tag: 4, bytes: 0, comm: WORLD };
    let of_other = calls(&trace, 1);
    assert_eq!(of_other[0].1, shown(Call::Recv { got, any_source: true, any_tag: false }));
    let got = Envelope { tag: 0, bytes: 5, ..got };
    let both = Call::Sendrecv { send: rank(0, 0, 16), got, any_source: true, any_tag: false };
    assert_eq!(of_other[1].1, shown(both));
    assert_eq!(trace.warnings.len(), 2, "{:?}", trace.warnings);
}

#[test]
fn the_last_test_completes_the_request() {
    let text = "0 init\n0 irecv 0 1 10\n0 test 0 0 1\n0 test 0 0 1\n0 irecv 0 1 10\n0 test 0 0 1\n\
                0 wait 0 0 1\n0 test 0 0 1\n0 finalize\n";
    let trace = run(text).unwrap();
    let found = words(&trace, 0);
    assert_eq!(found[1], "Polls(1)");
    assert_eq!(found[2], complete("Test", &[0]));
    assert_eq!([&found[4], &found[5]], ["Polls(1)", complete("Wait", &[0]).as_str()]);
    assert_eq!(found[6], "Finalize");
    assert_eq!(trace.warnings.len(), 2, "{:?}", trace.warnings);
}

#[test]
fn the_oldest_traces_have_no_tags_and_upper_case() {
    let text = "0 init\n0 Irecv 1 2000\n0 Isend 1 1e3\n0 wait\n0 wait 1 0\n0 waitAll\n0 finalize\n\
                1 init\n1 allGather 3 3\n1 finalize\n";
    let trace = run(text).unwrap();
    let found = words(&trace, 0);
    assert_eq!(found[0], shown(Call::Irecv(rank(1, 0, 2000), 0)));
    assert_eq!(found[2], complete("Wait", &[1]), "the one begun last");
    assert_eq!(found[3], complete("Wait", &[0]));
    assert_eq!(found[4], complete("Waitall", &[]));
}

#[test]
fn actions_that_cannot_be_replayed_are_named_once() {
    let text = "0 init\n0 comm_size 1\n0 comm_split\n0 location a.c 3\n0 compute 1e3\n\
                0 iprobe 0 1\n0 iprobe 0 1\n";
    let trace = run(text).unwrap();
    let found = calls(&trace, 0);
    assert_eq!(found[0].1, "Named { other: 0, name: \"iprobe\" }");
    assert_eq!(found[1], (1_000, "Other(0)".to_owned()));
    let expected = [
        "run: actions that are not replayed: iprobe (2)",
        "run: 1 × communicators created; the trace does not record their use: all operations \
         are among all ranks, as in SimGrid",
        "run: ranks that end before `finalize`: 0",
    ];
    assert_eq!(trace.warnings, expected);
}

#[test]
fn errors_have_place_and_reason() {
    let cases = [
        ("0 init\nx send 1\n", "all.txt:2:1", "found `x`, expected a rank"),
        ("0 init\n0 sned 1\n", "all.txt:2:3", "unknown action `sned`"),
        ("0 init\n0 send 5 1 1\n", "all.txt:2:8", "found rank 5, but there are 1 ranks"),
        ("0 init\n0 send\n", "all.txt:2:7", "the line ends here, expected a rank"),
        ("0 init\n0 send 0 1 ten\n", "all.txt:2:12", "found `ten`, expected a count"),
        ("0 init\n0 send 0 1 1 99\n", "all.txt:2:14", "unknown datatype 99"),
        ("0 init\n0 send 0 -3 1\n", "all.txt:2:10", "found tag -3"),
        ("0 init\n0 bcast 1e300\n", "all.txt:2:9", "the number of bytes exceeds Loggia's maximum"),
        ("0 init\n0 bcast 1 7\n", "all.txt:2:11", "found root 7"),
        ("0 init\n0 compute -1\n", "all.txt:2:11", "found -1, expected a number of operations"),
        ("0 init\n0 compute 1e300\n", "all.txt:2:11", "this is longer than 200 years"),
        ("0 init\n0 compute inf\n", "all.txt:2:11", "found `inf`"),
        ("0 init\n2 init\n", "run", "1 of 3 ranks are missing: 1"),
        ("# nothing\n", "run", "no line begins with a rank"),
    ];
    for (text, place, message) in cases {
        let error = Error::from(run(text).unwrap_err());
        assert_eq!(error.place.to_string(), place, "{text}");
        assert!(error.message.starts_with(message), "{text}: {}", error.message);
    }
    let twice = vec![file("a", "0 init\n"), file("b", "1 init\n0 init\n")];
    let TraceError::Line { file: name, error } = read("run", twice, 1.0).unwrap_err() else {
        panic!()
    };
    assert_eq!((name.as_str(), error.line), ("b", 2));
    assert_eq!(error.mistake, LineMistake::InAnotherFile { rank: 0, file: "a".to_owned() });
    for speed in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(read("run", vec![file("a", "0 init\n")], speed).is_err());
    }
}

#[test]
fn a_file_is_used_up_to_where_it_is_cut_off() {
    let trace = run("0 init\n0 barrier\n0 sen").unwrap();
    assert_eq!(trace.ranks[0].records().count(), 1);
    assert_eq!(trace.warnings[0], "all.txt:3: the file is cut off here");
}

#[test]
fn traces_are_recognized_by_their_beginning() {
    for text in ["0 init", "# x\n\n12 Isend 3 4", "3 allReduce 1 2\r\n"] {
        assert!(looks_like(text.as_bytes()), "{text}");
    }
    for text in ["", "# x", "a.txt\nb.txt", "init 0", "0 unknown", "num_ranks 2", "\u{1}\u{0}"] {
        assert!(!looks_like(text.as_bytes()), "{text}");
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod laws {
    use super::*;
    use crate::trace::testing::{is_sound, is_whole};
    use proptest::prelude::*;

    const GOOD: &str = "0 init\n1 init 1\n0 compute 1e4\n0 isend 1 5 1e3 0\n1 irecv 0 5 1000\n\
        1 test 0 1 5\n0 wait 0 1 5\n1 wait 0 1 5\n0 alltoallv 9 1 2 9 3 4 1 2\n0 waitall\n\
        1 alltoallv 9 1 2 9 3 4 1 2\n0 reduce 10 2000 1 5\n1 reduce 10 2000 1 5\n0 sleep 1e-3\n\
        0 allgatherv 3 3 5 1 0 3\n1 allgatherv 3 3 5 1 0 3\n0 finalize\n1 finalize\n";

    fn digit() -> impl Strategy<Value = u8> {
        prop::sample::select(b"0123456789- e.".to_vec())
    }

    fn good_line() -> impl Strategy<Value = &'static str> {
        prop::sample::select(GOOD.lines().collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn damaged_bytes_never_panic(
            flips in prop::collection::vec((0..GOOD.len(), any::<u8>()), 0..6),
            digits in prop::collection::vec((0..GOOD.len(), digit()), 0..12),
            cut in 0..=GOOD.len(),
            speed in any::<f64>(),
        ) {
            let mut bytes = GOOD.as_bytes().to_vec();
            for (at, digit) in digits {
                bytes[at] = digit;
            }
            for (at, byte) in flips {
                bytes[at] = byte;
            }
            bytes.truncate(cut);
            looks_like(&bytes);
            let files = || vec![file("t", &bytes)];
            let _ = read("run", files(), speed);
            if let Ok(trace) = read("run", files(), 3.0) {
                prop_assert!(is_sound(&trace));
            }
        }

        #[test]
        fn random_words_never_panic(
            lines in prop::collection::vec(
                (good_line(), any::<u16>(), any::<i64>()),
                0..30,
            ),
        ) {
            let mut text = "0 init\n1 init\n".to_owned();
            for (line, place, number) in lines {
                let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
                let place = usize::from(place) % words.len();
                if place > 1 {
                    words[place] = number.to_string();
                }
                text.push_str(&words.join(" "));
                text.push('\n');
            }
            let _ = run(&text);
        }
    }

    #[test]
    fn the_undamaged_trace_is_whole() {
        let trace = run(GOOD).unwrap();
        assert!(is_whole(&trace));
    }
}
