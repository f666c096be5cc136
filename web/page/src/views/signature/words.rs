//! Texts of the view Signature.

use loggia_exchange::score::MESSAGE;
use loggia_model::signature::{Quantity, Samples, Statistic};
use loggia_model::units::words::{number, size, time};
use loggia_model::units::{Bytes, Micros};

pub(crate) const OVERHEADS: &str = "Overheads by size";
pub(crate) const OVERHEADS_SHOW: &str = "CPU time per message: o_s of the sender, o_r of the receiver. \
    Bold: the selected send mode, with its reported points; thin: other send modes.";
pub(crate) const OVERHEAD_COLUMNS: [&str; 5] = ["Send mode", "Overhead", "Size", "µs", "Interval"];

pub(crate) const BANDWIDTH: &str = "Bandwidth by size";
pub(crate) const BANDWIDTH_COLUMNS: [&str; 5] =
    ["Size", "Predicted", "Bandwidth", "Measured", "Bandwidth"];
pub(crate) const BANDWIDTH_SHOWS: &str = "Bytes over the time predicted by the richest model. ";
pub(crate) const HALF: &str = "Half of it from n_1/2 = ";
pub(crate) const MEASURED: &str = "Points: measured RTT/2.";

pub(crate) const LATENCY: &str = "Overheads within the end-to-end latency";
pub(crate) const LATENCY_COLUMNS: [&str; 6] =
    ["Send mode", "EEL", "only o_s", "both", "free", "only o_r"];
pub(crate) const NEITHER: &str = "both CPUs are free to compute";

pub(crate) const LINE: &str = "the line: EEL";

pub(crate) const DEPTHS: &str = "Gap by queue depth";
pub(crate) const DEPTH_COLUMNS: [&str; 3] = ["In flight", "g, µs", "Interval"];
pub(crate) const NO_DEPTHS: &str = "g by queue depth is unknown. The streaming bandwidth test of Bell et \
    al. 2003, Section 4.2, measures it.";

pub(crate) const GAPS: &str = "Gap and gap per byte";
pub(crate) const GAP_COLUMNS: [&str; 4] = ["Size", "g", "G m", "g(m)"];
pub(crate) const GAPS_SHOW: &str = "Consecutive messages take at least g each, and G per byte.";

pub(crate) const SEND: &str = "Send overhead o_s by size";
pub(crate) const RECV: &str = "Receive overhead o_r by size";
pub(crate) const PER_BYTE: &str = "Time of the bytes alone: G m";
pub(crate) const OF_NONE: &str = "Unknown for all of these.";

/// The end-to-end latency, and its rest without overheads.
pub(crate) fn shares(latency: &str) -> String {
    format!(
        "CPU time within the {latency} from the send call to the receipt of 8 bytes, as in Bell \
         et al. 2003, Figure 3. Where both colours share the height, both CPUs are busy."
    )
}

/// Effect of the queue depth.
pub(crate) fn depths(first: (u32, &str), best: (u32, &str)) -> String {
    match first.0 == best.0 {
        true => format!("The best depth is {}, with {} per message.", best.0, best.1),
        false => format!(
            "{} messages in flight instead of {} reduce the gap from {} to {}.",
            best.0, first.0, first.1, best.1
        ),
    }
}

/// The size from which bytes dominate.
pub(crate) fn large(from: Option<Bytes>) -> String {
    match from {
        Some(from) => format!("From g/G = {} on, G dominates: the message is large.", size(from)),
        None => "g/G is undefined.".to_owned(),
    }
}

/// Description of a send mode's bar, for screen readers.
pub(crate) fn bar(style: &str, parts: &[(&str, Micros)]) -> String {
    let words = |(name, part): &(&str, Micros)| format!("{name} {}", time(*part));
    format!("{style}: {}", parts.iter().map(words).collect::<Vec<_>>().join(", "))
}

pub(crate) const PREDICTED: &str = "Predicted and measured";
pub(crate) const PREDICTED_LINE: &str = "predicted";
pub(crate) const PREDICTED_SHOWS: &str = "Points: measured. Line and band: prediction with its 95% interval. \
    The residuals below are of predictions from the other measured times alone.";
pub(crate) const PREDICTED_SHOWS_OTHER: &str = "Points: measured. Line and band: this signature's \
    prediction with its 95% interval; below: measured / predicted.";
pub(crate) const RESIDUALS: &str = "Residuals";
pub(crate) const PREDICTED_COLUMNS: [&str; 6] =
    ["Size", "Measured", "Predicted", "95% interval", "Residual", "Basis"];
