//! The content of a plot: lines, bands and marks, in values instead of pixels.

use super::scale::{Frame, Log};
use super::steps::Axis;
use loggia_model::model::metrics::PointToPoint;
use loggia_model::signature::Point;
use loggia_model::units::Micros;
use loggia_model::units::words::size;

/// Colours by meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// Total time.
    Total,
    /// The sender's processor: o_s, control messages.
    Send,
    /// The network's latency: L.
    Latency,
    /// Bytes in flight: G, t_b.
    PerByte,
    /// The receiver's processor: o_r, O_c.
    Recv,
    /// The cost before the first byte: T0, t_s.
    Startup,
    /// Arithmetic: t_c.
    Compute,
    /// Idle processor.
    Idle,
    /// A result shown for comparison.
    Other,
    /// Other machines; these colours have no other meaning.
    Series1,
    Series2,
    Series3,
    Series4,
    Series5,
    Series6,
    Series7,
    Series8,
    Series9,
}

impl Ink {
    pub(crate) const ALL: [Ink; 18] = [
        Ink::Total,
        Ink::Send,
        Ink::Latency,
        Ink::PerByte,
        Ink::Recv,
        Ink::Startup,
        Ink::Compute,
        Ink::Idle,
        Ink::Other,
        Ink::Series1,
        Ink::Series2,
        Ink::Series3,
        Ink::Series4,
        Ink::Series5,
        Ink::Series6,
        Ink::Series7,
        Ink::Series8,
        Ink::Series9,
    ];

    /// The colour of a machine; the first is the selected one. More than ten machines share
    /// colours.
    pub(crate) fn of_machine(index: usize) -> Self {
        let series = &Ink::ALL[Ink::Series1 as usize..];
        match index {
            0 => Ink::Total,
            other => series[(other - 1) % series.len()],
        }
    }

    /// Whether the label of its line is a word instead of a symbol.
    pub(crate) fn is_named_in_words(self) -> bool {
        matches!(self, Ink::Total | Ink::Other) || self as usize >= Ink::Series1 as usize
    }

    /// The colour of a parameter, by symbol.
    pub(crate) fn of(symbol: &str) -> Self {
        match symbol {
            "o" | "o_s" | "o_s1" | "s_s" | "O_i" => Ink::Send,
            "L" => Ink::Latency,
            "G" | "S" | "t_b" | "g" | "g(m)" => Ink::PerByte,
            "o_r" | "o_r1" | "s_r" | "O_c" => Ink::Recv,
            "T0" | "t_s" | "O'" => Ink::Startup,
            "t_c" | "computation" => Ink::Compute,
            _ => Ink::Other,
        }
    }

    /// Name in the style sheet: property `--ink-NAME`, class `ink-NAME`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Ink::Total => "total",
            Ink::Send => "send",
            Ink::Latency => "latency",
            Ink::PerByte => "per-byte",
            Ink::Recv => "recv",
            Ink::Startup => "startup",
            Ink::Compute => "compute",
            Ink::Idle => "idle",
            Ink::Other => "other",
            Ink::Series1 => "series-1",
            Ink::Series2 => "series-2",
            Ink::Series3 => "series-3",
            Ink::Series4 => "series-4",
            Ink::Series5 => "series-5",
            Ink::Series6 => "series-6",
            Ink::Series7 => "series-7",
            Ink::Series8 => "series-8",
            Ink::Series9 => "series-9",
        }
    }
}

/// Importance of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// The answer.
    Bold,
    /// A part of the answer.
    Thin,
    /// An answer for comparison.
    Faint,
}

/// A line, with gaps at unknown values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) ink: Ink,
    pub(crate) weight: Weight,
    /// The label at its end; empty if another line has it.
    pub(crate) label: String,
    pub(crate) points: Vec<(f64, Option<f64>)>,
}

