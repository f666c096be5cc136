//! Costs of each side of a message that overlaps with computation, by LogGPO. Symbols and formulas
//! are in [`loggpo`](super::loggpo).

mod timeline;

pub use timeline::timeline;

use super::fit::Fit;
use crate::signature::ProgressKind;
use crate::units::Micros;
use serde::Serialize;

/// The protocol of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageProtocol {
    /// Sent immediately, into a buffer of the receiver.
    Eager,
    /// After a handshake; the sender pushes.
    Rat,
    /// After a request; the receiver pulls.
    Rta,
}

impl MessageProtocol {
    /// As text: "rendezvous, RAT, DCP".
    pub fn words(self, progress: ProgressKind) -> String {
        match self {
            MessageProtocol::Eager => "eager".to_owned(),
            MessageProtocol::Rat => format!("rendezvous, RAT, {}", progress.symbol()),
            MessageProtocol::Rta => format!("rendezvous, RTA, {}", progress.symbol()),
        }
    }
}

/// The costs of one message, by step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// O'
    pub control: Micros,
    /// O_i
    pub initiation: Micros,
    /// O_c
    pub copy: Micros,
    /// L
    pub latency: Micros,
    /// G (K−1)
    pub bytes: Micros,
}

impl Costs {
    /// The costs scaled such that two sides that call at time 0 take this time.
    #[must_use]
    pub(super) fn taking(self, protocol: MessageProtocol, time: Micros) -> Self {
        let (controls, flights, copies) = match protocol {
            MessageProtocol::Eager => (0.0, 1.0, 1.0),
            MessageProtocol::Rat => (3.0, 3.0, 0.0),
            MessageProtocol::Rta => (2.0, 2.0, 0.0),
        };
        let calls = self.initiation + self.control * controls + self.copy * copies;
        let fit = Fit::to(time, calls, (self.latency, flights), self.bytes);
        Costs {
            control: self.control * if controls > 0.0 { fit.calls } else { 1.0 },
            initiation: self.initiation * fit.calls,
            copy: self.copy * if copies > 0.0 { fit.calls } else { 1.0 },
            latency: fit.latency,
            bytes: fit.bytes,
        }
    }
}

/// The start of the call and of the wait of each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Arrivals {
    /// T_s
    #[serde(rename = "send_us")]
    pub send: Micros,
    /// T_r
    #[serde(rename = "recv_us")]
    pub recv: Micros,
    /// T_sw
    #[serde(rename = "send_wait_us")]
    pub send_wait: Micros,
    /// T_rw
    #[serde(rename = "recv_wait_us")]
    pub recv_wait: Micros,
}

impl Arrivals {
    /// Calls at T_s and T_r, each followed by computation and the wait.
    pub fn around(
        protocol: MessageProtocol,
        costs: &Costs,
        [send, recv]: [Micros; 2],
        [send_compute, recv_compute]: [Micros; 2],
    ) -> Self {
        let calls = Arrivals { send, recv, ..Arrivals::default() };
        let late = receive_is_late(costs, &calls);
        let (in_send, in_recv) = match protocol {
            MessageProtocol::Eager => (costs.initiation, ZERO),
            MessageProtocol::Rat => (costs.control, costs.control * if late { 2.0 } else { 1.0 }),
            MessageProtocol::Rta => {
                (costs.control, costs.control + if late { costs.initiation } else { ZERO })
            }
        };
        Arrivals {
            send_wait: send + in_send + send_compute,
            recv_wait: recv + in_recv + recv_compute,
            ..calls
        }
    }
}

/// The costs of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Exchange {
    /// O_sw
    #[serde(rename = "send_wait_us")]
    pub send_wait: Micros,
    /// O_rw
    #[serde(rename = "recv_wait_us")]
    pub recv_wait: Micros,
    /// O_s
    #[serde(rename = "send_overhead_us")]
    pub send: Micros,
    /// O_r
    #[serde(rename = "recv_overhead_us")]
    pub recv: Micros,
    /// T_c: the sum of the costs of the transmission, with the sender's wait for the receiver. It
    /// is not the end of a timeline.
    #[serde(rename = "cost_us")]
    pub cost: Micros,
    /// D: the message is in the receiver's memory.
    #[serde(rename = "delivery_us")]
    pub delivered: Micros,
    /// End of the sender's wait.
    #[serde(rename = "sender_end_us")]
    pub sender_end: Micros,
    /// End of the receiver's wait.
    #[serde(rename = "receiver_end_us")]
    pub receiver_end: Micros,
}

