//! The protocols of MPI sends as messages (Al-Tawil & Moritz 2001, Section 3.2 and Figure 1): T,
//! TA, RTA, RAT.
//!
//! # Formula
//! - T: sender (1) o_s; delivery (2) o_s + L + o_r; if RTT/2 was measured, plus (k−1)G: a single
//!   transfer then takes the measured time
//! - TA: both (3) 2o_s + 2L + 2o_r
//! - RTA, pulled: delivery (4) 2o_s + 2L + o_r + (k−1)G, when the ACK has been sent;
//!   sender (5) 2o_s + 3L + 2o_r + (k−1)G
//! - RAT, pushed: sender (6) 4o_s + 3L + 2o_r + (k−1)G; delivery (7) 4o_s + 4L + 3o_r + (k−1)G. R,
//!   A, M, and a closing ACK, sent by the sender after M has arrived. 4o_s includes its send; (7)
//!   ends with its receipt, so (6) = (7) − L − o_r
//!
//! Every message of a protocol has the o_s and o_r of the k bytes of the transfer.

use crate::Error;
use crate::measured::Basis;
use crate::model::message::Message;
use crate::model::{Need, Prediction, Route, Term, Warning};
use crate::signature::Transfer;
use crate::timeline::{Activity, Lane, Span, Timeline};
use crate::units::{Bytes, Interval, Micros};

/// The bytes of T and TA are left out without a warning if they take less than this share of the rest.
const NEGLIGIBLE: f64 = 0.02;

/// Times and space-time diagram of a protocol.
#[derive(Clone, Debug, PartialEq)]
pub struct Protocol {
    pub transfer: Transfer,
    /// The time at which the sender continues, by its equation.
    pub sender: Prediction,
    /// The time of the delivery, by its equation.
    pub delivery: Prediction,
    /// The space-time diagram.
    pub timeline: Timeline,
}

/// Coefficients of an equation of Al-Tawil & Moritz 2001.
#[derive(Clone, Copy)]
struct Equation {
    number: &'static str,
    symbols: &'static str,
    send: f64,
    latency: f64,
    recv: f64,
    bytes: bool,
}

const fn equation(
    number: &'static str,
    symbols: &'static str,
    counts: [f64; 3],
    bytes: bool,
) -> Equation {
    let [send, latency, recv] = counts;
    Equation { number, symbols, send, latency, recv, bytes }
}

/// The equations of the sender's time and of the delivery.
fn equations(transfer: Transfer) -> [Equation; 2] {
    let both = || equation("(3)", "2o_s + 2L + 2o_r", [2.0, 2.0, 2.0], false);
    match transfer {
        Transfer::T => [
            equation("(1)", "o_s", [1.0, 0.0, 0.0], false),
            equation("(2)", "o_s + L + o_r", [1.0, 1.0, 1.0], false),
        ],
        Transfer::Ta => [both(), both()],
        Transfer::Rta => [
            equation("(5)", "2o_s + 3L + 2o_r + (k−1)G", [2.0, 3.0, 2.0], true),
            equation("(4)", "2o_s + 2L + o_r + (k−1)G", [2.0, 2.0, 1.0], true),
        ],
        Transfer::Rat => [
            equation("(6)", "4o_s + 3L + 2o_r + (k−1)G", [4.0, 3.0, 2.0], true),
            equation("(7)", "4o_s + 4L + 3o_r + (k−1)G", [4.0, 4.0, 3.0], true),
        ],
    }
}

/// The equation numbers of the sender's time and of the delivery.
pub fn equation_numbers(transfer: Transfer) -> [&'static str; 2] {
    equations(transfer).map(|equation| equation.number)
}

/// The parameters of the equations.
struct Parameters {
    send: Interval<Micros>,
    latency: Interval<Micros>,
    recv: Interval<Micros>,
    gap: Option<Interval<Micros>>,
    bytes: f64,
}

impl Parameters {
    fn prediction(&self, equation: &Equation, warnings: &[Warning]) -> Prediction {
        let mut terms = Vec::with_capacity(4);
        terms.push(Term::new("o_s", equation.send, self.send));
        if equation.latency > 0.0 {
            terms.push(Term::new("L", equation.latency, self.latency));
            terms.push(Term::new("o_r", equation.recv, self.recv));
        }
        if equation.bytes {
            terms.extend(self.gap.map(|gap| Term::new("G", self.bytes, gap)));
        }
        Prediction::sum(None, equation.symbols, terms, warnings.to_vec())
    }
}

