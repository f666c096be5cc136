#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[cfg(not(target_arch = "wasm32"))]
mod laws;

use super::*;
use crate::trace::error::MissingRanks;
use crate::trace::testing::{calls, file, list, shown, words};
use loggia_model::Error;
use loggia_trace::call::{
    ANY_TAG, Call, Collective, Completion, Envelope, Mode, OneSided, Operation, Peer,
    ReductionOperator,
};
use loggia_trace::file::End;

/// Files of ranks 0, 1 …, each between `MPI_Init` at 1,000 µs and `MPI_Finalize` at 9,000.
fn run(bodies: &[String]) -> Result<Trace, TraceError> {
    let whole = |body: &String| {
        format!(
            "# htor's PMPI Tracer 0.9 Output File\n# Init clockdiff: 0.0\n\n\
             MPI_Init:-:1:2:1000\n{body}MPI_Finalize:9000:-\n"
        )
    };
    let files = bodies.iter().enumerate();
    read("run", files.map(|(rank, body)| file(&format!("t-{rank}.txt"), &whole(body))).collect())
}

fn names(trace: &Trace, rank: usize) -> Vec<String> {
    trace.ranks[rank].records().map(|record| record.call.name().to_owned()).collect()
}

fn rank(peer: u32, tag: u32, bytes: u64, comm: u32) -> Envelope {
    Envelope { peer: Peer::Rank(peer), tag, bytes, comm }
}

#[test]
fn a_ring_keeps_its_times() {
    let body = |r: u32| {
        let (next, before) = ((r + 1) % 3, (r + 2) % 3);
        format!(
            "MPI_Comm_rank:1001:{h},{r},3:77:1002\n\
             MPI_Isend:1010:64:100:10,8,8:{next}:7:{h},{r},3:800:1012\n\
             MPI_Recv:1020.5:64:200:10,8,8:{before}:7:{h},{r},3:0:1030.25\n\
             MPI_Wait:1040:800:0:1041\n",
            h = 90 + r
        )
    };
    let trace = run(&[body(0), body(1), body(2)]).unwrap();
    assert_eq!(trace.warnings, [""; 0]);
    assert_eq!((trace.source, trace.ranks.len()), (Source::Liballprof, 3));
    let got = rank(0, 7, 1600, WORLD);
    let expected = [
        (10_000, 2_000, shown(Call::Isend(Mode::Standard, rank(2, 7, 800, WORLD), 0))),
        (8_500, 9_750, shown(Call::Recv { got, any_source: false, any_tag: false })),
        (
            9_750,
            1_000,
            "Complete { how: Wait, requested: 1, done: [CompletedRequest { request: 0, met: None }] }"
                .to_owned(),
        ),
        (7_959_000, 0, shown(Call::Finalize)),
    ];
    assert_eq!(calls(&trace, 1), expected);
    assert_eq!((trace.ranks[1].start, trace.ranks[1].end), (1_000_000, End::Whole));
    assert_eq!(trace.ranks[1].name, "t-1.txt");
}

#[test]
fn clocks_are_shifted_to_that_of_rank_0() {
    let text = |r: u32, clock: &str, end: &str| {
        format!(
            "# clockdiff: {clock} s (relative to rank 0)\r\nMPI_Init:-:1:2:1000\r\n\
             MPI_Barrier:1500:5,{r},2:1600\r\n# Finalize clockdiff: {end}\r\n\
             MPI_Finalize:11000:-\r\n"
        )
    };
    let files = vec![file("b", &text(1, "-250.5", "-250.4")), file("a", &text(0, "0.0", "0.0"))];
    let trace = read("run", files).unwrap();
    assert_eq!(trace.warnings, [""; 0]);
    assert_eq!([trace.ranks[0].start, trace.ranks[1].start], [1_000_000, 749_500]);
    assert_eq!(trace.ranks[0].drift, 0.0);
    assert!((trace.ranks[1].drift - 10_000.0).abs() < 1.0, "100 ns in 10 ms");
}

