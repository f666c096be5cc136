//! Figures of Touriño & Doallo 2001.

use super::{Figure, FigureContent, Over, Panel, Paper, Quantity};
use loggia_model::signature::Operation::{
    self, Allgather, Allreduce, Alltoall, Bcast, Gather, Reduce, ReduceScatter, Scan, Scatter,
};

const KIB: u64 = 1024;

/// The largest message of the figures over size.
const LONGEST: u64 = 1024 * KIB;

const fn over_bytes(op: Operation) -> Quantity {
    Quantity::TimeOfProcs(op, 8)
}

const fn short(op: Operation) -> Quantity {
    Quantity::TimeOfBytes(op, 16)
}

const fn long(op: Operation) -> Quantity {
    Quantity::TimeOfBytes(op, 256 * KIB)
}

const SIZES: Over = Over::Bytes(16, LONGEST);

/// A program could use at most 12 processors.
const PROCS: Over = Over::Procs(2, 12);

const MPI: &[&str] = &["ap3000-mpi"];
const LIBRARIES: &[&str] = &["ap3000-mpi", "ap3000-pvm", "ap3000-aplib"];

pub(super) static PAPER: Paper = Paper {
    authors: "Touriño & Doallo",
    title: "Characterization of Message-Passing Overhead on the AP3000 Multicomputer",
    about: "Three libraries on one machine: fitted forms show which primitive to choose, and which \
            primitives are inefficient.",
    figures: &[
        Figure {
            name: "tourino-1",
            number: "1",
            title: "Broadcasts of three libraries on 8 processors by message size",
            concluded: "The models fit PVM and APLib well; the startup of MPI should be slightly \
                        higher than its form. The broadcast of APLib is inefficient.",
            shown: FigureContent::Panels {
                machines: LIBRARIES,
                panels: &[Panel {
                    title: "Broadcast, p = 8",
                    over: SIZES,
                    what: &[over_bytes(Bcast)],
                }],
            },
        },
        Figure {
            name: "tourino-2",
            number: "2",
            title: "Broadcasts of 64 KiB by number of processors",
            concluded: "The broadcast of MPI is a tree and grows with log p; those of PVM and \
                        APLib grow with p, so the difference grows with every processor.",
            shown: FigureContent::Panels {
                machines: LIBRARIES,
                panels: &[Panel {
                    title: "Broadcast of 64 KiB",
                    over: PROCS,
                    what: &[Quantity::TimeOfBytes(Bcast, 64 * KIB)],
                }],
            },
        },
        Figure {
            name: "tourino-3",
            number: "3",
            title: "Broadcast, scatter and gather on 8 processors by message size",
            concluded: "For long messages, scatter is the least expensive operation: the part of \
                        each processor becomes smaller with p. The startup grows with p, because \
                        the root has to split the message.",
            shown: FigureContent::Panels {
                machines: MPI,
                panels: &[Panel {
                    title: "Data movement, p = 8",
                    over: SIZES,
                    what: &[over_bytes(Bcast), over_bytes(Scatter), over_bytes(Gather)],
                }],
            },
        },
        Figure {
            name: "tourino-4",
            number: "4",
            title: "Allgather, total exchange and reduce on 8 processors by message size",
            concluded: "Allgather and total exchange are implemented similarly: their startups are \
                        almost equal, and their transfer times have similar curves; the total \
                        exchange takes longer.",
            shown: FigureContent::Panels {
                machines: MPI,
                panels: &[Panel {
                    title: "Allgather, total exchange, reduce, p = 8",
                    over: SIZES,
                    what: &[over_bytes(Allgather), over_bytes(Alltoall), over_bytes(Reduce)],
                }],
            },
        },
        Figure {
            name: "tourino-5",
            number: "5",
            title: "Allreduce, reduce_scatter and parallel prefix on 8 processors by message size",
            concluded: "The parallel prefix has the longest transfer time: it grows with p, \
                        although log p is possible.",
            shown: FigureContent::Panels {
                machines: MPI,
                panels: &[Panel {
                    title: "Reductions, p = 8",
                    over: SIZES,
                    what: &[over_bytes(Allreduce), over_bytes(ReduceScatter), over_bytes(Scan)],
                }],
            },
        },
        Figure {
            name: "tourino-6",
            number: "6",
            title: "Data movement of 16 bytes by number of processors",
            concluded: "For short messages, startup dominates: it is longest for allgather, which \
                        grows with p, and shortest for broadcast. A gather followed by a broadcast \
                        has the result of an allgather, in half the time on 12 processors.",
            shown: FigureContent::Panels {
                machines: MPI,
                panels: &[Panel {
                    title: "Data movement, 16 B",
                    over: PROCS,
                    what: &[
                        short(Bcast),
                        short(Scatter),
                        short(Gather),
                        short(Allgather),
                        short(Alltoall),
                    ],
                }],
            },
        },
        Figure {
            name: "tourino-7",
            number: "7",
            title: "Reductions of 16 bytes by number of processors",
            concluded: "Reduce_scatter is inefficient: for short messages, an allreduce, which \
                        gives every processor the whole result, takes less time.",
            shown: FigureContent::Panels {
                machines: MPI,
                panels: &[Panel {
                    title: "Reductions, 16 B",
                    over: PROCS,
                    what: &[short(Reduce), short(Allreduce), short(ReduceScatter), short(Scan)],
                }],
            },
        },
        Figure {
            name: "tourino-8",
            number: "8",
            title: "Data movement of 256 KiB by number of processors",
            concluded: "For long messages, scatter has the least time per byte.",
            shown: FigureContent::Panels {
                machines: MPI,
                panels: &[Panel {
                    title: "Data movement, 256 KiB",
                    over: PROCS,
                    what: &[
                        long(Bcast),
                        long(Scatter),
                        long(Gather),
                        long(Allgather),
                        long(Alltoall),
                    ],
                }],
            },
        },
        Figure {
            name: "tourino-9",
            number: "9",
            title: "Reductions of 256 KiB by number of processors",
            concluded: "The parallel prefix grows with p and clearly takes the longest. An \
                        allreduce takes about as long as a reduce and a broadcast, and slightly \
                        less for large p.",
            shown: FigureContent::Panels {
                machines: MPI,
                panels: &[Panel {
                    title: "Reductions, 256 KiB",
                    over: PROCS,
                    what: &[long(Reduce), long(Allreduce), long(ReduceScatter), long(Scan)],
                }],
            },
        },
    ],
};
