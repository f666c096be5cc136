//! The plots of plans: time and efficiency over the number of ranks.

use super::words as text;
use crate::draw::figure::{Band, Figure, Ink, Line, Milestone, Unit, Weight};
use crate::draw::scale::Log;
use crate::draw::steps::Axis;
use loggia_model::units::Procs;
use loggia_plan::plan::{Plan, Point, Scaling};

/// A plan with its label.
pub(crate) struct Planned<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) ink: Ink,
    /// Label at the end of its line.
    pub(crate) label: String,
}

/// The time of an iteration, with bounds, ideal time, and marks.
pub(crate) fn time(plan: &Plan) -> Option<Figure> {
    let points = |value: &dyn Fn(&Point) -> f64| line(plan, value);
    let ideal = points(&|point| ideal(plan, point));
    let lines = vec![
        Line {
            ink: Ink::Other,
            weight: Weight::Faint,
            label: text::IDEAL.to_owned(),
            points: ideal,
        },
        Line {
            ink: Ink::Total,
            weight: Weight::Bold,
            label: String::new(),
            points: points(&|point| point.time_us.0),
        },
    ];
    let bounds = plan.points.iter().map(|p| (p.procs.count(), p.low_us.0, p.high_us.0));
    let bounds: Vec<_> = bounds.collect();
    let is_bounded = bounds.iter().any(|(_, low, high)| low != high);
    let band = is_bounded.then_some(Band { ink: Ink::Total, points: bounds });
    let simulated = plan.sum_check.map(|check| (check.procs, text::SIMULATED_UP_TO));
    let bound = plan.communication_bound_from.map(|procs| (procs, text::COMMUNICATION_BOUND));
    let milestone =
        |(procs, words): (Procs, &str)| Milestone { at: procs.count(), label: words.to_owned() };
    let milestones = [simulated, bound].into_iter().flatten().map(milestone).collect();
    let y = Log::around(lines.iter().flat_map(|line| line.points.iter().filter_map(|(_, y)| *y)))?;
    let figure = Figure::of_lines(Axis::Ranks, along([plan])?, y, lines);
    Some(Figure { band, milestones, known: measured_range(plan), ..figure })
}

/// Times of several plans, the first one bold.
pub(crate) fn times(plans: &[Planned]) -> Option<Figure> {
    let lines = lines(plans, |point| point.time_us.0);
    let y = Log::around(lines.iter().flat_map(|line| line.points.iter().filter_map(|(_, y)| *y)))?;
    Some(Figure::of_lines(Axis::Ranks, along(plans.iter().map(|one| one.plan))?, y, lines))
}

/// The efficiency of plans, with a mark at the selected number of ranks.
pub(crate) fn efficiency(plans: &[Planned], at: Option<&Point>) -> Option<Figure> {
    let lines = lines(plans, |point| point.efficiency);
    let most = lines.iter().flat_map(|line| line.points.iter().filter_map(|(_, y)| *y));
    // Efficiencies above 1 are shown in full.
    let y = Log { low: 0.0, high: most.fold(1.0, f64::max) };
    let x = along(plans.iter().map(|one| one.plan))?;
    let mark =
        at.map(|point| Milestone { at: point.procs.count(), label: text::share(point.efficiency) });
    let known = match plans {
        [one] => measured_range(one.plan),
        _ => None,
    };
    let figure = Figure::of_lines(Axis::Ranks, x, y, lines);
    Some(Figure { unit: Unit::Share, milestones: mark.into_iter().collect(), known, ..figure })
}

/// A line per plan; the first is drawn last.
fn lines(plans: &[Planned], value: impl Fn(&Point) -> f64) -> Vec<Line> {
    let of = |one: &Planned| Line {
        ink: one.ink,
        weight: if one.ink == Ink::Total { Weight::Bold } else { Weight::Thin },
        label: one.label.clone(),
        points: line(one.plan, &value),
    };
    plans.iter().rev().map(of).collect()
}

