//! Many plans in one table.

use super::text::{bounds, fitted, mark};
use super::{Said, Told, Untold};
use crate::report::table::{remarks, table};
use loggia_exchange::csv::row;
use loggia_model::units::words::{share, time};
use loggia_plan::plan::Point;
use loggia_plan::table as rows;

/// A row for each number of ranks of each plan.
pub(super) fn csv(said: &Said) -> String {
    let head = ["machine"].into_iter().chain(said.tried.iter().map(String::as_str));
    let head: Vec<&str> = head.chain(rows::HEAD).collect();
    let mut text = row(&head);
    for told in &said.plans {
        for cells in rows::rows(&told.plan) {
            let first = [told.plan.machine.clone()].into_iter().chain(tried(said, told));
            text += &row(&first.chain(cells).collect::<Vec<_>>());
        }
    }
    text
}

/// The values that were tried, in the order of their names.
fn tried<'a>(said: &'a Said, told: &'a Told) -> impl Iterator<Item = String> + 'a {
    said.tried.iter().map(|name| told.with.get(name).cloned().unwrap_or_default())
}

/// The plans, each on one number of ranks a row; and what is best of them all.
pub(super) fn text(said: &Said) -> String {
    let mut sections = vec![format!("{}\n", said.sketch)];
    for (at, found) in said.fitted.iter().enumerate() {
        let told = said.plans.iter().find(|told| told.machine == at);
        sections.extend(told.map(|told| fitted(found, &told.plan.machine)));
    }
    let names = said.tried.iter().map(|name| format!("{name}>"));
    let head: Vec<String> = ["machine".to_owned()]
        .into_iter()
        .chain(names)
        .chain(
            ["ranks>", "iteration>", "", "all>", "efficiency>", "compute>", "messages>", ""]
                .map(str::to_owned),
        )
        .collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let all = said.plans.iter().flat_map(|told| {
        let first = || [told.plan.machine.clone()].into_iter().chain(tried(said, told));
        told.plan.points.iter().map(move |point| first().chain(cells(point)).collect::<Vec<_>>())
    });
    sections.push(table(&head, all));
    sections.push(shortest(said));
    sections.push(remarks_of(said));
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

/// Which is the shortest of all.
fn shortest(said: &Said) -> String {
    let points =
        said.plans.iter().flat_map(|told| told.plan.points.iter().map(move |at| (told, at)));
    let best = points.min_by(|a, b| a.1.total_us.0.total_cmp(&b.1.total_us.0));
    let Some((told, point)) = best else { return String::new() };
    let with: Vec<String> = said
        .tried
        .iter()
        .zip(tried(said, told))
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    format!(
        "the shortest: {} on {} of {}, with {}\n",
        time(point.total_us),
        point.procs.ranks(),
        told.plan.machine,
        with.join(", ")
    )
}

/// What is not told, and what must be known of what is.
pub(super) fn remarks_of(said: &Said) -> String {
    let mut doubts: Vec<String> = Vec::new();
    for told in &said.plans {
        for warning in &told.plan.warnings {
            let doubt = format!("{}: {warning}", told.plan.machine);
            if !doubts.contains(&doubt) {
                doubts.push(doubt);
            }
        }
    }
    remarks(untold(said).into_iter().chain(doubts))
}

/// What cannot be told, and why: on each machine each reason once.
pub(super) fn untold(said: &Said) -> Vec<String> {
    let is_same = |a: &&Untold, b: &&Untold| a.machine == b.machine && a.error == b.error;
    let mut all: Vec<&Untold> = said.untold.iter().collect();
    // Of a machine, those with the same reason stand together.
    all.sort_by(|a, b| {
        a.machine.cmp(&b.machine).then_with(|| a.error.message.cmp(&b.error.message))
    });
    let told = |same: &[&Untold]| {
        let Untold { machine, with, error } = same[0];
        let with: String = match same.len() {
            1 => with.iter().map(|(name, value)| format!(", {name} = {value}")).collect(),
            count => format!(", {count} times"),
        };
        format!("{machine}{with}: {}", error.to_string().replace('\n', "; "))
    };
    all.chunk_by(|a, b| is_same(a, b)).map(told).collect()
}