impl Exchange {
    /// The difference to another exchange.
    #[must_use]
    pub fn beyond(&self, other: &Exchange) -> Exchange {
        Exchange {
            send_wait: self.send_wait - other.send_wait,
            recv_wait: self.recv_wait - other.recv_wait,
            send: self.send - other.send,
            recv: self.recv - other.recv,
            cost: self.cost - other.cost,
            delivered: self.delivered - other.delivered,
            sender_end: self.sender_end - other.sender_end,
            receiver_end: self.receiver_end - other.receiver_end,
        }
    }
}

/// The forms as printed by Chen et al. 2009, for the printed cases.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Printed {
    /// O_sw
    #[serde(rename = "send_wait_us")]
    pub send_wait: Micros,
    /// O_rw; the printed form lacks the payload's L.
    #[serde(rename = "recv_wait_us")]
    pub recv_wait: Micros,
    /// O_s
    #[serde(rename = "send_overhead_us")]
    pub send: Micros,
    /// O_r
    #[serde(rename = "recv_overhead_us")]
    pub recv: Micros,
    /// T_c
    #[serde(rename = "cost_us")]
    pub cost: Micros,
}

/// R_so and R_ro: the share of a side's time that is computation.
///
/// ```
/// use loggia_model::model::exchange::overlap_ratio;
/// use loggia_model::units::Micros;
/// assert_eq!(overlap_ratio(Micros(30.0), Micros(10.0)), Some(0.75));
/// ```
pub fn overlap_ratio(computation: Micros, overhead: Micros) -> Option<f64> {
    let whole = computation.0 + overhead.0;
    (whole > 0.0).then(|| computation.0 / whole)
}

const ZERO: Micros = Micros(0.0);

/// The costs of an exchange.
pub fn exchange(
    protocol: MessageProtocol,
    progress: ProgressKind,
    costs: &Costs,
    at: &Arrivals,
) -> Exchange {
    match protocol {
        MessageProtocol::Eager => eager(costs, at),
        MessageProtocol::Rat => rendezvous_push(progress, costs, at),
        MessageProtocol::Rta => rendezvous_pull(progress, costs, at),
    }
}

fn eager(costs: &Costs, at: &Arrivals) -> Exchange {
    let arrived = at.send + costs.initiation + costs.bytes + costs.latency;
    let recv_wait = (arrived - at.recv_wait).max(ZERO) + costs.copy;
    Exchange {
        send_wait: ZERO,
        recv_wait,
        send: costs.initiation,
        recv: recv_wait,
        cost: costs.initiation + costs.bytes + costs.latency + costs.copy,
        delivered: at.recv_wait + recv_wait,
        sender_end: at.send_wait.max(at.send + costs.initiation),
        receiver_end: at.recv_wait + recv_wait,
    }
}

/// Arrival of the request at the receiver.
fn request_arrives(costs: &Costs, at: &Arrivals) -> Micros {
    at.send + costs.control + costs.latency
}

/// Whether the request arrives before MPI_Irecv, which then answers it.
fn receive_is_late(costs: &Costs, at: &Arrivals) -> bool {
    at.recv > request_arrives(costs, at)
}

/// R: when the receiver handles the request.
fn request_handled(progress: ProgressKind, costs: &Costs, at: &Arrivals) -> Micros {
    let arrives = request_arrives(costs, at);
    match progress {
        _ if receive_is_late(costs, at) => at.recv,
        ProgressKind::Dependent => at.recv_wait.max(arrives),
        ProgressKind::Independent => at.recv.max(arrives),
    }
}

/// T_c: three latencies, four control overheads, the transmission, and the wait for the receiver.
fn cost(handled: Micros, costs: &Costs, at: &Arrivals) -> Micros {
    costs.control * 4.0
        + costs.latency * 3.0
        + costs.initiation
        + costs.bytes
        + (handled - at.send_wait).max(ZERO)
}

