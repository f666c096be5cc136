//! The plot of a number over time, with intervals.

use crate::draw::moments::step;
use crate::draw::scale::Frame;
use crate::draw::ticks::Tick;
use loggia_model::compare::{Change, History, Run, Verdict, days};
use loggia_model::units::Micros;
use loggia_model::units::words::number;

/// A number of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    /// Index of the run.
    pub(crate) run: usize,
    /// Horizontal position.
    pub(crate) x: f64,
    /// Value, lower and upper bound.
    pub(crate) y: [f64; 3],
    /// Change since the last and since the first run: true for an increase.
    pub(crate) changed: [Option<bool>; 2],
}

/// A number over time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trend {
    /// Runs with a known number.
    pub(crate) marks: Vec<Mark>,
    /// Ends of the horizontal axis.
    x: [f64; 2],
    /// Ends of the vertical axis.
    y: [f64; 2],
}

/// Margin above and below, as a share of the axis.
const MARGIN: f64 = 0.12;
/// Smallest height of the axis relative to its values, so that small changes look small.
const MIN_HEIGHT: f64 = 0.02;
/// Smallest distance of markers that do not overlap, as a share of the axis.
const MIN_DISTANCE: f64 = 0.015;

/// The plot of one number; `None` if no run has it. Runs are placed by date, or evenly if dates are
/// missing or too close.
pub(crate) fn trend(history: &History, column: usize) -> Option<Trend> {
    let places = places(history);
    let mark = |(run, of): (usize, &Run)| {
        let number = &of.numbers[column];
        let value = number.value?;
        let bounds = [number.low, number.high].map(|bound| bound.unwrap_or(value));
        let changed =
            [&number.since_last, &number.since_first].map(|change| more(change.as_ref()?));
        Some(Mark { run, x: places[run], y: [value, bounds[0], bounds[1]], changed })
    };
    let marks: Vec<Mark> = history.runs.iter().enumerate().filter_map(mark).collect();
    let values = marks.iter().flat_map(|mark| mark.y);
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    let middle = marks.first()?.y[0].abs();
    let margin = (MARGIN * (high - low)).max(MIN_HEIGHT * middle).max(f64::MIN_POSITIVE);
    let (first, last) = (*places.first()?, *places.last()?);
    let aside = 0.04 * (last - first).max(1e-9);
    Some(Trend { marks, x: [first - aside, last + aside], y: [low - margin, high + margin] })
}

/// Whether a change is an increase.
fn more(change: &Change) -> Option<bool> {
    (change.judged.verdict == Verdict::Changed)
        .then(|| change.ratio.is_none_or(|ratio| ratio > 1.0))
}

/// Horizontal positions of the runs.
fn places(history: &History) -> Vec<f64> {
    let evenly = || (0..history.runs.len()).map(|place| place as f64).collect();
    let dated: Option<Vec<f64>> =
        history.runs.iter().map(|run| days(run.date.as_deref()?)).collect();
    let Some(dated) = dated else { return evenly() };
    let span = dated.last().zip(dated.first()).map_or(0.0, |(last, first)| last - first);
    match dated.windows(2).all(|pair| pair[1] - pair[0] > MIN_DISTANCE * span) {
        true => dated,
        false => evenly(),
    }
}

impl Trend {
    pub(crate) fn pixel(&self, frame: Frame, x: f64, y: f64) -> (f64, f64) {
        let share = |[low, high]: [f64; 2], value: f64| (value - low) / (high - low);
        let along = frame.left + share(self.x, x) * (frame.right - frame.left);
        (along, frame.bottom - share(self.y, y) * (frame.bottom - frame.top))
    }

    /// Ticks of the vertical axis.
    pub(crate) fn up(&self, frame: Frame) -> Vec<Tick> {
        let [low, high] = self.y;
        let step = step(Micros(high - low), 2.0 * (frame.bottom - frame.top), frame.em);
        let first = (low / step).ceil() as i64;
        let last = (high / step).floor() as i64;
        let digits = ((high.abs() / step).log10().ceil().max(1.0) as usize + 1).min(9);
        let tick = |at: i64| {
            let value = at as f64 * step;
            Tick { value, label: number(value, digits) }
        };
        (first..=last).map(tick).collect()
    }

    /// Markers with room for labels of this length: the last one, and others to its left.
    pub(crate) fn named(&self, frame: Frame, letters: usize) -> Vec<usize> {
        let room = 0.6 * frame.em * (letters as f64 + 3.0);
        let mut free = f64::INFINITY;
        let mut named = Vec::new();
        for (place, mark) in self.marks.iter().enumerate().rev() {
            let (x, _) = self.pixel(frame, mark.x, mark.y[0]);
            if x + room <= free {
                named.push(place);
                free = x;
            }
        }
        named
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::signature::{Origin, Signature};

    /// Runs of these dates; in the last one, L is twice the published value.
    fn history(dates: &[&str]) -> History {
        let run = |(place, date): (usize, &&str)| {
            let mut signature = library::load("cray-t3d").unwrap();
            signature.origin =
                Origin::Citation { citation: String::new(), date: Some((*date).to_owned()) };
            if place + 1 == dates.len() {
                signature.set("L", "6.2us").unwrap();
            }
            signature
        };
        let runs: Vec<Signature> = dates.iter().enumerate().map(run).collect();
        History::of(&runs.iter().collect::<Vec<_>>(), &["L".parse().unwrap()], 0.0).unwrap()
    }

    const FRAME: Frame = Frame { left: 50.0, right: 650.0, top: 20.0, bottom: 220.0, em: 12.0 };

    #[test]
    fn runs_are_placed_by_date() {
        let trend = trend(&history(&["2026-05-01", "2026-05-02", "2026-05-05"]), 0).unwrap();
        let x: Vec<f64> = trend.marks.iter().map(|mark| mark.x).collect();
        assert_eq!((x[1] - x[0], x[2] - x[0]), (1.0, 4.0));
        assert_eq!(trend.marks[2].changed, [Some(true), Some(true)]);
        assert_eq!(trend.marks[0].changed, [None, None]);
        for mark in &trend.marks {
            let (x, y) = trend.pixel(FRAME, mark.x, mark.y[0]);
            assert!((FRAME.left..=FRAME.right).contains(&x), "{x}");
            assert!((FRAME.top..=FRAME.bottom).contains(&y), "{y}");
        }
    }

    #[test]
    fn close_runs_are_spaced_evenly() {
        let near = ["2025-05-01 06:00 UTC", "2025-05-01 06:01 UTC", "2026-05-01"];
        let trend = trend(&history(&near), 0).unwrap();
        assert_eq!(trend.marks.iter().map(|mark| mark.x).collect::<Vec<_>>(), [0.0, 1.0, 2.0]);
        let undated = super::trend(&history(&["2025", "2025", "soon"]), 0).unwrap();
        assert_eq!(undated.marks[2].x, 2.0);
    }

    #[test]
    fn ticks_are_round() {
        let trend = trend(&history(&["2024", "2025", "2026"]), 0).unwrap();
        let labels: Vec<String> = trend.up(FRAME).into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels, ["3", "4", "5", "6"]);
        assert_eq!(trend.named(FRAME, 10), [2, 1, 0]);
        assert_eq!(trend.named(Frame { right: 200.0, ..FRAME }, 10), [2, 0]);
    }
}
