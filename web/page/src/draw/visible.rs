//! The visible part of a timeline.

use super::moments;
use super::ticks::Tick;
use loggia_model::units::Micros;
use loggia_model::units::words::number;
use loggia_worker::Viewport;

/// A whole timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Whole {
    /// Its end, in µs.
    pub(crate) end: f64,
    /// Its number of ranks.
    pub(crate) ranks: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct VisibleRange {
    /// Start, in µs.
    pub(crate) from: f64,
    /// End.
    pub(crate) to: f64,
    /// Top: the first rank; the upper edge of rank 2 is 2.
    pub(crate) top: f64,
    /// Bottom.
    pub(crate) bottom: f64,
}

/// Shortest visible time: a picosecond; fewest visible ranks: a half.
const SHORTEST: f64 = 1e-6;
const FEWEST: f64 = 0.5;

impl Whole {
    pub(crate) fn visible(self) -> VisibleRange {
        VisibleRange {
            from: 0.0,
            to: self.end.max(SHORTEST),
            top: 0.0,
            bottom: self.ranks.max(1.0),
        }
    }
}

impl VisibleRange {
    /// Zooms by factors of time and ranks around a position of the picture (0 to 1).
    pub(crate) fn zoomed(
        self,
        (x, y): (f64, f64),
        (time, ranks): (f64, f64),
        whole: Whole,
    ) -> VisibleRange {
        let (from, to) = scaled((self.from, self.to), x, time, SHORTEST);
        let (top, bottom) = scaled((self.top, self.bottom), y, ranks, FEWEST);
        VisibleRange { from, to, top, bottom }.inside(whole)
    }

    /// Moves by fractions of the picture, to later times and higher ranks.
    pub(crate) fn moved(self, (x, y): (f64, f64), whole: Whole) -> VisibleRange {
        let (time, ranks) = (x * (self.to - self.from), y * (self.bottom - self.top));
        VisibleRange {
            from: self.from + time,
            to: self.to + time,
            top: self.top + ranks,
            bottom: self.bottom + ranks,
        }
        .inside(whole)
    }

    /// The range after a key is pressed, if the key has a meaning.
    pub(crate) fn after_key(self, key: &str, whole: Whole) -> Option<VisibleRange> {
        const STEP: f64 = 0.15;
        let zoomed = |time, ranks| self.zoomed((0.5, 0.5), (time, ranks), whole);
        Some(match key {
            "ArrowRight" => self.moved((STEP, 0.0), whole),
            "ArrowLeft" => self.moved((-STEP, 0.0), whole),
            "ArrowDown" => self.moved((0.0, STEP), whole),
            "ArrowUp" => self.moved((0.0, -STEP), whole),
            "+" | "=" => zoomed(0.5, 1.0),
            "-" => zoomed(2.0, 1.0),
            "PageUp" => zoomed(1.0, 0.5),
            "PageDown" => zoomed(1.0, 2.0),
            "Home" => whole.visible(),
            _ => return None,
        })
    }

    /// The range moved and shrunk into the whole.
    fn inside(self, whole: Whole) -> VisibleRange {
        let all = whole.visible();
        let (from, to) = clamped((self.from, self.to), all.to);
        let (top, bottom) = clamped((self.top, self.bottom), all.bottom);
        VisibleRange { from, to, top, bottom }
    }

    /// Whether the difference would be invisible.
    pub(crate) fn is_like(self, other: VisibleRange) -> bool {
        let near = |a: f64, b: f64, span: f64| (a - b).abs() <= 1e-9 * span;
        let (time, ranks) = (self.to - self.from, self.bottom - self.top);
        near(self.from, other.from, time)
            && near(self.to, other.to, time)
            && near(self.top, other.top, ranks)
            && near(self.bottom, other.bottom, ranks)
    }

    /// Horizontal position of a time: 0 left, 1 right.
    pub(crate) fn x(self, micros: f64) -> f64 {
        (micros - self.from) / (self.to - self.from)
    }

    /// Vertical position of a rank's upper edge: 0 at the top.
    pub(crate) fn y(self, rank: f64) -> f64 {
        (rank - self.top) / (self.bottom - self.top)
    }

    /// Time and rank at a position.
    pub(crate) fn at(self, (x, y): (f64, f64)) -> (f64, f64) {
        let moment = self.from + x * (self.to - self.from);
        (moment, self.top + y * (self.bottom - self.top))
    }

    /// The request to the simulator for a picture of this size in pixels.
    pub(crate) fn viewport(self, width: f64, height: f64) -> Viewport {
        let first = self.top.floor().max(0.0) as u32;
        Viewport {
            from: Micros(self.from),
            to: Micros(self.to),
            first,
            ranks: (self.bottom.ceil() as u32).saturating_sub(first).max(1),
            cells: width.max(1.0) as u32,
            rows: height.max(1.0) as u32,
        }
    }