fn rendezvous_push(progress: ProgressKind, costs: &Costs, at: &Arrivals) -> Exchange {
    let handled = request_handled(progress, costs, at);
    let acknowledged = handled + costs.control * 2.0 + costs.latency;
    let starts = match progress {
        ProgressKind::Dependent => acknowledged.max(at.send_wait),
        ProgressKind::Independent => acknowledged,
    };
    let sent = starts + costs.initiation + costs.bytes;
    let delivered = sent + costs.latency;
    let send_wait = (sent - at.send_wait).max(ZERO);
    let recv_wait = (delivered - at.recv_wait).max(ZERO);
    let answering = if receive_is_late(costs, at) { 2.0 } else { 1.0 };
    Exchange {
        send_wait,
        recv_wait,
        send: costs.control + send_wait,
        recv: costs.control * answering + recv_wait,
        cost: cost(handled, costs, at),
        delivered,
        sender_end: at.send_wait + send_wait,
        receiver_end: at.recv_wait + recv_wait,
    }
}

fn rendezvous_pull(progress: ProgressKind, costs: &Costs, at: &Arrivals) -> Exchange {
    let handled = request_handled(progress, costs, at);
    let delivered = handled + costs.control + costs.initiation + costs.latency + costs.bytes;
    // The waiting receiver, or its interface, sends the closing acknowledgement.
    let (recv_wait, acknowledged) = match progress {
        ProgressKind::Dependent => {
            let end = delivered.max(at.recv_wait) + costs.control;
            (end - at.recv_wait, end)
        }
        ProgressKind::Independent => {
            ((delivered - at.recv_wait).max(ZERO), delivered + costs.control)
        }
    };
    let arrives = acknowledged + costs.latency;
    let send_wait = match progress {
        ProgressKind::Dependent => arrives.max(at.send_wait) + costs.control - at.send_wait,
        ProgressKind::Independent => (arrives + costs.control - at.send_wait).max(ZERO),
    };
    let in_receive = match receive_is_late(costs, at) {
        true => costs.control + costs.initiation,
        false => costs.control,
    };
    Exchange {
        send_wait,
        recv_wait,
        send: costs.control + send_wait,
        recv: in_receive + recv_wait,
        cost: cost(handled, costs, at),
        delivered,
        sender_end: at.send_wait + send_wait,
        receiver_end: at.recv_wait + recv_wait,
    }
}

