//! The words of this view.

use crate::draw::algorithms::name;
use loggia_model::units::Micros;
use loggia_model::units::words::{number, percent, time};
use loggia_simulate::ask::BEST;

pub(crate) const HOW: &str = "By";
pub(crate) const BEST_HINT: &str = "the fastest of all";
pub(crate) const NOT_HERE: &str = "no number here";
pub(crate) const OVER: &str = "Over";
pub(crate) const OVER_PROCS: &str = "processes p";
pub(crate) const OVER_BYTES: &str = "size m";
pub(crate) const SHOW: &str = "Show";
pub(crate) const TIME: &str = "time";
pub(crate) const BANDWIDTH: &str = "aggregated bandwidth";
pub(crate) const BESIDE: &str = "Beside";
pub(crate) const WAYS: &str = "other algorithms";
pub(crate) const MACHINES: &str = "other machines";
pub(crate) const LINES: &str = "Lines";
pub(crate) const MACHINES_TITLE: &str = "The same on other machines";
pub(crate) const NOT_DEFINED: &str = "What all ranks move together, f(m, p), is not defined for \
    this operation (001, Section 3), so it has no aggregated bandwidth.";
pub(crate) const SHADE: &str = "shaded: outside what the published form was fitted to";
pub(crate) const HALF: &str = "half-peak length";

pub(crate) const MAP: &str = "Which way is the fastest where";
pub(crate) const AS_TABLE: &str = "The same as a table";
pub(crate) const CROSSINGS_BYTES: &str = "Over the size, at ";
pub(crate) const CROSSINGS_PROCS: &str = "Over processes, at ";
pub(crate) const NO_CROSSING: &str = "The same is the fastest throughout.";

pub(crate) const RUN: &str = "What its messages do";
pub(crate) const PATH: &str = "What leads to the end";
pub(crate) const ON_THE_PATH: &str = "critical path of the run";
pub(crate) const CRITICAL: &str = "outlined: the critical path";
pub(crate) const ONLY_ONE: &str = "It is the only algorithm of this operation here.";
pub(crate) const SENSITIVITY: &str = "What would change that";

pub(crate) const TIERS: &str = "Two tiers";
pub(crate) const TIERS_SHOW: &str = "Ranks that share a node talk through it, others through the \
    network. Beside that, the same where all talk through the network.";
pub(crate) const NODES: &str = "Ranks";
pub(crate) const NOT_PLACED: &str = "not placed";
pub(crate) const TIER_COLUMNS: [&str; 4] = ["Algorithm", "On nodes", "Network only", "Gain"];

pub(crate) const CHOOSE: &str = "What does the same";
pub(crate) const CHOOSE_SHOWS: &str = "The operation's own published form beside other published \
    operations that, one after the other, do the same.";
pub(crate) const CHOOSE_COLUMNS: [&str; 3] = ["Way", "Time", "Over the best"];
pub(crate) const NOTHING_ELSE: &str = "Nothing else that the signature reports does the same.";
pub(crate) const OVER_SIZE: &str = "size";
pub(crate) const BEYOND: &str = " (outside what was fitted)";

/// An operation without a form.
pub(crate) fn no_form(operation: &str) -> String {
    format!("{operation}; no form is reported, algorithms answer")
}

/// Why there are no metrics.
pub(crate) fn no_form_here(title: &str) -> String {
    format!("{title} reports no closed form of this: algorithms answer, by its LogGP parameters.")
}

/// Where a way's time comes from.
pub(crate) fn way(from: &str, time: &str) -> String {
    match from {
        "form" => format!("{time}, as published"),
        _ => format!("{time}, by LogGP's parameters"),
    }
}

/// Where an algorithm's terms come from.
pub(crate) fn by_rules(rules: &str) -> String {
    format!("the algorithm, by the rules of {rules}")
}

/// Where a form is exact.
pub(crate) fn exact_for(range: &str) -> String {
    format!("The form is exact for {range}.")
}

/// What a metric is.
pub(crate) fn metric(name: &str) -> &'static str {
    match name {
        "aggregated_bandwidth" => "aggregated bandwidth",
        _ => "its peak",
    }
}

/// Where a peak is.
pub(crate) fn at_procs(procs: u32) -> String {
    format!(" at p = {procs}")
}

/// What the map shows.
pub(crate) fn map(op: &str) -> String {
    format!(
        "{op} over sizes and processes: colours where an algorithm beats what is published of the \
         machine. Press anywhere to ask there."
    )
}

