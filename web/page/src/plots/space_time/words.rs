//! Texts of space-time diagrams.

use loggia_model::timeline::{Activity, Span};
use loggia_model::units::words::time;

pub(crate) const TITLE: &str = "Space-time diagram";

/// Letters of messages, and their meaning.
pub(crate) const MESSAGES: [(&str, &str); 4] =
    [("R", "request"), ("A", "reply"), ("M", "message"), ("ACK", "acknowledgement")];

/// A span: "o_s of R, 24 µs: from 0 µs to 24 µs".
pub(crate) fn span(span: &Span) -> String {
    let what = match (span.activity, span.message) {
        (Activity::Idle, _) => format!("the {} waits", span.place.name()),
        (Activity::Compute, _) => format!("the {} computes", span.place.name()),
        (activity, "") => activity.symbol().to_owned(),
        (activity, message) => format!("{} of {message}", activity.symbol()),
    };
    let length = time(span.end - span.start);
    format!("{what}, {length}: from {} to {}", time(span.start), time(span.end))
}

/// Name of the handle at the first message's arrival.
pub(crate) fn drag(latency: &str) -> String {
    format!("L = {latency}: drag to change it")
}
