//! Figures of Al-Tawil & Moritz 2001.

use super::{Figure, FigureContent, Over, Panel, Paper, Quantity};
use crate::view::View;

/// Overheads are tabulated for 16 and 10,000 bytes.
const SIZES: Over = Over::Bytes(16, 10_000);

const INTER: Option<&str> = Some("inter-hypernode");
const INTRA: Option<&str> = Some("intra-hypernode");

const ONLY_DRAWN: &str = "blocking sends stand in the picture only; Table 3 has the non-blocking \
                          ones";

pub(super) static PAPER: Paper = Paper {
    authors: "Al-Tawil & Moritz",
    title: "Performance Modeling and Evaluation of MPI",
    about: "LogGP for each way of sending, with the protocols behind them; two tiers where \
            processors share a node.",
    figures: &[
        Figure {
            name: "al-tawil-1",
            number: "1",
            title: "The protocols of a send: T, TA, RTA, RAT",
            concluded: "Transfer alone suits messages that fit beside their header; requests and \
                        acknowledgements spare the receiver a buffer, and cost the sender time.",
            shown: FigureContent::View {
                machines: &["cray-t3d"],
                view: View::Protocols,
                set: &[&[("protocol", "rat"), ("bytes", "1000")]],
            },
        },
        Figure {
            name: "al-tawil-3",
            number: "3 and 4",
            title: "A blocking and a non-blocking synchronous send by RTA",
            concluded: "Blocking, the network's latency is a part of the send's overhead. \
                        Non-blocking, the same time is free for computing: worth it for large \
                        messages.",
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
            concluded: "A buffered send returns when the message is copied; a synchronous one, by \
                        RAT on the T3D, waits for the receiver, and saves the copy.",
            shown: FigureContent::View {
                machines: &["cray-t3d"],
                view: View::Protocols,
                set: &[&[("protocol", "rat"), ("style", "issend"), ("bytes", "10000")]],
            },
        },
        Figure {
            name: "al-tawil-6",
            number: "6",
            title: "Send overheads within a hypernode of the Convex and between two",
            concluded: "Within a hypernode, where memory is shared, a send costs a tenth.",
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
            title: "Bandwidths within a hypernode of the Convex and between two",
            concluded: "The text speaks of a factor of ten; Table 4's gaps, 0.05 and 0.01 µs a \
                        byte, make it five. Two tiers need a model of their own: LoGH{sSP}.",
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
            concluded: "Non-blocking overheads hardly grow with the message, as LogP assumes. A \
                        blocking synchronous send is not local: it contains the network's latency, \
                        and on the NOW that is long. Only the non-blocking ones are in Table 3.",
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
            concluded: "A buffered send is local and cheap for short messages; copying long ones \
                        costs as much as waiting.",
            shown: FigureContent::Not(ONLY_DRAWN),
        },
        Figure {
            name: "al-tawil-10",
            number: "10",
            title: "Standard sends: non-blocking and synchronous",
            concluded: "The difference between a blocking and a non-blocking send is what the \
                        sender can hide: from 500 to 1,000 bytes on at the T3D. The blocking \
                        curves are not in Table 3; a measured signature shows them under \
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
            concluded: "Non-blocking receives pay from 1,000 bytes on at the NOW and from 2,000 at \
                        the T3D. The blocking curves are not in Table 3.",
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
            concluded: "Within a Convex hypernode overheads are the lowest; between hypernodes they \
                        are a little above the T3D's; the NOW's are ten times those and more.",
            shown: FigureContent::Panels {
                machines: &["cray-t3d", "now-sparc", "convex-exemplar"],
                panels: &[
                    Panel {
                        title: "Non-blocking standard send, o_s",
                        over: SIZES,
                        what: &[Quantity::SendOverhead(None, "isend")],
                    },
                    Panel {
                        title: "The same within a hypernode",
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
            concluded: "Messages travel fastest within a Convex hypernode. The NOW's 1/G is more \
                        than its Ethernet of 10 Mbit/s can carry; the table is kept.",
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
