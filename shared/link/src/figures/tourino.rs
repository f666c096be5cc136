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

/// No more than 12 processors could be used by one program.
const PROCS: Over = Over::Procs(2, 12);

const MPI: &[&str] = &["ap3000-mpi"];
const LIBRARIES: &[&str] = &["ap3000-mpi", "ap3000-pvm", "ap3000-aplib"];

pub(super) static PAPER: Paper = Paper {
    authors: "Touriño & Doallo",
    title: "Characterization of Message-Passing Overhead on the AP3000 Multicomputer",
    about: "One machine, three libraries: fitted forms show which primitive to choose, and which \
            ones are badly made.",
    figures: &[
        Figure {
            name: "tourino-1",
            number: "1",
            title: "Broadcasts of three libraries on 8 processors over the size of the message",
            concluded: "The models fit PVM and APLib well; MPI's startup should be a little higher \
                        than its form says. APLib's broadcast is inefficient.",
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
            title: "Broadcasts of 64 KiB over the number of processors",
            concluded: "MPI's broadcast is a tree and grows with log p, where the others grow with \
                        p: the gap widens with every processor.",
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
            title: "Broadcast, scatter and gather on 8 processors over the size of the message",
            concluded: "For long messages a scatter is the least expensive: what each processor \
                        gets becomes smaller as they become more. Its startup grows with p, for \
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
            title: "Allgather, total exchange and reduce on 8 processors over the size",
            concluded: "Allgather and total exchange are made alike: almost the same startup, and \
                        transfers along a similar curve, the total exchange above.",
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
            title: "Allreduce, reduce_scatter and parallel prefix on 8 processors over the size",
            concluded: "A parallel prefix has the highest transfer time of all: it grows with p \
                        where log p would do.",
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
            title: "Data movement of 16 bytes over the number of processors",
            concluded: "With short messages startup is everything: allgather, which grows with p, \
                        is the highest, and broadcast the lowest. Gather and then broadcast does \
                        what an allgather does, for half the time at 12 processors.",
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
            title: "Reductions of 16 bytes over the number of processors",
            concluded: "Reduce_scatter is badly made: for short messages it is cheaper to have the \
                        whole result everywhere, by an allreduce, than a part of it.",
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
            title: "Data movement of 256 KiB over the number of processors",
            concluded: "Of long messages, a scatter moves its bytes at the least cost.",
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
            title: "Reductions of 256 KiB over the number of processors",
            concluded: "Here the prefix grows with p, and is clearly the most expensive. Allreduce \
                        takes about what reduce and broadcast take, a little less as p grows.",
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