/// A protocol's times and timeline for a message of this size.
///
/// ```
/// use loggia_model::{library, protocol};
/// use loggia_model::model::Route;
/// use loggia_model::signature::Transfer;
/// use loggia_model::units::{Bytes, Micros};
/// let t3d = library::load("cray-t3d")?;
/// let rat = protocol::predict(&Route::of(&t3d, None, None)?, Transfer::Rat, Bytes(10_000))?;
/// let delivery = 4.0 * 130.0 + 4.0 * 3.1 + 3.0 * 80.0 + 9999.0 * 0.04;
/// assert!((rat.delivery.time().unwrap().0 - delivery).abs() < 1e-9);
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn predict(route: &Route, transfer: Transfer, bytes: Bytes) -> Result<Protocol, Error> {
    let with_bytes = matches!(transfer, Transfer::Rta | Transfer::Rat);
    let mut needs = vec![Need::SendOverhead, Need::Latency, Need::RecvOverhead];
    if with_bytes {
        needs.push(Need::GapPerByte);
    }
    let missing: Vec<Need> = needs.into_iter().filter(|need| !route.has(*need)).collect();
    let (Some(send), Some(latency), Some(recv), []) = (
        route.send_overhead(bytes),
        route.latency(),
        route.recv_overhead(bytes),
        missing.as_slice(),
    ) else {
        return Err(route.lacks(transfer.symbol(), &missing));
    };
    let mut warnings = Warning::of_curves(bytes, [("o_s", &send), ("o_r", &recv)]);
    let as_measured = Message::of(route, bytes)
        .filter(|message| transfer == Transfer::T && message.reading.is_some());
    if let Some(message) = as_measured {
        warnings.push(Warning::Remark(
            "T takes its measured time; TA, RTA and RAT follow from the parameters",
        ));
        return Ok(Protocol::of_measured(&message, bytes, &warnings));
    }
    let of_bytes = route.gap_per_byte().map(|each| each.value.of(bytes.after_the_first()));
    let without_bytes = send.time.value + latency.value + recv.time.value;
    if !with_bytes && of_bytes.is_some_and(|time| time > without_bytes * NEGLIGIBLE) {
        warnings.push(Warning::Remark(
            "T and TA are for messages that fit into a protocol message: their bytes take no time",
        ));
    }
    let parameters = Parameters {
        send: send.time,
        latency,
        recv: recv.time,
        gap: if with_bytes { route.gap_per_byte_term() } else { None },
        bytes: bytes.after_the_first(),
    };
    let [sender, delivery] =
        equations(transfer).map(|equation| parameters.prediction(&equation, &warnings));
    let basis = Basis::of_model(route.signature);
    let [sender, delivery] =
        [sender, delivery].map(|prediction| Prediction { basis, ..prediction });
    Ok(Protocol { transfer, sender, delivery, timeline: Drawing::of(&parameters, transfer) })
}

impl Protocol {
    /// A single transfer that takes the measured time.
    fn of_measured(message: &Message, bytes: Bytes, warnings: &[Warning]) -> Self {
        let after_the_first = bytes.after_the_first();
        let parameters = Parameters {
            send: message.send,
            latency: message.latency,
            recv: message.recv,
            gap: Some(message.bytes.map(|all| all * (1.0 / after_the_first.max(1.0)))),
            bytes: after_the_first,
        };
        let [sender, delivery] = equations(Transfer::T);
        let delivery =
            Equation { symbols: "o_s + L + o_r + (k−1)G, as measured", bytes: true, ..delivery };
        let [sender, delivery] =
            [sender, delivery].map(|equation| parameters.prediction(&equation, warnings));
        let basis = message.reading.as_ref().map_or(Basis::Modelled, |reading| reading.basis);
        let delivery = Prediction { basis, ..delivery };
        let timeline = Drawing::of(&parameters, Transfer::T);
        Protocol { transfer: Transfer::T, sender, delivery, timeline }
    }
}

