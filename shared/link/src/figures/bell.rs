//! Figures of Bell et al. 2003.

use super::{Figure, FigureContent, Paper};
use crate::view::View;

/// The paper's text gives EEL, o_s and o_r of two networks; everything else is only in figures.
const TOLD: &[&str] = &["myrinet-gm", "quadrics-shmem"];

/// A figure that a measured signature draws like the paper.
const OWN: FigureContent = FigureContent::View { machines: &[], view: View::Signature, set: &[] };

pub(super) static PAPER: Paper = Paper {
    authors: "Bell et al.",
    title: "An Evaluation of Current High-Performance Networks",
    about: "End-to-end latency, overheads and gaps of several networks and interfaces, and what \
            they leave for overlapping, pipelining and packing. Bars are drawn only, so all but \
            two networks of Figure 3 need a measured signature: open yours, then the figure.",
    figures: &[
        Figure {
            name: "bell-3",
            number: "3",
            title: "Overheads superimposed on end-to-end latency",
            concluded: "Myrinet/GM takes 8.5 µs and Quadrics/SHMEM 1.7, but the sender is busy for \
                        0.7 and 0.4 only: 7.8 µs of potential overlap against 1.3. Where one side \
                        serves the other's memory, o_r is zero.",
            shown: FigureContent::View { machines: TOLD, view: View::Signature, set: &[] },
        },
        Figure {
            name: "bell-5",
            number: "5",
            title: "The gap of 8-byte messages by queue depth",
            concluded: "On some networks messages in a row are much cheaper than one by one: the \
                        gap falls as more are in flight.",
            shown: OWN,
        },
        Figure {
            name: "bell-6",
            number: "6",
            title: "Gap and overheads of 8-byte messages",
            concluded: "Where g exceeds o_s, processors have time to compute even while messages \
                        are clustered: one-sided interfaces are the clearest cases.",
            shown: OWN,
        },
        Figure {
            name: "bell-7",
            number: "7",
            title: "Gap of small messages against gap per byte of large ones",
            concluded: "g and G differ by three orders of magnitude and have little to do with \
                        each other: G is hardware, g varies between 1 and 10 µs.",
            shown: OWN,
        },
        Figure {
            name: "bell-8",
            number: "8",
            title: "From which size on a message is large",
            concluded: "Beyond g/G bytes bandwidth decides. That size differs by a factor of six \
                        between networks.",
            shown: OWN,
        },
        Figure {
            name: "bell-5.4",
            number: "§5.4",
            title: "Clustering combined with computation",
            concluded: "First as many messages as can be clustered, then computation in what time \
                        is left: how far this goes depends on the program.",
            shown: FigureContent::View {
                machines: TOLD,
                view: View::Overlap,
                set: &[&[("bytes", "8"), ("count", "100"), ("compute", "5us")]],
            },
        },
    ],
};
