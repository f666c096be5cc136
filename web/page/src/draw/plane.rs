//! Two linear time axes from 0.

use super::scale::Frame;
use loggia_model::units::Micros;

/// The ends of both axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    /// The right end.
    pub(crate) until: Micros,
    /// The upper end.
    pub(crate) most: Micros,
}

impl Plane {
    pub(crate) fn pixel(self, frame: Frame, along: Micros, up: Micros) -> (f64, f64) {
        let x = frame.left + along.0 / self.until.0 * (frame.right - frame.left);
        (x, frame.bottom - up.0 / self.most.0 * (frame.bottom - frame.top))
    }

    /// The horizontal value of a pixel, limited to the axis.
    pub(crate) fn value(self, frame: Frame, pixel: f64) -> Micros {
        let share = (pixel - frame.left) / (frame.right - frame.left);
        self.until * share.clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_and_its_pixel_are_each_others_inverse() {
        let plane = Plane { until: Micros(10.0), most: Micros(60.0) };
        let frame = Frame { left: 20.0, right: 120.0, top: 0.0, bottom: 60.0, em: 10.0 };
        assert_eq!(plane.pixel(frame, Micros(0.0), Micros(0.0)), (20.0, 60.0));
        let (x, y) = plane.pixel(frame, Micros(4.0), Micros(45.0));
        assert_eq!((plane.value(frame, x), y), (Micros(4.0), 15.0));
        assert_eq!(plane.value(frame, 150.0), Micros(10.0));
    }
}
