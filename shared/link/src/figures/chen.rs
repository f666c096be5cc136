//! Figures of Chen, Zhai, Zhang & Zheng 2009.

use super::{Figure, FigureContent, Paper};
use crate::view::View;

/// The paper has no table of parameters: L and G of the T3D, and assumed LogGPO parameters.
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
    about: "The overlap of communication with computation depends on the kind of progress. \
            The paper has no table of parameters: these examples use L and G of the T3D, and \
            assume O' = O_i = O_c = 10 µs and S = 4 KiB.",
    figures: &[
        Figure {
            name: "chen-1",
            number: "1",
            title: "Overlap of computation and communication predicted by LogGP and LogGPO",
            concluded: "In LogGP, a long computation hides the whole transfer. With rendezvous and \
                        progress only inside MPI calls, both sides still wait.",
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
            concluded: "Eager messages overlap well: the sender pays O_i and the receiver O_c with \
                        any kind of progress; the time of the copy grows with the size.",
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
            title: "Rendezvous with RAT and a late receive",
            concluded: "The receive call finds the request and answers it: the receiver pays only \
                        2O', and the overlap is larger than with an early receive.",
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
            title: "Rendezvous with RAT and an early receive",
            concluded: "The receive call returns at once, and the request is answered only in the \
                        receiver's wait: the answer is late, and both sides wait for the transfer.",
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
            title: "LogGPO and LogGP compared with ping-pong, NPB CG and Sweep3D",
            concluded: "Mean errors of LogGPO are 2.4% on CG and 2.0% on Sweep3D, those of LogGP \
                        38.3% and 9.1%: LogGP overestimates the overlap of long messages.",
            shown: FigureContent::Not("the page with the platforms' parameters is missing"),
        },
    ],
};
