//! The picture of a collective operation: its time over the number of processes.

use super::figure::{Band, Figure, Ink, Line, Weight};
use super::scale::Log;
use super::steps::Axis;
use loggia_model::model::collective::{self, Cost};
use loggia_model::signature::Collective;
use loggia_model::units::Procs;

/// The time and its parts over p, for so many bytes. `asked` is on the axis. None where the form
/// has no number anywhere on it.
pub(crate) fn figure(form: &Collective, bytes: f64, asked: Procs) -> Option<Figure> {
    let procs = all_procs(form, asked);
    let costs: Vec<Cost> = procs.iter().map(|p| collective::cost(form, *p, bytes)).collect();
    let line = |ink, weight, label: &str, of: &dyn Fn(&Cost) -> Option<f64>| Line {
        ink,
        weight,
        label: label.to_owned(),
        points: procs.iter().zip(&costs).map(|(p, cost)| (p.count(), of(cost))).collect(),
    };
    let thin = |symbol, of| line(Ink::of(symbol), Weight::Thin, symbol, of);
    let mut lines = vec![thin("T0", &|cost| cost.startup.map(|t| t.0))];
    if form.per_byte.is_some() {
        lines.push(thin("t_b", &|cost| cost.transmission.map(|t| t.0)));
    }
    if form.compute_per_byte.is_some() {
        lines.push(thin("t_c", &|cost| cost.compute.map(|t| t.0)));
    }
    let time = |cost: &Cost| cost.prediction.time().map(|t| t.0);
    lines.push(line(Ink::Total, Weight::Bold, "total", &time));
    let (low, high) = (form.procs.low.count().max(2.0), form.procs.high.count());
    let x = Log { low: 2.0, high: procs.last()?.count() };
    let y = vertical(&lines)?;
    Some(Figure {
        band: band(&procs, &costs),
        known: Some((low, high)),
        marks: vec![low, high],
        ..Figure::of_lines(Axis::Procs, x, y, lines)
    })
}

/// Every step of the slider, the ends of the fitted range, and what is asked.
fn all_procs(form: &Collective, asked: Procs) -> Vec<Procs> {
    let beyond = u64::from(asked.0) > Axis::Procs.high();
    let furthest = beyond.then(|| Procs(asked.0.checked_next_power_of_two().unwrap_or(u32::MAX)));
    let ends = [form.procs.low, form.procs.high].into_iter().filter(|p| p.0 >= 2);
    let mut procs: Vec<Procs> =
        Axis::Procs.values().map(Axis::procs).chain(ends).chain(furthest).collect();
    procs.sort_unstable();
    procs.dedup();
    procs
}

/// The bounds of the total, where the form's coefficients have any.
fn band(procs: &[Procs], costs: &[Cost]) -> Option<Band> {
    let bounds = procs.iter().zip(costs).filter_map(|(p, cost)| {
        let total = cost.prediction.total.filter(|total| total.is_bounded())?;
        Some((p.count(), total.low.0, total.high.0))
    });
    let points: Vec<_> = bounds.collect();
    (!points.is_empty()).then_some(Band { ink: Ink::Total, points })
}

/// All totals, and the parts down to a hundredth of the least of them.
fn vertical(lines: &[Line]) -> Option<Log> {
    let values = |line: &Line| line.runs().into_iter().flatten().map(|(_, y)| y);
    let least = values(lines.last()?).fold(f64::INFINITY, f64::min);
    Log::around(lines.iter().flat_map(values).filter(|value| *value >= least / 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::signature::Operation;

    fn of(name: &str, op: Operation, bytes: f64) -> Figure {
        let signature = library::load(name).unwrap();
        figure(signature.collective(op).unwrap(), bytes, Procs(64)).unwrap()
    }

    #[test]
    fn a_total_exchange_has_no_number_on_two_or_three_processes() {
        let figure = of("cray-t3d", Operation::Alltoall, 512.0);
        let total = figure.lines.last().unwrap();
        assert_eq!(total.points[0], (2.0, None));
        assert_eq!(total.runs()[0][0].0, 4.0);
        assert_eq!(figure.known, Some((2.0, 64.0)));
        let startup = &figure.lines[0];
        assert_eq!((startup.label.as_str(), startup.points[0].1), ("T0", Some(60.6)));
    }

    #[test]
    fn a_reduction_has_arithmetic_and_a_barrier_no_bytes() {
        let labels = |figure: Figure| -> Vec<String> {
            figure.lines.into_iter().map(|line| line.label).collect()
        };
        let reduce = of("ap3000-mpi", Operation::Reduce, 512.0);
        assert_eq!(labels(reduce), ["T0", "t_b", "t_c", "total"]);
        assert_eq!(labels(of("ibm-sp2", Operation::Barrier, 0.0)), ["T0", "total"]);
    }

    #[test]
    fn beyond_the_slider_the_axis_grows() {
        let signature = library::load("cray-t3d").unwrap();
        let form = signature.collective(Operation::Bcast).unwrap();
        let figure = figure(form, 64.0, Procs(5000)).unwrap();
        assert_eq!(figure.x.high, 8192.0);
    }
}