fn line(plan: &Plan, value: &dyn Fn(&Point) -> f64) -> Vec<(f64, Option<f64>)> {
    plan.points.iter().map(|point| (point.procs.count(), Some(value(point)))).collect()
}

/// The time of an iteration at full efficiency.
pub(crate) fn ideal(plan: &Plan, point: &Point) -> f64 {
    let first = plan.points.first().unwrap_or(point);
    let all = |point: &Point| match plan.scaling {
        Scaling::Strong => point.procs.count(),
        Scaling::Weak => 1.0,
    };
    first.efficiency * first.time_us.0 * all(first) / all(point)
}

/// An axis of all numbers of ranks, at least an octave.
fn along<'a>(plans: impl IntoIterator<Item = &'a Plan>) -> Option<Log> {
    let all = plans.into_iter().flat_map(|plan| &plan.points).map(|point| point.procs.count());
    let (low, high) =
        all.fold((f64::INFINITY, 0.0_f64), |(low, high), p| (low.min(p), high.max(p)));
    (high > 0.0).then_some(Log { low, high: high.max(low * 2.0) })
}

/// The measured range, if it is not the whole axis.
fn measured_range(plan: &Plan) -> Option<(f64, f64)> {
    let first = plan.points.first()?.procs.count();
    let is_beyond = plan.points.iter().any(|point| point.extrapolates);
    is_beyond.then(|| (first, plan.measured_procs.count().max(first)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::ranks::ranks;
    use loggia_plan::request::Request;
    use loggia_plan::sketch::{EXAMPLES, Sketch};

    fn plan(example: usize, machine: &str) -> Plan {
        let sketch = Sketch::read(EXAMPLES[example].1).unwrap();
        let machine = library::load(machine).unwrap();
        let request = Request { simulated: Some(4), ..Request::of(&sketch, &machine) };
        request.over(&ranks("1..1Ki").unwrap()).unwrap()
    }

    #[test]
    fn the_plot_has_the_times_of_the_plan() {
        let plan = plan(0, "cray-t3d");
        let figure = time(&plan).unwrap();
        assert_eq!((figure.x.low, figure.x.high), (1.0, 1024.0));
        let [ideal, times] = figure.lines.as_slice() else { panic!("two lines") };
        assert_eq!(times.points[3], (8.0, Some(plan.points[3].time_us.0)));
        let eighth = plan.points[0].time_us.0 / 8.0;
        assert!((ideal.points[3].1.unwrap() / eighth - 1.0).abs() < 1e-9);
        assert_eq!(figure.known, Some((1.0, 64.0)));
        let marks: Vec<f64> = figure.milestones.iter().map(|mark| mark.at).collect();
        assert_eq!(marks, [4.0, plan.communication_bound_from.unwrap().count()]);
        let one = Planned { plan: &plan, ink: Ink::Total, label: String::new() };
        let share = efficiency(&[one], plan.points.last()).unwrap();
        assert_eq!((share.unit, share.y.low, share.milestones[0].at), (Unit::Share, 0.0, 1024.0));
    }

    #[test]
    fn the_ideal_of_weak_scaling_is_flat() {
        let plan = plan(1, "cray-t3d");
        let figure = time(&plan).unwrap();
        let [ideal, times] = figure.lines.as_slice() else { panic!("two lines") };
        assert!(ideal.points.iter().all(|(_, y)| *y == ideal.points[0].1));
        assert_eq!(ideal.points[0].1, times.points[0].1);
    }

    #[test]
    fn the_selected_machine_is_drawn_last() {
        let plans = ["cray-t3d", "now-sparc"].map(|name| plan(0, name));
        let inks = [Ink::Total, Ink::Series1];
        let all: Vec<Planned> = plans
            .iter()
            .zip(inks)
            .map(|(plan, ink)| Planned { plan, ink, label: plan.machine.clone() })
            .collect();
        let figure = times(&all).unwrap();
        let labels: Vec<&str> = figure.lines.iter().map(|line| line.label.as_str()).collect();
        assert_eq!(labels, ["now-sparc", "cray-t3d"]);
        assert_eq!(figure.known, None);
    }
}
