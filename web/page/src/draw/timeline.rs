//! Paints a timeline pixel by pixel: each rank's activities by colour.

use super::figure::Ink;
use super::split::{COMPUTING, CONTROL, RECEIVING, SENDING};
use super::visible::VisibleRange;
use loggia_simulate::result::Step;
use loggia_worker::{BusyInterval, MessageFlight, TimelineSection};

/// Colour of an activity.
pub(crate) fn ink(activity: &str) -> Ink {
    match activity {
        "compute" => Ink::Compute,
        "send" => Ink::Send,
        "receive" => Ink::Recv,
        _ => Ink::Startup,
    }
}

/// Activities in the order of a cell's shares.
pub(crate) const ACTIVITIES: [&str; 4] = ["compute", "send", "receive", "control"];

/// Red, green and blue.
type Colour = [u8; 3];

/// An image to paint on.
pub(crate) struct Image<'a> {
    /// Width and height in pixels.
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Colour by ink.
    pub(crate) colour: &'a dyn Fn(Ink) -> Colour,
    pixels: Vec<u8>,
}

impl<'a> Image<'a> {
    /// A transparent image.
    pub(crate) fn new(width: usize, height: usize, colour: &'a dyn Fn(Ink) -> Colour) -> Self {
        Image { width, height, colour, pixels: vec![0; 4 * width * height] }
    }

    /// Paints a part of a run that ends at `end`; `visible` may have moved since the part was
    /// computed.
    pub(crate) fn paint(
        mut self,
        section: &TimelineSection,
        visible: VisibleRange,
        end: f64,
    ) -> Vec<u8> {
        self.idle(visible, end);
        match &section.each {
            Some(each) => {
                let cpus = each.iter().map(|interval| interval.cpu).max().unwrap_or_default();
                for interval in each {
                    self.interval(interval, visible, f64::from(cpus) + 1.0);
                }
            }
            None => self.cells(section, visible),
        }
        self.pixels
    }

    /// Pixels between two positions (0 to 1), at least one.
    fn along((from, to): (f64, f64), pixels: usize) -> std::ops::Range<usize> {
        let whole = pixels as f64;
        if to < 0.0 || from > 1.0 {
            return 0..0;
        }
        let first = (from.max(0.0) * whole).round() as usize;
        let last = (to.min(1.0) * whole).round() as usize;
        let first = first.min(pixels.saturating_sub(1));
        first..last.max(first + 1).min(pixels)
    }

    fn fill(&mut self, x: (f64, f64), y: (f64, f64), colour: Colour) {
        let across = Self::along(x, self.width);
        for row in Self::along(y, self.height) {
            let start = 4 * (row * self.width + across.start);
            let stop = 4 * (row * self.width + across.end);
            for pixel in self.pixels[start..stop.max(start)].chunks_exact_mut(4) {
                pixel.copy_from_slice(&[colour[0], colour[1], colour[2], 255]);
            }
        }
    }

    /// Top and bottom of a part of a rank's row, with gaps between rows if there is room.
    fn row(&self, visible: VisibleRange, top: f64, bottom: f64) -> (f64, f64) {
        let (top, bottom) = (visible.y(top), visible.y(bottom));
        let pixels = (bottom - top) * self.height as f64;
        let gap = if pixels < 5.0 { 0.0 } else { (0.08 * pixels).clamp(1.0, 6.0) };
        let gap = gap / self.height as f64;
        (top + gap, bottom - gap)
    }

    fn idle(&mut self, visible: VisibleRange, end: f64) {
        let colour = (self.colour)(Ink::Idle);
        let across = (visible.x(0.0), visible.x(end));
        let ranks = visible.top.floor() as u32..visible.bottom.ceil() as u32;
        if ranks.len() > self.height {
            return self.fill(across, (0.0, 1.0), colour);
        }
        for rank in ranks {
            let down = self.row(visible, f64::from(rank), f64::from(rank) + 1.0);
            self.fill(across, down, colour);
        }
    }

