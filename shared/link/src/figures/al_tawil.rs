//! Figures of Al-Tawil & Moritz 2001.

use super::{Figure, FigureContent, Over, Panel, Paper, Quantity};
use crate::view::View;

/// The table has overheads for 16 and 10,000 bytes.
const SIZES: Over = Over::Bytes(16, 10_000);

const INTER: Option<&str> = Some("inter-hypernode");
const INTRA: Option<&str> = Some("intra-hypernode");

const ONLY_DRAWN: &str = "the paper's Table 3 has non-blocking sends only, no blocking sends";

pub(super) static PAPER: Paper = Paper {
    authors: "Al-Tawil & Moritz",
    title: "Performance Modeling and Evaluation of MPI",
    about: "LogGP for each send mode and its protocols; two tiers for processors that share a \
            node.",
    figures: &[
        Figure {
            name: "al-tawil-1",
            number: "1",
            title: "The protocols of a send: T, TA, RTA, RAT",
            concluded: "A transfer without handshake suits messages that fit next to their header. \
                        Requests and acknowledgements avoid a buffer at the receiver, but cost the \
                        sender time.",
            shown: FigureContent::View {
                machines: &["cray-t3d"],
                view: View::Protocols,
                set: &[&[("protocol", "rat"), ("bytes", "1000")]],
            },
        },
        Figure {
            name: "al-tawil-3",
            number: "3 and 4",
            title: "A blocking and a non-blocking synchronous send with RTA",
            concluded: "The overhead of a blocking send includes the network latency. A \
                        non-blocking send leaves this time for computation, which pays off for \
                        large messages.",
            shown: FigureContent::View {
                machines: &["cray-t3d"],
                view: View::Protocols,
                set: &[&[("protocol", "rta"), ("style", "issend"), ("bytes", "10000")]],
            },
        },
        Figure {
            name: "al-tawil-5",
            number: "5",
            title: "Buffered and synchronous sends",
            concluded: "A buffered send returns when the message is copied. A synchronous send \
                        (RAT on the T3D) waits for the receiver and avoids the copy.",
            shown: FigureContent::View {
                machines: &["cray-t3d"],
                view: View::Protocols,
                set: &[&[("protocol", "rat"), ("style", "issend"), ("bytes", "10000")]],
            },
        },
        Figure {
            name: "al-tawil-6",
            number: "6",
            title: "Send overheads within and between hypernodes of the Convex",
            concluded: "Within a hypernode, with shared memory, the send overhead is a tenth.",
            shown: FigureContent::Panels {
                machines: &["convex-exemplar"],
                panels: &[Panel {
                    title: "Non-blocking standard send, o_s",
                    over: Over::Bytes(100, 10_000),
                    what: &[
                        Quantity::SendOverhead(INTER, "isend"),
                        Quantity::SendOverhead(INTRA, "isend"),
                    ],
                }],
            },
        },
        Figure {
            name: "al-tawil-7",
            number: "7",
            title: "Bandwidths within and between hypernodes of the Convex",
            concluded: "The text states a factor of 10; the gaps in Table 4, 0.05 and 0.01 µs per \
                        byte, give a factor of 5. Two tiers need a separate model: LoGH{sSP}.",
            shown: FigureContent::Panels {
                machines: &["convex-exemplar"],
                panels: &[Panel {
                    title: "1/G between and 1/S within hypernodes",
                    over: Over::Machines,
                    what: &[Quantity::Bandwidth(INTER), Quantity::Bandwidth(INTRA)],
                }],
            },
        },
        Figure {
            name: "al-tawil-8",
            number: "8",
            title: "Synchronous sends on the T3D and the NOW",
            concluded: "Non-blocking overheads hardly grow with the message size, as LogP assumes. \
                        A blocking synchronous send is not local: it includes the network latency, \
                        which is long on the NOW. Table 3 has non-blocking sends only.",
            shown: FigureContent::Panels {
                machines: &["cray-t3d", "now-sparc"],
                panels: &[Panel {
                    title: "Non-blocking synchronous send, o_s",
                    over: SIZES,
                    what: &[Quantity::SendOverhead(None, "issend")],
                }],
            },
        },
        Figure {
            name: "al-tawil-9",
            number: "9",
            title: "Blocking buffered and synchronous sends",
            concluded: "A buffered send is local and cheap for short messages; for long messages, \
                        the copy takes as long as waiting.",
            shown: FigureContent::Not(ONLY_DRAWN),
        },
        Figure {
            name: "al-tawil-10",
            number: "10",
            title: "Standard sends: non-blocking and synchronous",
            concluded: "The difference between a blocking and a non-blocking send is the time that \
                        the sender can overlap: from 500 to 1,000 bytes on for the T3D. Table 3 \
                        lacks the blocking curves; a measured signature shows them in the view \
                        Protocols.",
            shown: FigureContent::Panels {
                machines: &["cray-t3d", "now-sparc"],
                panels: &[Panel {
                    title: "Non-blocking sends, o_s",
                    over: SIZES,
                    what: &[
                        Quantity::SendOverhead(None, "isend"),
                        Quantity::SendOverhead(None, "issend"),
                    ],
                }],
            },
        },
        Figure {
            name: "al-tawil-11",
            number: "11",
            title: "Receive overheads",
            concluded: "Non-blocking receives pay off from 1,000 bytes on for the NOW, and from \
                        2,000 bytes on for the T3D. Table 3 lacks the blocking curves.",
            shown: FigureContent::Panels {
                machines: &["cray-t3d", "now-sparc"],
                panels: &[Panel {
                    title: "Non-blocking receive, o_r",
                    over: SIZES,
                    what: &[Quantity::RecvOverhead("isend")],
                }],
            },
        },
        Figure {
            name: "al-tawil-12",
            number: "12",
            title: "Standard non-blocking sends of all three machines",
            concluded: "Overheads are lowest within a Convex hypernode. Between hypernodes they \
                        are slightly above those of the T3D; those of the NOW are more than ten \
                        times as large.",
            shown: FigureContent::Panels {
                machines: &["cray-t3d", "now-sparc", "convex-exemplar"],
                panels: &[
                    Panel {
                        title: "Non-blocking standard send, o_s",
                        over: SIZES,
                        what: &[Quantity::SendOverhead(None, "isend")],
                    },
                    Panel {
                        title: "Non-blocking standard send within a hypernode, o_s",
                        over: SIZES,
                        what: &[Quantity::SendOverhead(INTRA, "isend")],
                    },
                ],
            },
        },
        Figure {
            name: "al-tawil-13",
            number: "13",
            title: "Bandwidths for long messages of all three machines",
            concluded: "The bandwidth is highest within a Convex hypernode. The 1/G of the NOW \
                        exceeds its 10 Mbit/s Ethernet; the value of the table is kept.",
            shown: FigureContent::Panels {
                machines: &["cray-t3d", "now-sparc", "convex-exemplar"],
                panels: &[
                    Panel {
                        title: "1/G",
                        over: Over::Machines,
                        what: &[Quantity::Bandwidth(None)],
                    },
                    Panel {
                        title: "1/S, within a hypernode",
                        over: Over::Machines,
                        what: &[Quantity::Bandwidth(INTRA)],
                    },
                ],
            },
        },
    ],
};
