//! The picture of a run's end over a parameter: straight pieces, kinks and jumps.

use super::moments;
use super::scale::Frame;
use loggia_model::simulate::answer::{Curve, Piece};
use loggia_model::units::Micros;

/// The picture's scales, from nothing on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scales {
    /// The greatest value of the parameter.
    pub(crate) widest: Micros,
    /// The latest end.
    pub(crate) latest: Micros,
}

/// The end at a value of the parameter in a piece.
pub(crate) fn end_at(piece: &Piece, value: Micros) -> Micros {
    piece.time_us + (value - piece.from_us) * piece.slope as f64
}

/// The piece that knows a value.
pub(crate) fn piece_at(curve: &Curve, value: Micros) -> Option<&Piece> {
    let last = curve.pieces.iter().rfind(|piece| piece.from_us <= value)?;
    let known = curve.broken_off_at_us.is_none_or(|end| value <= end);
    known.then_some(last)
}

impl Scales {
    /// The scales that hold a curve.
    pub(crate) fn of(curve: &Curve) -> Option<Self> {
        let widest = curve.pieces.last()?.to_us;
        let ends = curve.pieces.iter().flat_map(|p| [p.time_us, end_at(p, p.to_us)]);
        let latest = moments::round_up(ends.fold(Micros(0.0), Micros::max));
        (widest.0 > 0.0).then_some(Scales { widest, latest })
    }

    /// The pixel of a value and an end.
    pub(crate) fn pixel(self, frame: Frame, value: Micros, end: Micros) -> (f64, f64) {
        let x = frame.left + value.0 / self.widest.0 * (frame.right - frame.left);
        (x, frame.bottom - end.0 / self.latest.0 * (frame.bottom - frame.top))
    }

    /// The value at a pixel.
    pub(crate) fn value(self, frame: Frame, pixel: f64) -> Micros {
        let share = (pixel - frame.left) / (frame.right - frame.left);
        self.widest * share.clamp(0.0, 1.0)
    }

    /// The curve as an SVG path; where it jumps, it is interrupted.
    pub(crate) fn path(self, frame: Frame, curve: &Curve) -> String {
        let mut path = String::new();
        let mut pieces = curve.pieces.iter().peekable();
        let mut is_joined = false;
        while let Some(piece) = pieces.next() {
            let (x, y) = self.pixel(frame, piece.from_us, piece.time_us);
            let go = if is_joined { 'L' } else { 'M' };
            path += &format!("{go}{x:.1} {y:.1}");
            is_joined = pieces.peek().is_some_and(|next| !next.jump);
            // What begins the next piece ends this one, but for a tick.
            if !is_joined {
                let (x, y) = self.pixel(frame, piece.to_us, end_at(piece, piece.to_us));
                path += &format!("L{x:.1} {y:.1}");
            }
        }
        path
    }

    /// Where it bends and where it jumps, in pixels.
    pub(crate) fn breaks(self, frame: Frame, curve: &Curve) -> Vec<(f64, f64)> {
        let place = |piece: &Piece| self.pixel(frame, piece.from_us, piece.time_us);
        curve.pieces.iter().skip(1).map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve() -> Curve {
        let piece = |from: f64, to: f64, time: f64, slope, jump| Piece {
            from_us: Micros(from),
            to_us: Micros(to),
            time_us: Micros(time),
            slope,
            jump,
        };
        let pieces = vec![
            piece(0.0, 2.0, 10.0, 0, false),
            piece(2.0, 6.0, 10.0, 5, false),
            piece(6.0, 10.0, 50.0, 1, true),
        ];
        Curve { parameter: "L", pieces, broken_off_at_us: None }
    }

    #[test]
    fn pieces_join_unless_they_jump() {
        let curve = curve();
        let scales = Scales::of(&curve).unwrap();
        assert_eq!(scales, Scales { widest: Micros(10.0), latest: Micros(60.0) });
        let frame = Frame { left: 0.0, right: 100.0, top: 0.0, bottom: 60.0, em: 10.0 };
        let path = scales.path(frame, &curve);
        assert_eq!(path, "M0.0 50.0L20.0 50.0L60.0 30.0M60.0 10.0L100.0 6.0");
        assert_eq!(scales.breaks(frame, &curve), [(20.0, 50.0), (60.0, 10.0)]);
        assert_eq!(scales.value(frame, 150.0), Micros(10.0));
    }

    #[test]
    fn the_end_at_a_value_is_on_its_piece() {
        let curve = curve();
        let at = |value: f64| {
            piece_at(&curve, Micros(value)).map(|piece| end_at(piece, Micros(value)).0)
        };
        assert_eq!((at(1.0), at(4.0), at(8.0)), (Some(10.0), Some(20.0), Some(52.0)));
        let broken = Curve { broken_off_at_us: Some(Micros(6.0)), ..curve };
        assert_eq!(piece_at(&broken, Micros(8.0)), None);
    }
}