    fn interval(&mut self, interval: &BusyInterval, visible: VisibleRange, cpus: f64) {
        let top = f64::from(interval.rank) + f64::from(interval.cpu) / cpus;
        let down = self.row(visible, top, top + 1.0 / cpus);
        let across = (visible.x(interval.start_us.0), visible.x(interval.end_us.0));
        self.fill(across, down, (self.colour)(ink(interval.activity)));
    }

    fn cells(&mut self, section: &TimelineSection, visible: VisibleRange) {
        let viewport = section.viewport;
        let inks = ACTIVITIES.map(|activity| (self.colour)(ink(activity)));
        let idle = (self.colour)(Ink::Idle);
        let across = viewport.cells as usize;
        let rows = section.shares.len() / 4 / across.max(1);
        let colours: Vec<Colour> =
            section.shares.chunks_exact(4).map(|shares| blend(shares, inks, idle)).collect();
        for y in 0..self.height {
            let (_, rank) = visible.at((0.0, (y as f64 + 0.5) / self.height as f64));
            let row = (rank - f64::from(viewport.first)) / f64::from(section.ranks_a_row.max(1));
            if row < 0.0 || row as usize >= rows {
                continue;
            }
            for x in 0..self.width {
                let (moment, _) = visible.at(((x as f64 + 0.5) / self.width as f64, 0.0));
                let cell = (moment - viewport.from.0) / section.cell_us.0;
                if cell < 0.0 || cell as usize >= across {
                    continue;
                }
                let [red, green, blue] = colours[row as usize * across + cell as usize];
                let at = 4 * (y * self.width + x);
                if self.pixels[at + 3] > 0 {
                    self.pixels[at..at + 3].copy_from_slice(&[red, green, blue]);
                }
            }
        }
    }
}

/// Mixes colours by their shares with the idle colour.
fn blend(shares: &[u8], inks: [Colour; 4], idle: Colour) -> Colour {
    let busy: u32 = shares.iter().map(|share| u32::from(*share)).sum();
    let whole = busy.max(255);
    std::array::from_fn(|i| {
        let parts =
            shares.iter().zip(&inks).map(|(share, ink)| u32::from(*share) * u32::from(ink[i]));
        ((parts.sum::<u32>() + (whole - busy) * u32::from(idle[i])) / whole) as u8
    })
}

/// Pixel positions in an image of this size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PixelMap {
    pub(crate) visible: VisibleRange,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl PixelMap {
    /// The pixel of a moment at the middle of a rank's row.
    fn pixel(self, moment: f64, rank: u32) -> (f64, f64) {
        (self.visible.x(moment) * self.width, self.visible.y(f64::from(rank) + 0.5) * self.height)
    }

    /// Messages as lines, in one SVG path.
    pub(crate) fn arrows(self, arrows: &[MessageFlight]) -> String {
        let line = |arrow: &MessageFlight| {
            let (x, y) = self.pixel(arrow.leaves_us.0, arrow.from);
            let (to_x, to_y) = self.pixel(arrow.arrives_us.0, arrow.to);
            format!("M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}")
        };
        arrows.iter().map(line).collect()
    }

    /// The critical path as one line, clipped to the image.
    pub(crate) fn critical_path(self, steps: &[Step]) -> String {
        let mut path = String::new();
        let mut before: Option<&Step> = None;
        for step in steps {
            let since = before.map_or(step.start_us.0, |before| before.end_us.0);
            if step.end_us.0 >= self.visible.from && since <= self.visible.to {
                if let Some(before) = before.filter(|_| path.is_empty()) {
                    let (x, y) = self.pixel(before.end_us.0, before.rank);
                    path += &format!("M{x:.1} {y:.1}");
                }
                let (x, y) = self.pixel(step.start_us.0, step.rank);
                let (end, _) = self.pixel(step.end_us.0, step.rank);
                let go = if path.is_empty() { 'M' } else { 'L' };
                path += &format!("{go}{x:.1} {y:.1}H{end:.1}");
            }
            before = Some(step);
        }
        path
    }
}

