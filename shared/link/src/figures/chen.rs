//! Figures of Chen, Zhai, Zhang & Zheng 2009.

use super::{Figure, FigureContent, Paper};
use crate::view::View;

/// The paper tabulates no platform: the T3D's L and G, and round numbers for what LogGPO adds.
const MACHINE: &[&str] = &["cray-t3d"];
const ASSUMED: &[(&str, &str)] = &[
    ("O'", "10us"),
    ("O_i", "10us"),
    ("O_c", "10us"),
    ("S", "4096"),
    ("transfer", "rat"),
    ("progress", "DCP"),
];

pub(super) static PAPER: Paper = Paper {
    authors: "Chen, Zhai, Zhang & Zheng",
    title: "LogGPO: An accurate communication model for performance prediction of MPI programs",
    about: "How much of a message's time computation can hide depends on who moves the message on. \
            The paper tabulates no machine: these examples take the T3D's L and G, with \
            O' = O_i = O_c = 10 µs and S = 4 KiB assumed.",
    figures: &[
        Figure {
            name: "chen-1",
            number: "1",
            title: "Overlap of computation and communication: LogGP's prediction and LogGPO's",
            concluded: "LogGP lets long enough computation hide all of a message. By rendezvous, \
                        with progress only inside MPI's calls, both sides still pay.",
            shown: FigureContent::View {
                machines: MACHINE,
                view: View::Overlap,
                set: &[
                    ASSUMED,
                    &[("bytes", "10000"), ("send_compute", "600us"), ("recv_compute", "600us")],
                ],
            },
        },
        Figure {
            name: "chen-2",
            number: "2",
            title: "The cost of an eager message",
            concluded: "Eager messages overlap well: the sender pays O_i and the receiver O_c, \
                        whoever makes progress; the copy grows with the message.",
            shown: FigureContent::View {
                machines: MACHINE,
                view: View::Overlap,
                set: &[
                    ASSUMED,
                    &[("bytes", "1024"), ("send_compute", "80us"), ("recv_compute", "80us")],
                ],
            },
        },
        Figure {
            name: "chen-3a",
            number: "3 (a)",
            title: "Rendezvous by RAT where the receive comes late",
            concluded: "The receive finds the request and answers it itself: the receiver pays \
                        2O' only, and overlap is the larger of the two cases.",
            shown: FigureContent::View {
                machines: MACHINE,
                view: View::Overlap,
                set: &[
                    ASSUMED,
                    &[
                        ("bytes", "10000"),
                        ("recv_at", "60us"),
                        ("send_compute", "40us"),
                        ("recv_compute", "500us"),
                    ],
                ],
            },
        },
        Figure {
            name: "chen-3b",
            number: "3 (b)",
            title: "Rendezvous by RAT where the receive comes early",
            concluded: "The receive returns at once, and the request waits for the receiver's \
                        wait: the answer comes late, and both sides pay for the transfer.",
            shown: FigureContent::View {
                machines: MACHINE,
                view: View::Overlap,
                set: &[
                    ASSUMED,
                    &[
                        ("bytes", "10000"),
                        ("send_at", "40us"),
                        ("send_compute", "40us"),
                        ("recv_compute", "200us"),
                    ],
                ],
            },
        },
        Figure {
            name: "chen-5",
            number: "5 and 6",
            title: "LogGPO and LogGP against ping-pong, NPB CG and Sweep3D",
            concluded: "LogGPO errs by 2.4% on CG and 2.0% on Sweep3D on average, LogGP by 38.3% \
                        and 9.1%: long messages are where overlap is overrated.",
            shown: FigureContent::Not("its platforms' parameters are on a page that is missing"),
        },
    ],
};
