//! Space-time diagram of one sender and one receiver, to scale.

use super::figure::Ink;
use super::path::Pixel;
use loggia_model::timeline::{Activity, Lane, Span, Timeline};
use loggia_model::units::Micros;

/// Positions of the two lines, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lanes {
    /// Left end of the time axis.
    pub(crate) left: f64,
    /// Right end.
    pub(crate) right: f64,
    /// Top of the sender's line.
    pub(crate) sender: f64,
    /// Top of the receiver's line.
    pub(crate) receiver: f64,
    /// Thickness of a line.
    pub(crate) thick: f64,
    /// Font size.
    pub(crate) em: f64,
    /// Time at the right end.
    pub(crate) end: Micros,
}

/// How a span is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// On a processor's line.
    Block {
        /// Left edge.
        x: f64,
        /// Upper edge.
        y: f64,
        /// Length.
        width: f64,
        /// Thickness.
        height: f64,
    },
    /// The first byte in flight.
    Edge([Pixel; 2]),
    /// The bytes after it.
    Band([Pixel; 4]),
}

/// A label in a diagram.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    /// Its middle, or its start if it is next to the shape.
    pub(crate) at: Pixel,
    pub(crate) words: &'static str,
    /// Whether it is on the shape instead of next to it.
    pub(crate) is_inside: bool,
}

/// A span as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark<'a> {
    pub(crate) span: &'a Span,
    pub(crate) ink: Ink,
    pub(crate) shape: Shape,
    /// A symbol on a line, or a message's name between the lines.
    pub(crate) label: Option<Label>,
}

impl Lanes {
    /// A diagram with labels of lines and completion times.
    pub(crate) fn large(width: f64, em: f64, end: Micros) -> Self {
        let (sender, thick) = (2.2 * em, 2.3 * em);
        let receiver = sender + thick + 9.0 * em;
        Lanes { left: 5.0 * em, right: width - 1.5 * em, sender, receiver, thick, em, end }
    }

    /// A small diagram, one of several.
    pub(crate) fn small(width: f64, em: f64, end: Micros) -> Self {
        let (sender, thick) = (0.2 * em, 0.9 * em);
        let receiver = sender + thick + 2.4 * em;
        Lanes { left: 1.0, right: width - 1.5 * em, sender, receiver, thick, em, end }
    }

    /// Whether the diagram has any area.
    pub(crate) fn is_visible(self) -> bool {
        self.right - self.left > 20.0
    }

    /// The lower end of the receiver's line.
    pub(crate) fn bottom(self) -> f64 {
        self.receiver + self.thick
    }

    /// The pixel of a moment.
    pub(crate) fn x(self, moment: Micros) -> f64 {
        self.left + moment.0 / self.end.0 * (self.right - self.left)
    }

    /// Time per pixel.
    pub(crate) fn pixel(self) -> Micros {
        Micros(self.end.0 / (self.right - self.left))
    }

    /// Vertical start and end of a message.
    fn edges_of_flight(self, towards: Option<Lane>) -> (f64, f64) {
        let (above, below) = (self.sender + self.thick, self.receiver);
        if towards == Some(Lane::Sender) { (below, above) } else { (above, below) }
    }
}

/// Colour of an activity.
pub(crate) fn ink(activity: Activity) -> Ink {
    match activity {
        Activity::Compute => Ink::Compute,
        Activity::Idle => Ink::Idle,
        other => Ink::of(other.parameter()),
    }
}

/// All spans in painting order; later ones cover earlier ones.
pub(crate) fn marks(timeline: &Timeline, lanes: Lanes) -> Vec<Mark<'_>> {
    let mut marks: Vec<Mark> =
        timeline.spans.iter().map(|span| mark(span, timeline, lanes)).collect();
    marks.sort_by_key(|mark| match mark.shape {
        Shape::Band(_) => 0,
        Shape::Edge(_) => 1,
        Shape::Block { .. } => 2,
    });
    marks
}

fn mark<'a>(span: &'a Span, timeline: &Timeline, lanes: Lanes) -> Mark<'a> {
    let (shape, label) = match (span.place, span.activity) {
        (Lane::Network, Activity::Bytes) => band(span, timeline, lanes),
        (Lane::Network, Activity::Latency) => edge(span, timeline, lanes),
        (Lane::Network, _) => (behind(span, lanes), None),
        _ => block(span, lanes),
    };
    Mark { span, ink: ink(span.activity), shape, label }
}

fn block(span: &Span, lanes: Lanes) -> (Shape, Option<Label>) {
    const LEAST: f64 = 0.75;
    let top = if span.place == Lane::Sender { lanes.sender } else { lanes.receiver };
    let (x, end) = (lanes.x(span.start), lanes.x(span.end));
    let width = (end - x).max(LEAST);
    let is_idle = span.activity == Activity::Idle;
    let height = if is_idle { lanes.thick / 3.0 } else { lanes.thick };
    let words = span.activity.symbol();
    let fits = width > lanes.em * (0.55 * words.len() as f64 + 0.6) && lanes.thick > 1.5 * lanes.em;
    let at = ((x + end) / 2.0, top + lanes.thick / 2.0);
    let label = (fits && !is_idle).then_some(Label { at, words, is_inside: true });
    (Shape::Block { x, y: top + (lanes.thick - height) / 2.0, width, height }, label)
}

