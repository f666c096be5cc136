//! Space-time diagram of many ranks: one line per rank, with its activities and messages.

use super::figure::Ink;
use loggia_model::units::Micros;
use loggia_simulate::record::{Activity, Flight, Record, Span};

/// Positions of rows, and the time scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rows {
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    /// Distance between rows.
    pub(crate) pitch: f64,
    /// Time at the right end.
    pub(crate) until: Micros,
    pub(crate) ranks: u32,
}

/// Maximum number of marks that SVG can draw quickly.
pub(crate) const MAX_MARKS: usize = 1000;

/// Number of marks in a diagram of a run.
pub(crate) fn marks(record: &Record) -> usize {
    record.spans.len() + record.flights.len()
}

/// Colour of an activity.
pub(crate) fn ink(activity: Activity) -> Ink {
    match activity {
        Activity::Compute => Ink::Compute,
        Activity::Send => Ink::Send,
        Activity::Receive => Ink::Recv,
        Activity::Control => Ink::Startup,
    }
}

impl Rows {
    /// Rows for a diagram of this width; the more ranks, the closer.
    pub(crate) fn new(width: f64, em: f64, ranks: u32, until: Micros) -> Self {
        let pitch = (26.0 * em / f64::from(ranks.max(1))).clamp(0.75 * em, 2.4 * em);
        Rows { left: 3.2 * em, right: width - 1.5 * em, top: 0.4 * em, pitch, until, ranks }
    }

    /// Whether the diagram has any area.
    pub(crate) fn is_visible(self) -> bool {
        self.right - self.left > 20.0
    }

    /// The lower end of the last line.
    pub(crate) fn bottom(self) -> f64 {
        self.top + self.pitch * f64::from(self.ranks)
    }

    /// The pixel of a moment.
    pub(crate) fn x(self, moment: Micros) -> f64 {
        self.left + moment.0 / self.until.0 * (self.right - self.left)
    }

    /// Vertical middle of a rank's row.
    pub(crate) fn y(self, rank: u32) -> f64 {
        self.top + self.pitch * (f64::from(rank) + 0.5)
    }

    /// Ranks with a label, as many as fit.
    pub(crate) fn named(self, em: f64) -> impl Iterator<Item = u32> {
        let fits = |every: &usize| *every as f64 * self.pitch >= 1.15 * em;
        let every = [1, 2, 4, 8, 16].into_iter().find(fits).unwrap_or(16);
        (0..self.ranks).step_by(every)
    }

    /// Left, top, width and height of an activity.
    pub(crate) fn block(self, span: &Span) -> [f64; 4] {
        const LEAST: f64 = 0.75;
        let (from, to) = (self.x(span.start), self.x(span.end));
        let height = 0.62 * self.pitch;
        [from, self.y(span.rank) - height / 2.0, (to - from).max(LEAST), height]
    }

    /// Start and end of a message's first byte, in pixels.
    pub(crate) fn line(self, flight: &Flight) -> [f64; 4] {
        let down = if flight.to > flight.from { 0.31 } else { -0.31 } * self.pitch;
        [
            self.x(flight.leaves),
            self.y(flight.from) + down,
            self.x(flight.arrives),
            self.y(flight.to) - down,
        ]
    }
}

/// Name of an activity.
pub(crate) fn activity(activity: Activity) -> &'static str {
    match activity {
        Activity::Compute => "computes",
        Activity::Send => "sends",
        Activity::Receive => "receives",
        Activity::Control => "control messages",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EM: f64 = 12.0;

    #[test]
    fn nothing_leaves_the_picture_and_lengths_are_to_scale() {
        let rows = Rows::new(800.0, EM, 8, Micros(100.0));
        let span = Span {
            rank: 7,
            activity: Activity::Send,
            start: Micros(25.0),
            end: Micros(75.0),
            is_critical: true,
        };
        let [x, y, width, height] = rows.block(&span);
        assert!((width - (rows.right - rows.left) / 2.0).abs() < 1e-9);
        assert!(x > rows.left && y + height < rows.bottom());
        let flight = Flight {
            from: 0,
            to: 7,
            leaves: Micros(0.0),
            arrives: Micros(100.0),
            is_critical: false,
        };
        let [x1, y1, x2, y2] = rows.line(&flight);
        assert_eq!((x1, x2), (rows.left, rows.right));
        assert!(y1 > rows.y(0) && y2 < rows.y(7));
    }

    #[test]
    fn many_ranks_are_close_and_not_all_named() {
        let few = Rows::new(800.0, EM, 4, Micros(1.0));
        let many = Rows::new(800.0, EM, 64, Micros(1.0));
        assert!(few.pitch > many.pitch);
        assert_eq!(few.named(EM).count(), 4);
        assert!(many.named(EM).count() <= 32);
    }
}
