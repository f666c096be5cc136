//! The words of the simulator.

use loggia_model::rules::Rules;
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time};
use loggia_simulate::answer::Status;
use loggia_worker::{Sight, Want};

pub(crate) const SIMULATE: &str = "Simulate";
pub(crate) const ALGORITHM: &str = "Algorithm";
pub(crate) const RULES: &str = "Rules";
pub(crate) const NEEDS_NODES: &str = "it must know which ranks share a node, which only the \
    command can be told (--nodes)";
pub(crate) const OPEN: &str = "Open a GOAL file or a trace …";
pub(crate) const OPEN_HINT: &str = "or drop it anywhere";
pub(crate) const BACK: &str = "Back to an algorithm";
pub(crate) const NOT_IN_LINK: &str = "The file stays on your machine: a link cannot hold it.";
pub(crate) const STARTING: &str = "Starting the simulator …";
pub(crate) const PROGRESS: &str = "How far the run is";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const CANCELLED: &str = "Cancelled. The simulator was ended, and its memory given back; \
    what is shown is from before.";
pub(crate) const RANKS: &str = "ranks";
pub(crate) const MESSAGES: &str = "messages";
pub(crate) const BYTES: &str = "bytes";
pub(crate) const EVENTS: &str = "events";
pub(crate) const FIRST: &str = "the first rank ends after";
pub(crate) const SPEED: &str = "simulated at";
pub(crate) const CLOSED_FORM: &str = "In closed form: ";
pub(crate) const CYCLE: &str = "Each of these waits for the next, and the last for the first:";
pub(crate) const WITHOUT_SEND: &str = "Nobody sends what these wait for:";
pub(crate) const WITHOUT_RECEIVE: &str = "Nobody receives what these send:";
pub(crate) const UNANSWERED: &str = "Received, but their senders were never told:";

pub(crate) const TIMELINE: &str = "Timeline";
pub(crate) const LATER: &str = "Later";
pub(crate) const EARLIER: &str = "Earlier";
pub(crate) const NEARER: &str = "Zoom in";
pub(crate) const FARTHER: &str = "Zoom out";
pub(crate) const FEWER: &str = "Fewer ranks";
pub(crate) const MORE: &str = "More ranks";
pub(crate) const ALL: &str = "All";
pub(crate) const HANDS: &str = "Drag to move, wheel to zoom once it is focused (or with Ctrl). \
    Arrows move, + and − zoom, Page keys change the ranks, Home shows all, comma and full stop go \
    from one stretch to the next.";
pub(crate) const SHOW_MESSAGES: &str = "Messages";
pub(crate) const SHOW_PATH: &str = "Critical path";

pub(crate) const SPLIT: &str = "Where the time of each rank goes";
pub(crate) const DATA: &str = "As a table, µs";
pub(crate) const RANK: &str = "rank";

pub(crate) const PATH: &str = "Critical path";
pub(crate) const MADE_OF: &str = "What the critical path is made of";
pub(crate) const TERM_COLUMNS: [&str; 3] = ["Part", "Count", "µs"];
pub(crate) const STEP_COLUMNS: [&str; 4] = ["What", "For", "From", "To"];
pub(crate) const STRIP: [&str; 5] =
    ["computing", "sending", "receiving", "control messages", "network, and gaps"];
pub(crate) const LEFT_OUT: &str = "… ";
pub(crate) const MOVES: &str = "What would change it";
pub(crate) const MOVES_MEAN: &str = "How much later it ends for each bit that a parameter grows: so \
    many latencies, overheads, gaps, bytes count.";

pub(crate) const CURVES: &str = "The end over L and over G";
pub(crate) const KINKS: &str = "Exact: straight pieces, with a mark where another way becomes the \
    longest.";
pub(crate) const PIECE_COLUMNS: [&str; 5] = ["From, µs", "To, µs", "T, µs", "Slope", ""];
pub(crate) const JUMPS: &str = "jumps here";

pub(crate) const ELSEWHERE: &str = "The same elsewhere";
pub(crate) const ELSEWHERE_COLUMNS: [&str; 4] = ["Machine", "Rules", "T", "times this one"];

/// What the rules are.
pub(crate) fn rules(rules: Rules) -> &'static str {
    match rules {
        Rules::LogGops => "exactly those of LogGOPSim, with single numbers",
        Rules::LogP => "small messages: o, L, g",
        Rules::LogGp => "long messages: o, L, g, G",
        Rules::LogGps => "LogGP with a handshake above S",
        Rules::LogGpo => "LogGP with eager and rendezvous messages that overlap with computation",
    }
}

/// Between what ran and its rules.
pub(crate) fn on(machine: &str) -> String {
    format!(" on {machine}, by the rules of ")
}

/// Whether everything met its other side.
pub(crate) fn status(status: Status) -> &'static str {
    match status {
        Status::Ok => "everything met its other side",
        Status::Unmatched => "stuck, it cannot finish",
    }
}

