//! The plan as text.

use super::{FailedPlan, PlannedOn, Report};
use crate::report::table::{remarks, table};
use loggia_model::units::words::{number, off, percent, share as share_of, time};
use loggia_model::units::{Micros, Procs};
use loggia_plan::fit::FittedSketch;
use loggia_plan::machine::NO_RULES;
use loggia_plan::plan::{AlgorithmChoice, Method, Plan, Point, Scaling};

pub(super) fn of(report: &Report, with_steps: bool) -> String {
    let mut sections = vec![format!("{}\n", report.sketch)];
    for PlannedOn { machine, plan, .. } in &report.plans {
        sections.extend(report.fitted.get(*machine).map(|found| fitted(found, &plan.machine)));
        sections.push(points(plan));
        if with_steps {
            sections.extend(plan.points.last().map(steps));
        }
        sections.push(what_if(plan));
        sections.push(missing(plan));
        sections.push(conclusions(plan));
        sections.push(remarks(&plan.warnings));
    }
    sections.push(remarks(failed(report)));
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

/// Plans that failed, one line per machine and reason.
pub(super) fn failed(report: &Report) -> Vec<String> {
    let is_same = |a: &&FailedPlan, b: &&FailedPlan| a.machine == b.machine && a.error == b.error;
    let mut all: Vec<&FailedPlan> = report.failed.iter().collect();
    // Group equal reasons of a machine.
    all.sort_by(|a, b| {
        a.machine.cmp(&b.machine).then_with(|| a.error.message.cmp(&b.error.message))
    });
    let planned = |same: &[&FailedPlan]| {
        let FailedPlan { machine, with, error } = same[0];
        let with: String = match same.len() {
            1 => with.iter().map(|(name, value)| format!(", {name} = {value}")).collect(),
            count => format!(", {count} times"),
        };
        format!("{machine}{with}: {}", error.to_string().replace('\n', "; "))
    };
    all.chunk_by(|a, b| is_same(a, b)).map(planned).collect()
}

pub(super) fn fitted(fitted: &FittedSketch, machine: &str) -> String {
    let constants = fitted.constants.iter().map(|constant| {
        let bounds = match (constant.low_us, constant.high_us) {
            (Some(low), Some(high)) => format!("({} – {})", number(low, 4), number(high, 4)),
            _ => String::new(),
        };
        [constant.name.clone(), number(constant.value_us, 6), bounds]
    });
    let runs = fitted.runs.iter().map(|run| {
        [run.procs.0.to_string(), time(run.measured_us), time(run.fitted_us), off(run.error)]
    });
    format!(
        "fitted on {machine}, µs\n{}\n{}",
        table(&["", ">", ""], constants),
        table(&["ranks>", "measured>", "fitted>", "error>"], runs)
    )
}

fn points(plan: &Plan) -> String {
    let scaling = plan.scaling.words();
    let rows = plan.points.iter().map(|point| {
        let parts = &point.parts;
        let share = |part: f64| share_of(point.share(part));
        [
            point.procs.0.to_string(),
            time(point.time_us),
            bounds(point),
            time(point.total_us),
            share_of(point.efficiency),
            share(parts.compute),
            share(parts.overhead),
            share(parts.latency),
            share(parts.bytes + parts.gap),
            share(parts.waiting),
            mark(point),
        ]
    });
    let header = [
        "ranks>",
        "iteration>",
        "",
        "all>",
        "efficiency>",
        "compute>",
        "o>",
        "L>",
        "G·bytes, g>",
        "waiting>",
        "",
    ];
    let rules = match plan.rules {
        NO_RULES => "message costs unknown".to_owned(),
        rules => format!("simulation model {rules}"),
    };
    format!("on {}, {rules}; {scaling}\n{}", plan.machine, table(&header, rows))
}

pub(super) fn bounds(point: &Point) -> String {
    match point.low_us == point.high_us {
        true => String::new(),
        false => format!("{} – {}", time(point.low_us), time(point.high_us)),
    }
}

pub(super) fn mark(point: &Point) -> String {
    let by = match point.by {
        Method::Simulated => "simulated",
        Method::Sum => "",
    };
    let beyond = match (point.extrapolates, point.beyond.is_empty(), point.is_extrapolated()) {
        (false, false, _) => "sizes extrapolated",
        (_, _, true) => "extrapolated",
        (_, _, false) => "",
    };
    [by, beyond].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
}

fn steps(point: &Point) -> String {
    let rows = point.steps.iter().map(|step| {
        let part = |part: f64| number(part, 4);
        [
            format!("line {}", step.line),
            step.what.clone(),
            time(step.time_us),
            part(step.parts.compute),
            part(step.parts.overhead),
            part(step.parts.latency),
            part(step.parts.bytes + step.parts.gap),
            part(step.parts.waiting),
            step.method().unwrap_or_default(),
        ]
    });
    let header =
        ["", "step", "iteration>", "compute, µs>", "o>", "L>", "G·bytes, g>", "waiting>", "by"];
    format!("steps on {}\n{}", point.procs.ranks(), table(&header, rows))
}

fn what_if(plan: &Plan) -> String {
    let Some(last) = plan.points.last().filter(|point| !point.what_if.is_empty()) else {
        return String::new();
    };
    let rows = last.what_if.iter().map(|change| {
        let gain = last.share(last.time_us.0 - change.time_us.0);
        [
            change.change.to_owned(),
            time(change.time_us),
            percent(gain).trim_start_matches('+').to_owned(),
        ]
    });
    format!(
        "what if, per iteration on {}\n{}",
        last.procs.ranks(),
        table(&["", ">", "saves>"], rows)
    )
}

/// The machine's unknown parameters and their effect.
fn missing(plan: &Plan) -> String {
    let Some(first) = plan.missing.first() else { return String::new() };
    let rows = plan.missing.iter().map(|missing| {
        [
            missing.parameter.clone(),
            missing.now.clone(),
            missing.otherwise.clone(),
            time(missing.time_us),
            percent((missing.more * 1e3).round() / 1e3),
        ]
    });
    format!(
        "unknown parameters; worst case per iteration on {}\n{}",
        first.procs.ranks(),
        table(&["", "assumed", "instead", ">", "increase>"], rows)
    )
}

/// The algorithm of each collective operation, and where it changes.
fn algorithms(plan: &Plan) -> String {
    let mut text = String::new();
    let of_one_step =
        |a: &AlgorithmChoice, b: &AlgorithmChoice| b.from_procs > a.from_procs && a.line == b.line;
    for of_step in plan.algorithms.chunk_by(of_one_step) {
        let mut ranges = Vec::new();
        for (at, chosen) in of_step.iter().enumerate() {
            let by = chosen.from.named(&chosen.by);
            ranges.push(match at {
                0 if of_step.len() == 1 => by,
                0 => format!("{by} up to {}", before(plan, of_step[1].from_procs).ranks()),
                _ => format!("{by} from p = {}", chosen.from_procs.0),
            });
        }
        if let Some(first) = of_step.first() {
            text += &format!("line {}, {}: {}\n", first.line, first.what, ranges.join("; "));
        }
    }
    text
}

/// The next smaller number of ranks in the plan.
fn before(plan: &Plan, procs: Procs) -> Procs {
    let smaller = plan.points.iter().map(|point| point.procs).take_while(|p| *p < procs);
    smaller.last().unwrap_or(Procs(1))
}

fn conclusions(plan: &Plan) -> String {
    let mut text = algorithms(plan);
    if let Some(card) = &plan.card {
        text += &format!("{}\n", card.words());
    }
    if let Some(procs) = plan.communication_bound_from {
        text += &format!("communication-bound from p = {}\n", procs.0);
    }
    let fastest = plan.points.iter().min_by(|a, b| a.time_us.0.total_cmp(&b.time_us.0));
    if let (Some(best), Some(last)) = (fastest, plan.points.last())
        && best.procs != last.procs
        && plan.scaling == Scaling::Strong
    {
        text += &format!("fastest at p = {}\n", best.procs.0);
    }
    if let Some(check) = plan.sum_check {
        text += &format!(
            "simulated up to p = {}: {} per iteration; analytic sum {} ({})\n",
            check.procs.0,
            time(check.simulated_us),
            time(Micros(check.sum_us.0)),
            off(check.sum_us.0 / check.simulated_us.0 - 1.0)
        );
    }
    text
}
