//! A panel of a paper's figure as a plot.

use crate::draw::figure::{Figure, Ink, Line, Unit, Weight};
use crate::draw::scale::Log;
use crate::draw::steps::Axis;
use loggia_link::figures::{Drawn, Line as Values, Over, PanelUnit};

/// The horizontal axis; `None` for bars.
pub(crate) fn axis(drawn: &Drawn) -> Option<Axis> {
    match drawn.over {
        Over::Bytes(..) => Some(Axis::Bytes),
        Over::Procs(..) => Some(Axis::Procs),
        Over::Machines => None,
    }
}

/// Colour and weight of each line: machines by colour, two lines of a machine by weight; for a
/// single machine, lines by colour.
pub(crate) fn marks(lines: &[Values]) -> Vec<(Ink, Weight)> {
    let mut machines: Vec<&str> = lines.iter().map(|line| line.machine.as_str()).collect();
    machines.dedup();
    let is_alone = machines.len() < 2;
    let mark = |(i, line): (usize, &Values)| {
        let machine = machines.iter().position(|name| *name == line.machine).unwrap_or_default();
        let before = lines[..i].iter().filter(|other| other.machine == line.machine).count();
        let of_machine = lines.iter().filter(|other| other.machine == line.machine).count();
        match is_alone {
            true => (Ink::of_machine(i), Weight::Thin),
            false if before + 1 < of_machine => (Ink::of_machine(machine), Weight::Thin),
            false => (Ink::of_machine(machine), Weight::Bold),
        }
    };
    lines.iter().enumerate().map(mark).collect()
}

/// The plot; `None` for bars, or if no value is known.
pub(crate) fn figure(drawn: &Drawn) -> Option<Figure> {
    let axis = axis(drawn)?;
    let marks = marks(&drawn.lines);
    let lines: Vec<Line> = drawn
        .lines
        .iter()
        .zip(marks)
        .map(|(values, (ink, weight))| Line {
            ink,
            weight,
            label: String::new(),
            points: values.points.clone(),
        })
        .collect();
    let xs = || drawn.lines.iter().flat_map(|line| line.points.iter().map(|(x, _)| *x));
    let x = Log { low: xs().fold(f64::INFINITY, f64::min), high: xs().fold(0.0, f64::max) };
    let y = Log::around(lines.iter().flat_map(Line::runs).flatten().map(|(_, y)| y))?;
    let unit = match drawn.unit {
        PanelUnit::Micros => Unit::Time,
        PanelUnit::BytesPerMicro => Unit::Rate,
    };
    (x.low < x.high).then(|| Figure { unit, ..Figure::of_lines(axis, x, y, lines) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_link::figures::{self, FigureContent};
    use loggia_model::{Signature, library};

    fn drawn(name: &str, panel: usize) -> Drawn {
        let figure = figures::named(name).unwrap();
        let FigureContent::Panels { machines, panels } = figure.shown else { panic!("panels") };
        let machines: Vec<Signature> =
            machines.iter().map(|name| library::load(name).unwrap()).collect();
        panels[panel].draw(&machines.iter().collect::<Vec<_>>(), 8.0)
    }

    #[test]
    fn machines_differ_by_colour_and_sizes_by_weight() {
        let marks = marks(&drawn("hwang-3", 3).lines);
        let (thin, bold) = (Weight::Thin, Weight::Bold);
        let [a, b, c] = [Ink::Total, Ink::Series1, Ink::Series2];
        assert_eq!(marks, [(a, thin), (a, bold), (b, thin), (b, bold), (c, thin), (c, bold)]);
        let inks: Vec<Ink> =
            self::marks(&drawn("tourino-3", 0).lines).into_iter().map(|(ink, _)| ink).collect();
        assert_eq!(inks, [Ink::Total, Ink::Series1, Ink::Series2]);
    }

    #[test]
    fn lines_are_pictures_and_bars_are_not() {
        let picture = figure(&drawn("hwang-1", 0)).unwrap();
        assert_eq!((picture.x.low, picture.x.high, picture.lines.len()), (2.0, 128.0, 3));
        assert_eq!(figure(&drawn("hwang-5", 1)).unwrap().unit, Unit::Rate);
        assert_eq!(figure(&drawn("hwang-4", 1)), None);
    }
}
