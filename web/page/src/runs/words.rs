//! Texts of simulated runs.

use loggia_model::simulation_model::SimulationModel;
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time, whole};
use loggia_simulate::result::Status;
use loggia_worker::{Query, TimelineSection};

pub(crate) const OPEN: &str = "Open a GOAL file or a trace …";
pub(crate) const OPEN_HINT: &str = "or drop it anywhere";
pub(crate) const STARTING: &str = "Starting the simulator …";
pub(crate) const PROGRESS: &str = "Progress of the run";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const CANCELLED: &str = "Cancelled. The results shown are from the previous run.";
pub(crate) const RANKS: &str = "ranks";
pub(crate) const MESSAGES: &str = "messages";
pub(crate) const BYTES: &str = "bytes";
pub(crate) const EVENTS: &str = "events";
pub(crate) const FIRST: &str = "first rank ends after";
pub(crate) const SPEED: &str = "simulated at";
/// Notice if the choice of a simulation model changes little.
pub(crate) const MEASURED_IN_EVERY_MODEL: &str =
    "A single message takes its measured time in every model except LogGOPS.";
pub(crate) const CLOSED_FORM: &str = "Closed form: ";

pub(crate) const TIMELINE: &str = "Timeline";
pub(crate) const LATER: &str = "Later";
pub(crate) const EARLIER: &str = "Earlier";
pub(crate) const NEARER: &str = "Zoom in";
pub(crate) const FARTHER: &str = "Zoom out";
pub(crate) const FEWER: &str = "Fewer ranks";
pub(crate) const MORE: &str = "More ranks";
pub(crate) const ALL: &str = "All";
pub(crate) const TIMELINE_HELP: &str = "Drag to move, wheel to zoom once it is focused (or with Ctrl). \
    Arrows move, + and − zoom, Page keys change the ranks, Home shows all, comma and full stop \
    select the previous and the next interval.";
pub(crate) const SHOW_MESSAGES: &str = "Messages";
pub(crate) const SHOW_PATH: &str = "Critical path";

pub(crate) const SPLIT: &str = "Time of each rank";
pub(crate) const DATA: &str = "As a table, µs";
pub(crate) const RANK: &str = "rank";

pub(crate) const PATH: &str = "Critical path";
pub(crate) const PATH_PARTS: &str = "Parts of the critical path";
pub(crate) const TERM_COLUMNS: [&str; 3] = ["Part", "Count", "µs"];
pub(crate) const STEP_COLUMNS: [&str; 4] = ["Activity", "Operation", "From", "To"];
pub(crate) const STRIP: [&str; 5] =
    ["computing", "sending", "receiving", "control messages", "network, and gaps"];
pub(crate) const LEFT_OUT: &str = "… ";
pub(crate) const SENSITIVITY: &str = "Sensitivity";
pub(crate) const SENSITIVITY_MEAN: &str = "Derivative of the completion time by each parameter: the number of \
    latencies, overheads, gaps and bytes on the critical path.";

pub(crate) const CURVES: &str = "Completion time over L and G";
pub(crate) const CURVE_NOTE: &str =
    "Exact and piecewise linear. Marks: another path becomes critical.";
pub(crate) const PIECE_COLUMNS: [&str; 5] = ["From, µs", "To, µs", "T, µs", "Slope", ""];
pub(crate) const CURVES_SUMMARY: &str = "two plots; drag the handle to change L or G";
pub(crate) const JUMPS: &str = "discontinuous here";

pub(crate) const OTHER_MACHINES_COLUMNS: [&str; 4] = ["Machine", "Simulation model", "T", "Ratio"];

/// A simulation model as papers write it, by the name that a result has.
pub(crate) fn rules_title(name: &str) -> &str {
    match SimulationModel::named(name) {
        Ok(rules) => rules.title(),
        Err(_) => name,
    }
}

/// A simulation model in a few words.
pub(crate) fn rules(rules: SimulationModel) -> &'static str {
    match rules {
        SimulationModel::LogGops => "as LogGOPSim, with constant parameters",
        SimulationModel::LogP => "small messages: o, L, g",
        SimulationModel::LogGp => "long messages: o, L, g, G",
        SimulationModel::LogGps => "LogGP with a handshake above S",
        SimulationModel::LogGpo => {
            "LogGP with eager and rendezvous messages that overlap with computation"
        }
    }
}

/// Between the schedule and the simulation model.
pub(crate) fn on(machine: &str) -> String {
    format!(" on {machine}, simulated with ")
}

pub(crate) fn status(status: Status) -> &'static str {
    match status {
        Status::Ok => "all sends and receives matched",
        Status::Unmatched => "deadlock: the run cannot finish",
    }
}

pub(crate) const DEADLOCK_SHOWS: &str =
    "Each arrow points to the operation that must finish first.";

/// Speed of the simulator, if the run was long enough to measure it.
pub(crate) fn speed(events: u64, milliseconds: f64) -> Option<String> {
    const ENOUGH: u64 = 100_000;
    (events >= ENOUGH && milliseconds > 0.0).then(|| {
        format!("{} million events per second", number(events as f64 / milliseconds / 1e3, 3))
    })
}