/// A whole number: "1 048 576".
pub(crate) fn count(count: f64) -> String {
    let digits = format!("{:.0}", count.abs());
    let mut text = if count < 0.0 { "−".to_owned() } else { String::new() };
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// How fast it was run, where that can be told.
pub(crate) fn speed(events: u64, milliseconds: f64) -> Option<String> {
    const ENOUGH: u64 = 100_000;
    (events >= ENOUGH && milliseconds > 0.0).then(|| {
        format!("{} million events a second", number(events as f64 / milliseconds / 1e3, 3))
    })
}

/// Whether the closed form is exact here, and where it is.
pub(crate) fn exact(exact: bool, range: &str) -> String {
    let here = if exact { "exact here" } else { "an estimate here" };
    format!(" ({here}; it is for {range})")
}

/// What could not finish.
pub(crate) fn left_over(unmatched: usize, never_began: usize) -> String {
    format!(
        "{unmatched} receives and messages were left over; {never_began} operations never began."
    )
}

/// What takes long.
pub(crate) fn running(want: Option<&Want>, progress: Option<f64>) -> String {
    let what = match want {
        Some(Want::Curve(..)) => "Tracing the end over a parameter",
        Some(Want::Path) => "Following the critical path",
        Some(Want::Sensitivity) => "Looking at what would change it",
        Some(Want::Elsewhere(_)) => "Running on the other machines",
        Some(Want::Sight(_) | Want::Calls(_)) => "Drawing the timeline",
        Some(Want::Split(_)) => "Adding up the ranks' time",
        Some(Want::End) | None => "Running",
    };
    match progress {
        Some(share) => format!("{what}: {:.0}% …", 100.0 * share.min(1.0)),
        None => format!("{what} …"),
    }
}

/// One rank.
pub(crate) fn rank(rank: u32) -> String {
    format!("rank {rank}")
}

/// One or several ranks.
pub(crate) fn ranks(first: u32, count: u32) -> String {
    match count {
        1 => rank(first),
        more => format!("ranks {first}–{} on an average", first + more - 1),
    }
}

/// The bars of the ranks, for those who do not see them.
pub(crate) fn split(bars: usize, ranks: u32) -> String {
    match ranks {
        1 => format!("Stacked bars, one for each of {bars} ranks. The table below has the values."),
        n => format!("{bars} stacked bars, each for {n} ranks. The table below has the values."),
    }
}

/// A stretch: "receiving, rank 3: recv 8b from 0 tag 0; from 12 µs to 14 µs".
pub(crate) fn stretch(op: &str, doing: &str, start: Micros, end: Micros) -> String {
    let [from, to, long] = [start, end, end - start].map(time);
    format!("{doing}, {op}; from {from} to {to}: {long}")
}

/// What of the timeline is seen.
pub(crate) fn seen(sight: &Sight) -> String {
    let (stretches, messages) = (count(sight.stretches as f64), count(sight.messages as f64));
    let how = match (&sight.each, &sight.arrows) {
        (Some(_), Some(_)) => "each is drawn",
        (Some(_), None) => "messages are too many to draw",
        (None, _) => "added up in cells of a pixel; zoom in to see each",
    };
    format!("In sight: {stretches} stretches of work, {messages} messages; {how}.")
}

/// The timeline, for those who do not see it.
pub(crate) fn timeline(ranks: (u32, u32), from: Micros, to: Micros) -> String {
    format!("Timeline of ranks {} to {}, from {} to {}.", ranks.0, ranks.1, time(from), time(to))
}

/// The critical path along time, for those who do not see it.
pub(crate) fn strip(steps: usize, end: Micros) -> String {
    format!("The critical path along time: {steps} steps until {}.", time(end))
}

/// How many steps the critical path has.
pub(crate) fn steps(count: usize) -> String {
    format!("Its {count} steps")
}

/// A part of the critical path.
pub(crate) fn part(symbol: &str) -> &'static str {
    match symbol {
        "o" => "overheads of both sides",
        "O" => "overheads by the byte",
        "computation" => "computing",
        "G" => "bytes under way",
        symbol => crate::text::meaning(symbol),
    }
}

/// A curve, for those who do not see it.
pub(crate) fn curve(parameter: &str, pieces: usize, to: &str) -> String {
    format!("The end of the run over {parameter} from nothing to {to}: {pieces} straight pieces.")
}

/// The curve at the machine's own value.
pub(crate) fn here(parameter: &str, value: &str, end: &str) -> String {
    format!("{parameter} = {value}: {end}")
}

/// Where a curve was broken off.
pub(crate) fn broken_off(at: &str) -> String {
    format!("Too many pieces: broken off at {at}.")
}

/// How many pieces a curve has.
pub(crate) fn pieces(count: usize) -> String {
    match count {
        1 => "One straight piece".to_owned(),
        n => format!("{n} straight pieces, {} breaks", n - 1),
    }
}

/// How many machines it does not run on.
pub(crate) fn not_there(count: usize) -> String {
    match count {
        1 => "It does not run on 1 machine".to_owned(),
        n => format!("It does not run on {n} machines"),
    }
}

pub(crate) const AS_MEASURED_TIMELINE: &str = "As it was";

pub(crate) const AS_PREDICTED_TIMELINE: &str = "As it would be";

/// What ranks are at, in calls.
pub(crate) fn call(activity: &str) -> &'static str {
    match activity {
        "compute" => "computing",
        "send" => "sending and receiving",
        "receive" => "waiting for requests",
        _ => "in collective operations",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_threes() {
        for (value, text) in
            [(0.0, "0"), (999.0, "999"), (1000.0, "1 000"), (-1_048_576.0, "−1 048 576")]
        {
            assert_eq!(count(value).replace('\u{202f}', " "), text);
        }
    }
}