/// An activity without a processor, at the end of the line where it takes effect.
fn behind(span: &Span, lanes: Lanes) -> Shape {
    let height = lanes.thick / 4.0;
    let y = match span.towards {
        Some(Lane::Sender) => lanes.sender + lanes.thick,
        _ => lanes.receiver - height,
    };
    let x = lanes.x(span.start);
    Shape::Block { x, y, width: lanes.x(span.end) - x, height }
}

/// The first byte of a message; the band of its bytes has the label if it fits.
fn edge(span: &Span, timeline: &Timeline, lanes: Lanes) -> (Shape, Option<Label>) {
    let (from, to) = lanes.edges_of_flight(span.towards);
    let line = [(lanes.x(span.start), from), (lanes.x(span.end), to)];
    let after = bytes_of(span, timeline).map_or(0.0, |b| lanes.x(b.end) - lanes.x(b.start));
    let middle = ((line[0].0 + line[1].0) / 2.0, (from + to) / 2.0);
    let label = Label {
        at: (middle.0 + after + 0.6 * lanes.em, middle.1),
        words: span.message,
        is_inside: false,
    };
    let shown = lanes.thick > 1.5 * lanes.em && !has_room(after, lanes);
    (Shape::Edge(line), shown.then_some(label))
}

fn band(span: &Span, timeline: &Timeline, lanes: Lanes) -> (Shape, Option<Label>) {
    let (from, to) = lanes.edges_of_flight(span.towards);
    let left =
        timeline.spans.iter().find(|first| is_first(first, span)).map_or(span.start, |f| f.start);
    let latency = span.start - left;
    let corner = |moment: Micros, y: f64| (lanes.x(moment), y);
    let band = [
        corner(left, from),
        corner(span.start, to),
        corner(span.end, to),
        corner(span.end - latency, from),
    ];
    let at = (band.iter().map(|corner| corner.0).sum::<f64>() / 4.0, (from + to) / 2.0);
    let fits = has_room(band[2].0 - band[1].0, lanes) && lanes.thick > 1.5 * lanes.em;
    (Shape::Band(band), fits.then_some(Label { at, words: span.message, is_inside: true }))
}

fn has_room(width: f64, lanes: Lanes) -> bool {
    width > 2.0 * lanes.em
}

fn is_first(first: &Span, bytes: &Span) -> bool {
    first.activity == Activity::Latency && first.message == bytes.message
}

fn bytes_of<'a>(first: &Span, timeline: &'a Timeline) -> Option<&'a Span> {
    timeline.spans.iter().find(|span| span.activity == Activity::Bytes && is_first(first, span))
}

/// Name of an activity, with its symbol.
pub(crate) fn activity(activity: Activity) -> &'static str {
    match activity {
        Activity::SendOverhead => "o_s, sending",
        Activity::Latency => "L, latency",
        Activity::Bytes => "(K−1)G, bytes in flight",
        Activity::RecvOverhead => "o_r, receiving",
        Activity::ControlOverhead => "O', control message",
        Activity::Initiation => "O_i, starting the transfer",
        Activity::Copy => "O_c, copying",
        Activity::Compute => "computing",
        Activity::Idle => "waiting",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::model::Route;
    use loggia_model::signature::Transfer;
    use loggia_model::units::Bytes;
    use loggia_model::{library, protocol};

    const EM: f64 = 12.0;

    fn timeline(transfer: Transfer) -> Timeline {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        protocol::predict(&route, transfer, Bytes(10_000)).unwrap().timeline
    }

    #[test]
    fn lengths_are_to_scale_and_nothing_leaves_the_picture() {
        for transfer in Transfer::ALL {
            let timeline = timeline(transfer);
            let lanes = Lanes::large(800.0, EM, timeline.last());
            for mark in marks(&timeline, lanes) {
                let length = (mark.span.end - mark.span.start).0 / lanes.pixel().0;
                let xs = match mark.shape {
                    Shape::Block { x, width, .. } => vec![x, x + width],
                    Shape::Edge(line) => line.map(|point| point.0).to_vec(),
                    Shape::Band(band) => vec![band[1].0, band[2].0],
                };
                assert!((xs[1] - xs[0] - length).abs() < 1e-6, "{transfer:?} {mark:?}");
                assert!(xs.iter().all(|x| *x >= lanes.left - 1e-6 && *x <= lanes.right + 1e-6));
            }
        }
    }

    #[test]
    fn a_message_leaves_one_line_and_arrives_at_the_other() {
        let timeline = timeline(Transfer::Rat);
        let lanes = Lanes::large(800.0, EM, timeline.last());
        let edges: Vec<(&str, bool)> = marks(&timeline, lanes)
            .into_iter()
            .filter_map(|mark| match mark.shape {
                Shape::Edge([from, to]) => Some((mark.span.message, from.1 < to.1)),
                _ => None,
            })
            .collect();
        assert_eq!(edges, [("R", true), ("A", false), ("M", true), ("ACK", true)]);
    }

    #[test]
    fn each_message_is_named_once() {
        for transfer in Transfer::ALL {
            let timeline = timeline(transfer);
            for width in [300.0, 1600.0] {
                let all = marks(&timeline, Lanes::large(width, EM, timeline.last()));
                let network_marks = all.iter().filter(|mark| mark.span.place == Lane::Network);
                let named: Vec<&str> =
                    network_marks.filter_map(|mark| Some(mark.label.as_ref()?.words)).collect();
                assert_eq!(named.len(), timeline.messages().len(), "{transfer:?} {named:?}");
            }
            let small = Lanes::small(300.0, EM, timeline.last());
            assert!(marks(&timeline, small).iter().all(|mark| mark.label.is_none()));
        }
    }
}
