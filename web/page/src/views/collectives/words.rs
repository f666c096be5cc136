//! Texts of the view Collectives.

use crate::draw::algorithms::name;
use loggia_model::units::Micros;
use loggia_model::units::words::{number, percent, time};
use loggia_simulate::request::BEST;

pub(crate) const HOW: &str = "Algorithm";
pub(crate) const BEST_HINT: &str = "the fastest algorithm";
pub(crate) const NOT_HERE: &str = "no prediction";
pub(crate) const OVER: &str = "Over";
pub(crate) const OVER_PROCS: &str = "ranks p";
pub(crate) const OVER_BYTES: &str = "size m";
pub(crate) const SHOW: &str = "Show";
pub(crate) const TIME: &str = "time";
pub(crate) const BANDWIDTH: &str = "aggregated bandwidth";
pub(crate) const COMPARE_WITH: &str = "Compare with";
pub(crate) const OTHER_ALGORITHMS: &str = "other algorithms";
pub(crate) const MACHINES: &str = "other machines";
pub(crate) const LINES: &str = "Lines";
pub(crate) const NOT_DEFINED: &str = "This operation has no aggregated bandwidth: its total data volume \
    f(m, p) is not defined (Hwang, Wang & Wang 1997, Section 3).";
pub(crate) const SHADE: &str = "shaded: outside the range to which the closed form was fitted";
pub(crate) const HALF: &str = "half-peak length";

pub(crate) const SEARCHING: &str = "Searching …";
pub(crate) const CHOOSE_SUMMARY: &str = "ranked by time, with crossovers";
pub(crate) const MAP: &str = "Fastest algorithm by size and ranks";
pub(crate) const AS_TABLE: &str = "The same as a table";
pub(crate) const CROSSINGS_BYTES: &str = "Crossovers over the size, at ";
pub(crate) const CROSSINGS_PROCS: &str = "Crossovers over ranks, at ";
pub(crate) const NO_CROSSING: &str = "One algorithm is the fastest throughout.";

pub(crate) const RUN: &str = "Simulated run";
pub(crate) const PATH: &str = "Critical path";
pub(crate) const ON_THE_PATH: &str = "critical path of the run";
pub(crate) const CRITICAL: &str = "outlined: the critical path";
pub(crate) const ONLY_ONE: &str = "This operation has no other algorithm.";
pub(crate) const SENSITIVITY: &str = "Sensitivity";

pub(crate) const TIERS: &str = "Two tiers";
pub(crate) const TIERS_SHOW: &str = "Ranks of one node use the node's tier, others the network. \
    The last columns compare this with using the network only.";
pub(crate) const NODES: &str = "Ranks";
pub(crate) const NOT_PLACED: &str = "not placed";
pub(crate) const TIER_COLUMNS: [&str; 4] = ["Algorithm", "On nodes", "Network only", "Gain"];

pub(crate) const CHOOSE: &str = "Compositions";
pub(crate) const CHOOSE_SHOWS: &str = "The closed form of this operation, compared with sequences of other \
    operations that give the same result.";
pub(crate) const CHOOSE_COLUMNS: [&str; 3] = ["Method", "Time", "Relative to the fastest"];
pub(crate) const NOTHING_ELSE: &str = "No other reported operations give the same result.";
pub(crate) const OVER_SIZE: &str = "size";
pub(crate) const BEYOND: &str = " (extrapolated)";

/// For an operation without a closed form.
pub(crate) fn no_form(operation: &str) -> String {
    format!("{operation}; no closed form, so algorithms predict the time")
}

/// Why there are no metrics.
pub(crate) fn no_form_here(title: &str) -> String {
    format!(
        "{title} has no closed form of this operation. Algorithms predict it from LogGP parameters."
    )
}

/// Source of a method's time.
pub(crate) fn method_time(from: &str, time: &str) -> String {
    match from {
        "form" => format!("{time}, as published"),
        _ => format!("{time}, from LogGP parameters"),
    }
}

/// Source of an algorithm's terms.
pub(crate) fn by_rules(rules: &str) -> String {
    format!("the algorithm, simulated with {rules}")
}

/// Where a closed form is exact.
pub(crate) fn exact_for(range: &str) -> String {
    format!("Under LogGP, the closed form is exact for {range}.")
}

/// Explanation of a metric.
pub(crate) fn metric(name: &str) -> &'static str {
    match name {
        "aggregated_bandwidth" => "aggregated bandwidth",
        _ => "its peak in the range of p that the form was fitted to",
    }
}

/// Summary of the folded crossovers.
pub(crate) fn crossovers(count: usize) -> String {
    match count {
        0 => "none".to_owned(),
        n => n.to_string(),
    }
}

/// Summary of the folded simulated run.
pub(crate) fn run_of(algorithm: &str, procs: u32) -> String {
    format!("{algorithm} on {procs} ranks: space-time diagram, critical path, sensitivity")
}

