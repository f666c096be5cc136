//! Figures of Bell et al. 2003.

use super::{Figure, FigureContent, Paper};
use crate::view::View;

/// The networks whose EEL, o_s and o_r are in the paper's text; other data are in figures only.
const IN_TEXT: &[&str] = &["myrinet-gm", "quadrics-shmem"];

/// A figure that needs a measured signature.
const OWN: FigureContent = FigureContent::View { machines: &[], view: View::Signature, set: &[] };

pub(super) static PAPER: Paper = Paper {
    authors: "Bell et al.",
    title: "An Evaluation of Current High-Performance Networks",
    about: "End-to-end latency, overheads and gaps of several networks and interfaces, and their \
            potential for overlapping, pipelining and packing. The paper's text has numbers of two \
            networks in Figure 3 only; other figures need a measured signature: open yours first.",
    figures: &[
        Figure {
            name: "bell-3",
            number: "3",
            title: "Overheads superimposed on end-to-end latency",
            concluded: "Latency is 8.5 µs on Myrinet/GM and 1.7 µs on Quadrics/SHMEM, but the send \
                        overhead is only 0.7 and 0.4 µs: 7.8 and 1.3 µs of potential overlap. With \
                        one-sided access to remote memory, o_r is zero.",
            shown: FigureContent::View { machines: IN_TEXT, view: View::Signature, set: &[] },
        },
        Figure {
            name: "bell-5",
            number: "5",
            title: "The gap of 8-byte messages by queue depth",
            concluded: "On some networks the gap decreases strongly with the number of messages in \
                        flight.",
            shown: OWN,
        },
        Figure {
            name: "bell-6",
            number: "6",
            title: "Gap and overheads of 8-byte messages",
            concluded: "If g exceeds o_s, processors have time for computation even between \
                        clustered messages, most clearly with one-sided interfaces.",
            shown: OWN,
        },
        Figure {
            name: "bell-7",
            number: "7",
            title: "Gap of small messages and gap per byte of large messages",
            concluded: "g and G differ by three orders of magnitude and are hardly related: G \
                        depends on the hardware, and g varies between 1 and 10 µs.",
            shown: OWN,
        },
        Figure {
            name: "bell-8",
            number: "8",
            title: "Message size at which bandwidth dominates",
            concluded: "Above g/G bytes, bandwidth dominates. This size differs by a factor of six \
                        between networks.",
            shown: OWN,
        },
        Figure {
            name: "bell-5.4",
            number: "§5.4",
            title: "Clustering combined with computation",
            concluded: "Messages are clustered as far as possible, and computation overlaps with \
                        the remaining time; the gain depends on the program.",
            shown: FigureContent::View {
                machines: IN_TEXT,
                view: View::Overlap,
                set: &[&[("bytes", "8"), ("count", "100"), ("compute", "5us")]],
            },
        },
    ],
};