/// Draws messages one after the other on the lines of both processors.
struct Drawing {
    send: Micros,
    latency: Micros,
    recv: Micros,
    bytes: Micros,
    /// Ends of the drawn lines of sender and receiver.
    drawn: [Micros; 2],
    timeline: Timeline,
}

const SENDER: usize = 0;
const RECEIVER: usize = 1;

impl Drawing {
    fn of(parameters: &Parameters, transfer: Transfer) -> Timeline {
        let gap = parameters.gap.map_or(Micros(0.0), |gap| gap.value);
        let mut drawing = Drawing {
            send: parameters.send.value,
            latency: parameters.latency.value,
            recv: parameters.recv.value,
            bytes: gap * parameters.bytes,
            drawn: [Micros(0.0); 2],
            timeline: Timeline::default(),
        };
        drawing.run(transfer);
        drawing.timeline
    }

    fn run(&mut self, transfer: Transfer) {
        match transfer {
            Transfer::T => self.transfer("M", SENDER, self.bytes.0 > 0.0),
            Transfer::Ta => {
                self.control("M", SENDER);
                self.control("ACK", RECEIVER);
            }
            Transfer::Rta => {
                self.control("R", SENDER);
                // The receiver pulls: no processor is busy during the transfer.
                let requested = self.drawn[RECEIVER];
                let arrived = self.fly("M", RECEIVER, requested, true);
                self.wait(RECEIVER, arrived);
                self.control("ACK", RECEIVER);
            }
            Transfer::Rat => {
                self.control("R", SENDER);
                self.control("A", RECEIVER);
                self.busy("M", SENDER, Activity::SendOverhead, self.send);
                // Pushed into the receiver's memory: the receiver has no overhead, and the sender
                // waits.
                let arrived = self.fly("M", RECEIVER, self.drawn[SENDER], true);
                self.wait(SENDER, arrived);
                self.control("ACK", SENDER);
            }
        }
    }

    /// A short message from one side to the other: o_s, L, o_r.
    fn control(&mut self, message: &'static str, from: usize) {
        self.transfer(message, from, false);
    }

    fn transfer(&mut self, message: &'static str, from: usize, with_bytes: bool) {
        self.busy(message, from, Activity::SendOverhead, self.send);
        let to = 1 - from;
        let arrived = self.fly(message, to, self.drawn[from], with_bytes);
        self.wait(to, arrived);
        self.busy(message, to, Activity::RecvOverhead, self.recv);
    }

    fn busy(&mut self, message: &'static str, side: usize, activity: Activity, length: Micros) {
        let (place, start) = (place(side), self.drawn[side]);
        let end = start + length;
        self.timeline.spans.push(Span { place, activity, message, towards: None, start, end });
        self.drawn[side] = end;
    }

    fn wait(&mut self, side: usize, until: Micros) {
        if until > self.drawn[side] {
            self.busy("", side, Activity::Idle, until - self.drawn[side]);
            self.drawn[side] = until;
        }
    }

    /// A message in flight: L for the first byte, then the other bytes.
    fn fly(&mut self, message: &'static str, to: usize, start: Micros, with_bytes: bool) -> Micros {
        let first = start + self.latency;
        let mut draw = |activity, start, end| {
            let (place, towards) = (Lane::Network, Some(place(to)));
            self.timeline.spans.push(Span { place, activity, message, towards, start, end });
        };
        draw(Activity::Latency, start, first);
        if !with_bytes {
            return first;
        }
        draw(Activity::Bytes, first, first + self.bytes);
        first + self.bytes
    }
}

