//! Timeline of an exchange: activities of each processor, and messages in flight. Its ends equal
//! the closed forms. On the line of a side, all except computation is overhead.
//!
//! With ICP, activities between the calls occupy no processor. They are drawn on the network lane,
//! at their side.

use super::{Arrivals, Costs, MessageProtocol, ZERO, receive_is_late, request_handled};
use crate::signature::ProgressKind;
use crate::timeline::{Activity, Lane, Span, Timeline};
use crate::units::Micros;

/// A step of a protocol: activity, message, start, duration.
type Step = (Activity, &'static str, Micros, Micros);

/// The timeline of an exchange. Each wait must start after its call has returned.
pub fn timeline(
    protocol: MessageProtocol,
    progress: ProgressKind,
    costs: &Costs,
    at: &Arrivals,
) -> Timeline {
    let mut drawing = Drawing { costs: *costs, at: *at, progress, spans: Vec::new() };
    match protocol {
        MessageProtocol::Eager => drawing.eager(),
        MessageProtocol::Rat => drawing.push(),
        MessageProtocol::Rta => drawing.pull(),
    }
    Timeline { spans: drawing.spans }
}

struct Drawing {
    costs: Costs,
    at: Arrivals,
    progress: ProgressKind,
    spans: Vec<Span>,
}

use Activity::{ControlOverhead, Copy, Initiation};
use Lane::{Receiver, Sender};

impl Drawing {
    fn eager(&mut self) {
        let Costs { initiation, copy, .. } = self.costs;
        let Arrivals { send, recv_wait, .. } = self.at;
        self.line(Sender, &[(Initiation, "M", send, initiation)], &[], ZERO);
        let arrived = self.fly("M", Receiver, send + initiation, true);
        self.line(Receiver, &[], &[(Copy, "M", arrived.max(recv_wait), copy)], ZERO);
    }

    /// R, A, and the sender pushes.
    fn push(&mut self) {
        let Costs { control, initiation, bytes, .. } = self.costs;
        let handled = self.request();
        let answer = [
            (ControlOverhead, "R", handled, control),
            (ControlOverhead, "A", handled + control, control),
        ];
        let acknowledged = self.fly("A", Sender, handled + control * 2.0, false);
        let starts = match self.progress {
            ProgressKind::Dependent => acknowledged.max(self.at.send_wait),
            ProgressKind::Independent => acknowledged,
        };
        let delivered = self.fly("M", Receiver, starts + initiation, true);
        self.receiver(&answer, &[], delivered);
        let push = (Initiation, "M", starts, initiation);
        self.sender(push, starts + initiation + bytes);
    }

    /// R, the receiver pulls, ACK.
    fn pull(&mut self) {
        let Costs { control, initiation, latency, .. } = self.costs;
        let handled = self.request();
        let pull = [
            (ControlOverhead, "R", handled, control),
            (Initiation, "M", handled + control, initiation),
        ];
        let delivered = self.fly("M", Receiver, handled + control + initiation, true);
        let answers = match self.progress {
            ProgressKind::Dependent => delivered.max(self.at.recv_wait),
            ProgressKind::Independent => delivered,
        };
        let acknowledged = self.fly("ACK", Sender, answers + control, false);
        self.receiver(&pull, &[(ControlOverhead, "ACK", answers, control)], delivered);
        let done = match self.progress {
            ProgressKind::Dependent => acknowledged.max(self.at.send_wait),
            ProgressKind::Independent => answers + control + latency,
        };
        self.sender((ControlOverhead, "ACK", done, control), done + control);
    }

    /// Draws the sender's request in flight; returns when the receiver handles it.
    fn request(&mut self) -> Micros {
        self.fly("R", Receiver, self.at.send + self.costs.control, false);
        request_handled(self.progress, &self.costs, &self.at)
    }

    /// The sender's line: its request, and a last step in its wait (DCP) or on the network lane
    /// (ICP).
    fn sender(&mut self, last: Step, until: Micros) {
        let call = [(ControlOverhead, "R", self.at.send, self.costs.control)];
        match self.progress {
            ProgressKind::Dependent => self.line(Sender, &call, &[last], until),
            ProgressKind::Independent => {
                self.line(Sender, &call, &[], until);
                self.independent_steps(Sender, &[last]);
            }
        }
    }

    /// The receiver's line: a late call answers the request; an early call is posted.
    fn receiver(&mut self, answer: &[Step], closing: &[Step], until: Micros) {
        let late = receive_is_late(&self.costs, &self.at);
        let posted = [(ControlOverhead, "", self.at.recv, self.costs.control)];
        let call = if late { answer } else { &posted };
        let answered: &[Step] = if late { &[] } else { answer };
        match self.progress {
            ProgressKind::Dependent => {
                self.line(Receiver, call, &[answered, closing].concat(), until);
            }
            ProgressKind::Independent => {
                self.line(Receiver, call, &[], until);
                self.independent_steps(Receiver, answered);
                self.independent_steps(Receiver, closing);
            }
        }
    }

    /// A processor's line: call, computation, and wait with its steps, at least up to `until`.
    fn line(&mut self, place: Lane, call: &[Step], wait: &[Step], until: Micros) {
        let (calls, waits) = match place {
            Sender => (self.at.send, self.at.send_wait),
            _ => (self.at.recv, self.at.recv_wait),
        };
        let mut drawn = calls;
        for step in call {
            drawn = self.step(place, None, step);
        }
        drawn = self.fill(place, Activity::Compute, drawn, waits);
        for step in wait {
            self.fill(place, Activity::Idle, drawn, step.2);
            drawn = self.step(place, None, step);
        }
        self.fill(place, Activity::Idle, drawn, until);
    }

    /// Steps of independent progress, on the network lane.
    fn independent_steps(&mut self, side: Lane, steps: &[Step]) {
        for step in steps {
            self.step(Lane::Network, Some(side), step);
        }
    }

    fn step(&mut self, place: Lane, towards: Option<Lane>, step: &Step) -> Micros {
        let &(activity, message, start, length) = step;
        let end = start + length;
        self.spans.push(Span { place, activity, message, towards, start, end });
        end
    }

    /// A span between two times, if it is not empty.
    fn fill(&mut self, place: Lane, activity: Activity, from: Micros, to: Micros) -> Micros {
        if to <= from {
            return from;
        }
        self.step(place, None, &(activity, "", from, to - from));
        to
    }

    /// A message in flight: L for the first byte, then the other bytes.
    fn fly(&mut self, message: &'static str, to: Lane, start: Micros, with_bytes: bool) -> Micros {
        let Costs { latency, bytes, .. } = self.costs;
        let place = Lane::Network;
        let first = self.step(place, Some(to), &(Activity::Latency, message, start, latency));
        if !with_bytes {
            return first;
        }
        self.step(place, Some(to), &(Activity::Bytes, message, first, bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Exchange, exchange};
    use super::*;

    /// Costs and arrivals that cover every order of events.
    fn cases(check: impl Fn(MessageProtocol, ProgressKind, &Costs, &Arrivals)) {
        let us = Micros;
        let costs =
            [(2.0, 5.0, 7.0, 10.0, 100.0), (3.0, 0.0, 1.0, 40.0, 0.0), (0.0, 9.0, 4.0, 0.0, 20.0)];
        let times = [0.0, 6.0, 25.0, 160.0, 900.0];
        for (control, initiation, copy, latency, bytes) in costs {
            let costs = Costs {
                control: us(control),
                initiation: us(initiation),
                copy: us(copy),
                latency: us(latency),
                bytes: us(bytes),
            };
            for i in 0..times.len().pow(4) {
                let pick = |digit: u32| us(times[i / times.len().pow(digit) % times.len()]);
                let (calls, computes) = ([pick(0), pick(1)], [pick(2), pick(3)]);
                for protocol in [MessageProtocol::Eager, MessageProtocol::Rat, MessageProtocol::Rta]
                {
                    let at = Arrivals::around(protocol, &costs, calls, computes);
                    for progress in [ProgressKind::Dependent, ProgressKind::Independent] {
                        check(protocol, progress, &costs, &at);
                    }
                }
            }
        }
    }

    fn close(a: Micros, b: Micros) -> bool {
        (a.0 - b.0).abs() < 1e-9
    }

    #[test]
    fn ends_equal_the_closed_forms() {
        cases(|protocol, progress, costs, at| {
            let Exchange { delivered, sender_end, receiver_end, .. } =
                exchange(protocol, progress, costs, at);
            let drawn = timeline(protocol, progress, costs, at);
            let case = format!("{protocol:?} {progress:?} {costs:?} {at:?}\n{drawn:?}");
            assert!(close(drawn.end(Sender), sender_end.max(ZERO)), "{sender_end:?} {case}");
            // Zero-length activities are not drawn.
            let has_line = drawn.spans.iter().any(|span| span.place == Receiver);
            assert!(!has_line || close(drawn.end(Receiver), receiver_end), "{case}");
            let last_span = drawn.spans.iter().rfind(|span| match protocol {
                MessageProtocol::Eager => span.activity == Copy,
                _ => span.activity == Activity::Bytes,
            });
            assert!(close(last_span.unwrap().end, delivered), "{delivered:?} {case}");
        });
    }

    #[test]
    fn a_line_has_no_gaps_and_all_except_computation_is_overhead() {
        cases(|protocol, progress, costs, at| {
            let expected = exchange(protocol, progress, costs, at);
            let drawn = timeline(protocol, progress, costs, at);
            for (place, begins, overhead) in
                [(Sender, at.send, expected.send), (Receiver, at.recv, expected.recv)]
            {
                let mut reached = begins;
                let mut spent = ZERO;
                for span in drawn.spans.iter().filter(|span| span.place == place) {
                    assert!(
                        close(span.start, reached),
                        "{protocol:?} {progress:?} {at:?}\n{drawn:?}"
                    );
                    reached = span.end;
                    if span.activity != Activity::Compute {
                        spent = spent + (span.end - span.start);
                    }
                }
                assert!(
                    close(spent, overhead),
                    "{protocol:?} {progress:?} {at:?} {place:?}\n{drawn:?}"
                );
            }
        });
    }
}