/// The interval at a moment of a rank, if each is known.
pub(crate) fn at(section: &TimelineSection, (moment, rank): (f64, f64)) -> Option<&BusyInterval> {
    let contains = |interval: &&BusyInterval| {
        f64::from(interval.rank) == rank.floor()
            && interval.start_us.0 <= moment
            && moment <= interval.end_us.0
    };
    section.each.as_ref()?.iter().rfind(contains)
}

/// Label of an activity.
pub(crate) fn activity(activity: &str) -> &'static str {
    match activity {
        "compute" => COMPUTING,
        "send" => SENDING,
        "receive" => RECEIVING,
        _ => CONTROL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::units::Micros;
    use loggia_worker::Viewport;

    const VISIBLE: VisibleRange = VisibleRange { from: 0.0, to: 10.0, top: 0.0, bottom: 2.0 };

    fn section() -> TimelineSection {
        let interval = |rank, activity, start: f64, end: f64| BusyInterval {
            rank,
            cpu: 0,
            activity,
            op: String::new(),
            start_us: Micros(start),
            end_us: Micros(end),
        };
        TimelineSection {
            viewport: Viewport { cells: 5, ..VISIBLE.viewport(10.0, 2.0) },
            intervals: 2,
            each: Some(vec![interval(0, "send", 0.0, 3.0), interval(1, "receive", 6.0, 8.0)]),
            messages: 0,
            arrows: None,
            ranks_a_row: 1,
            shares_length: 0,
            cell_us: Micros(2.0),
            shares: Vec::new(),
        }
    }

    fn colour(ink: Ink) -> Colour {
        [ink as u8 + 1, 0, 0]
    }

    fn reds(pixels: &[u8]) -> Vec<u8> {
        pixels.chunks_exact(4).map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn each_interval_has_its_colour_and_the_rest_is_idle_until_the_end() {
        let [send, recv, idle] = [Ink::Send, Ink::Recv, Ink::Idle].map(|ink| colour(ink)[0]);
        let painted = reds(&Image::new(10, 2, &colour).paint(&section(), VISIBLE, 9.0));
        assert_eq!(painted[..10], [send, send, send, idle, idle, idle, idle, idle, idle, 0]);
        assert_eq!(painted[16..20], [recv, recv, idle, 0]);
    }

    #[test]
    fn cells_blend_what_is_in_them() {
        let section = TimelineSection {
            each: None,
            shares: [vec![0, 255, 0, 0], vec![0; 16], vec![0, 0, 0, 128], vec![0; 16]].concat(),
            ..section()
        };
        let painted = reds(&Image::new(5, 2, &colour).paint(&section, VISIBLE, 10.0));
        assert_eq!(painted[0], colour(Ink::Send)[0]);
        assert_eq!(painted[1], colour(Ink::Idle)[0]);
        let half = (colour(Ink::Startup)[0] + colour(Ink::Idle)[0]) / 2;
        assert!(painted[5].abs_diff(half) <= 1, "{painted:?}");
    }

    #[test]
    fn messages_and_the_critical_path_are_lines() {
        let pixel_map = PixelMap { visible: VISIBLE, width: 100.0, height: 20.0 };
        let arrow =
            MessageFlight { from: 0, to: 1, leaves_us: Micros(3.0), arrives_us: Micros(6.0) };
        assert_eq!(pixel_map.arrows(&[arrow]), "M30.0 5.0L60.0 15.0");
        let step = |rank, start: f64, end: f64| Step {
            rank,
            activity: "send",
            op: String::new(),
            start_us: Micros(start),
            end_us: Micros(end),
        };
        let steps = [step(0, 0.0, 3.0), step(1, 6.0, 8.0)];
        assert_eq!(pixel_map.critical_path(&steps), "M0.0 5.0H30.0L60.0 15.0H80.0");
        let shifted = PixelMap { visible: VisibleRange { from: 5.0, ..VISIBLE }, ..pixel_map };
        assert_eq!(shifted.critical_path(&steps), "M-40.0 5.0L20.0 15.0H60.0");
    }

    #[test]
    fn the_interval_under_the_pointer_is_found() {
        assert_eq!(at(&section(), (1.0, 0.5)).map(|found| found.activity), Some("send"));
        assert_eq!(at(&section(), (1.0, 1.5)), None);
    }
}