#[test]
fn a_halo_completes_its_requests() {
    let body = |r: u32| {
        let other = 1 - r;
        format!(
            "MPI_Irecv:1010:1:10:13,1,1:{other}:3:7,{r},2:800:1011\n\
             MPI_Irecv:1012:1:10:13,1,1:-1:-1:7,{r},2:808:1013\n\
             MPI_Issend:1014:1:10:13,1,1:{other}:3:7,{r},2:816:1015\n\
             MPI_Isend:1016:1:4:13,1,1:-2:0:7,{r},2:824:1017\n\
             MPI_Send:1018:1:10:13,1,1:{other}:4:7,{r},2:1019\n\
             MPI_Waitall:1020:4:800:0:1030\n"
        )
    };
    let trace = run(&[body(0), body(1)]).unwrap();
    let wildcard = Envelope { peer: Peer::AnySource, tag: ANY_TAG, bytes: 10, comm: WORLD };
    let no_peer = Envelope { peer: Peer::Null, tag: 0, bytes: 4, comm: WORLD };
    let found = calls(&trace, 0);
    assert_eq!(found[1].2, shown(Call::Irecv(wildcard, 1)));
    assert_eq!(found[2].2, shown(Call::Isend(Mode::Synchronous, rank(1, 3, 10, WORLD), 2)));
    assert_eq!(found[3].2, shown(Call::Isend(Mode::Standard, no_peer, 3)));
    let Call::Complete { how, requested, done } = trace.ranks[0].records().nth(5).unwrap().call
    else {
        panic!("no Waitall")
    };
    assert_eq!((how, requested), (Completion::Waitall, 4));
    assert_eq!(done.iter().map(|done| done.request).collect::<Vec<_>>(), [0, 1, 2, 3]);
    let expected = "run: 2 × receives from any source; the trace does not record the sender";
    assert_eq!(trace.warnings, [expected]);
}

#[test]
fn mpich_has_other_wildcards_and_shorter_requests() {
    let body = "MPI_Irecv:1010:1:10:13,1,1:-2:-1:1140850688,0,1:804:1011\n\
                MPI_Irecv:1012:1:10:13,1,1:-1:5:1140850688,0,1:808:1013\n\
                MPI_Waitall:1020:2:804:0:1030\n";
    let trace = run(&[body.to_owned()]).unwrap();
    let found = calls(&trace, 0);
    assert!(found[0].2.contains("peer: Any"), "{found:?}");
    assert!(found[1].2.contains("peer: Null, tag: 5"), "{found:?}");
    assert!(found[2].2.contains("request: 0") && found[2].2.contains("request: 1"));
}

#[test]
fn collectives_keep_their_arguments() {
    let body = |r: u32| {
        let c = format!("7,{r},2");
        format!(
            "MPI_Bcast:1010:1:5:1,4,4:1:{c}:1011\n\
             MPI_Reduce:1012:1:2:5:1,4,4:3:0:{c}:1013\n\
             MPI_Iallreduce:1014:1:2:5:1,4,4:99:{c}:800:1015\n\
             MPI_Allgather:1016:1:0:1,4,4:2:6:1,4,4:{c}:1017\n\
             MPI_Gatherv:1018:16:3:1,4,4:32:64:1,3:64:0,8:1,4,4:0:{c}:1019\n\
             MPI_Scatterv:1020:16:64:1,3:64:0,1:1,4,4:32:3:1,4,4:0:{c}:1021\n\
             MPI_Alltoallv:1022:16:64:1,3:64:0,1:1,4,4:32:64:1,1:64:4,0:1,4,4:{c}:1023\n\
             MPI_Reduce_scatter:1024:16:32:64:2,3:1,4,4:1:{c}:1025\n\
             MPI_Barrier:1026:{c}:1027\n\
             MPI_Wait:1028:800:0:1029\n\
             MPI_Alltoall:1030:16:2:1,4,4:32:2:1,4,4:{c}:1031\n\
             MPI_Scan:1032:16:32:2:1,4,4:12:{c}:1033\n"
        )
    };
    let trace = run(&[body(0), body(1)]).unwrap();
    assert_eq!(trace.warnings, [""; 0]);
    let of_root: Vec<Call> = trace.ranks[0].records().map(|record| record.call).collect();
    let new = Collective::new;
    let expected = [
        Collective { root: Some(1), ..new(Operation::Bcast, WORLD, 20) },
        Collective {
            root: Some(0),
            combine: Some(ReductionOperator::Sum),
            ..new(Operation::Reduce, WORLD, 20)
        },
        Collective {
            combine: Some(ReductionOperator::Own),
            request: Some(0),
            ..new(Operation::Allreduce, WORLD, 20)
        },
        new(Operation::Allgather, WORLD, 24),
        Collective {
            root: Some(0),
            receives: list(&[4, 12]),
            receive_places: list(&[0, 8]),
            ..new(Operation::Gatherv, WORLD, 12)
        },
        Collective { root: Some(0), sends: list(&[4, 12]), ..new(Operation::Scatterv, WORLD, 12) },
        Collective {
            sends: list(&[4, 12]),
            receives: list(&[4, 4]),
            receive_places: list(&[4, 0]),
            ..new(Operation::Alltoallv, WORLD, 0)
        },
        Collective {
            receives: list(&[8, 12]),
            combine: Some(ReductionOperator::Min),
            ..new(Operation::ReduceScatter, WORLD, 0)
        },
        new(Operation::Barrier, WORLD, 0),
    ];
    for (found, expected) in of_root.iter().zip(expected) {
        assert_eq!(*found, Call::Collective(expected));
    }
    let combine = Some(ReductionOperator::Maxloc);
    let scan = Collective { combine, ..new(Operation::Scan, WORLD, 8) };
    assert_eq!(of_root[11], Call::Collective(scan));
    let other = trace.ranks[1].records().nth(4).unwrap().call;
    let gather = Collective { root: Some(0), ..new(Operation::Gatherv, WORLD, 12) };
    assert_eq!(other, Call::Collective(gather), "only the root knows the lists");
}

