//! Many plans in one table.

use super::text::{bounds, failed, fitted, mark};
use super::{PlannedOn, Report};
use crate::report::table::{remarks, table};
use loggia_exchange::csv::row;
use loggia_model::units::words::{share, time};
use loggia_plan::plan::Point;
use loggia_plan::table as rows;

/// One row per plan and number of ranks.
pub(super) fn csv(report: &Report) -> String {
    let head = ["machine"].into_iter().chain(report.swept.iter().map(String::as_str));
    let head: Vec<&str> = head.chain(rows::HEAD).collect();
    let mut text = row(&head);
    for planned in &report.plans {
        for cells in rows::rows(&planned.plan) {
            let first =
                [planned.plan.machine.clone()].into_iter().chain(swept_values(report, planned));
            text += &row(&first.chain(cells).collect::<Vec<_>>());
        }
    }
    text
}

/// The values of the swept parameters, in the order of their names.
fn swept_values<'a>(
    report: &'a Report,
    planned: &'a PlannedOn,
) -> impl Iterator<Item = String> + 'a {
    report.swept.iter().map(|name| planned.with.get(name).cloned().unwrap_or_default())
}

/// A table of all plans, and the fastest.
pub(super) fn text(report: &Report) -> String {
    let mut sections = vec![format!("{}\n", report.sketch)];
    for (at, found) in report.fitted.iter().enumerate() {
        let planned = report.plans.iter().find(|planned| planned.machine == at);
        sections.extend(planned.map(|planned| fitted(found, &planned.plan.machine)));
    }
    let names = report.swept.iter().map(|name| format!("{name}>"));
    let head: Vec<String> = ["machine".to_owned()]
        .into_iter()
        .chain(names)
        .chain(
            ["ranks>", "iteration>", "", "all>", "efficiency>", "compute>", "messages>", ""]
                .map(str::to_owned),
        )
        .collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let all = report.plans.iter().flat_map(|planned| {
        let first =
            || [planned.plan.machine.clone()].into_iter().chain(swept_values(report, planned));
        planned.plan.points.iter().map(move |point| first().chain(cells(point)).collect::<Vec<_>>())
    });
    sections.push(table(&head, all));
    sections.push(shortest(report));
    sections.push(remarks_of(report));
    sections.retain(|section| !section.is_empty());
    sections.join("\n")
}

fn cells(point: &Point) -> [String; 8] {
    let computing = point.share(point.parts.compute);
    [
        point.procs.0.to_string(),
        time(point.time_us),
        bounds(point),
        time(point.total_us),
        share(point.efficiency),
        share(computing),
        share(point.share(point.time_us.0 - point.parts.compute)),
        mark(point),
    ]
}

fn shortest(report: &Report) -> String {
    let points = report
        .plans
        .iter()
        .flat_map(|planned| planned.plan.points.iter().map(move |at| (planned, at)));
    let best = points.min_by(|a, b| a.1.total_us.0.total_cmp(&b.1.total_us.0));
    let Some((planned, point)) = best else { return String::new() };
    let with: Vec<String> = report
        .swept
        .iter()
        .zip(swept_values(report, planned))
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    format!(
        "fastest: {} on {} of {}, with {}\n",
        time(point.total_us),
        point.procs.ranks(),
        planned.plan.machine,
        with.join(", ")
    )
}

/// Plans that failed, and warnings.
pub(super) fn remarks_of(report: &Report) -> String {
    let mut warnings: Vec<String> = Vec::new();
    for planned in &report.plans {
        for warning in &planned.plan.warnings {
            let line = format!("{}: {warning}", planned.plan.machine);
            if !warnings.contains(&line) {
                warnings.push(line);
            }
        }
    }
    remarks(failed(report).into_iter().chain(warnings))
}
