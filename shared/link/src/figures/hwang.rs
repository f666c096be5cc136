//! Figures of Hwang, Wang & Wang 1997.

use super::{Figure, FigureContent, Over, Panel, Paper, Quantity};
use loggia_model::signature::Operation;

const MACHINES: &[&str] = &["ibm-sp2", "cray-t3d", "intel-paragon"];

const KIB: u64 = 1024;

/// The six operations of the figures, each a panel of this shape.
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
    about: "Collective operations cost a startup that grows with the processes and a transmission \
            that grows with the bytes, too; both are fitted, machine by machine.",
    figures: &[
        Figure {
            name: "hwang-1",
            number: "1",
            title: "Startup of six operations over the number of processes",
            concluded: "Startup grows with p for gather, scatter and total exchange and with log p \
                        for broadcast, scan, reduce and barrier. The T3D starts fastest, except a \
                        scan, which the Paragon begins sooner; in gathers and total exchanges the \
                        Paragon is the slowest.",
            shown: FigureContent::Panels {
                machines: MACHINES,
                panels: six_panels!(Over::Procs(2, 128), OP => [Quantity::Startup(OP)]),
            },
        },
        Figure {
            name: "hwang-2",
            number: "2",
            title: "Time of six operations on 32 processes over the size of the message",
            concluded: "Below 1 KiB size hardly matters; beyond 4 KiB transmission decides, and the \
                        time grows linearly. The SP2 beats the Paragon with short messages, the \
                        Paragon the SP2 with long ones, except in reductions, where from 64 KiB on \
                        the SP2 is the fastest of the three.",
            shown: FigureContent::Panels {
                machines: MACHINES,
                panels: six_panels!(Over::Bytes(4, 64 * KIB), OP => [Quantity::TimeOfProcs(OP, 32)]),
            },
        },
        Figure {
            name: "hwang-3",
            number: "3",
            title: "Time of six operations over the number of processes, for 16 B and 64 KiB",
            concluded: "Ranks change with the machine's size: in a scatter of 64 KiB the SP2 and the \
                        Paragon swap places between 4 and 8 processes. They change with the \
                        message, too: in reductions SP2, T3D, Paragon becomes T3D, Paragon, SP2 \
                        when messages are short. Time is more sensitive to long messages than to \
                        many processes.",
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
            title: "Quantity the time is made of: 32 processes, 1 KiB a message",
            concluded: "A total exchange takes by far the longest. On the Paragon startup dominates \
                        total exchange and gather: measured 3,857 and 2,918 µs, where Table 3's \
                        forms give 3,186 and 1,551; both are kept here, the measured ones as \
                        samples.",
            shown: FigureContent::Panels {
                machines: MACHINES,
                panels: six_panels!(Over::Machines, OP => [Quantity::Breakdown(OP, KIB, 32)]),
            },
        },
        Figure {
            name: "hwang-5",
            number: "5",
            title: "Aggregated bandwidth over the number of processes",
            concluded: "Quantity all processes move together grows with p in every operation, at very \
                        different rates: 1,745, 879 and 818 MB/s in a total exchange of 64 on T3D, \
                        Paragon and SP2. The ranking for one operation says nothing of another's.",
            shown: FigureContent::Panels {
                machines: MACHINES,
                panels: six_panels!(Over::Procs(2, 128), OP => [Quantity::Aggregated(OP)]),
            },
        },
    ],
};