impl Line {
    /// Its runs of known values that a logarithmic axis can show.
    pub(crate) fn runs(&self) -> Vec<Vec<(f64, f64)>> {
        let mut runs = vec![Vec::new()];
        for (x, y) in &self.points {
            match (y.filter(|y| y.is_finite() && *y > 0.0), runs.last_mut()) {
                (Some(y), Some(run)) => run.push((*x, y)),
                (None, Some(run)) if !run.is_empty() => runs.push(Vec::new()),
                _ => {}
            }
        }
        runs.retain(|run| !run.is_empty());
        runs
    }

    /// Whether the line is dashed, because another line of the same colour is the selected one.
    pub(crate) fn is_dashed(&self) -> bool {
        let is_machine = self.ink == Ink::Total || self.ink as usize >= Ink::Series1 as usize;
        self.weight == Weight::Faint && is_machine
    }

    /// Its rightmost known point.
    pub(crate) fn end(&self) -> Option<(f64, f64)> {
        self.runs().pop()?.pop()
    }
}

/// The area between two lines.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Band {
    pub(crate) ink: Ink,
    /// Horizontal value, lower and upper bound.
    pub(crate) points: Vec<(f64, f64, f64)>,
}

/// The unit of the vertical axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Times, in µs.
    Time,
    /// Bandwidth, in bytes per µs.
    Rate,
    /// Ratio.
    Ratio,
    /// Share of a whole, 0 to 1.
    Share,
}

/// A single value with bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dot {
    pub(crate) ink: Ink,
    /// Horizontal position.
    pub(crate) x: f64,
    /// Value, lower and upper bound.
    pub(crate) y: [f64; 3],
}

/// A labelled value on the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Milestone {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure {
    /// Horizontal axis.
    pub(crate) axis: Axis,
    /// The horizontal scale.
    pub(crate) x: Log,
    /// Unit of the vertical axis.
    pub(crate) unit: Unit,
    /// The vertical scale.
    pub(crate) y: Log,
    /// Lines, the most important last.
    pub(crate) lines: Vec<Line>,
    /// Bounds of the answer.
    pub(crate) band: Option<Band>,
    pub(crate) dots: Vec<Dot>,
    /// The measured range; lines are dashed outside it.
    pub(crate) known: Option<(f64, f64)>,
    /// Values with reported points.
    pub(crate) marks: Vec<f64>,
    /// Labelled values.
    pub(crate) milestones: Vec<Milestone>,
}

impl Figure {
    /// A line of 50 µs + 0.01 µs per byte, measured from 64 B to 64 KiB, cut off by the frame.
    #[cfg(test)]
    pub(crate) fn example() -> Self {
        let time = |size: f64| (size, Some(50.0 + 0.01 * size));
        let points = Axis::Bytes.values().map(|size| time(size as f64)).collect();
        let line =
            Line { ink: Ink::Total, weight: Weight::Bold, label: "total".to_owned(), points };
        let (x, y) =
            (Log { low: 1.0, high: Axis::Bytes.high() as f64 }, Log { low: 10.0, high: 1e4 });
        Figure { known: Some((64.0, 65536.0)), ..Figure::of_lines(Axis::Bytes, x, y, vec![line]) }
    }

    /// A plot of times with lines only.
    pub(crate) fn of_lines(axis: Axis, x: Log, y: Log, lines: Vec<Line>) -> Self {
        Figure {
            axis,
            x,
            unit: Unit::Time,
            y,
            lines,
            band: None,
            dots: Vec::new(),
            known: None,
            marks: Vec::new(),
            milestones: Vec::new(),
        }
    }

    /// The same over the whole axis, scaled to the lines; `None` if no value is known.
    pub(crate) fn through(axis: Axis, lines: Vec<Line>) -> Option<Self> {
        let values = lines.iter().flat_map(|line| line.points.iter().filter_map(|(_, y)| *y));
        let y = Log::around(values)?;
        Some(Figure::of_lines(axis, axis.scale(), y, lines))
    }

