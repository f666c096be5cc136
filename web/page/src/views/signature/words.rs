//! The words of this view.

use loggia_model::signature::{Quantity, Samples, Statistic};
use loggia_model::units::words::{size, time};
use loggia_model::units::{Bytes, Micros};

pub(crate) const OVERHEADS: &str = "Overheads by size";
pub(crate) const OVERHEADS_SHOW: &str = "How long a message keeps each processor busy: o_s the \
    sender's, o_r the receiver's. Bold: the chosen style; points: what is reported of it; thin: the other styles.";
pub(crate) const OVERHEAD_COLUMNS: [&str; 5] = ["Style", "Overhead", "Size", "µs", "Between"];

pub(crate) const BANDWIDTH: &str = "Bandwidth by size";
pub(crate) const BANDWIDTH_COLUMNS: [&str; 5] =
    ["Size", "Predicted", "Bandwidth", "Measured", "Bandwidth"];
pub(crate) const BANDWIDTH_SHOWS: &str = "Bytes over the time that the richest model predicts for \
    them. ";
pub(crate) const HALF: &str = "Half of it from n_1/2 = ";
pub(crate) const MEASURED: &str = "Points: half round trips, measured.";

pub(crate) const LATENCY: &str = "Overheads on the end-to-end latency";
pub(crate) const LATENCY_COLUMNS: [&str; 6] =
    ["Style", "EEL", "only o_s", "both", "free", "only o_r"];
pub(crate) const NEITHER: &str = "neither processor is busy: free to compute";

pub(crate) const LINE: &str = "the line: EEL";

pub(crate) const DEPTHS: &str = "Gap by queue depth";
pub(crate) const DEPTH_COLUMNS: [&str; 3] = ["Under way", "g, µs", "Between"];
pub(crate) const NO_DEPTHS: &str = "g by queue depth is not reported: it could come from the \
    flood test of 003, Section 4.2.";

pub(crate) const GAPS: &str = "Gap and gap per byte";
pub(crate) const GAP_COLUMNS: [&str; 4] = ["Size", "g", "G m", "g(m)"];
pub(crate) const GAPS_SHOW: &str = "Messages that follow each other take g each at the least, and \
    G for each byte.";

pub(crate) const SEND: &str = "Send overhead o_s by size";
pub(crate) const RECV: &str = "Receive overhead o_r by size";
pub(crate) const PER_BYTE: &str = "What the bytes alone take: G m";
pub(crate) const OF_NONE: &str = "Reported of none of these.";

/// An end-to-end latency and what the overheads leave of it.
pub(crate) fn shares(latency: &str) -> String {
    format!(
        "Of the {latency} from the send call to the data's receipt (8 bytes), how long the \
         processors are busy, as in 003's Figure 3. Where both colours share the height, both are \
         busy at once."
    )
}

/// How much a queue helps.
pub(crate) fn depths(first: (u32, &str), best: (u32, &str)) -> String {
    match first.0 == best.0 {
        true => format!("No depth is better than {}, with {} a message.", best.0, best.1),
        false => format!(
            "Keeping {} messages under way instead of {} brings the gap from {} to {}.",
            best.0, first.0, first.1, best.1
        ),
    }
}

/// From where on bytes count.
pub(crate) fn large(from: Option<Bytes>) -> String {
    match from {
        Some(from) => format!("From g/G = {} on the bytes count: a message is large.", size(from)),
        None => "g/G is no size.".to_owned(),
    }
}

/// A style's bar, for those who do not see it.
pub(crate) fn bar(style: &str, parts: &[(&str, Micros)]) -> String {
    let words = |(name, part): &(&str, Micros)| format!("{name} {}", time(*part));
    format!("{style}: {}", parts.iter().map(words).collect::<Vec<_>>().join(", "))
}

pub(crate) const SAMPLES: &str = "Samples";
pub(crate) const WHAT: &str = "What";
pub(crate) const HOW: &str = "How";
pub(crate) const STRIPS_SHOW: &str = "Thin: from the least to the largest; thick: without a \
    twentieth at either end; box: between the quartiles; line: the median. Times as they were read, \
    on one logarithmic scale.";
