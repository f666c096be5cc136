//! The plan as text.

use super::Said;
use crate::report::table::{remarks, table};
use loggia_model::plan::answer::{By, Plan, Point, Scaling};
use loggia_model::plan::fit::Fitted;
use loggia_model::units::Micros;
use loggia_model::units::words::{number, percent, time};

pub(super) fn of(said: &Said, with_steps: bool) -> String {
    let mut sections = vec![format!("{}\n", said.sketch)];
    for (at, plan) in said.plans.iter().enumerate() {
        sections.extend(said.fitted.get(at).map(fitted));
        sections.push(points(plan));
        if with_steps {
            sections.extend(plan.points.last().map(steps));
        }
        sections.push(what_if(plan));
        sections.push(conclusions(plan));
        sections.push(remarks(&plan.warnings));
    }
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

fn fitted(fitted: &Fitted) -> String {
    let constants = fitted.constants.iter().map(|one| {
        let bounds = match (one.low_us, one.high_us) {
            (Some(low), Some(high)) => format!("({} – {})", number(low, 4), number(high, 4)),
            _ => String::new(),
        };
        [one.name.clone(), number(one.value_us, 6), bounds]
    });
    let runs = fitted.runs.iter().map(|run| {
        [
            run.procs.0.to_string(),
            time(run.measured_us),
            time(run.fitted_us),
            format!("{:+.2}%", run.error * 100.0),
        ]
    });
    format!(
        "fitted, µs\n{}\n{}",
        table(&["", ">", ""], constants),
        table(&["ranks>", "measured>", "fitted>", "off>"], runs)
    )
}

fn points(plan: &Plan) -> String {
    let scaling = match plan.scaling {
        Scaling::Strong => "strong scaling: the work is divided",
        Scaling::Weak => "weak scaling: each rank brings its own work",
    };
    let rows = plan.points.iter().map(|point| {
        let parts = &point.parts;
        let share = |part: f64| share_of(part / point.time_us.0);
        [
            point.procs.0.to_string(),
            time(point.time_us),
            match point.low_us == point.high_us {
                true => String::new(),
                false => format!("{} – {}", time(point.low_us), time(point.high_us)),
            },
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
    format!(
        "on {}, by the rules of {}; {scaling}\n{}",
        plan.machine,
        plan.rules,
        table(&header, rows)
    )
}

/// A part of the whole, in full percents where it is large.
fn share_of(part: f64) -> String {
    match part * 100.0 {
        percent if percent.abs() < 0.05 => "0%".to_owned(),
        percent if percent.abs() < 10.0 => format!("{percent:.1}%"),
        percent => format!("{percent:.0}%"),
    }
}

fn mark(point: &Point) -> String {
    let by = match point.by {
        By::Simulated => "simulated",
        By::Sum => "",
    };
    let beyond = if point.extrapolates { "extrapolated" } else { "" };
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
            step.by.clone().unwrap_or_default(),
        ]
    });
    let header =
        ["", "step", "iteration>", "compute, µs>", "o>", "L>", "G·bytes, g>", "waiting>", "by"];
    format!("steps on {} ranks\n{}", point.procs.0, table(&header, rows))
}

fn what_if(plan: &Plan) -> String {
    let Some(last) = plan.points.last().filter(|point| !point.what_if.is_empty()) else {
        return String::new();
    };
    let rows = last.what_if.iter().map(|buys| {
        let gain = 1.0 - buys.time_us.0 / last.time_us.0;
        [buys.change.to_owned(), time(buys.time_us), percent(gain)]
    });
    format!(
        "on {} ranks, an iteration would take with\n{}",
        last.procs.0,
        table(&["", ">", "less>"], rows)
    )
}

fn conclusions(plan: &Plan) -> String {
    let mut text = String::new();
    if let Some(procs) = plan.overtaken_from {
        text += &format!("from {} ranks on, messages take more than computation\n", procs.0);
    }
    let fastest = plan.points.iter().min_by(|a, b| a.time_us.0.total_cmp(&b.time_us.0));
    if let (Some(best), Some(last)) = (fastest, plan.points.last())
        && best.procs != last.procs
    {
        text += &format!("more than {} ranks do not make it faster\n", best.procs.0);
    }
    if let Some(meeting) = plan.meeting {
        let off = meeting.sum_us.0 / meeting.simulated_us.0 - 1.0;
        text += &format!(
            "up to {} ranks the whole is simulated, {} an iteration; steps added up take {} ({:+.2}%)\n",
            meeting.procs.0,
            time(meeting.simulated_us),
            time(Micros(meeting.sum_us.0)),
            off * 100.0
        );
    }
    text
}
