//! Paints a figure with plotters. Texts are SVG and HTML, not painted.

use super::figure::{Dot, Figure, Ink, Line, Weight};
use super::marker::{APART, RADIUS, corners, places};
use super::path::{Pixel, clip, dashes, split};
use super::scale::Frame;
use super::ticks;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::style::{Color, RGBAColor, ShapeStyle};
use plotters_backend::DrawingBackend;

/// The current colours of the page.
#[derive(PartialEq)]
pub(crate) struct Colours {
    /// By [`Ink`].
    pub(crate) inks: [[u8; 3]; Ink::ALL.len()],
    /// Colour of grid lines.
    pub(crate) grid: [u8; 3],
    /// Colour of the unmeasured area.
    pub(crate) unknown: [u8; 3],
}

impl Colours {
    pub(crate) fn of(&self, ink: Ink) -> [u8; 3] {
        self.inks[ink as usize]
    }
}

type Done<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// A drawing area, with its device pixels per CSS pixel.
pub(crate) struct Painter<'a, B: DrawingBackend> {
    area: &'a DrawingArea<B, Shift>,
    frame: Frame,
    ratio: f64,
    colours: &'a Colours,
}

impl<'a, B: DrawingBackend> Painter<'a, B> {
    /// A painter for plots with this frame.
    pub(crate) fn new(
        area: &'a DrawingArea<B, Shift>,
        frame: Frame,
        ratio: f64,
        colours: &'a Colours,
    ) -> Self {
        Painter { area, frame: frame.times(ratio), ratio, colours }
    }

    /// Draws the picture.
    pub(crate) fn paint(&self, figure: &Figure) -> Done<B> {
        self.unknown(figure)?;
        self.grid(figure)?;
        self.band(figure)?;
        figure.lines.iter().try_for_each(|line| self.line(figure, line))?;
        figure.dots.iter().try_for_each(|dot| self.dot(figure, dot))?;
        self.area.present()
    }

    fn stroke(&self, colour: [u8; 3], opacity: f64, width: f64) -> ShapeStyle {
        let stroke_width = (width * self.ratio).round().max(1.0) as u32;
        ShapeStyle { color: rgba(colour, opacity), filled: false, stroke_width }
    }

    fn fill(colour: [u8; 3], opacity: f64) -> ShapeStyle {
        ShapeStyle { color: rgba(colour, opacity), filled: true, stroke_width: 0 }
    }

    /// Shades the area outside the measured range.
    fn unknown(&self, figure: &Figure) -> Done<B> {
        let Frame { left, right, top, bottom, .. } = self.frame;
        let (low, high) = figure.solid();
        let edges = [low, high].map(|value| self.frame.x(figure.x, value).clamp(left, right));
        for (from, to) in [(left, edges[0]), (edges[1], right)] {
            if to - from >= 1.0 {
                let corners = [round((from, top)), round((to, bottom))];
                let shade = Self::fill(self.colours.unknown, 1.0);
                self.area.draw(&Rectangle::new(corners, shade))?;
            }
        }
        Ok(())
    }

    fn grid(&self, figure: &Figure) -> Done<B> {
        let Frame { left, right, top, bottom, em } = self.frame;
        let style = self.stroke(self.colours.grid, 1.0, 0.5);
        let height = (bottom - top) / self.ratio;
        for tick in ticks::along(figure.axis, figure.x, (right - left) / em) {
            let x = self.frame.x(figure.x, tick.value);
            self.polyline(&[(x, top), (x, bottom)], style)?;
        }
        for tick in ticks::up(figure.unit, figure.y, height) {
            let y = self.frame.y(figure.y, tick.value);
            self.polyline(&[(left, y), (right, y)], style)?;
        }
        Ok(())
    }

    fn band(&self, figure: &Figure) -> Done<B> {
        let Some(band) = &figure.band else { return Ok(()) };
        let pixel = |x: f64, y: f64| {
            let y = self.frame.y(figure.y, y.max(f64::MIN_POSITIVE));
            round((self.frame.x(figure.x, x), y.clamp(self.frame.top, self.frame.bottom)))
        };
        let there = band.points.iter().map(|(x, low, _)| pixel(*x, *low));
        let back = band.points.iter().rev().map(|(x, _, high)| pixel(*x, *high));
        let outline: Vec<(i32, i32)> = there.chain(back).collect();
        let colour = self.colours.of(band.ink);
        self.area.draw(&Polygon::new(outline, rgba(colour, 0.18)))
    }

    /// Solid inside the measured range, dashed outside; lines of machines have markers.
    fn line(&self, figure: &Figure, line: &Line) -> Done<B> {
        let (width, opacity) = match line.weight {
            Weight::Bold => (2.5, 1.0),
            Weight::Thin => (1.5, 1.0),
            Weight::Faint => (1.0, 0.8),
        };
        let style = self.stroke(self.colours.of(line.ink), opacity, width);
        let (low, high) = figure.solid();
        let edge = |value| self.frame.x(figure.x, value);
        for run in line.runs() {
            let pixels: Vec<Pixel> = run
                .iter()
                .map(|(x, y)| (self.frame.x(figure.x, *x), self.frame.y(figure.y, *y)))
                .collect();
            for part in clip(&pixels, self.frame.top, self.frame.bottom) {
                let [before, mut known, after] = split(&part, edge(low), edge(high));
                let mut dashed = vec![before, after];
                if line.is_dashed() {
                    dashed.push(std::mem::take(&mut known));
                }
                self.polyline(&known, style)?;
                for unknown in dashed {
                    for dash in dashes(&unknown, 6.0 * self.ratio, 5.0 * self.ratio) {
                        self.polyline(&dash, style)?;
                    }
                }
                self.marks(line.ink, &part, style)?;
            }
        }
        Ok(())
    }

