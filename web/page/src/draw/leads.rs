//! The machine with the lowest line, and the positions where it changes.

use super::figure::{Ink, Line, Unit, Weight};
use loggia_model::model::changes::{Change, changes};
use loggia_model::units::Micros;

/// The best at the left edge, and the changes; `None` if no line has a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Leads {
    pub(crate) first: Option<Ink>,
    pub(crate) changes: Vec<Change<Option<Ink>>>,
}

impl Leads {
    /// Compares lines with the same positions, without faint ones; `time` gives values between the
    /// positions.
    pub(crate) fn of(
        lines: &[Line],
        unit: Unit,
        time: impl Fn(Ink, u64) -> Option<Micros>,
    ) -> Self {
        let lines: Vec<&Line> = lines.iter().filter(|line| line.weight != Weight::Faint).collect();
        // Of two equal machines, the first is the best.
        let least = |found: &mut dyn Iterator<Item = (Ink, f64)>| {
            let least =
                found.min_by(|a, b| a.1.total_cmp(&b.1).then((a.0 as usize).cmp(&(b.0 as usize))));
            least.map(|(ink, _)| ink)
        };
        let sign = if unit == Unit::Rate { -1.0 } else { 1.0 };
        let at_place = |i: usize| {
            let value = |line: &&Line| Some((line.ink, sign * line.points.get(i)?.1?));
            least(&mut lines.iter().filter_map(value))
        };
        let at_value = |value: u64| {
            let of = |line: &&Line| Some((line.ink, time(line.ink, value)?.0));
            least(&mut lines.iter().filter_map(of))
        };
        let places = lines.first().map_or(0, |line| line.points.len());
        let leaders: Vec<Option<Ink>> = (0..places).map(at_place).collect();
        let between = (1..places).filter(|i| leaders[*i] != leaders[i - 1]);
        let ends = between.flat_map(|i| [i - 1, i].map(|i| lines[0].points[i].0 as u64));
        let first = leaders.first().copied().flatten();
        Leads { first, changes: changes(ends, at_value) }
    }

    /// Positions of the changes.
    pub(crate) fn marks(&self) -> Vec<f64> {
        self.changes.iter().map(|change| change.at as f64).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_change_where_lines_cross() {
        // The first line is 10 + 1 per byte, the second 100.
        let time = |ink, value: u64| match ink {
            Ink::Total => Some(10.0 + value as f64),
            Ink::Series1 => Some(100.0),
            _ => None,
        };
        let line = |ink, weight| {
            let point = |value: u64| (value as f64, time(ink, value));
            let points = [1, 64, 128, 256].map(point).to_vec();
            Line { ink, weight, label: String::new(), points }
        };
        let lines = [
            line(Ink::Series1, Weight::Thin),
            line(Ink::Total, Weight::Bold),
            line(Ink::Series2, Weight::Thin),
        ];
        let of = |ink, value| time(ink, value).map(Micros);
        let leads = Leads::of(&lines, Unit::Time, of);
        assert_eq!(leads.first, Some(Ink::Total));
        // Both are equal at 90 bytes.
        let change = Change { at: 91, from: Some(Ink::Total), to: Some(Ink::Series1) };
        assert_eq!(leads.changes, [change]);
        assert_eq!(leads.marks(), [91.0]);
        assert_eq!(Leads::of(&[], Unit::Time, of), Leads::default());
    }
}