fn place(side: usize) -> Lane {
    if side == SENDER { Lane::Sender } else { Lane::Receiver }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    fn close(a: Micros, b: Micros) -> bool {
        (a.0 - b.0).abs() <= 1e-9 * b.0.max(1.0)
    }

    /// Equations (1)–(7), from the T3D's parameters by hand, at the sizes of Table 3.
    #[test]
    fn the_equations_of_the_paper() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, Some("issend")).unwrap();
        for (bytes, o_s, o_r) in [(16, 24.0, 15.0), (10_000, 100.0, 80.0)] {
            let l = 3.1;
            let g = (bytes as f64 - 1.0) * 0.04;
            for (transfer, sender, delivery) in [
                (Transfer::T, o_s, o_s + l + o_r),
                (Transfer::Ta, 2.0 * o_s + 2.0 * l + 2.0 * o_r, 2.0 * o_s + 2.0 * l + 2.0 * o_r),
                (Transfer::Rta, 2.0 * o_s + 3.0 * l + 2.0 * o_r + g, 2.0 * o_s + 2.0 * l + o_r + g),
                (
                    Transfer::Rat,
                    4.0 * o_s + 3.0 * l + 2.0 * o_r + g,
                    4.0 * o_s + 4.0 * l + 3.0 * o_r + g,
                ),
            ] {
                let protocol = predict(&route, transfer, Bytes(bytes)).unwrap();
                assert!(close(protocol.sender.time().unwrap(), Micros(sender)), "{transfer:?}");
                assert!(close(protocol.delivery.time().unwrap(), Micros(delivery)), "{transfer:?}");
            }
        }
    }

    /// The end of every timeline equals its equation, on all machines.
    #[test]
    fn timelines_end_as_in_the_equations() {
        for name in ["cray-t3d", "now-sparc", "convex-exemplar"] {
            let signature = library::load(name).unwrap();
            let route = Route::of(&signature, None, None).unwrap();
            for transfer in Transfer::ALL {
                for bytes in [0, 1, 2, 100, 5000, 1 << 20, 1 << 63].map(Bytes) {
                    let protocol = predict(&route, transfer, bytes).unwrap();
                    let end = |place| protocol.timeline.end(place);
                    let time = |p: &Prediction| p.time().unwrap();
                    assert!(
                        close(end(Lane::Sender), time(&protocol.sender)),
                        "{name} {transfer:?}"
                    );
                    // RTA ends when its ACK is sent, so the delivery is the receiver's end as well.
                    let delivered = match transfer {
                        Transfer::Ta => end(Lane::Sender),
                        _ => end(Lane::Receiver),
                    };
                    assert!(close(delivered, time(&protocol.delivery)), "{name} {transfer:?}");
                }
            }
        }
    }

    #[test]
    fn lines_have_neither_gaps_nor_overlaps() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        for transfer in Transfer::ALL {
            let timeline = predict(&route, transfer, Bytes(4096)).unwrap().timeline;
            for line in [Lane::Sender, Lane::Receiver] {
                let mut at = Micros(0.0);
                for span in timeline.spans.iter().filter(|span| span.place == line) {
                    assert_eq!(span.start, at, "{transfer:?} {line:?}");
                    at = span.end;
                }
            }
        }
    }

    #[test]
    fn messages_come_one_after_the_other() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        for (transfer, messages) in [
            (Transfer::T, &["M"][..]),
            (Transfer::Ta, &["M", "ACK"]),
            (Transfer::Rta, &["R", "M", "ACK"]),
            (Transfer::Rat, &["R", "A", "M", "ACK"]),
        ] {
            let timeline = predict(&route, transfer, Bytes(4096)).unwrap().timeline;
            assert_eq!(timeline.messages(), messages);
            assert_eq!(timeline.first(messages.len()), timeline);
            assert_eq!(timeline.first(0).spans, []);
            let ends: Vec<Micros> =
                (0..=messages.len()).map(|n| timeline.first(n).last()).collect();
            assert!(ends.windows(2).all(|pair| pair[0] < pair[1]), "{transfer:?}: {ends:?}");
            let wires = timeline.spans.iter().filter(|span| span.place == Lane::Network);
            assert!(wires.clone().all(|span| span.towards.is_some()));
            assert!(timeline.first(1).spans.iter().any(|span| span.activity == Activity::Idle));
        }
    }

    #[test]
    fn unknown_parameters_are_named() {
        let ap3000 = library::load("ap3000-mpi").unwrap();
        let route = Route::of(&ap3000, None, None).unwrap();
        let error = predict(&route, Transfer::T, Bytes(1)).unwrap_err();
        assert_eq!(error.message, "T needs o_s, L, o_r, which are unknown");
        let error = predict(&route, Transfer::Rat, Bytes(1)).unwrap_err();
        assert!(error.message.contains('G'), "{error}");
    }
}