#[test]
fn a_persistent_request_is_started_again_and_again() {
    let body = "MPI_Send_init:1010:1:10:13,1,1:0:3:7,0,1:800:1011\n\
                MPI_Recv_init:1012:1:10:13,1,1:0:3:7,0,1:808:1013\n\
                MPI_Startall:1014:2:800:1015\n\
                MPI_Waitall:1016:2:800:0:1017\n\
                MPI_Start:1018:808:1019\n\
                MPI_Cancel:1020:808:1021\n\
                MPI_Wait:1022:808:0:1023\n\
                MPI_Request_free:1024:800:1025\n";
    let trace = run(&[body.to_owned()]).unwrap();
    let found = words(&trace, 0);
    assert_eq!(found[0], shown(Call::SendInit(Mode::Standard, rank(0, 3, 10, WORLD), 0)));
    assert_eq!(found[2], "Start([0, 1])");
    assert!(found[3].contains("Waitall, requested: 2"), "{}", found[3]);
    assert_eq!([&found[4], &found[5]], ["Start([1])", "Cancel(1)"]);
    assert_eq!(found[7], "Release(0)");
    assert_eq!(trace.warnings, [""; 0]);
}

#[test]
fn failed_tests_become_one_record() {
    let body = "MPI_Irecv:1010:1:10:13,1,1:0:3:7,0,1:800:1011\n\
                MPI_Iprobe:1012:0:3:7,0,1:64:0:1013\n\
                MPI_Test:1013.5:800:64:0:1014\n\
                MPI_Test:1014.2:800:64:0:1015\n\
                MPI_Testall:1020:1:800:64:0:1021\n\
                MPI_Test:1022:800:64:0:1023\n";
    let trace = run(&[body.to_owned()]).unwrap();
    let found = calls(&trace, 0);
    let polls = |index: usize| (found[index].0, found[index].1, found[index].2.as_str());
    assert_eq!(polls(1), (1_000, 3_000, "Polls(3)"));
    assert_eq!(polls(2), (5_000, 1_000, "Polls(1)"));
    assert!(found[3].2.starts_with("Complete { how: Test"), "the last test completes it");
    assert_eq!(trace.warnings.len(), 2, "{:?}", trace.warnings);
}