    /// Ticks of its time axis, for a width in pixels.
    pub(crate) fn moments(self, pixels: f64, em: f64) -> Vec<Tick> {
        let span = self.to - self.from;
        let step = moments::step(Micros(span), pixels, em);
        let (unit, name) = match self.to {
            to if to < 1e3 => (1.0, "µs"),
            to if to < 1e6 => (1e3, "ms"),
            _ => (1e6, "s"),
        };
        let first = (self.from / step).ceil();
        let count = ((self.to / step + 1e-9).floor() - first).clamp(0.0, 100.0) as u32;
        let digits = (2.0 + (self.to / step).log10().max(0.0)) as usize;
        (0..=count)
            .map(|i| {
                let value = (first + f64::from(i)) * step;
                Tick { value, label: format!("{} {name}", number(value / unit, digits)) }
            })
            .collect()
    }

    /// Ranks labelled at its left, for a height in pixels.
    pub(crate) fn ranks(self, pixels: f64, em: f64) -> Vec<u32> {
        let most = (pixels / (1.6 * em)).max(1.0);
        let least = (self.bottom - self.top) / most;
        let step = [1.0, 2.0, 4.0, 8.0].into_iter().find(|step| *step >= least);
        let step = step.unwrap_or_else(|| 2.0_f64.powf(least.log2().ceil())) as u32;
        let (first, last) = (self.top.floor().max(0.0) as u32, self.bottom.ceil() as u32);
        (first.div_ceil(step)..=last / step).map(|i| i * step).filter(|rank| *rank < last).collect()
    }
}

fn scaled((low, high): (f64, f64), at: f64, times: f64, least: f64) -> (f64, f64) {
    let place = low + at * (high - low);
    let length = ((high - low) * times).max(least);
    (place - at * length, place + (1.0 - at) * length)
}

fn clamped((low, high): (f64, f64), end: f64) -> (f64, f64) {
    let length = high - low;
    // Rounding errors of the whole range are removed.
    if length > end * (1.0 - 1e-12) {
        return (0.0, end);
    }
    let low = low.clamp(0.0, end - length);
    (low, low + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Whole = Whole { end: 100.0, ranks: 16.0 };

    #[test]
    fn zooming_keeps_the_position_under_the_pointer() {
        let near = WHOLE.visible().zoomed((0.25, 0.5), (0.5, 0.25), WHOLE);
        assert_eq!(near, VisibleRange { from: 12.5, to: 62.5, top: 6.0, bottom: 10.0 });
        assert_eq!((near.x(25.0), near.at((0.25, 0.5))), (0.25, (25.0, 8.0)));
        assert_eq!(near.zoomed((0.5, 0.5), (100.0, 100.0), WHOLE), WHOLE.visible());
    }

    #[test]
    fn the_range_stays_inside_the_timeline() {
        let near = WHOLE.visible().zoomed((0.0, 0.0), (0.1, 0.5), WHOLE);
        assert_eq!(near.moved((-5.0, 9.0), WHOLE), VisibleRange { top: 8.0, bottom: 16.0, ..near });
        assert!(near.is_like(near.moved((-0.3, 0.0), WHOLE)) && !near.is_like(WHOLE.visible()));
        let nearest =
            (0..200).fold(near, |visible, _| visible.zoomed((0.5, 0.5), (0.5, 0.5), WHOLE));
        assert!(nearest.to > nearest.from && nearest.bottom - nearest.top >= FEWEST);
    }

    #[test]
    fn keys_zoom_and_move() {
        let key = |visible: VisibleRange, key| visible.after_key(key, WHOLE).unwrap();
        let near = key(key(WHOLE.visible(), "+"), "PageUp");
        assert_eq!(near, VisibleRange { from: 25.0, to: 75.0, top: 4.0, bottom: 12.0 });
        assert_eq!(key(near, "ArrowRight"), VisibleRange { from: 32.5, to: 82.5, ..near });
        assert_eq!(key(near, "Home"), WHOLE.visible());
        assert_eq!(near.after_key("Tab", WHOLE), None);
    }

    #[test]
    fn axes_have_as_many_words_as_fit() {
        let labels = |visible: VisibleRange| -> Vec<String> {
            visible.moments(400.0, 12.0).into_iter().map(|tick| tick.label).collect()
        };
        assert_eq!(labels(WHOLE.visible())[..2], ["0 µs", "20 µs"]);
        let far = VisibleRange { from: 52_341.0, to: 52_342.0, ..WHOLE.visible() };
        let labels = labels(far);
        assert_eq!(labels[..2], ["52.341 ms", "52.3412 ms"], "{labels:?}");
        assert_eq!(WHOLE.visible().ranks(80.0, 12.0), [0, 4, 8, 12]);
        assert_eq!(VisibleRange { top: 3.2, bottom: 5.5, ..far }.ranks(400.0, 12.0), [3, 4, 5]);
    }
}
