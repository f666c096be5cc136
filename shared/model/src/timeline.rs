//! Space-time diagrams: spans on the lines of sender, network and receiver.

use crate::units::Micros;
use serde::Serialize;

/// A line of the diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lane {
    /// The sender's processor.
    Sender,
    /// The network between the two processors.
    Network,
    /// The receiver's processor.
    Receiver,
}

/// An activity.
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
    /// Computation of the program.
    Compute,
    /// Waiting.
    Idle,
}

impl Lane {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Lane::Sender => "sender",
            Lane::Network => "network",
            Lane::Receiver => "receiver",
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

    /// The parameter that determines its duration, as in the terms of an equation.
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
    pub place: Lane,
    pub activity: Activity,
    /// The message: R, A, M, ACK; empty for computation and waiting.
    pub message: &'static str,
    /// Destination of a message on the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub towards: Option<Lane>,
    #[serde(rename = "start_us")]
    pub start: Micros,
    #[serde(rename = "end_us")]
    pub end: Micros,
}

/// The spans, in drawing order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Timeline {
    /// The spans.
    pub spans: Vec<Span>,
}

impl Timeline {
    /// End of the last span on a line.
    pub fn end(&self, place: Lane) -> Micros {
        self.spans
            .iter()
            .filter(|span| span.place == place)
            .fold(Micros(0.0), |end, span| end.max(span.end))
    }

    /// End of the last span.
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

    /// The diagram of the first messages; a wait belongs to the message that ends it.
    #[must_use]
    pub fn first(&self, messages: usize) -> Self {
        let shown: Vec<&str> = self.messages().into_iter().take(messages).collect();
        let is_later = |span: &Span| !span.message.is_empty() && !shown.contains(&span.message);
        Timeline { spans: self.spans.iter().take_while(|s| !is_later(s)).cloned().collect() }
    }
}
