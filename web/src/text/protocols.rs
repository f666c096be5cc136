//! The words of the protocols.

use loggia_model::protocol::Protocol;
use loggia_model::signature::Transfer;
use loggia_model::units::words::time;

pub(crate) const PROTOCOLS: &str = "Protocols";
pub(crate) const PROTOCOL: &str = "Protocol";
pub(crate) const SENDER: &str = "The sender can go on after";
pub(crate) const DELIVERY: &str = "The message is delivered after";
pub(crate) const GOES_ON: &str = "sender goes on";
pub(crate) const DELIVERED: &str = "delivered";
pub(crate) const BY_SENDER: &str = "Until the sender goes on";
pub(crate) const BY_DELIVERY: &str = "Until delivery";
pub(crate) const ALL_FOUR: &str = "All four, on one scale of time";
pub(crate) const PREVIOUS: &str = "Previous message";
pub(crate) const NEXT: &str = "Next message";
pub(crate) const ALL: &str = "All";

/// The number of an equation in the paper.
pub(crate) fn equation(number: &str) -> String {
    format!("equation {number}")
}

/// How many of the messages are drawn.
pub(crate) fn step(shown: usize, all: usize) -> String {
    match (shown, all) {
        (shown, all) if shown < all => format!("{shown} of {all} messages"),
        (_, 1) => "1 message".to_owned(),
        (_, all) => format!("All {all} messages"),
    }
}

/// What a message of a protocol is for.
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

/// The diagram, for those who do not see it.
pub(crate) fn described(found: &Protocol) -> String {
    let at = |value: Option<_>| value.map_or(super::NO_NUMBER.to_owned(), time);
    let messages = found.timeline.messages().join(", ");
    format!(
        "Space-time diagram of {}. Messages: {messages}. The sender goes on after {}, the message is \
         delivered after {}.",
        found.transfer.words(),
        at(found.sender.time()),
        at(found.delivery.time())
    )
}