#[test]
fn rows_of_a_split_are_known_by_colour_and_key() {
    let body = |r: u32| {
        let (row, place) = (r / 2, 1 - r % 2);
        format!(
            "MPI_Comm_split:1010:7,{r},4:{row}:-{r}:640:1020\n\
             MPI_Sendrecv:1030:1:3:10,8,8:{to}:5:2:4:10,8,8:-1:6:9,{place},2:0:1031\n\
             MPI_Comm_free:1040:640:1041\n",
            to = 1 - place
        )
    };
    let trace = run(&(0..4).map(body).collect::<Vec<_>>()).unwrap();
    let found = calls(&trace, 3);
    let Call::CommNew { comm, parent, name, rank: place, size } =
        trace.ranks[3].records().next().unwrap().call
    else {
        panic!("no communicator is created")
    };
    assert_eq!((comm, parent, place, size), (2, WORLD, 0, 2));
    let Some(Call::CommNew { name: other, rank: 1, .. }) =
        trace.ranks[2].records().next().map(|record| record.call)
    else {
        panic!("no communicator is created")
    };
    assert_eq!(name, other);
    assert_eq!((found[0].0, found[0].1), (10_000, 10_000));
    let send = rank(1, 5, 24, 2);
    let got = Envelope { peer: Peer::AnySource, tag: 6, bytes: 32, comm: 2 };
    let call = Call::Sendrecv { send, got, any_source: true, any_tag: false };
    assert_eq!(found[1].2, shown(call));
    assert_eq!(found[2].2, shown(Call::CommFree(2)));
}

#[test]
fn calls_in_unknown_communicators_are_counted() {
    let body = |r: u32| {
        format!(
            "MPI_Barrier:1010:7,{r},2:1011\nMPI_Isend:1020:1:3:10,8,8:0:5:9,0,3:800:1031\n\
             MPI_Waitall:1040:1:800:0:1041\nMPI_Bcast:1050:1:4:13,1,1:0:1,0,1:1051\n"
        )
    };
    let trace = run(&[body(0), body(1)]).unwrap();
    let found = words(&trace, 0);
    assert_eq!(found[1], "Named { other: 0, name: \"Isend\" }");
    assert_eq!(found[2], "Other(0)");
    assert_eq!(found[3], "Complete { how: Waitall, requested: 1, done: [] }");
    assert!(found[4].contains("comm: 1"), "alone: {}", found[4]);
    assert_eq!(trace.warnings.len(), 2, "{:?}", trace.warnings);
}

#[test]
fn calls_that_cannot_be_replayed_are_named_once() {
    let body = "MPI_File_open:1010:7,0,1:64:2:3:65:1020\nMPI_File_open:1030:1:64:2:3:65:1040\n\
                MPI_Type_commit:1050:64:1060\nMPI_Barrier:1070:7,0,1:1071\n";
    let trace = run(&[body.to_owned()]).unwrap();
    assert_eq!(names(&trace, 0).len(), 5);
    assert_eq!(calls(&trace, 0)[1], (10_000, 10_000, "Other(0)".to_owned()));
    assert_eq!(calls(&trace, 0)[3].0, 30_000, "the local call is the program's own time");
    let expected = "run: calls replayed only as time: MPI_File_open (2)";
    assert_eq!(trace.warnings, [expected]);
}

#[test]
fn one_sided_transfers_use_windows() {
    let body = |r: u32| {
        format!(
            "MPI_Win_create:1010:64:4096:8:0:7,{r},2:640:1011\nMPI_Win_fence:1020:0:555:1021\n\
             MPI_Put:1030:1:3:10,8,8:1:0:3:10,8,8:555:1031\n\
             MPI_Accumulate:1032:1:3:10,8,8:-2:0:3:10,8,8:3:555:1033\n\
             MPI_Win_free:1040:640:1041\n"
        )
    };
    let trace = run(&[body(0), body(1)]).unwrap();
    let found = words(&trace, 0);
    assert_eq!(found[0], shown(Call::WindowNew { window: 0, comm: WORLD, bytes: 4096 }));
    assert_eq!(found[1], shown(Call::Fence(0)));
    let put = Call::OneSided { how: OneSided::Put, window: 0, peer: Peer::Rank(1), bytes: 24 };
    assert_eq!(found[2], shown(put));
    assert!(found[3].contains("peer: Null"), "{}", found[3]);
    assert_eq!(found[4], shown(Call::WindowFree(0)));
    assert_eq!(trace.warnings, [""; 0]);
}

