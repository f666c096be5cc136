//! The overheads as parts of the end-to-end latency, as bars (Bell et al. 2003, Figure 3).

use crate::draw::figure::Ink;
use loggia_model::model::metrics::Superimposed;
use loggia_model::units::Micros;

/// A rectangle of a bar, as fractions of the longest bar and of the bar's height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) ink: Ink,
    pub(crate) from: f64,
    pub(crate) width: f64,
    pub(crate) top: f64,
    pub(crate) height: f64,
}

/// Length of a bar: overheads may exceed the latency.
pub(crate) fn length(parts: &Superimposed) -> Micros {
    let Superimposed { send_only, both, free, recv_only, .. } = *parts;
    send_only + both + free + recv_only.unwrap_or_default()
}

/// The bar of a send mode. If both processors are busy, each has half of the height.
pub(crate) fn bar(parts: &Superimposed, longest: Micros) -> Vec<Segment> {
    let mut at = 0.0;
    let mut bar = Vec::new();
    let busy = [
        (parts.send_only, vec![(Ink::Send, 0.0, 1.0)]),
        (parts.both, vec![(Ink::Send, 0.0, 0.5), (Ink::Recv, 0.5, 0.5)]),
        (parts.free, vec![(Ink::Idle, 0.0, 1.0)]),
        (parts.recv_only.unwrap_or_default(), vec![(Ink::Recv, 0.0, 1.0)]),
    ];
    for (time, halves) in busy {
        let width = time.0 / longest.0;
        if width > 0.0 {
            let segment = |(ink, top, height)| Segment { ink, from: at, width, top, height };
            bar.extend(halves.into_iter().map(segment));
            at += width;
        }
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_consecutive_and_overlapping_ones_share_the_height() {
        let parts = Superimposed {
            end_to_end: Micros(10.0),
            send_only: Micros(5.0),
            both: Micros(3.0),
            free: Micros(0.0),
            recv_only: Some(Micros(2.0)),
        };
        assert_eq!(length(&parts), Micros(10.0));
        let bar = bar(&parts, Micros(20.0));
        let places: Vec<_> = bar.iter().map(|s| (s.ink, s.from, s.height)).collect();
        let expected = [
            (Ink::Send, 0.0, 1.0),
            (Ink::Send, 0.25, 0.5),
            (Ink::Recv, 0.25, 0.5),
            (Ink::Recv, 0.4, 1.0),
        ];
        assert_eq!(places, expected);
    }
}
