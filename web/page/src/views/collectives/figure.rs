//! The plot of a collective operation over p or the size, by algorithms or machines.

use crate::draw::algorithms::CollectiveQuestion;
use crate::draw::figure::{Band, Dot, Figure, Ink, Line, Unit, Weight};
use crate::draw::scale::Log;
use crate::draw::steps::{Axis, in_order};
use loggia_fit::collective::measured;
use loggia_model::Signature;
use loggia_model::model::collective::{Cost, cost};
use loggia_model::signature::{Collective, Point};
use loggia_model::units::{Bytes, Micros, Procs};

/// The inputs of the plot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) collective: CollectiveQuestion,
    pub(crate) axis: Axis,
    pub(crate) unit: Unit,
}

/// A line: a method on a machine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series<M> {
    pub(crate) machine: M,
    pub(crate) method: String,
    pub(crate) label: String,
    pub(crate) ink: Ink,
    pub(crate) weight: Weight,
}

impl Drawing {
    /// Values along the axis, the most important ones first.
    pub(crate) fn values(&self, form: Option<&Collective>) -> Vec<u64> {
        let collective = self.collective.along(self.axis);
        let beyond = (collective > self.axis.high())
            .then(|| collective.checked_next_power_of_two())
            .flatten();
        let ends = match (form, self.axis) {
            (Some(form), Axis::Procs) => vec![form.procs.low.0.into(), form.procs.high.0.into()],
            _ => Vec::new(),
        };
        let all = self.axis.values().chain(ends).chain(beyond);
        in_order(all.filter(|value| *value >= self.axis.low()))
    }

    /// A time in the unit of the plot; aggregated bandwidth is undefined for some operations.
    pub(crate) fn in_unit(&self, machine: &Signature, value: u64, time: Micros) -> Option<f64> {
        match self.unit {
            Unit::Rate => {
                let at = self.collective.at(self.axis, value);
                let question = at.of(machine).ok()?.question;
                question.aggregated_rate(time).map(|rate| rate.0)
            }
            _ => Some(time.0),
        }
    }

    /// The value of a method at a position of the axis.
    pub(crate) fn value(&self, machine: &Signature, method: &str, value: u64) -> Option<f64> {
        let at = self.collective.at(self.axis, value);
        let time = at.of(machine).ok()?.by(method).ok()?.time()?;
        self.in_unit(machine, value, time)
    }

    /// The terms of a closed form as thin lines, and its bounds.
    pub(crate) fn parts(
        &self,
        machine: &Signature,
        form: &Collective,
    ) -> (Vec<Line>, Option<Band>) {
        let costs: Vec<(u64, Cost)> = self
            .values(Some(form))
            .into_iter()
            .filter_map(|value| Some((value, self.cost(machine, form, value)?)))
            .collect();
        let line = |symbol: &str, of: &dyn Fn(&Cost) -> Option<Micros>| Line {
            ink: Ink::of(symbol),
            weight: Weight::Thin,
            label: symbol.to_owned(),
            points: costs.iter().map(|(x, cost)| (*x as f64, of(cost).map(|t| t.0))).collect(),
        };
        let mut lines = vec![line("T0", &|cost| cost.startup)];
        if form.per_byte.is_some() {
            lines.push(line("t_b", &|cost| cost.transmission));
        }
        if form.compute_per_byte.is_some() {
            lines.push(line("t_c", &|cost| cost.compute));
        }
        let bounds = costs.iter().filter_map(|(x, cost)| {
            let total = cost.prediction.total.filter(|total| total.is_bounded())?;
            Some((*x as f64, total.low.0, total.high.0))
        });
        let points: Vec<_> = bounds.collect();
        (lines, (!points.is_empty()).then_some(Band { ink: Ink::Total, points }))
    }

    fn cost(&self, machine: &Signature, form: &Collective, value: u64) -> Option<Cost> {
        let question = self.collective.at(self.axis, value).of(machine).ok()?.question;
        Some(cost(form, question.procs, question.bytes.count()))
    }

    /// Measured values at the selected p or size.
    pub(crate) fn dots(&self, machine: &Signature) -> Vec<Dot> {
        let Ok(question) = self.collective.of(machine).map(|request| request.question) else {
            return Vec::new();
        };
        let is_here = |(procs, point): &(Procs, Point)| match self.axis {
            Axis::Procs => point.bytes == question.bytes,
            _ => *procs == question.procs && point.bytes > Bytes(0),
        };
        let dot = |(procs, point): (Procs, Point)| {
            let at = if self.axis == Axis::Procs { procs.0.into() } else { point.bytes.0 };
            let time =
                |time: Option<Micros>| self.in_unit(machine, at, time.unwrap_or(point.value));
            let [y, one, other] = [Some(point.value), point.low, point.high].map(time);
            let (y, one, other) = (y?, one?, other?);
            Some(Dot { ink: Ink::Total, x: at as f64, y: [y, one.min(other), one.max(other)] })
        };
        measured(self.collective.op, &machine.samples)
            .into_iter()
            .filter(is_here)
            .filter_map(dot)
            .collect()
    }