/// Where the closed form is exact.
pub(crate) fn exact(exact: bool, range: &str) -> String {
    let here = if exact { "exact here" } else { "an estimate here" };
    format!(" ({here}; exact for {range})")
}

/// Progress of a query.
pub(crate) fn running(query: Option<&Query>, progress: Option<f64>) -> String {
    let what = match query {
        Some(Query::Curve(..)) => "Computing the completion time over a parameter",
        Some(Query::Path) => "Following the critical path",
        Some(Query::Sensitivity) => "Computing the sensitivity",
        Some(Query::OtherMachine(_)) => "Simulating the other machines",
        Some(Query::TimelineSection(_) | Query::Calls(_)) => "Drawing the timeline",
        Some(Query::Split(_)) => "Adding up the time of ranks",
        Some(Query::End) | None => "Simulating",
    };
    match progress {
        Some(share) => format!("{what}: {:.0}% …", 100.0 * share.min(1.0)),
        None => format!("{what} …"),
    }
}

pub(crate) fn rank(rank: u32) -> String {
    format!("rank {rank}")
}

/// One or several ranks.
pub(crate) fn ranks(first: u32, count: u32) -> String {
    match count {
        1 => rank(first),
        more => format!("ranks {first}–{}, mean", first + more - 1),
    }
}

/// Description of the bars, for screen readers.
pub(crate) fn split(bars: usize, ranks: u32) -> String {
    match ranks {
        1 => format!("Stacked bars, one for each of {bars} ranks. The table below has the values."),
        n => format!("{bars} stacked bars, each for {n} ranks. The table below has the values."),
    }
}

/// An interval: "receiving, rank 3: recv 8b from 0 tag 0; from 12 µs to 14 µs".
pub(crate) fn interval(op: &str, doing: &str, start: Micros, end: Micros) -> String {
    let [from, to, long] = [start, end, end - start].map(time);
    format!("{doing}, {op}; from {from} to {to}: {long}")
}

/// The visible part of the timeline.
pub(crate) fn contents(section: &TimelineSection) -> String {
    let (intervals, messages) = (whole(section.intervals as f64), whole(section.messages as f64));
    let how = match (&section.each, &section.arrows) {
        (Some(_), Some(_)) => "all drawn",
        (Some(_), None) => "too many messages to draw",
        (None, _) => "aggregated per pixel; zoom in for details",
    };
    format!("In view: {intervals} intervals, {messages} messages; {how}.")
}

/// Description of the timeline, for screen readers.
pub(crate) fn timeline(ranks: (u32, u32), from: Micros, to: Micros) -> String {
    format!("Timeline of ranks {} to {}, from {} to {}.", ranks.0, ranks.1, time(from), time(to))
}

/// Description of the critical path, for screen readers.
pub(crate) fn strip(steps: usize, end: Micros) -> String {
    format!("The critical path along time: {steps} steps until {}.", time(end))
}

pub(crate) fn steps(count: usize) -> String {
    format!("Its {count} steps")
}

/// Summary of the folded critical path.
pub(crate) fn path(count: usize) -> String {
    match count {
        1 => "1 step, its parts, sensitivity".to_owned(),
        n => format!("{n} steps, their parts, sensitivity"),
    }
}

/// The fastest of the other machines.
pub(crate) fn fastest(title: &str, time: &str) -> String {
    format!("fastest: {title}, {time}")
}

/// Meaning of a term of the critical path.
pub(crate) fn part(symbol: &str) -> &'static str {
    match symbol {
        "o" => "overheads of both sides",
        "O" => "overheads per byte",
        "computation" => "computing",
        "G" => "bytes in flight",
        symbol => crate::text::meaning(symbol),
    }
}

/// Description of a curve, for screen readers.
pub(crate) fn curve(parameter: &str, pieces: usize, to: &str) -> String {
    format!("Completion time over {parameter} from 0 to {to}: {pieces} linear pieces.")
}

/// The curve at the machine's own value.
pub(crate) fn here(parameter: &str, value: &str, end: &str) -> String {
    format!("{parameter} = {value}: {end}")
}

/// Where the computation of a curve stopped.
pub(crate) fn broken_off(at: &str) -> String {
    format!("Too many pieces: stopped at {at}.")
}

/// The number of pieces.
pub(crate) fn pieces(count: usize) -> String {
    match count {
        1 => "One linear piece".to_owned(),
        n => format!("{n} linear pieces, {} breaks", n - 1),
    }
}

/// The number of machines that cannot run it.
pub(crate) fn cannot_simulate(count: usize) -> String {
    match count {
        1 => "Cannot be simulated on 1 machine".to_owned(),
        n => format!("Cannot be simulated on {n} machines"),
    }
}

pub(crate) const AS_MEASURED_TIMELINE: &str = "Measured";

pub(crate) const AS_PREDICTED_TIMELINE: &str = "Predicted";

/// The activity of a rank, by its call.
pub(crate) fn call(activity: &str) -> &'static str {
    match activity {
        "compute" => "computing",
        "send" => "sending and receiving",
        "receive" => "waiting for requests",
        _ => "in collective operations",
    }
}
