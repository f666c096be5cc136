//! Texts of the view Overlap.

use crate::draw::sweep::Sweep;
use loggia_model::model::overlap::Overlap;
use loggia_model::units::words::{number, time};

pub(crate) const EXCHANGE: &str = "One message";
pub(crate) const TRANSFER: &str = "Transfer";
pub(crate) const EAGER: &str =
    "eager: sent at once into a buffer of the receiver; sets S to this size";
pub(crate) const RAT: &str = "rendezvous: request, answer, then the sender pushes";
pub(crate) const RTA: &str = "rendezvous: request, then the receiver pulls and acknowledges";
pub(crate) const PROGRESS: &str = "Progress";
pub(crate) const DEPENDENT: &str = "dependent: messages progress only in library calls";
pub(crate) const INDEPENDENT: &str = "independent: a thread or the network progresses messages";
pub(crate) const SEND_AT: &str = "Sender calls at";
pub(crate) const RECV_AT: &str = "Receiver calls at";
pub(crate) const SEND_COMPUTE: &str = "Sender computes";
pub(crate) const RECV_COMPUTE: &str = "Receiver computes";
pub(crate) const SENDER_OVERHEAD: &str = "Sender's overhead O_s";
pub(crate) const RECEIVER_OVERHEAD: &str = "Receiver's overhead O_r";
pub(crate) const CALL_COMPLETES: &str = "call completes";
pub(crate) const COLUMNS: [&str; 4] =
    ["LogGPO", "Chen et al., as printed", "LogGP", "LogGPO over LogGP"];
pub(crate) use crate::fields::words::{ASSUME, ASSUMED, ASSUMPTIONS};
pub(crate) const SWEEP: &str = "Overhead by computation";
pub(crate) const SWEPT: &str = "Overhead of each side over its computation between call and wait. The \
    other side's computation is as set above.";
pub(crate) const COMPUTATION: &str = "inserted computation";
pub(crate) const OVERHEAD: &str = "overhead";
pub(crate) const RATIO: &str = "overlap ratio";
pub(crate) const RATIOS_TITLE: &str = "Overlap ratios";
pub(crate) const RATIOS: &str = "Share of computation in each side's time, over its computation between \
    call and wait. Solid: sender; dashed: receiver; points: as set above.";
pub(crate) const COMPARISON_COLUMNS: [&str; 7] =
    ["Machine", "Transfer", "Sender's ratio", "Receiver's ratio", "O_s", "O_r", "Delivered"];
pub(crate) const ASSUMED_FOR_OTHERS: &str = "Each machine gets the values that are offered when it is selected. \
    A machine with assumptions is marked as changed.";

/// The button that assumes the unknown parameters of `count` machines.
pub(crate) fn assume_for_others(count: usize) -> String {
    match count {
        1 => "Assume its unknown parameters".to_owned(),
        n => format!("Assume the unknown parameters of these {n}"),
    }
}

/// The protocol in short.
pub(crate) fn protocol(found: &Overlap) -> String {
    found.protocol.words(found.progress)
}

/// Description of the ratios, for screen readers.
pub(crate) fn ratios<'a>(all: impl Iterator<Item = (&'a str, &'a Overlap)>) -> String {
    let share = |ratio: Option<f64>| ratio.map_or("—".to_owned(), |ratio| number(ratio, 3));
    let machine = |(title, found): (&str, &Overlap)| {
        let [sender, receiver] = found.ratios.map(share);
        format!("{title}: sender {sender}, receiver {receiver}")
    };
    let all: Vec<String> = all.map(machine).collect();
    format!(
        "Overlap ratios over computation, on a logarithmic axis. As set above: {}",
        all.join("; ")
    )
}

/// Explanation of a row.
pub(crate) fn meaning(key: &str) -> &'static str {
    match key {
        "send_overhead_us" => "the sender's calls",
        "recv_overhead_us" => "the receiver's calls",
        "send_wait_us" | "recv_wait_us" => "of this, in its wait",
        "cost_us" => "cost of the transmission",
        "delivery_us" => "delivery at",
        "sender_end_us" => "sender's call completes at",
        "receiver_end_us" => "receiver's call completes at",
        _ => "",
    }
}

/// An overlap ratio.
pub(crate) fn ratio(ratio: Option<f64>) -> String {
    match ratio {
        None => "no computation and no overhead".to_owned(),
        Some(ratio) => {
            format!("overlap ratio {} (computation / total time)", number(ratio, 3))
        }
    }
}

/// A typed value with a space before its unit: `22.5us` as `22.5 µs`.
pub(crate) fn spaced(value: &str) -> String {
    let points: Vec<&str> = value.split(',').collect();
    if let [first, _, .., last] = points.as_slice() {
        return format!("{} to {}, at {} sizes", spaced(first), spaced(last), points.len());
    }
    value.replace("us", " µs").replace("KiB", " KiB").replace(',', ", ").replace(':', " B: ")
}

/// Description of the diagram, for screen readers.
pub(crate) fn described(found: &Overlap) -> String {
    let exchange = &found.exchange;
    format!(
        "Space-time diagram of the exchange, {}. The message is delivered at {}; the sender's call \
         completes at {}, the receiver's at {}.",
        found.protocol.words(found.progress),
        time(exchange.delivered),
        time(exchange.sender_end),
        time(exchange.receiver_end)
    )
}

/// Description of the overheads, for screen readers.
pub(crate) fn sweep(sweep: &Sweep) -> String {
    let line = |line: &crate::draw::sweep::Line| {
        let (first, last) = (line.points.first()?, line.points.last()?);
        Some(format!("{} from {} to {}", line.label, time(first.1), time(last.1)))
    };
    let lines: Vec<String> = sweep.lines.iter().filter_map(line).collect();
    format!(
        "Overheads over computation from 0 to {}: {}",
        time(sweep.plane.until),
        lines.join(", ")
    )
}
