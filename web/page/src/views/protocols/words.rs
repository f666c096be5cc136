//! Texts of the view Protocols.

use loggia_model::model::blocking::SendModePair;
use loggia_model::protocol::Protocol;
use loggia_model::signature::Transfer;
use loggia_model::timeline::Lane;
use loggia_model::units::words::time;

pub(crate) const PROTOCOL: &str = "Protocol";
pub(crate) const SENDER: &str = "Send completes after";
pub(crate) const DELIVERY: &str = "Delivery after";
pub(crate) const SEND_COMPLETES: &str = "send completes";
pub(crate) const DELIVERED: &str = "delivered";
pub(crate) const BY_SENDER: &str = "Until the send completes";
pub(crate) const BY_DELIVERY: &str = "Until delivery";
pub(crate) const ALL_FOUR: &str = "All protocols on one time axis";
pub(crate) const SOURCES: &str = "Sources";
pub(crate) const PREVIOUS: &str = "Previous";
pub(crate) const NEXT: &str = "Next";
pub(crate) const ALL: &str = "All";

pub(crate) const BLOCKING: &str = "Blocking and non-blocking";
pub(crate) const BY_SIZE: &str = "All reported sizes";
pub(crate) const OVERHEAD: &str = "Overhead";
pub(crate) const SIZE: &str = "Size";
pub(crate) const NOTHING: &str = "Nothing";
pub(crate) const TIME_LEFT: &str = "left";

/// Number of an equation in the paper.
pub(crate) fn equation(number: &str) -> String {
    format!("equation {number}")
}

/// Number of messages drawn so far.
pub(crate) fn step(shown: usize, all: usize) -> String {
    match (shown, all) {
        (shown, all) if shown < all => format!("{shown} of {all} messages"),
        (_, 1) => "1 message".to_owned(),
        (_, all) => format!("All {all} messages"),
    }
}

/// Purpose of a message of a protocol.
pub(crate) fn message(transfer: Transfer, message: &str) -> &'static str {
    match (transfer, message) {
        (_, "R") => "R, the sender asks whether it may send",
        (_, "A") => "A, the receiver answers that it is ready",
        (Transfer::Rta, "M") => "M, the receiver pulls the bytes out of the sender's memory",
        (Transfer::Rat, "M") => "M, the sender pushes the bytes into the receiver's memory",
        (_, "M") => "M, the message itself, small enough for a protocol message",
        (Transfer::Rat, _) => "ACK, the sender says that the bytes have arrived",
        _ => "ACK, the receiver says that it has the message",
    }
}

/// Description of the diagram, for screen readers.
pub(crate) fn described(found: &Protocol) -> String {
    let at = |value: Option<_>| value.map_or(crate::text::NO_NUMBER.to_owned(), time);
    let messages = found.timeline.messages().join(", ");
    format!(
        "Space-time diagram of {}. Messages: {messages}. The send completes after {}, the message is \
         delivered after {}.",
        found.transfer.words(),
        at(found.sender.time()),
        at(found.delivery.time())
    )
}

/// Blocking and non-blocking variant of a send mode.
pub(crate) fn pair_of_modes(pair: &SendModePair) -> String {
    let [blocking, non_blocking] = [&pair.blocking.name, &pair.non_blocking.name].map(|n| &n.0);
    format!(
        "The difference between {blocking} and {non_blocking} is time that a program with \
         {non_blocking} can use to compute."
    )
}

pub(crate) fn side(side: Lane) -> &'static str {
    if side == Lane::Sender { "Send overhead" } else { "Receive overhead" }
}

/// Why a side has no plot.
pub(crate) fn not_both(side: Lane, pair: &SendModePair) -> String {
    let [blocking, non_blocking] = [&pair.blocking.name, &pair.non_blocking.name].map(|n| &n.0);
    let name = self::side(side).to_ascii_lowercase();
    format!("The {name} of {blocking} or of {non_blocking} is unknown.")
}

/// Suffix of the overlap at a size.
pub(crate) fn left(size: &str) -> String {
    format!(" left to compute at {size}: ")
}

/// Header of a column of times.
pub(crate) fn micros(what: &str) -> String {
    format!("{what}, µs")
}

/// Title of the comparison of machines.
pub(crate) fn on_each(transfer: Transfer) -> String {
    format!("{} on each machine", transfer.symbol())
}

/// Explanation of the comparison of machines.
pub(crate) fn compared_with(transfer: Transfer) -> String {
    format!(
        "{}, on one time axis. After each time: the difference from the selected machine.",
        on_each(transfer)
    )
}