/// Number of ranks of a peak.
pub(crate) fn at_procs(procs: u32) -> String {
    format!(" at p = {procs}")
}

/// Title of the map.
pub(crate) fn map(op: &str, has_form: bool) -> String {
    let colours = match has_form {
        true => "A colour marks where an algorithm is faster than the closed form.",
        false => "Each colour is the fastest algorithm.",
    };
    format!("{op} over sizes and ranks. {colours} Click to select a size and a number of ranks.")
}

/// For a map with one method.
pub(crate) fn throughout(method: &str, op: &str) -> String {
    format!("At every size and number of ranks shown, the fastest {op} is {}.", name(method))
}

/// Description of the map, for screen readers.
pub(crate) fn described(op: &str, names: &str) -> String {
    format!(
        "Map of the fastest {op}: message sizes from left to right, ranks upwards: {names}. \
         The table below has the crossovers."
    )
}

/// Share of the map.
pub(crate) fn share(part: f64) -> String {
    let shown = percent(part);
    format!(" {}", shown.trim_start_matches('+'))
}

/// A change of the fastest.
pub(crate) fn overtakes(at: &str, to: &str, from: &str) -> String {
    format!("from {at} on, {to} is faster than {from}")
}

/// The run: ranks, size, and time.
pub(crate) fn on_ranks(ranks: u32, size: &str, counted: &str) -> String {
    format!(" on {ranks} ranks, {size} {counted}: ")
}

/// Reason for the choice of this algorithm.
pub(crate) fn fastest(method: &str) -> String {
    match method {
        BEST => "The fastest of the algorithms.".to_owned(),
        method => {
            format!(
                "The {} has no messages to simulate. This is the fastest algorithm.",
                name(method)
            )
        }
    }
}

/// For a run with fewer ranks than the question.
pub(crate) fn fewer_run(requested: u32, run: u32) -> String {
    format!("Simulated on {run} ranks instead of {requested}, which are too many to show.")
}

/// For a diagram with fewer ranks than the run.
pub(crate) fn fewer_drawn(run: u32, drawn: u32, marks: usize) -> String {
    format!(
        "Drawn on {drawn} ranks ({marks} marks), because {run} ranks have too many messages to draw. The numbers below are for {run} ranks."
    )
}

/// Description of the diagram, for screen readers.
pub(crate) fn diagram(name: &str, ranks: u32) -> String {
    format!("Space-time diagram of {name} on {ranks} ranks: one line per rank, time to the right.")
}

/// The number of steps of the critical path.
pub(crate) fn path(steps: usize) -> String {
    format!("{steps} steps, each of which waits for the one before:")
}

pub(crate) fn slope(slope: i64) -> String {
    number(slope as f64, 17)
}

/// Meaning of a derivative.
pub(crate) fn meaning(symbol: &str, slope: i64, end: Micros) -> String {
    let what = match symbol {
        "L" => "latency",
        "o" => "overhead",
        "g" => "gap",
        "O'" => "control overhead",
        _ => "gap per byte",
    };
    let part = |added: f64| loggia_model::units::words::share(added / end.0.max(f64::MIN_POSITIVE));
    match (symbol, slope) {
        (_, 0) => format!("{what} has no effect here"),
        ("G", slope) => {
            let added = slope as f64 * 1e-3;
            format!("1 ns per byte more of G adds {} ({})", time(Micros(added)), part(added))
        }
        (_, slope) => {
            let added = slope as f64;
            format!("1 µs more of {what} adds {} ({})", time(Micros(added)), part(added))
        }
    }
}

/// A placement.
pub(crate) fn place(nodes: &str) -> String {
    match nodes.split_once(':') {
        Some(("block", each)) => format!("{each} per node"),
        Some(("cyclic", nodes)) => format!("cyclic over {nodes} nodes"),
        _ => nodes.to_owned(),
    }
}

/// Title before a placement is chosen.
pub(crate) fn assumed_placement(nodes: &str) -> String {
    format!(
        "This table assumes {}. The result above uses no nodes until you choose a placement.",
        place(nodes)
    )
}

/// A speedup.
pub(crate) fn gain(ratio: f64) -> String {
    format!("×{}", number(ratio, 3))
}

/// The range in which crossovers were searched.
pub(crate) fn searched_range(low: u32, high: u32) -> String {
    format!("p between {low} and {high}")
}

/// For no crossover.
pub(crate) fn same_everywhere(over: &str) -> String {
    format!("One algorithm is the fastest at every {over}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_derivative_is_worded_as_an_increase() {
        assert_eq!(meaning("L", 6, Micros(60.0)), "1 µs more of latency adds 6 µs (10%)");
        assert_eq!(meaning("G", 1000, Micros(10.0)), "1 ns per byte more of G adds 1 µs (10%)");
        assert_eq!(meaning("g", 0, Micros(10.0)), "gap has no effect here");
    }
}