/// The forms of Chen et al. 2009: eager, and rendezvous by RAT with DCP.
pub fn printed(
    protocol: MessageProtocol,
    progress: ProgressKind,
    costs: &Costs,
    at: &Arrivals,
) -> Option<Printed> {
    let Costs { control, initiation, copy, latency, bytes } = *costs;
    match (protocol, progress) {
        (MessageProtocol::Eager, _) => Some(Printed {
            send_wait: ZERO,
            recv_wait: copy,
            send: initiation,
            recv: copy,
            cost: initiation + bytes + latency + copy,
        }),
        (MessageProtocol::Rat, ProgressKind::Dependent) => {
            let late = receive_is_late(costs, at);
            let send_wait = (at.recv - at.send_wait) + control * 2.0 + latency + initiation + bytes;
            let recv_wait = if late { ZERO } else { control * 2.0 + latency + initiation + bytes };
            let waited_for = if late { at.recv } else { at.recv_wait };
            Some(Printed {
                send_wait,
                recv_wait,
                send: control + send_wait,
                recv: recv_wait + control * if late { 2.0 } else { 1.0 },
                cost: control * 4.0
                    + latency * 3.0
                    + (waited_for - at.send_wait)
                    + initiation
                    + bytes,
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: Costs = Costs {
        control: Micros(2.0),
        initiation: Micros(5.0),
        copy: Micros(7.0),
        latency: Micros(10.0),
        bytes: Micros(100.0),
    };

    fn at(send: f64, recv: f64, send_wait: f64, recv_wait: f64) -> Arrivals {
        Arrivals {
            send: Micros(send),
            recv: Micros(recv),
            send_wait: Micros(send_wait),
            recv_wait: Micros(recv_wait),
        }
    }

    use ProgressKind::{Dependent, Independent};

    /// Section 2.2.1: with enough computation, O_s = O_i and O_r = O_c.
    #[test]
    fn eager_overheads() {
        let late = exchange(MessageProtocol::Eager, Dependent, &COSTS, &at(0.0, 0.0, 1e3, 1e3));
        assert_eq!((late.send, late.recv), (Micros(5.0), Micros(7.0)));
        assert_eq!(late.cost, Micros(5.0 + 100.0 + 10.0 + 7.0));
        let printed =
            printed(MessageProtocol::Eager, Dependent, &COSTS, &at(0.0, 0.0, 1e3, 1e3)).unwrap();
        assert_eq!((printed.send, printed.recv, printed.cost), (late.send, late.recv, late.cost));
        let early = exchange(MessageProtocol::Eager, Dependent, &COSTS, &at(0.0, 0.0, 5.0, 1.0));
        assert_eq!(early.delivered, Micros(5.0 + 100.0 + 10.0 + 7.0));
    }

    /// Section 2.2.2, T_r > T_s + O' + L, T_sw before the acknowledgement: our form equals the
    /// printed form.
    #[test]
    fn late_receive_is_as_printed() {
        let at = at(0.0, 50.0, 20.0, 1e3);
        let ours = exchange(MessageProtocol::Rat, Dependent, &COSTS, &at);
        let printed = printed(MessageProtocol::Rat, Dependent, &COSTS, &at).unwrap();
        assert_eq!(ours.send_wait, Micros((50.0 - 20.0) + 4.0 + 10.0 + 5.0 + 100.0));
        assert_eq!(ours.send_wait, printed.send_wait);
        assert_eq!((ours.send, ours.recv), (printed.send, printed.recv));
        assert_eq!(ours.recv, Micros(4.0));
        assert_eq!(ours.cost, printed.cost);
        assert_eq!(ours.cost, Micros(8.0 + 30.0 + 30.0 + 5.0 + 100.0));
    }

    /// Section 2.2.2, T_r ≤ T_s + O' + L: the printed O_rw lacks the payload's L.
    #[test]
    fn early_receive_differs_by_the_payloads_latency() {
        let at = at(0.0, 0.0, 20.0, 60.0);
        let ours = exchange(MessageProtocol::Rat, Dependent, &COSTS, &at);
        let printed = printed(MessageProtocol::Rat, Dependent, &COSTS, &at).unwrap();
        // R = T_rw = 60, a = 74, D = 74 + 105 + 10
        assert_eq!(ours.delivered, Micros(189.0));
        assert_eq!(ours.recv_wait, Micros(129.0));
        assert_eq!(ours.recv_wait - printed.recv_wait, COSTS.latency);
        assert_eq!(ours.cost, printed.cost);
    }

    #[test]
    fn a_late_sender_wait_delays_the_transfer_only_when_progress_depends_on_it() {
        let at = at(0.0, 50.0, 500.0, 50.0);
        let dependent = exchange(MessageProtocol::Rat, Dependent, &COSTS, &at);
        assert_eq!(dependent.delivered, Micros(500.0 + 105.0 + 10.0));
        let independent = exchange(MessageProtocol::Rat, Independent, &COSTS, &at);
        assert_eq!(independent.delivered, Micros(50.0 + 14.0 + 105.0 + 10.0));
        assert_eq!(independent.send, COSTS.control, "the transfer is done before the wait");
    }

    /// Al-Tawil & Moritz 2001 (4) and (5) with o = O': 2O' + 2L + O' + bytes, and L + O' more for
    /// the sender; O_i is LogGPO's own.
    #[test]
    fn a_pull_is_rta() {
        let at = at(0.0, 0.0, 2.0, 0.0);
        for progress in [Dependent, Independent] {
            let pull = exchange(MessageProtocol::Rta, progress, &COSTS, &at);
            assert_eq!(pull.delivered, Micros(2.0 * 2.0 + 2.0 * 10.0 + 5.0 + 100.0));
            assert_eq!(pull.sender_end, Micros(4.0 * 2.0 + 3.0 * 10.0 + 5.0 + 100.0));
        }
    }

    #[test]
    fn independent_progress_hides_a_pull_behind_computation() {
        let at = at(0.0, 0.0, 1e3, 1e3);
        let pull = exchange(MessageProtocol::Rta, Independent, &COSTS, &at);
        assert_eq!((pull.send, pull.recv), (COSTS.control, COSTS.control));
        let dependent = exchange(MessageProtocol::Rta, Dependent, &COSTS, &at);
        assert!(dependent.recv.0 > 115.0, "{dependent:?}");
    }
}
