//! A plan as a table, for comma-separated values of the command and for sharing in the page.

use super::cost::Breakdown;
use super::plan::{Method, Plan, Point};

/// Header of the table.
pub const HEAD: [&str; 13] = [
    "ranks",
    "iteration (us)",
    "low (us)",
    "high (us)",
    "all (us)",
    "efficiency",
    "compute (us)",
    "overhead (us)",
    "latency (us)",
    "gap (us)",
    "bytes (us)",
    "waiting (us)",
    "how",
];

/// A row for each number of ranks.
pub fn rows(plan: &Plan) -> impl Iterator<Item = Vec<String>> {
    plan.points.iter().map(row)
}

fn row(point: &Point) -> Vec<String> {
    let Breakdown { compute, overhead, latency, gap, bytes, waiting } = point.parts;
    let times = [point.time_us, point.low_us, point.high_us, point.total_us].map(|time| time.0);
    let parts = [point.efficiency, compute, overhead, latency, gap, bytes, waiting];
    let numbers = times.into_iter().chain(parts).map(number);
    let ranks = point.procs.0.to_string();
    [ranks].into_iter().chain(numbers).chain([how(point)]).collect()
}

/// The method of a time, as text.
#[must_use]
pub fn how(point: &Point) -> String {
    let by = match point.by {
        Method::Simulated => "simulated",
        Method::Sum => "analytic sum",
    };
    match point.is_extrapolated() {
        true => format!("{by}, extrapolated"),
        false => by.to_owned(),
    }
}

/// Empty for an infinite or undefined value.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}
