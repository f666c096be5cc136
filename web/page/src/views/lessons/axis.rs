//! A logarithmic axis for numeric answers.

/// The width of the axis, in the units of its picture.
pub(super) const WIDTH: f64 = 1000.0;
/// Margin on both sides.
const MARGIN: f64 = 60.0;

/// Positions on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    least: f64,
    span: f64,
}

impl Axis {
    /// From the least to the largest of all values and of the accepted band, which are positive.
    pub(super) fn of(values: &[f64], [low, high]: [f64; 2]) -> Self {
        let least = values.iter().copied().fold(low, f64::min).max(1e-12).ln();
        let most = values.iter().copied().fold(high, f64::max).ln();
        Axis { least, span: (most - least).max(1e-3) }
    }

    pub(super) fn x(self, value: f64) -> f64 {
        MARGIN + (value.max(1e-12).ln() - self.least) / self.span * (WIDTH - 2.0 * MARGIN)
    }

    /// Left end and width of a band, wide enough to be visible.
    pub(super) fn band(self, [low, high]: [f64; 2]) -> [f64; 2] {
        [self.x(low), (self.x(high) - self.x(low)).max(2.0)]
    }
}

/// The anchor of a label that keeps it inside the picture.
pub(super) fn anchor(at: f64) -> &'static str {
    match at {
        at if at < WIDTH / 4.0 => "axis-begin",
        at if at > WIDTH * 3.0 / 4.0 => "axis-end",
        _ => "axis-middle",
    }
}