pub(crate) const STRIP_COLUMNS: [&str; 4] = ["Condition", "Times", "Median", "Far out"];
pub(crate) const QUANTILE_COLUMNS: [&str; 11] = [
    "Condition",
    "Times",
    "Least",
    "5%",
    "25%",
    "Median",
    "75%",
    "95%",
    "Largest",
    "Far out",
    "Source",
];

pub(crate) const REFIT: &str = "Fit again";
pub(crate) const REFITTING: &str = "Fitting …";
pub(crate) const REFIT_SHOWS: &str = "Fits every parameter again to these samples, as the collector \
    does, and shows both. The machine stays as it is until you use what was found.";
pub(crate) const NOT_FITTED: &str = "the thread that fits could not go on";
pub(crate) const NOT_FITTED_HELP: &str = "try again, or use a browser that has workers";
pub(crate) const USE: &str = "Use these";
pub(crate) const KEEP: &str = "Keep the file's";
pub(crate) const REFIT_COLUMNS: [&str; 4] = ["Parameter", "In the file", "Fitted again", "Verdict"];

/// How many of the parameters came out otherwise.
pub(crate) fn changed(changed: usize, all: usize) -> String {
    match changed {
        0 => format!("All {all} parameters come out the same."),
        1 => format!("1 of {all} parameters comes out otherwise."),
        n => format!("{n} of {all} parameters come out otherwise."),
    }
}

/// How many times are far from the others.
pub(crate) fn far_out(outliers: usize, count: usize) -> String {
    format!("{outliers} of {count}")
}

/// What a set of samples says, for those who do not see its strip.
pub(crate) fn strip(least: &str, median: &str, largest: &str) -> String {
    format!("from {least} to {largest}, median {median}")
}

/// What was timed.
pub(crate) fn quantity(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::EndToEnd => "end to end",
        Quantity::SendOverhead => "send call",
        Quantity::RecvOverhead => "receive call",
        Quantity::Gap => "gap in a flood",
        Quantity::Collective => "collective",
        Quantity::CollectiveStartup => "collective, no bytes",
        Quantity::CollectiveEmpty => "collective, no arithmetic",
        Quantity::RecvWaiting => "receive that waits",
        Quantity::RecvCompletion => "receive posted early",
        Quantity::SendAlone => "send without receiver",
        Quantity::GapSenderComputes => "gap, sender computes",
        Quantity::GapReceiverComputes => "gap, receiver computes",
        Quantity::SenderDone => "until the sender is done",
        Quantity::SenderDoneReceiverComputes => "sender done, receiver computes",
        Quantity::ReceiverDone => "until the receiver is done",
        Quantity::ReceiverDoneSenderComputes => "receiver done, sender computes",
        Quantity::SendCalls => "both sides' calls",
        Quantity::RecvCalls => "the receiver's calls",
        Quantity::Put => "put",
        Quantity::PutOverhead => "put call",
        Quantity::Get => "get",
        Quantity::Latency => "latency, as printed",
        Quantity::Exchange => "exchange with neighbours",
        Quantity::GapBothWays => "gap in floods both ways",
    }
}

/// What each of the numbers is.
pub(crate) fn statistic(statistic: Statistic) -> String {
    let words = match statistic {
        Statistic::Raw => "each",
        Statistic::Mean => "means",
        Statistic::Median => "medians",
        Statistic::Minimum => "minima",
        Statistic::MaximumOverRanks => "slowest rank",
        Statistic::MinimumOverRanks => "fastest rank",
        Statistic::Percentile(percent) => return format!("{percent}% below"),
        Statistic::Reported => "as printed",
    };
    words.to_owned()
}

/// Under which condition samples were taken; between which ranks, if that differs.
pub(crate) fn condition(samples: &Samples, with_ranks: bool) -> String {
    let parts = [
        samples.bytes.map(size),
        samples.procs.map(|procs| format!("p = {}", procs.0)),
        samples.depth.map(|depth| format!("q = {depth}")),
        samples.compute.map(|compute| format!("computing {}", time(compute))),
        samples.ranks.filter(|_| with_ranks).map(|[from, to]| format!("{from} → {to}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "—".to_owned() } else { parts.join(", ") }
}
