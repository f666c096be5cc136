//! Figures of Hwang, Wang & Wang 1997.

use super::{Figure, FigureContent, Over, Panel, Paper, Quantity};
use loggia_model::signature::Operation;

const MACHINES: &[&str] = &["ibm-sp2", "cray-t3d", "intel-paragon"];

const KIB: u64 = 1024;

/// A panel for each of the six operations.
macro_rules! six_panels {
    ($over:expr, $op:ident => $what:expr) => {
        &[
            six_panels!(@ "Broadcast", Bcast, $over, $op => $what),
            six_panels!(@ "Total exchange", Alltoall, $over, $op => $what),
            six_panels!(@ "Gather", Gather, $over, $op => $what),
            six_panels!(@ "Scatter", Scatter, $over, $op => $what),
            six_panels!(@ "Scan", Scan, $over, $op => $what),
            six_panels!(@ "Reduce", Reduce, $over, $op => $what),
        ]
    };
    (@ $title:literal, $operation:ident, $over:expr, $op:ident => $what:expr) => {
        Panel {
            title: $title,
            over: $over,
            what: {
                const $op: Operation = Operation::$operation;
                &$what
            },
        }
    };
}

pub(super) static PAPER: Paper = Paper {
    authors: "Hwang, Wang & Wang",
    title: "Evaluating MPI Collective Communication on the SP2, T3D, and Paragon Multicomputers",
    about: "The time of collective operations has a startup that grows with the number of \
            processes, and a transmission that also grows with the bytes; both are fitted for each \
            machine.",
    figures: &[
        Figure {
            name: "hwang-1",
            number: "1",
            title: "Startup of six operations by number of processes",
            concluded: "Startup grows with p for gather, scatter and total exchange, and with log \
                        p for broadcast, scan, reduce and barrier. The T3D has the shortest \
                        startup, except for scan, where the Paragon is faster. The Paragon has the \
                        longest startup for gather and total exchange.",
            shown: FigureContent::Panels {
                machines: MACHINES,
                panels: six_panels!(Over::Procs(2, 128), OP => [Quantity::Startup(OP)]),
            },
        },
        Figure {
            name: "hwang-2",
            number: "2",
            title: "Time of six operations on 32 processes by message size",
            concluded: "Below 1 KiB the size hardly matters; above 4 KiB transmission dominates, \
                        and the time grows linearly. The SP2 is faster than the Paragon for short \
                        messages, and slower for long messages, except in reductions: from 64 KiB \
                        on, the SP2 is the fastest machine.",
            shown: FigureContent::Panels {
                machines: MACHINES,
                panels: six_panels!(Over::Bytes(4, 64 * KIB), OP => [Quantity::TimeOfProcs(OP, 32)]),
            },
        },
        Figure {
            name: "hwang-3",
            number: "3",
            title: "Time of six operations by number of processes, for 16 B and 64 KiB",
            concluded: "The ranking of the machines changes with p: for a scatter of 64 KiB, the \
                        SP2 and the Paragon swap between 4 and 8 processes. It also changes with \
                        the message size: for reductions, SP2, T3D, Paragon (long messages) \
                        becomes T3D, Paragon, SP2 (short messages). The time is more sensitive to \
                        the message size than to the number of processes.",
            shown: FigureContent::Panels {
                machines: MACHINES,
                panels: six_panels!(
                    Over::Procs(2, 128),
                    OP => [Quantity::TimeOfBytes(OP, 16), Quantity::TimeOfBytes(OP, 64 * KIB)]
                ),
            },
        },
        Figure {
            name: "hwang-4",
            number: "4",
            title: "Parts of the time: 32 processes, 1 KiB per message",
            concluded: "A total exchange takes longest by far. On the Paragon, startup dominates \
                        total exchange and gather: 3,857 and 2,918 µs measured, 3,186 and 1,551 µs \
                        by the forms of Table 3. Loggia keeps both, the measured times as \
                        samples.",
            shown: FigureContent::Panels {
                machines: MACHINES,
                panels: six_panels!(Over::Machines, OP => [Quantity::Breakdown(OP, KIB, 32)]),
            },
        },
        Figure {
            name: "hwang-5",
            number: "5",
            title: "Aggregated bandwidth by number of processes",
            concluded: "The aggregated bandwidth grows with p in every operation, at very \
                        different rates: a total exchange of 64 processes has 1,745, 879 and \
                        818 MB/s on T3D, Paragon and SP2. The rankings of two operations are \
                        unrelated.",
            shown: FigureContent::Panels {
                machines: MACHINES,
                panels: six_panels!(Over::Procs(2, 128), OP => [Quantity::Aggregated(OP)]),
            },
        },
    ],
};
