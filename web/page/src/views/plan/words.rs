//! Texts of the view Plan.

use loggia_model::units::Procs;
use loggia_model::units::words::{number, off, time};
use loggia_plan::plan::{Plan, Point, Scaling};

pub(crate) const SKETCH: &str = "Sketch of a program";
pub(crate) const INTRO: &str = "One iteration of a program. Set its numbers, edit its text, or drop a .toml file \
    anywhere. A link holds the sketch.";
pub(crate) const EXAMPLE: &str = "Example";
/// In the order of the examples; the last is for any other sketch.
pub(crate) const EXAMPLES: [&str; 4] =
    ["Jacobi on a grid", "conjugate gradients", "sweeps", "your own"];
/// A sketch to start from.
pub(crate) const OWN: &str = "name = \"my program\"\niterations = 100\n\n[[step]]\ncompute = \"10ms / p\"\n\n\
    [[step]]\nallreduce = 8\n";
/// The form or the text of a sketch.
pub(crate) const EDITORS: [&str; 2] = ["Form", "Text"];
pub(crate) const AS: &str = "Show as";
pub(crate) const TEXT: &str = "The sketch as text";
pub(crate) const SAVE: &str = "Save the text";
pub(crate) const FILE: &str = "sketch.toml";
pub(crate) const SHOW: &str = "Go to the line";
pub(crate) const STALE: &str = "The text has an error, so the form is locked. Correct the text.";
pub(crate) const PROGRAM: &str = "The program";
pub(crate) const GRID: &str = "The grid";
pub(crate) const CONSTANTS: &str = "Constants";
pub(crate) const STEPS: &str = "Steps of an iteration";
pub(crate) const MORE: &str = "Add option …";
pub(crate) const ADD: &str = "Add a step …";
pub(crate) const EARLIER: &str = "Earlier";
pub(crate) const INTERVAL_HOLDS: &str = "The interval holds only the scatter of the machine's numbers, \
    neither extrapolation nor assumed values.";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const RANKS: &str = "Ranks";
pub(crate) const RANKS_TO: &str = "Maximum number of ranks";
pub(crate) const ESTIMATE: &str =
    "Analytic sum of all steps. The simulation starts when you pause.";
pub(crate) const EXACT: &str = "Simulated, as by the command.";
pub(crate) const STARTING: &str = "Starting …";
pub(crate) const TIME: &str = "Time per iteration";
pub(crate) const EFFICIENCY_TITLE: &str = "Parallel efficiency";
pub(crate) const IDEAL: &str = "ideal";
pub(crate) const SIMULATED_UP_TO: &str = "simulated up to here";
pub(crate) const COMMUNICATION_BOUND: &str = "communication-bound";
pub(crate) const SPLIT: &str = "Parts of an iteration";
pub(crate) const SPLIT_MEANS: &str = "One column per number of ranks. Waiting is caused by other ranks' \
    computation. Click a column to select it.";
pub(crate) const STEP_COLUMNS: [&str; 8] =
    ["Step", "µs", "Compute", "o", "L", "G·bytes, g", "Waiting", "Method"];
pub(crate) const SENSITIVITY: &str = "Sensitivity to the machine";
pub(crate) const SENSITIVITY_COLUMNS: [&str; 4] =
    ["Change", "Share of the time", "Iteration", "Saves"];
pub(crate) const MISSING: &str = "Unknown parameters";
pub(crate) const MISSING_COLUMNS: [&str; 5] =
    ["", "Assumed", "Alternative", "Iteration, worst case", "Adds"];
pub(crate) const POINTS: &str = "All numbers of ranks";
pub(crate) const POINT_COLUMNS: [&str; 10] = [
    "Ranks",
    "Iteration",
    "All iterations",
    "Efficiency",
    "Compute",
    "o",
    "L",
    "G·bytes, g",
    "Waiting",
    "Method",
];
pub(crate) const COMPARISON_COLUMNS: [&str; 6] =
    ["Machine", "Model", "Iteration", "Efficiency", "Shortest", "Communication-bound from"];
pub(crate) const AT: &str = ", at ";
pub(crate) const EFFICIENT: &str = " efficiency";
pub(crate) const NEVER: &str = "—";
pub(crate) const LINE: &str = "line";

/// Summary of the folded section of one number of ranks.
pub(crate) fn steps_and_changes(count: usize) -> String {
    match count {
        1 => "1 step, and the sensitivity to the machine".to_owned(),
        n => format!("{n} steps, and the sensitivity to the machine"),
    }
}

/// Summary of the folded table of all numbers of ranks.
pub(crate) fn points(count: usize) -> String {
    format!("{count} rows: time, efficiency, parts, method")
}

/// Summary of the folded table of unknown parameters.
pub(crate) fn missing(count: usize, worst: f64) -> String {
    format!("{count} assumed; the worst adds {}", share(worst))
}

/// The price per node at which two machines cost the same for a run.
pub(crate) fn price(procs: Procs, faster: &str, slower: &str, ratio: f64) -> String {
    format!(
        "On {}, a node of {faster} may cost up to {} times as much as one of {slower}: at that price \
         an iteration costs the same on both. This assumes the same number of ranks per node on both.",
        procs.ranks(),
        number(ratio, 3)
    )
}