/// A map of one colour.
pub(crate) fn throughout(way: &str, op: &str) -> String {
    format!(
        "{}: the fastest way of {op} at every size and on every number of processes here.",
        name(way)
    )
}

/// The map, for those who do not see it.
pub(crate) fn described(op: &str, names: &str) -> String {
    format!(
        "Which way of {op} is the fastest, message sizes from left to right, processes upwards: \
         {names}. The table below says where."
    )
}

/// How much of the map.
pub(crate) fn share(part: f64) -> String {
    let shown = percent(part);
    format!(" {}", shown.trim_start_matches('+'))
}

/// Another way becomes the fastest.
pub(crate) fn overtakes(at: &str, to: &str, from: &str) -> String {
    format!("from {at} on, {to} overtakes {from}")
}

/// What runs, and how long that takes.
pub(crate) fn on_ranks(ranks: u32, size: &str, counted: &str) -> String {
    format!(" on {ranks} ranks, {size} {counted}: ")
}

/// Why this algorithm.
pub(crate) fn fastest(how: &str) -> String {
    match how {
        BEST => "The fastest of the algorithms.".to_owned(),
        how => format!("The {} has no messages: this is the fastest algorithm.", name(how)),
    }
}

/// Fewer ranks run than asked.
pub(crate) fn fewer_run(asked: u32, run: u32) -> String {
    format!("Run on {run} ranks, not {asked}: more are too many to look at.")
}

/// Fewer ranks are drawn than run.
pub(crate) fn fewer_drawn(run: u32, drawn: u32, marks: usize) -> String {
    format!(
        "Drawn on {drawn} ranks, as {run} have too many messages for a picture ({marks} marks here); the numbers below are of {run}."
    )
}

/// The diagram, for those who do not see it.
pub(crate) fn diagram(name: &str, ranks: u32) -> String {
    format!("Space-time diagram of {name} on {ranks} ranks: a line a rank, time to the right.")
}

/// How many steps the critical path has.
pub(crate) fn path(steps: usize) -> String {
    format!("{steps} steps, one resting on the other:")
}

/// A derivative.
pub(crate) fn slope(slope: i64) -> String {
    number(slope as f64, 17)
}

/// What a derivative means.
pub(crate) fn meaning(symbol: &str, slope: i64, end: Micros) -> String {
    let what = match symbol {
        "L" => "latency",
        "o" => "overhead",
        "g" => "gap",
        "O'" => "control overhead",
        _ => "a byte's gap",
    };
    let part = |saved: f64| percent(saved / end.0.max(f64::MIN_POSITIVE));
    match (symbol, slope) {
        (_, 0) => format!("{what} does not matter here"),
        ("G", slope) => {
            let saved = slope as f64 * 1e-3;
            format!("1 ns less a byte saves {} ({})", time(Micros(saved)), part(-saved))
        }
        (_, slope) => {
            let saved = slope as f64;
            format!("1 µs less {what} saves {} ({})", time(Micros(saved)), part(-saved))
        }
    }
}

/// How ranks are placed.
pub(crate) fn place(nodes: &str) -> String {
    match nodes.split_once(':') {
        Some(("block", each)) => format!("{each} to a node"),
        Some(("cyclic", nodes)) => format!("dealt to {nodes} nodes"),
        _ => nodes.to_owned(),
    }
}

/// What is shown while ranks are not placed.
pub(crate) fn as_if(nodes: &str) -> String {
    format!(
        "Shown as if there were {}; the answer above knows no nodes until you choose.",
        place(nodes)
    )
}

/// How many times as fast.
pub(crate) fn gain(ratio: f64) -> String {
    format!("×{}", number(ratio, 3))
}

/// Where crossovers over p were sought.
pub(crate) fn tried(low: u32, high: u32) -> String {
    format!("p between {low} and {high}")
}

/// No crossover.
pub(crate) fn same_everywhere(over: &str) -> String {
    format!("The same is the fastest at every {over}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_derivative_is_said_as_what_it_saves() {
        assert_eq!(meaning("L", 6, Micros(60.0)), "1 µs less latency saves 6 µs (−10%)");
        assert_eq!(meaning("G", 1000, Micros(10.0)), "1 ns less a byte saves 1 µs (−10%)");
        assert_eq!(meaning("g", 0, Micros(10.0)), "gap does not matter here");
    }
}
