//! Marker shapes, which distinguish machines without colour.

use super::figure::Ink;
use super::path::Pixel;
use std::f64::consts::TAU;

/// Radius of a marker, in pixels.
pub(crate) const RADIUS: f64 = 4.5;
/// Distance between markers of a line, in font sizes.
pub(crate) const APART: f64 = 7.0;

/// Corners of a marker within the unit circle; `None` for inks of parameters. Nine machines have
/// nine markers.
pub(crate) fn corners(ink: Ink) -> Option<&'static [Pixel]> {
    let series = (ink as usize).checked_sub(Ink::Series1 as usize)?;
    Some(SHAPES[series.min(SHAPES.len() - 1)])
}

/// Computed at compile time: the page needs no sine function.
static SHAPES: [&[Pixel]; 9] = [
    &polygon::<16>(0.0, 1.0),
    &polygon::<4>(0.125, 1.0),
    &polygon::<3>(0.0, 1.0),
    &polygon::<4>(0.0, 1.0),
    &polygon::<3>(0.5, 1.0),
    &polygon::<6>(0.0, 1.0),
    &polygon::<8>(0.0, 0.4),
    &polygon::<10>(0.0, 0.45),
    &polygon::<8>(0.0625, 0.4),
];

/// A polygon or star; `inner` is the radius of every other corner, `turned` a fraction of a turn.
const fn polygon<const N: usize>(turned: f64, inner: f64) -> [Pixel; N] {
    let mut corners = [(0.0, 0.0); N];
    let mut i = 0;
    while i < N {
        let radius = if i.is_multiple_of(2) { 1.0 } else { inner };
        let (sine, cosine) = direction(i as f64 / N as f64 + turned);
        corners[i] = (radius * sine, -radius * cosine);
        i += 1;
    }
    corners
}

/// Sine and cosine of a fraction of a turn, at most 1.5, by sixty terms of their series.
const fn direction(share: f64) -> (f64, f64) {
    let angle = share * TAU;
    let (mut sine, mut cosine) = (0.0, 0.0);
    let (mut term, mut power) = (1.0, 0);
    while power < 60 {
        match power % 4 {
            0 => cosine += term,
            1 => sine += term,
            2 => cosine -= term,
            _ => sine -= term,
        }
        power += 1;
        term *= angle / power as f64;
    }
    (sine, cosine)
}

/// Positions of markers on a line. They are shifted for each machine, so that markers of coinciding
/// lines stay visible.
pub(crate) fn places(line: &[Pixel], ink: Ink, left: f64, apart: f64) -> Vec<Pixel> {
    let shift = (ink as usize % 5) as f64 / 5.0;
    let step = |x: f64| ((x - left) / apart - shift).ceil() as i64;
    let of = |(a, b): (Pixel, Pixel)| {
        (step(a.0)..step(b.0)).map(move |step| {
            let x = left + (step as f64 + shift) * apart;
            (x, a.1 + (b.1 - a.1) * (x - a.0) / (b.0 - a.0))
        })
    };
    line.windows(2).flat_map(|pair| of((pair[0], pair[1]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_machine_has_a_shape_of_its_own_and_parameters_none() {
        let shapes: Vec<_> =
            (1..10).map(|i| format!("{:.3?}", corners(Ink::of_machine(i)).unwrap())).collect();
        let mut apart = shapes.clone();
        apart.sort_unstable();
        apart.dedup();
        assert_eq!(apart.len(), 9);
        assert_eq!((corners(Ink::Total), corners(Ink::Send)), (None, None));
    }

    #[test]
    fn directions_equal_sine_and_cosine() {
        for share in (0..=24).map(|i| f64::from(i) / 16.0) {
            let ((sine, cosine), angle) = (direction(share), share * TAU);
            assert!((sine - angle.sin()).abs() < 1e-10, "{share}");
            assert!((cosine - angle.cos()).abs() < 1e-10, "{share}");
        }
    }

    #[test]
    fn markers_are_on_the_line_and_apart() {
        let line = [(0.0, 0.0), (10.0, 10.0), (100.0, 100.0)];
        let of = |i| places(&line, Ink::of_machine(i), 0.0, 50.0);
        assert_eq!(of(1).len(), 2);
        for (x, y) in of(1).into_iter().chain(of(2)) {
            assert!((x - y).abs() < 1e-9);
        }
        assert!((of(1)[0].0 - of(2)[0].0).abs() > 5.0);
    }
}
