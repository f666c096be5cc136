//! The plot of completion time over a parameter: linear pieces, kinks and jumps.

use crate::draw::moments;
use crate::draw::plane::Plane;
use crate::draw::scale::Frame;
use loggia_model::units::Micros;
use loggia_simulate::result::{Curve, Piece};

/// Completion time at a value within a piece.
pub(crate) fn end_at(piece: &Piece, value: Micros) -> Micros {
    piece.time_us + (value - piece.from_us) * piece.slope as f64
}

/// The piece that contains a value.
pub(crate) fn piece_at(curve: &Curve, value: Micros) -> Option<&Piece> {
    let last = curve.pieces.iter().rfind(|piece| piece.from_us <= value)?;
    let known = curve.broken_off_at_us.is_none_or(|end| value <= end);
    known.then_some(last)
}

/// Axes for a curve: the parameter horizontally, the completion time vertically.
pub(crate) fn plane(curve: &Curve) -> Option<Plane> {
    let until = curve.pieces.last()?.to_us;
    let ends = curve.pieces.iter().flat_map(|p| [p.time_us, end_at(p, p.to_us)]);
    let most = moments::round_up(ends.fold(Micros(0.0), Micros::max));
    (until.0 > 0.0).then_some(Plane { until, most })
}

/// The curve as an SVG path, interrupted at jumps.
pub(crate) fn path(plane: Plane, frame: Frame, curve: &Curve) -> String {
    let mut path = String::new();
    let mut pieces = curve.pieces.iter().peekable();
    let mut is_joined = false;
    while let Some(piece) = pieces.next() {
        let (x, y) = plane.pixel(frame, piece.from_us, piece.time_us);
        let go = if is_joined { 'L' } else { 'M' };
        path += &format!("{go}{x:.1} {y:.1}");
        is_joined = pieces.peek().is_some_and(|next| !next.jump);
        // The piece ends just before the next one begins.
        if !is_joined {
            let (x, y) = plane.pixel(frame, piece.to_us, end_at(piece, piece.to_us));
            path += &format!("L{x:.1} {y:.1}");
        }
    }
    path
}

/// Kinks and jumps, in pixels.
pub(crate) fn breaks(plane: Plane, frame: Frame, curve: &Curve) -> Vec<(f64, f64)> {
    let place = |piece: &Piece| plane.pixel(frame, piece.from_us, piece.time_us);
    curve.pieces.iter().skip(1).map(place).collect()
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
        let plane = plane(&curve).unwrap();
        assert_eq!(plane, Plane { until: Micros(10.0), most: Micros(60.0) });
        let frame = Frame { left: 0.0, right: 100.0, top: 0.0, bottom: 60.0, em: 10.0 };
        let path = path(plane, frame, &curve);
        assert_eq!(path, "M0.0 50.0L20.0 50.0L60.0 30.0M60.0 10.0L100.0 6.0");
        assert_eq!(breaks(plane, frame, &curve), [(20.0, 50.0), (60.0, 10.0)]);
        assert_eq!(plane.value(frame, 150.0), Micros(10.0));
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