    /// The plot of lines; `None` if no value is known.
    pub(crate) fn figure(
        &self,
        form: Option<&Collective>,
        lines: Vec<Line>,
        band: Option<Band>,
        dots: Vec<Dot>,
    ) -> Option<Figure> {
        let values = self.values(form);
        let (low, high) = (*values.first()?, *values.last()?);
        let known = form.and_then(|form| match self.axis {
            Axis::Procs => Some((form.procs.low.count().max(2.0), form.procs.high.count())),
            _ => form.bytes.map(|range| (range.low.count().max(low as f64), range.high.count())),
        });
        let marks = known.map(|(low, high)| vec![low, high]).unwrap_or_default();
        Some(Figure {
            band,
            dots,
            known,
            marks,
            unit: self.unit,
            ..Figure::of_lines(
                self.axis,
                Log { low: low as f64, high: high as f64 },
                vertical(&lines)?,
                lines,
            )
        })
    }
}

/// The vertical scale: all totals, and terms down to a hundredth of the smallest.
fn vertical(lines: &[Line]) -> Option<Log> {
    let values = |line: &Line| line.runs().into_iter().flatten().map(|(_, y)| y);
    let least = values(lines.last()?).fold(f64::INFINITY, f64::min);
    Log::around(lines.iter().flat_map(values).filter(|value| *value >= least / 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::model::composition::OWN_FORM;
    use loggia_model::signature::Operation;

    fn drawing(op: Operation, procs: u32, bytes: u64, axis: Axis) -> Drawing {
        let (procs, bytes) = (Procs(procs), Bytes(bytes));
        let collective = CollectiveQuestion {
            op,
            procs,
            bytes,
            bytes_are: None,
            tier: None,
            style: None,
            nodes: None,
        };
        Drawing { collective, axis, unit: Unit::Time }
    }

    #[test]
    fn a_total_exchange_has_no_number_on_two_or_three_processes() {
        let t3d = library::load("cray-t3d").unwrap();
        let drawing = drawing(Operation::Alltoall, 64, 512, Axis::Procs);
        let total = |p| drawing.value(&t3d, OWN_FORM, p);
        assert_eq!((total(2), total(3)), (None, None));
        assert!(total(4).is_some());
        let (parts, _) = drawing.parts(&t3d, t3d.collective(Operation::Alltoall).unwrap());
        assert_eq!((parts[0].label.as_str(), parts[0].points[0].1), ("T0", Some(60.6)));
    }

    #[test]
    fn a_reduction_has_arithmetic_and_a_barrier_no_bytes() {
        let labels = |name: &str, op| -> Vec<String> {
            let signature = library::load(name).unwrap();
            let form = signature.collective(op).unwrap();
            let (lines, _) = drawing(op, 8, 512, Axis::Procs).parts(&signature, form);
            lines.into_iter().map(|line| line.label).collect()
        };
        assert_eq!(labels("ap3000-mpi", Operation::Reduce), ["T0", "t_b", "t_c"]);
        assert_eq!(labels("ibm-sp2", Operation::Barrier), ["T0"]);
    }

    #[test]
    fn beyond_the_slider_the_axis_grows() {
        let values = drawing(Operation::Bcast, 5000, 64, Axis::Procs).values(None);
        assert_eq!((values[0], values.last()), (2, Some(&8192)));
    }

    /// Hwang, Wang & Wang 1997, Section 5: 317 ms on 64 nodes of the SP2.
    #[test]
    fn measured_points_are_at_their_ranks_and_sizes() {
        let sp2 = library::load("ibm-sp2").unwrap();
        let dots = |axis| drawing(Operation::Alltoall, 64, 65536, axis).dots(&sp2);
        assert_eq!((dots(Axis::Procs)[0].x, dots(Axis::Bytes)[0].x), (64.0, 65536.0));
        assert_eq!(dots(Axis::Procs)[0].y[0], 317_000.0);
    }

    /// 64 × 63 × 512 bytes in 2.86 ms.
    #[test]
    fn aggregated_bandwidth_counts_all_bytes() {
        let t3d = library::load("cray-t3d").unwrap();
        let of = |op| Drawing { unit: Unit::Rate, ..drawing(op, 64, 512, Axis::Procs) };
        let rate = of(Operation::Alltoall).value(&t3d, OWN_FORM, 64).unwrap();
        assert!((rate - 64.0 * 63.0 * 512.0 / 2856.344).abs() < 1e-6, "{rate}");
        assert_eq!(of(Operation::Allreduce).value(&t3d, "ring", 64), None);
    }
}