/// Label of a value.
pub(crate) fn field(name: &str) -> &str {
    match name {
        "iterations" => "iterations",
        "ranks_per_node" => "ranks per node",
        "halo" | "exchange" | "shift" | "wavefront" => "bytes",
        "compute" => "duration",
        "during" => "computation meanwhile",
        "times" => "repeat",
        "every" => "every n iterations",
        "work" => "work per block",
        "corners" => "include corners",
        name => name,
    }
}

/// A side of the grid, in total or per rank.
pub(crate) fn side(of: &str, index: usize) -> String {
    let side = ["x", "y", "z"].get(index).copied().unwrap_or_default();
    match of {
        "block" => format!("cells per rank, {side}"),
        _ => format!("cells in total, {side}"),
    }
}

/// Label of a step's main value.
pub(crate) fn amount(action: &str) -> &str {
    match field(action) {
        same if same == action => "bytes",
        words => words,
    }
}

/// Explanation of an action.
pub(crate) fn action(action: &str) -> &str {
    match action {
        "compute" => "compute",
        "halo" => "halo: with all neighbours in the grid",
        "exchange" => "exchange: with a partner",
        "shift" => "shift: to the next",
        "wavefront" => "wavefront: from a corner through the grid",
        "steps" => "several steps",
        operation => operation,
    }
}

/// A percentage: "2.7%".
pub(crate) fn share(part: f64) -> String {
    loggia_model::units::words::share(part)
}

/// Label of the time.
pub(crate) fn an_iteration(scaling: Scaling) -> &'static str {
    match scaling {
        Scaling::Strong => "shortest iteration:",
        Scaling::Weak => "per iteration",
    }
}

/// Between the program and the simulation model.
pub(crate) fn of_machine(title: &str) -> String {
    format!(" on {title}, simulated with ")
}

/// Number of ranks and efficiency, in short.
pub(crate) fn short(point: &Point) -> String {
    format!(" {}, {}", on(point.procs.0), share(point.efficiency))
}

/// Number of iterations.
pub(crate) fn all(iterations: u64) -> String {
    match iterations {
        1 => "; in total ".to_owned(),
        n => format!("; {n} iterations "),
    }
}

pub(crate) fn ranks(ranks: &str) -> String {
    format!("{ranks} ranks")
}

pub(crate) fn on(ranks: u32) -> String {
    match ranks {
        1 => "on one rank".to_owned(),
        ranks => format!("on {ranks} ranks"),
    }
}

/// Heading of one number of ranks.
pub(crate) fn at(ranks: u32) -> String {
    on(ranks).replacen('o', "O", 1)
}

/// Conclusions that the plots do not show.
pub(crate) fn conclusions(plan: &Plan) -> Vec<String> {
    let mut conclusions = vec![crate::text::sentence(plan.scaling.words())];
    let last = plan.points.last().map(|point| point.procs);
    match plan.communication_bound_from {
        Some(procs) if plan.points.first().is_some_and(|first| first.procs == procs) => {
            conclusions.push("Communication-bound on every number of ranks shown.".to_owned());
        }
        Some(procs) => {
            conclusions.push(format!("Communication-bound from p = {procs}.", procs = procs.0))
        }
        None => conclusions.push("Compute-bound on every number of ranks shown.".to_owned()),
    }
    conclusions.extend(plan.card.as_ref().map(loggia_plan::plan::SharedCard::words));
    if let Some(check) = plan.sum_check {
        let beyond = match last {
            Some(last) if last > check.procs => {
                "; extrapolated beyond, as the analytic sum of the steps"
            }
            _ => "",
        };
        conclusions.push(format!(
            "Simulated up to p = {}{beyond}. At this p, the analytic sum differs by {}.",
            check.procs.0,
            off(check.sum_us.0 / check.simulated_us.0 - 1.0)
        ));
    }
    conclusions
}

/// The number of ranks of a worst case.
pub(crate) fn at_worst(procs: u32) -> String {
    format!("Worst case {}.", on(procs))
}

/// A column as text: "64 ranks, 3.4 ms: computing 62%, …".
pub(crate) fn column(point: &Point, parts: &[(&str, f64)]) -> String {
    let ranks = point.procs.0;
    let parts = parts.iter().map(|(name, part)| format!("{name} {}", share(*part)));
    let parts = parts.collect::<Vec<_>>().join(", ");
    format!("{ranks} ranks, {}: {parts}", time(point.time_us))
}

/// Description of the columns, for screen readers.
pub(crate) fn columns(count: usize) -> String {
    format!("{SPLIT}: {count} columns of shares, from the fewest ranks to the most")
}

/// Meaning of the shaded area.
pub(crate) fn shade(plan: &Plan) -> String {
    format!("shaded: extrapolated beyond {} ranks", plan.measured_procs.0)
}

/// A what-if with its factor.
pub(crate) fn slid(name: &str, word: &str) -> String {
    format!("{name}: {word}")
}

/// Link to a line of the sketch.
pub(crate) fn in_line(line: usize) -> String {
    format!("{LINE} {line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_readable_names() {
        assert_eq!(
            [amount("halo"), amount("allreduce"), amount("compute")],
            ["bytes", "bytes", "duration"]
        );
        assert_eq!([at(1), at(16384)], ["On one rank", "On 16384 ranks"]);
    }
}
