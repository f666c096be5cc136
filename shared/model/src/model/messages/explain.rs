//! The formulas of the strategies: as times and as text.

use super::Strategy;
use crate::units::Micros;
use crate::units::words::number;

/// Values in the formulas; `None` if unknown.
pub(super) struct Values {
    /// N
    pub(super) messages: f64,
    /// c
    pub(super) compute: Micros,
    /// t(m)
    pub(super) one: Micros,
    /// o_s, no longer than t(m)
    pub(super) send: Option<Micros>,
    /// The least time from one message to the next.
    pub(super) pause: Option<Micros>,
    /// t(N m)
    pub(super) packed: Option<Micros>,
}

impl Strategy {
    /// The formula in symbols.
    pub fn symbols(self) -> &'static str {
        match self {
            Strategy::Blocking => "N (t(m) + c)",
            Strategy::Overlapped => "N max(t(m), o_s + c)",
            Strategy::Pipelined => "N c + t(m) + (N−1) pause",
            Strategy::PipelinedOverlapped => {
                "t(m) + (N−1) max(pause, o_s + c) + max(c + o_s − t(m), 0)"
            }
            Strategy::Packed => "N c + t(N m)",
        }
    }
}

impl Values {
    /// The time of all messages and all computation.
    pub(super) fn time(&self, strategy: Strategy) -> Option<Micros> {
        let &Values { messages: n, compute, one, send, pause, packed } = self;
        Some(match strategy {
            Strategy::Blocking => self.waited_for(one + compute),
            Strategy::Overlapped => self.waited_for(one.max(send? + compute)),
            Strategy::Pipelined => compute * n + one + pause? * (n - 1.0),
            Strategy::PipelinedOverlapped => {
                let busy = send? + compute;
                one + pause?.max(busy) * (n - 1.0) + (busy - one).max(Micros(0.0))
            }
            Strategy::Packed => compute * n + packed?,
        })
    }

    /// N messages, each waited for; the next one starts at least one pause after the last.
    fn waited_for(&self, each: Micros) -> Micros {
        match self.pause.filter(|_| self.is_paused(each)) {
            Some(pause) => pause * (self.messages - 1.0) + each,
            None => each * self.messages,
        }
    }

    /// Whether the pause is longer than the time per message.
    fn is_paused(&self, each: Micros) -> bool {
        self.messages > 1.0 && self.pause.is_some_and(|pause| pause > each)
    }

    /// The formula in symbols, and with values if the time is known.
    pub(super) fn formula(&self, strategy: Strategy) -> String {
        let each = match strategy {
            Strategy::Blocking => Some((self.one + self.compute, "t(m) + c")),
            Strategy::Overlapped => {
                self.send.map(|send| (self.one.max(send + self.compute), "max(t(m), o_s + c)"))
            }
            _ => None,
        };
        let paused = each.filter(|(each, _)| self.is_paused(*each)).zip(self.pause);
        let (symbols, values) = match paused {
            Some(((each, words), pause)) => {
                let short = |time: Micros| number(time.0, 6);
                let others = number(self.messages - 1.0, 17);
                let values = format!("{others}·{} + {}", short(pause), short(each));
                (format!("(N−1) pause + {words}"), Some(values))
            }
            None => (strategy.symbols().to_owned(), self.substituted(strategy)),
        };
        let values = values.zip(self.time(strategy));
        let values = values.map(|(values, time)| format!(" = {values} = {}", micros(time)));
        format!("{symbols}{}", values.unwrap_or_default())
    }

    fn substituted(&self, strategy: Strategy) -> Option<String> {
        let short = |time: Micros| number(time.0, 6);
        let (n, others) = (number(self.messages, 17), number(self.messages - 1.0, 17));
        let (c, one) = (short(self.compute), short(self.one));
        let (send, pause) = (self.send.map(short), self.pause.map(short));
        Some(match strategy {
            Strategy::Blocking => format!("{n} ({one} + {c})"),
            Strategy::Overlapped => format!("{n} max({one}, {} + {c})", send?),
            Strategy::Pipelined => format!("{n}·{c} + {one} + {others}·{}", pause?),
            Strategy::PipelinedOverlapped => {
                let (send, pause) = (send?, pause?);
                format!(
                    "{one} + {others} max({pause}, {send} + {c}) + max({c} + {send} − {one}, 0)"
                )
            }
            Strategy::Packed => format!("{n}·{c} + {}", short(self.packed?)),
        })
    }

    /// Definitions and values of t(m), pause and t(N m), as far as known.
    pub(super) fn definitions(&self, one: &str) -> Vec<String> {
        let pause = "pause = max(g + max(m−8, 0) G, o_s)";
        [(one, Some(self.one)), (pause, self.pause), ("t(N m)", self.packed)]
            .into_iter()
            .filter_map(|(symbols, time)| Some(format!("{symbols} = {}", micros(time?))))
            .collect()
    }
}

fn micros(time: Micros) -> String {
    format!("{} µs", number(time.0, 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL_KNOWN: Values = Values {
        messages: 10.0,
        compute: Micros(5.0),
        one: Micros(11.0),
        send: Some(Micros(2.0)),
        pause: Some(Micros(4.0)),
        packed: Some(Micros(27.2)),
    };

    #[test]
    fn a_formula_ends_in_its_time() {
        let formulas = Strategy::ALL.map(|strategy| ALL_KNOWN.formula(strategy));
        let values = formulas.each_ref().map(|text| text.split_once(" = ").unwrap().1);
        assert_eq!(
            values,
            [
                "10 (11 + 5) = 160 µs",
                "10 max(11, 2 + 5) = 110 µs",
                "10·5 + 11 + 9·4 = 97 µs",
                "11 + 9 max(4, 2 + 5) + max(5 + 2 − 11, 0) = 74 µs",
                "10·5 + 27.2 = 77.2 µs",
            ]
        );
    }

    #[test]
    fn unknown_parameters_leave_the_symbols() {
        let values = Values { pause: None, packed: None, ..ALL_KNOWN };
        assert_eq!(values.formula(Strategy::Pipelined), Strategy::Pipelined.symbols());
        assert_eq!(
            values.definitions("t(m) = EEL + max(m−8, 0) G"),
            ["t(m) = EEL + max(m−8, 0) G = 11 µs"]
        );
    }
}