    /// Markers of a machine's line.
    fn marks(&self, ink: Ink, line: &[Pixel], style: ShapeStyle) -> Done<B> {
        let Some(corners) = corners(ink) else { return Ok(()) };
        let Frame { left, em, .. } = self.frame;
        places(line, ink, left, APART * em).into_iter().try_for_each(|place| {
            let mut outline = self.around(place, corners);
            outline.extend(outline.first().copied());
            self.area.draw(&PathElement::new(outline, style))
        })
    }

    /// A marker at a position.
    fn around(&self, (x, y): Pixel, corners: &[Pixel]) -> Vec<(i32, i32)> {
        let radius = RADIUS * self.ratio;
        corners.iter().map(|corner| round((x + radius * corner.0, y + radius * corner.1))).collect()
    }

    /// A value with a bar for its bounds.
    fn dot(&self, figure: &Figure, dot: &Dot) -> Done<B> {
        let Frame { top, bottom, .. } = self.frame;
        let x = self.frame.x(figure.x, dot.x);
        let [y, low, high] = dot.y.map(|y| self.frame.y(figure.y, y.max(f64::MIN_POSITIVE)));
        if !(top..=bottom).contains(&y) {
            return Ok(());
        }
        let colour = self.colours.of(dot.ink);
        let ends = [low, high].map(|y| (x, y.clamp(top, bottom)));
        self.polyline(&ends, self.stroke(colour, 1.0, 1.0))?;
        if let Some(corners) = corners(dot.ink) {
            return self.area.draw(&Polygon::new(self.around((x, y), corners), rgba(colour, 1.0)));
        }
        let radius = (2.5 * self.ratio).round() as i32;
        self.area.draw(&Circle::new(round((x, y)), radius, Self::fill(colour, 1.0)))
    }

    fn polyline(&self, pixels: &[Pixel], style: ShapeStyle) -> Done<B> {
        if pixels.len() < 2 {
            return Ok(());
        }
        let path: Vec<(i32, i32)> = pixels.iter().copied().map(round).collect();
        self.area.draw(&PathElement::new(path, style))
    }
}

fn round((x, y): Pixel) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

fn rgba([red, green, blue]: [u8; 3], opacity: f64) -> RGBAColor {
    plotters::style::RGBColor(red, green, blue).mix(opacity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters::prelude::IntoDrawingArea;
    use plotters_backend::{BackendColor, BackendCoord, BackendStyle, DrawingErrorKind};
    use std::cell::RefCell;
    use std::convert::Infallible;
    use std::rc::Rc;

    /// A path and its thickness.
    type Path = (u32, Vec<BackendCoord>);

    /// Records drawn paths.
    struct Recorder(Rc<RefCell<Vec<Path>>>);

    type Drawn = Result<(), DrawingErrorKind<Infallible>>;

    impl DrawingBackend for Recorder {
        type ErrorType = Infallible;
        fn get_size(&self) -> (u32, u32) {
            (800, 400)
        }
        fn ensure_prepared(&mut self) -> Drawn {
            Ok(())
        }
        fn present(&mut self) -> Drawn {
            Ok(())
        }
        fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> Drawn {
            Ok(())
        }
        fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
            &mut self,
            path: I,
            style: &S,
        ) -> Drawn {
            self.0.borrow_mut().push((style.stroke_width(), path.into_iter().collect()));
            Ok(())
        }
    }

    #[test]
    fn lines_are_clipped_and_solid_in_the_measured_range() {
        let figure = Figure::example();
        let frame = Frame::inside(400.0, 200.0, 12.0);
        let colours = Colours { inks: [[0; 3]; Ink::ALL.len()], grid: [0; 3], unknown: [0; 3] };
        let paths = Rc::new(RefCell::new(Vec::new()));
        let area = Recorder(paths.clone()).into_drawing_area();
        Painter::new(&area, frame, 2.0, &colours).paint(&figure).unwrap();
        let inside = |&(x, y): &BackendCoord| {
            let Frame { left, right, top, bottom, .. } = frame.times(2.0);
            let within = |v: i32, low: f64, high: f64| (low - 1.0..=high + 1.0).contains(&v.into());
            within(x, left, right) && within(y, top, bottom)
        };
        let paths = paths.borrow();
        assert!(paths.iter().all(|(_, path)| path.iter().all(inside)));
        let bold: Vec<_> = paths.iter().filter(|(width, _)| *width == 5).collect();
        let longest = bold.iter().map(|(_, path)| path.len()).max().unwrap();
        assert!(bold.len() > 8 && longest > 50, "one line and many dashes: {}", bold.len());
    }
}