    /// Measured times divided by predicted ones, around a level line at 1; `None` without any.
    pub(crate) fn of_residuals(label: &str, dots: Vec<Dot>) -> Option<Self> {
        if dots.is_empty() {
            return None;
        }
        let distances = dots.iter().flat_map(|dot| dot.y).map(|y| y.max(1.0 / y));
        let scale = Axis::Bytes.scale();
        let x = Log { high: dots.iter().map(|dot| dot.x).fold(scale.high, f64::max), ..scale };
        let high = distances.fold(1.05, f64::max).min(20.0) * 1.02;
        let level = Line {
            ink: Ink::Total,
            weight: Weight::Thin,
            label: label.to_owned(),
            points: [x.low, x.high].map(|size| (size, Some(1.0))).to_vec(),
        };
        let y = Log { low: 1.0 / high, high };
        let figure = Figure::of_lines(Axis::Bytes, x, y, vec![level]);
        Some(Figure { unit: Unit::Ratio, dots, ..figure })
    }

    /// The range in which lines are solid.
    pub(crate) fn solid(&self) -> (f64, f64) {
        self.known.unwrap_or((self.x.low, self.x.high))
    }

    /// The frame in a box of this size, with room for the longest label at the right.
    pub(crate) fn frame(&self, width: f64, height: f64, em: f64) -> Frame {
        let longest = self.lines.iter().map(|line| line.label.chars().count()).max();
        Frame::inside(width, height, em).with_names(longest.unwrap_or_default())
    }
}

/// A reported point.
pub(crate) fn dot(ink: Ink, point: &Point) -> Dot {
    let Point { bytes, value, low, high } = *point;
    let [low, high] = [low, high].map(|bound| bound.unwrap_or(value).0);
    Dot { ink, x: bytes.count(), y: [value.0, low, high] }
}

/// A measured time as a bandwidth.
pub(crate) fn bandwidth_dot(point: &Point) -> Dot {
    let rate = |time: Option<Micros>| point.bytes.within(time.unwrap_or(point.value)).0;
    let [value, low, high] = [Some(point.value), point.high, point.low].map(rate);
    Dot { ink: Ink::Total, x: point.bytes.count(), y: [value, low, high] }
}

/// n_1/2, if known.
pub(crate) fn half(metrics: &PointToPoint) -> Option<Milestone> {
    let half = metrics.half_length?;
    Some(Milestone { at: half.count(), label: format!("n½ = {}", size(half)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_breaks_where_there_is_no_number() {
        let points = vec![(1.0, None), (2.0, Some(5.0)), (3.0, Some(0.0)), (4.0, Some(6.0))];
        let line = Line { ink: Ink::Total, weight: Weight::Bold, label: String::new(), points };
        assert_eq!(line.runs(), [[(2.0, 5.0)], [(4.0, 6.0)]]);
        assert_eq!(line.end(), Some((4.0, 6.0)));
        assert_eq!(Line { points: Vec::new(), ..line }.end(), None);
    }

    #[test]
    fn each_of_ten_machines_has_its_colour() {
        let mut inks: Vec<&str> = (0..10).map(|i| Ink::of_machine(i).name()).collect();
        assert_eq!(inks[..2], ["total", "series-1"]);
        inks.sort_unstable();
        inks.dedup();
        assert_eq!(inks.len(), 10);
        assert_eq!(Ink::of_machine(10), Ink::of_machine(1));
        assert!(Ink::of_machine(3).is_named_in_words() && !Ink::Latency.is_named_in_words());
    }

    #[test]
    fn related_parameters_share_a_colour() {
        assert_eq!(Ink::of("o_s"), Ink::of("s_s"));
        assert_eq!(Ink::of("G"), Ink::of("t_b"));
        assert_eq!(Ink::of("T0"), Ink::of("t_s"));
        assert_ne!(Ink::of("o_s"), Ink::of("o_r"));
    }
}
