//! Who does what, when: spans on a sender's, a network's and a receiver's line.

use crate::units::Micros;
use serde::Serialize;

/// Whose line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// The sender's processor.
    Sender,
    /// Between them.
    Network,
    /// The receiver's processor.
    Receiver,
}

/// What it is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Activity {
    /// o_s
    SendOverhead,
    /// L
    Latency,
    /// (k−1) G
    Bytes,
    /// o_r
    RecvOverhead,
    /// O'
    ControlOverhead,
    /// O_i
    Initiation,
    /// O_c
    Copy,
    /// What the program computes.
    Compute,
    /// Waiting.
    Idle,
}

impl Place {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Place::Sender => "sender",
            Place::Network => "network",
            Place::Receiver => "receiver",
        }
    }
}

impl Activity {
    /// The paper's symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Activity::SendOverhead => "o_s",
            Activity::Latency => "L",
            Activity::Bytes => "(k−1)G",
            Activity::RecvOverhead => "o_r",
            Activity::ControlOverhead => "O'",
            Activity::Initiation => "O_i",
            Activity::Copy => "O_c",
            Activity::Compute => "compute",
            Activity::Idle => "idle",
        }
    }

    /// The parameter that it takes so long by, as the terms of an equation name it.
    pub fn parameter(self) -> &'static str {
        match self {
            Activity::Bytes => "G",
            other => other.symbol(),
        }
    }
}

/// An interval of time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Span {
    /// Whose.
    pub place: Place,
    /// What.
    pub activity: Activity,
    /// Of which message: R, A, M, ACK; empty while idle.
    pub message: &'static str,
    /// On the network: where to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub towards: Option<Place>,
    /// When it begins.
    #[serde(rename = "start_us")]
    pub start: Micros,
    /// When it ends.
    #[serde(rename = "end_us")]
    pub end: Micros,
}

/// Spans in the order in which they end up on the lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Timeline {
    /// The spans.
    pub spans: Vec<Span>,
}

impl Timeline {
    /// When the last span of a line ends.
    pub fn end(&self, place: Place) -> Micros {
        self.spans
            .iter()
            .filter(|span| span.place == place)
            .fold(Micros(0.0), |end, span| end.max(span.end))
    }

    /// When the last of all spans ends.
    pub fn last(&self) -> Micros {
        self.spans.iter().fold(Micros(0.0), |end, span| end.max(span.end))
    }

    /// The messages in the order in which they are sent.
    pub fn messages(&self) -> Vec<&'static str> {
        let mut messages = Vec::new();
        for span in &self.spans {
            if !span.message.is_empty() && !messages.contains(&span.message) {
                messages.push(span.message);
            }
        }
        messages
    }

    /// What has happened when so many messages have come; a wait belongs to the message that ends
    /// it.
    #[must_use]
    pub fn first(&self, messages: usize) -> Self {
        let shown: Vec<&str> = self.messages().into_iter().take(messages).collect();
        let is_later = |span: &Span| !span.message.is_empty() && !shown.contains(&span.message);
        Timeline { spans: self.spans.iter().take_while(|s| !is_later(s)).cloned().collect() }
    }
}