pub(crate) const MEASURED_TIMES: &str = "Measured times of";
pub(crate) const OPERATION: &str = "Operation";
pub(crate) const MEASURED_AT: &str = "Measured on";

/// An operation, or a message.
pub(crate) fn operation(op: &str) -> String {
    if op == MESSAGE { "message, RTT/2".to_owned() } else { op.to_owned() }
}

/// A run of a machine.
pub(crate) fn run(title: &str, date: Option<&str>) -> String {
    date.map_or_else(|| title.to_owned(), |date| format!("{title}, {date}"))
}

/// Texts around the errors of an operation: median, 95th percentile, maximum, and the number of
/// measured times inside their intervals.
pub(crate) fn errors(points: usize) -> [String; 5] {
    [
        format!("Error over {points} points: median "),
        ", 95th percentile ".to_owned(),
        ", maximum ".to_owned(),
        ". ".to_owned(),
        " of the measured times are inside their interval.".to_owned(),
    ]
}

/// Summary of the folded section of predicted and measured times.
pub(crate) fn errors_in_short(points: usize, median: &str) -> String {
    format!("{points} points, median error {median}")
}

/// Added to the summary if the times were measured on another machine.
pub(crate) fn of_other(title: &str) -> String {
    format!(", measured on {title}")
}

/// A share of a whole.
pub(crate) fn share(share: Option<f64>) -> String {
    share.map_or("—".to_owned(), |share| format!("{}%", number(100.0 * share, 3)))
}

pub(crate) const SAMPLES: &str = "Samples";
pub(crate) const QUANTITY: &str = "Quantity";
pub(crate) const METHOD: &str = "Method";
pub(crate) const STRIPS_SHOW: &str = "Thin: minimum to maximum; thick: 5th to 95th percentile; box: \
    quartiles; line: median. Raw times on one logarithmic axis.";
pub(crate) const STRIP_COLUMNS: [&str; 4] = ["Condition", "Times", "Median", "Outliers"];
pub(crate) const QUANTILE_COLUMNS: [&str; 11] = [
    "Condition",
    "Times",
    "Minimum",
    "5%",
    "25%",
    "Median",
    "75%",
    "95%",
    "Maximum",
    "Outliers",
    "Source",
];

pub(crate) const REFIT: &str = "Fit again";
pub(crate) const REFITTING: &str = "Fitting …";
pub(crate) const REFIT_SHOWS: &str = "Fits all parameters again to these samples, as the collector does, \
    and shows both. The machine changes only when you use the result.";
pub(crate) const NOT_FITTED: &str = "the fit failed";
pub(crate) const NOT_FITTED_HELP: &str = "try again, or use a browser that supports web workers";
pub(crate) const USE: &str = "Use the fitted values";
pub(crate) const KEEP: &str = "Keep the file's values";
pub(crate) const REFIT_COLUMNS: [&str; 4] = ["Parameter", "In the file", "Fitted again", "Quality"];

/// Number of changed parameters.
pub(crate) fn changed(changed: usize, all: usize) -> String {
    match changed {
        0 => format!("All {all} parameters are unchanged."),
        1 => format!("1 of {all} parameters differs."),
        n => format!("{n} of {all} parameters differ."),
    }
}

/// Number of outliers.
pub(crate) fn outliers(outliers: usize, count: usize) -> String {
    format!("{outliers} of {count}")
}

/// Description of a strip, for screen readers.
pub(crate) fn strip(least: &str, median: &str, largest: &str) -> String {
    format!("from {least} to {largest}, median {median}")
}

/// The timed quantity.
pub(crate) fn quantity(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::EndToEnd => "end to end",
        Quantity::SendOverhead => "send call",
        Quantity::RecvOverhead => "receive call",
        Quantity::Gap => "gap, streaming",
        Quantity::Collective => "collective",
        Quantity::CollectiveStartup => "collective, no bytes",
        Quantity::CollectiveEmpty => "collective, no arithmetic",
        Quantity::RecvWaiting => "receive before arrival",
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
        Quantity::GapBothWays => "gap, streaming both ways",
    }
}

pub(crate) fn statistic(statistic: Statistic) -> String {
    let words = match statistic {
        Statistic::Raw => "raw",
        Statistic::Mean => "means",
        Statistic::Median => "medians",
        Statistic::Minimum => "minima",
        Statistic::MaximumOverRanks => "slowest rank",
        Statistic::MinimumOverRanks => "fastest rank",
        Statistic::Percentile(percent) => return format!("{percent}th percentile"),
        Statistic::Reported => "as printed",
        Statistic::Low => "lower ends of intervals",
        Statistic::High => "upper ends of intervals",
    };
    words.to_owned()
}

/// The condition of samples; with the ranks, if these differ.
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
