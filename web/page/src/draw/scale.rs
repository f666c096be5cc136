//! Values to pixels.

/// A logarithmic axis between two positive values; linear if it starts at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Log {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Log {
    /// An axis around these values with a margin, of at least a decade, so that a flat line looks
    /// flat. Values that a logarithmic axis cannot show are skipped.
    pub(crate) fn around(values: impl Iterator<Item = f64>) -> Option<Self> {
        const MARGIN: f64 = 1.35;
        let (low, high) = values
            .filter(|value| value.is_finite() && *value > 0.0)
            .fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
        if high == 0.0 {
            return None;
        }
        let spread = (10.0 * low / high).max(1.0).sqrt();
        Some(Log { low: low / MARGIN / spread, high: high * MARGIN * spread })
    }

    /// Position of a value: 0 at the low end, 1 at the high end.
    pub(crate) fn share(self, value: f64) -> f64 {
        if self.low == 0.0 {
            return value / self.high;
        }
        (value / self.low).ln() / (self.high / self.low).ln()
    }

    /// The value at a position.
    pub(crate) fn at(self, share: f64) -> f64 {
        if self.low == 0.0 {
            return share * self.high;
        }
        self.low * (self.high / self.low).powf(share)
    }
}

/// A plot's box, and the rectangle inside its axes, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Left end of the axes.
    pub(crate) left: f64,
    /// Right end.
    pub(crate) right: f64,
    /// Upper end.
    pub(crate) top: f64,
    /// Lower end.
    pub(crate) bottom: f64,
    /// Font size.
    pub(crate) em: f64,
}

impl Frame {
    /// The frame in a box of this size, with room for labels: times at the left, names of lines at
    /// the right, sizes below.
    pub(crate) fn inside(width: f64, height: f64, em: f64) -> Self {
        let (right, bottom) = (width - 5.2 * em, height - 3.8 * em);
        Frame { left: 4.7 * em, right, top: 2.5 * em, bottom, em }
    }

    /// The same with room at the right for names of this many letters, at most a third of the
    /// width.
    pub(crate) fn with_names(self, letters: usize) -> Self {
        let edge = self.right + 5.2 * self.em;
        let room = (0.58 * letters as f64 + 1.6) * self.em;
        Frame { right: self.right.min(edge - room.min(edge / 3.0)), ..self }
    }

    /// The same in device pixels.
    pub(crate) fn times(self, ratio: f64) -> Self {
        Frame {
            left: self.left * ratio,
            right: self.right * ratio,
            top: self.top * ratio,
            bottom: self.bottom * ratio,
            em: self.em * ratio,
        }
    }

    /// Whether the frame has any area.
    pub(crate) fn is_visible(self) -> bool {
        self.right - self.left > 20.0 && self.bottom - self.top > 20.0
    }

    /// The pixel of a value on the horizontal axis.
    pub(crate) fn x(self, axis: Log, value: f64) -> f64 {
        self.left + axis.share(value) * (self.right - self.left)
    }

    /// The pixel of a value on the vertical axis.
    pub(crate) fn y(self, axis: Log, value: f64) -> f64 {
        self.bottom - axis.share(value) * (self.bottom - self.top)
    }

    /// The value at a pixel of the horizontal axis, limited to the axis.
    pub(crate) fn value_at(self, axis: Log, pixel: f64) -> f64 {
        axis.at(((pixel - self.left) / (self.right - self.left)).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: Log = Log { low: 1.0, high: 16_777_216.0 };

    #[test]
    fn a_value_and_its_pixel_are_each_others_inverse() {
        let frame = Frame::inside(800.0, 400.0, 12.0);
        assert_eq!(frame.x(SIZES, 1.0), frame.left);
        assert_eq!(frame.x(SIZES, 16_777_216.0), frame.right);
        assert_eq!(frame.x(SIZES, 4096.0), (frame.left + frame.right) / 2.0);
        let there = frame.x(SIZES, 1000.0);
        assert!((frame.value_at(SIZES, there) - 1000.0).abs() < 1e-6);
        assert_eq!(frame.value_at(SIZES, -50.0), 1.0);
        let even = Log { low: 0.0, high: 4.0 };
        assert_eq!((even.share(1.0), even.at(0.25)), (0.25, 1.0));
    }

    #[test]
    fn long_names_have_limited_room() {
        let frame = Frame::inside(800.0, 400.0, 12.0);
        assert_eq!(frame.with_names(5), frame);
        assert!(frame.with_names(15).right < frame.right);
        assert!(Frame::inside(300.0, 300.0, 12.0).with_names(40).right > 190.0);
    }

    #[test]
    fn time_grows_upwards() {
        let frame = Frame::inside(800.0, 400.0, 12.0);
        let axis = Log { low: 1.0, high: 100.0 };
        assert_eq!(frame.y(axis, 1.0), frame.bottom);
        assert!(frame.y(axis, 50.0) < frame.y(axis, 5.0));
    }

    #[test]
    fn an_axis_covers_its_values_and_at_least_a_decade() {
        let axis = Log::around([3.01, 3.1, f64::NAN, 0.0, -4.0].into_iter()).unwrap();
        assert!(axis.low < 3.01 && axis.high > 3.1 && axis.high / axis.low >= 10.0, "{axis:?}");
        let wide = Log::around([1.0, 1e6].into_iter()).unwrap();
        assert!(wide.high / wide.low < 2e6, "{wide:?}");
        assert_eq!(Log::around([0.0, f64::INFINITY].into_iter()), None);
    }
}