#[test]
fn errors_have_place_and_reason() {
    let place = |body: &str| {
        let error = Error::from(run(&[body.to_owned()]).unwrap_err());
        (error.place.to_string(), error.message)
    };
    let cases = [
        ("MPI_Barrier:1010:7,0:1011\n", "t-0.txt:5:18", "found `7,0`, expected a communicator"),
        ("MPI_Barrier:x:7,0,1:1011\n", "t-0.txt:5:13", "found `x`, expected the start of the call"),
        ("MPI_Barrier:1010:7,0,1\n", "t-0.txt:5:23", "the line ends here"),
        ("MPI_Barrier:1010:7,0,1:1:2\n", "t-0.txt:5:26", "found `2` after the end"),
        ("Barrier\n", "t-0.txt:5:1", "found `Barrier`, expected the name of an MPI function"),
        ("MPI_Send:1:1:1:1,4,4:3:0:7,0,1:2\n", "t-0.txt:5:22", "found rank 3 of a communicator"),
        ("MPI_Send:1:1:1:1,4:0:0:7,0,1:2\n", "t-0.txt:5:16", "found `1,4`, expected a datatype"),
        ("MPI_Bcast:1:1:5:1,4,4:9:7,0,1:2\n", "t-0.txt:5:25", "the root is rank 9"),
    ];
    for (body, expected, message) in cases {
        let (place, actual) = place(body);
        assert_eq!(place, expected, "{body}");
        assert!(actual.starts_with(message), "{body}: {actual}");
    }
}

#[test]
fn files_of_different_runs_are_rejected() {
    let text = |comm: &str| format!("MPI_Init:-:1:2:1\nMPI_Barrier:2:{comm}:3\nMPI_Finalize:4:-\n");
    let rejection = |files: &[(&str, String)]| {
        let files = files.iter().map(|(name, text)| file(name, text)).collect();
        read("run", files).unwrap_err()
    };
    let source = Source::Liballprof;
    let [a, b] = ["a", "b"].map(str::to_owned);
    let twice = TraceError::RepeatedRank { rank: 0, file: b.clone(), first: a.clone(), source };
    assert_eq!(rejection(&[("a", text("7,0,2")), ("b", text("7,0,2"))]), twice);
    let missing = MissingRanks { count: 2, first: vec![0, 2], of: 3 };
    let missing = TraceError::MissingRanks { trace: "run".to_owned(), missing, source };
    assert_eq!(rejection(&[("a", text("7,1,3"))]), missing);
    assert!(missing.to_string().starts_with("run: 2 of 3 ranks are missing: 0, 2"));
    let (size, other_size) = (3, 2);
    let sizes = TraceError::WorldSizes { file: b.clone(), line: 2, size, other: a, other_size };
    assert_eq!(rejection(&[("a", text("7,0,2")), ("b", text("7,1,3"))]), sizes);
    let nameless = TraceError::UnknownRank { file: b };
    assert_eq!(rejection(&[("a", text("7,0,2")), ("b", text("7,0,1"))]), nameless);
    let by_name =
        read("run", vec![file("x-1.txt", &text("7,0,1")), file("x-0.txt", &text("7,0,2"))]);
    assert_eq!(by_name.unwrap().ranks[1].name, "x-1.txt");
    assert!(read("run", Vec::new()).is_err());
}

#[test]
fn a_file_is_used_up_to_where_it_is_cut_off() {
    let text = "MPI_Init:-:1:2:1\nMPI_Barrier:2:7,0,1:3\nMPI_Barr";
    let trace = read("run", vec![file("a", text)]).unwrap();
    assert_eq!((names(&trace, 0), trace.ranks[0].end), (vec!["Barrier".to_owned()], End::Early));
    let expected = ["a:3: the file is cut off here", "a: the program ended before MPI_Finalize"];
    assert_eq!(trace.warnings, expected);
}

#[test]
fn traces_are_recognized_by_their_beginning() {
    let yes = ["# htor's PMPI Tracer 0.9 Output File\n", "\n# x\nMPI_Init:-:1", "MPI_Send:12.5:"];
    let no = ["", "# a comment", "0 init", "MPI_:1:2", "MPI_Init:", "MPI_Init 3", "\u{0}\u{1}"];
    for text in yes {
        assert!(looks_like(text.as_bytes()), "{text}");
    }
    for text in no {
        assert!(!looks_like(text.as_bytes()), "{text}");
    }
}
