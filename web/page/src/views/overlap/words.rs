//! The words of the exchange between two sides that compute.

use crate::draw::sweep::Sweep;
use loggia_model::model::overlap::Overlap;
use loggia_model::units::words::{number, time};

pub(crate) const OVERLAP: &str = "Overlap";
pub(crate) const EXCHANGE: &str = "One message";
pub(crate) const TRANSFER: &str = "Transfer";
pub(crate) const EAGER: &str = "at once, into a buffer of the receiver: sets S to this size";
pub(crate) const RAT: &str = "request, answer, and the sender pushes";
pub(crate) const RTA: &str = "request, the receiver pulls, and acknowledges";
pub(crate) const PROGRESS: &str = "Progress";
pub(crate) const DEPENDENT: &str = "dependent: only calls into the library move a message on";
pub(crate) const INDEPENDENT: &str = "independent: a thread or the network moves it on";
pub(crate) const SEND_AT: &str = "Sender calls at";
pub(crate) const RECV_AT: &str = "Receiver calls at";
pub(crate) const SEND_COMPUTE: &str = "Sender computes";
pub(crate) const RECV_COMPUTE: &str = "Receiver computes";
pub(crate) const SENDER_PAYS: &str = "The sender pays O_s";
pub(crate) const RECEIVER_PAYS: &str = "The receiver pays O_r";
pub(crate) const GOES_ON: &str = "goes on";
pub(crate) const COLUMNS: [&str; 4] =
    ["LogGPO", "As 002 prints it", "LogGP's idea", "More than that"];
pub(crate) const ASSUMPTIONS: &str = "What could be assumed";
pub(crate) const ASSUME: &str = "Assume these and go on";
pub(crate) const ASSUMED: &str = "They are marked as assumed, stand among the parameters, and can \
    be changed or taken back there.";
pub(crate) const SWEEP: &str = "What computation hides";
pub(crate) const SWEPT: &str = "Each side's overhead when that side computes more and more between \
    its call and its wait, the other as asked.";
pub(crate) const COMPUTATION: &str = "inserted computation";
pub(crate) const OVERHEAD: &str = "overhead";
pub(crate) const RATIO: &str = "overlap ratio";
pub(crate) const RATIOS_TITLE: &str = "Overlap ratios";
pub(crate) const RATIOS: &str = "The share of each side's time that is computation, as that side \
    computes more between its call and its wait. Solid: the sender's; dashed: the receiver's; \
    points: as asked.";
pub(crate) const BESIDE_COLUMNS: [&str; 7] =
    ["Machine", "Way", "Sender's ratio", "Receiver's ratio", "O_s", "O_r", "Delivered"];
pub(crate) const ASSUMED_BESIDE: &str = "What is assumed is what each would be offered if it were \
    the machine in question; it is called changed then.";

/// Goes on with assumptions about so many machines.
pub(crate) fn assume_beside(count: usize) -> String {
    match count {
        1 => "Assume what it does not report".to_owned(),
        n => format!("Assume what these {n} do not report"),
    }
}

/// How the message travels, in short.
pub(crate) fn way(found: &Overlap) -> String {
    found.way.words(found.progress)
}

/// The picture of ratios, for those who do not see it.
pub(crate) fn ratios<'a>(all: impl Iterator<Item = (&'a str, &'a Overlap)>) -> String {
    let share = |ratio: Option<f64>| ratio.map_or("—".to_owned(), |ratio| number(ratio, 3));
    let machine = |(title, found): (&str, &Overlap)| {
        let [sender, receiver] = found.ratios.map(share);
        format!("{title}: sender {sender}, receiver {receiver}")
    };
    let all: Vec<String> = all.map(machine).collect();
    format!("Overlap ratios over computation, on a logarithmic axis. As asked: {}", all.join("; "))
}

/// What a row of the table is.
pub(crate) fn meaning(key: &str) -> &'static str {
    match key {
        "send_overhead_us" => "the sender's calls",
        "recv_overhead_us" => "the receiver's calls",
        "send_wait_us" | "recv_wait_us" => "of that in its wait",
        "cost_us" => "the transmission's costs",
        "delivery_us" => "the message is delivered at",
        "sender_end_us" => "the sender goes on at",
        "receiver_end_us" => "the receiver goes on at",
        _ => "",
    }
}

/// A side's share of computation.
pub(crate) fn ratio(ratio: Option<f64>) -> String {
    match ratio {
        None => "neither computes nor pays".to_owned(),
        Some(ratio) => {
            format!("overlap ratio {}: the share of its time that is computation", number(ratio, 3))
        }
    }
}

/// A value with its unit apart: `22.5us` as `22.5 µs`.
pub(crate) fn spaced(value: &str) -> String {
    value.replace("us", " µs").replace("KiB", " KiB").replace(',', ", ").replace(':', " B: ")
}

/// The diagram, for those who do not see it.
pub(crate) fn described(found: &Overlap) -> String {
    let paid = &found.exchange;
    format!(
        "Space-time diagram of the exchange, {}. The message is delivered at {}; the sender goes on \
         at {}, the receiver at {}.",
        found.way.words(found.progress),
        time(paid.delivered),
        time(paid.sender_end),
        time(paid.receiver_end)
    )
}

/// The picture of overheads, for those who do not see it.
pub(crate) fn sweep(sweep: &Sweep) -> String {
    let line = |line: &crate::draw::sweep::Line| {
        let (first, last) = (line.points.first()?, line.points.last()?);
        Some(format!("{} from {} to {}", line.label, time(first.1), time(last.1)))
    };
    let lines: Vec<String> = sweep.lines.iter().filter_map(line).collect();
    format!(
        "Overheads over computation from nothing to {}: {}",
        time(sweep.plane.until),
        lines.join(", ")
    )
}
