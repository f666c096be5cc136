//! The route of a message (tier and send mode), and its known parameters.

pub(crate) mod overheads;

use super::error::ModelError;
use super::fit::Fit;
use super::{CONTROL, Model, REST, Warning};
use crate::Error;
use crate::error::Assumption;
use crate::measured::{Basis, Doubt, MeasuredTime};
use crate::signature::{ASSUMED, At, Curve, Noise, Signature, Style, Tier, Transfer, known};
use crate::units::{Bytes, Interval, Micros, MicrosPerByte};

/// The source of the part that no parameter explains.
const UNEXPLAINED: &str = "the measured time minus the other terms: no parameter explains it";

/// Tolerated ratio of the measured R_b to R_N: both measurements scatter.
const SLOW: f64 = 1.05;

/// R_N is less than R_b by more than the scatter of measurements.
const SLOW_CARD: Warning = Warning::Remark(
    "R_N is less than the rate of one pair, so the rate of one pair is used for the card. \
     For a slower card, increase G as well",
);

/// A tier of a signature, in a send mode.
#[derive(Clone, Copy, Debug)]
pub struct Route<'a> {
    /// The machine.
    pub signature: &'a Signature,
    /// Across the network or inside a node.
    pub tier: &'a Tier,
    /// The send mode; `None` if the signature has none.
    pub style: Option<&'a Style>,
}

/// A parameter that a model needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Latency,
    SendOverhead,
    RecvOverhead,
    Gap,
    GapPerByte,
    NodeGapPerByte,
    GapBySize,
    EndToEndLatency,
    Startup,
    PerByte,
    EagerLimit,
    ControlOverhead,
    Initiation,
    Copy,
    ProgressKind,
    Transfer,
    SecondTier,
}

impl Need {
    /// The paper's symbol.
    pub fn symbol(self) -> &'static str {
        match self {
            Need::Latency => "L",
            Need::SendOverhead => "o_s",
            Need::RecvOverhead => "o_r",
            Need::Gap => "g",
            Need::GapPerByte => "G",
            Need::NodeGapPerByte => "1/R_N",
            Need::GapBySize => "g(m)",
            Need::EndToEndLatency => "EEL",
            Need::Startup => "t_s",
            Need::PerByte => "t_b",
            Need::EagerLimit => "S",
            Need::ControlOverhead => "O'",
            Need::Initiation => "O_i",
            Need::Copy => "O_c",
            Need::ProgressKind => "progress (DCP or ICP)",
            Need::Transfer => "transfer (RAT or RTA)",
            Need::SecondTier => "a second tier",
        }
    }

    /// An example value for assuming it with `Signature::set`.
    fn assumed(self) -> Option<Assumption> {
        let (parameter, value) = match self {
            Need::Latency => ("L", "5us"),
            Need::SendOverhead => ("o_s", "2us"),
            Need::RecvOverhead => ("o_r", "2us"),
            Need::Gap => ("g", "3us"),
            Need::GapPerByte => ("G", "1ns/B"),
            Need::NodeGapPerByte => ("R_N", "10GB/s"),
            Need::EagerLimit => ("S", "8KiB"),
            Need::ControlOverhead => ("O_control", "1us"),
            Need::Initiation => ("O_i", "2us"),
            Need::Copy => ("O_c", "2us"),
            Need::ProgressKind => ("progress", "DCP"),
            Need::Transfer => ("transfer", "RAT"),
            Need::GapBySize => ("g(m)", "8:3us,64KiB:90us"),
            Need::EndToEndLatency => ("EEL", "10us"),
            Need::Startup => ("t_s", "10us"),
            Need::PerByte => ("t_b", "1ns/B"),
            Need::SecondTier => return None,
        };
        Some(Assumption { parameter: parameter.to_owned(), value: value.to_owned() })
    }

    /// The measurement that gives the parameter.
    pub fn origin(self) -> &'static str {
        match self {
            Need::Latency => {
                "the synchronous-send benchmark of Al-Tawil & Moritz 2001, Section 3.1"
            }
            Need::SendOverhead | Need::RecvOverhead => {
                "the two-processor benchmark of Al-Tawil & Moritz 2001, or the CPU overlap test of \
                 Bell et al. 2003"
            }
            Need::Gap | Need::GapBySize => "the streaming bandwidth test of Bell et al. 2003",
            Need::GapPerByte => {
                "the blocking minus the non-blocking receive of Al-Tawil & Moritz 2001, or the \
                 streaming bandwidth test of Bell et al. 2003"
            }
            Need::EndToEndLatency => "the ping-pong of Bell et al. 2003, or any latency benchmark",
            Need::Startup | Need::PerByte => {
                "a line through ping-pong times over size, as in Touriño & Doallo 2001"
            }
            Need::NodeGapPerByte => {
                "messages of several pairs between two nodes, such as osu_mbw_mr's"
            }
            Need::EagerLimit
            | Need::ControlOverhead
            | Need::Initiation
            | Need::Copy
            | Need::ProgressKind
            | Need::Transfer => "the overlap measurements of Chen et al. 2009",
            Need::SecondTier => {
                "ranks that share a node, as in Al-Tawil & Moritz 2001, Section 3.3"
            }
        }
    }
}

impl<'a> Route<'a> {
    /// The route with this tier and send mode; without a name, the first.
    pub fn of(
        signature: &'a Signature,
        tier: Option<&str>,
        style: Option<&str>,
    ) -> Result<Self, Error> {
        let tier = signature.tier(tier)?;
        Ok(Route { signature, tier, style: tier.style(style)? })
    }

    /// The route with this tier and send mode if the machine has them, else the first. It applies a
    /// question about one machine to another.
    ///
    /// ```
    /// use loggia_model::library;
    /// use loggia_model::model::Route;
    /// let now = library::load("now-sparc")?;
    /// let style = |name| Ok::<_, loggia_model::Error>(Route::near(&now, None, name)?.style.unwrap());
    /// assert_eq!(style(Some("issend"))?.name.0, "issend");
    /// assert_eq!(style(Some("xy_send"))?.name, style(None)?.name);
    /// # Ok::<(), loggia_model::Error>(())
    /// ```
    pub fn near(
        signature: &'a Signature,
        tier: Option<&str>,
        style: Option<&str>,
    ) -> Result<Self, Error> {
        let tier = signature.tier(tier).or_else(|_| signature.tier(None))?;
        let style = tier.style(style).or_else(|_| tier.style(None))?;
        Ok(Route { signature, tier, style })
    }

    fn style_name(&self) -> Option<&'a str> {
        self.style.map(|style| style.name.0.as_str())
    }

    /// The measured RTT/2; if a parameter was changed, scaled term by term. `None` if the message has
    /// another protocol than measured.
    pub fn measured(&self, bytes: Bytes) -> Option<MeasuredTime> {
        match self.before_change() {
            Some(before) => self.scaled(&before, bytes),
            None => self.read(bytes),
        }
    }

    /// The route before a parameter of its tier was changed.
    fn before_change(&self) -> Option<Route<'a>> {
        let changed = &self.signature.tiers_before_change;
        let tier = changed.iter().find(|tier| tier.name == self.tier.name)?;
        let style = tier.style(self.style_name()).ok().flatten();
        (tier != self.tier).then_some(Route { signature: self.signature, tier, style })
    }

    /// The measured RTT/2. If no size above S was measured, the control messages of a handshake are
    /// added, each with the time of a small message.
    fn read(&self, bytes: Bytes) -> Option<MeasuredTime> {
        let style = self.style_name();
        let limit = self.eager_limit().map(|limit| limit.value);
        let at = |bytes| self.signature.measured_message(self.tier, style, limit, bytes);
        let mut measured = at(bytes)?;
        if let Some(limit) = limit.filter(|limit| *limit < bytes)
            && self.signature.message_table(self.tier, style)?.points.last()?.bytes <= limit
        {
            let control = at(CONTROL)?.time.map(|time| time * self.control_messages(bytes));
            measured.time = measured.time + control;
            measured.doubts.push(Doubt::Handshake(limit));
        }
        Some(self.at_least_one_call(measured, bytes))
    }

    /// A message takes at least as long as its send call and its receive call. A time that is
    /// extrapolated beyond the measured sizes may be less. Calls may contain the transfer, so the
    /// sum o_s + L + o_r + (k−1) G is an upper bound.
    fn at_least_one_call(&self, mut measured: MeasuredTime, bytes: Bytes) -> MeasuredTime {
        let is_beyond = |doubt: &Doubt| matches!(doubt, Doubt::AboveSizes(_));
        let Some(style) = self.style.filter(|_| measured.doubts.iter().any(is_beyond)) else {
            return measured;
        };
        let call = |symbol: &'static str, curve: &Option<Curve>| {
            let curve = curve.as_ref().filter(|curve| !curve.points.is_empty())?;
            let at = self.at(curve, bytes).filter(|at| at.clamped_from.is_none())?;
            Some((symbol, at.time))
        };
        let calls = [("o_s", &style.send_overhead), ("o_r", &style.recv_overhead)];
        let calls = calls.map(|(symbol, curve)| call(symbol, curve));
        let longest =
            calls.into_iter().flatten().max_by(|a, b| a.1.value.0.total_cmp(&b.1.value.0));
        if let Some((symbol, call)) = longest.filter(|(_, call)| call.value > measured.time.value) {
            let sum: Interval<Micros> = calls.into_iter().flatten().map(|(_, time)| time).sum();
            let latency = self.latency().unwrap_or(Interval::exact(Micros(0.0)));
            let each = self.gap_per_byte().unwrap_or(Interval::exact(MicrosPerByte(0.0)));
            let most = (sum + latency).high + each.high.of(bytes.after_the_first());
            measured.time = Interval {
                value: call.value,
                low: call.low.max(measured.time.low),
                high: most.max(measured.time.high),
            };
            measured.doubts.push(Doubt::LongCall(symbol));
        }
        measured
    }

    /// The RTT/2 measured before a change, scaled term by term; unknown terms are not. What no
    /// parameter explains shrinks as the latency does. `None` if the protocol has changed, or a
    /// parameter of the model that describes whole messages.
    fn scaled(&self, before: &Route, bytes: Bytes) -> Option<MeasuredTime> {
        let reading = before.read(bytes)?;
        let controls = self.handshake(bytes);
        if controls != before.handshake(bytes) || self.has_other_line(before) {
            return None;
        }
        let flights = 1.0 + controls;
        let terms = |route: &Route| {
            // What was unknown before the change is assumed now, and holds for both.
            let known = |of: &dyn Fn(&Route) -> Option<Micros>| of(route).or_else(|| of(self));
            // Another S alone must not move a curve, whose interpolation ends there.
            let at =
                |curve: &Option<Curve>, bytes| Some(before.at(curve.as_ref()?, bytes)?.time.value);
            let call = |of: fn(&Style) -> &Option<Curve>, bytes| {
                known(&|route| at(of(route.style?), bytes)).unwrap_or(Micros(0.0))
            };
            let calls = |bytes| {
                call(|style| &style.send_overhead, bytes)
                    + call(|style| &style.recv_overhead, bytes)
            };
            let latency = known(&|route| Some(route.latency()?.value * flights));
            let of_bytes =
                known(&|route| Some(route.gap_per_byte()?.value.of(bytes.after_the_first())));
            let unknown = Micros(0.0);
            let all_calls = calls(bytes) + calls(CONTROL) * controls;
            [all_calls, latency.unwrap_or(unknown), of_bytes.unwrap_or(unknown)]
        };
        let (then, now) = (terms(before), terms(self));
        if then == now {
            return Some(reading);
        }
        let [calls, latency, of_bytes] = then;
        let fit = Fit::to(reading.time.value, calls, (latency, 1.0), of_bytes);
        let scaled = |part: Micros, then: Micros, now: Micros| match then.0 {
            0.0 => part + now,
            then => part * (now.0 / then),
        };
        // The rest is no latency, so a longer latency does not lengthen it.
        let flying = match now[1] > latency {
            true => fit.latency + now[1] - latency,
            false => scaled(fit.latency, latency, now[1]),
        };
        let time =
            scaled(calls * fit.calls, calls, now[0]) + flying + scaled(fit.bytes, of_bytes, now[2]);
        let factor = time.0 / reading.time.value.0;
        let time = reading.time.map(|time| time * factor);
        let basis = reading.basis.max(Basis::Scaled);
        Some(MeasuredTime { time, basis, ..reading })
    }

    /// Whether the richest model describes whole messages, by a line or curve that has changed.
    fn has_other_line(&self, before: &Route) -> bool {
        let needs = Model::richest(self).map_or(&[][..], Model::needs);
        let line = |route: &Route| {
            (route.startup().map(|time| time.value), route.per_byte().map(|each| each.value))
        };
        let curve = |route: &Route| {
            let curve = route.tier.gap_by_size.as_ref();
            curve.map(|curve| (curve.points.clone(), curve.fixed, curve.per_byte))
        };
        needs.contains(&Need::Startup) && line(self) != line(before)
            || needs.contains(&Need::GapBySize) && curve(self) != curve(before)
    }

    /// The number of control messages of a message: 0 up to S.
    fn handshake(&self, bytes: Bytes) -> f64 {
        let shakes_hands = self.eager_limit().is_some_and(|limit| limit.value < bytes);
        if shakes_hands { self.control_messages(bytes) } else { 0.0 }
    }

    /// The number of control messages before a message above S arrives.
    fn control_messages(&self, bytes: Bytes) -> f64 {
        let progress = self.tier.progress.as_ref();
        match progress.and_then(|progress| progress.transfer_at(bytes)) {
            Some(Transfer::Rta) => 1.0,
            _ => 2.0,
        }
    }

    /// The measured RTT/2 while this number of pairs on the same two nodes send at the same time;
    /// `None` if a parameter was changed.
    pub fn measured_pairs(&self, pairs: u32, bytes: Bytes) -> Option<MeasuredTime> {
        if self.before_change().is_some() {
            return None;
        }
        let style = self.style_name();
        self.signature.measured_pairs(self.tier, style, pairs, bytes)
    }

    /// The scatter of measured messages; none on a changed machine.
    pub fn noise(&self) -> Option<&'a Noise> {
        self.tier.noise.as_ref().filter(|_| self.before_change().is_none())
    }

    /// L
    pub fn latency(&self) -> Option<Interval<Micros>> {
        known(self.tier.latency.as_ref())
    }

    /// o_s at a size
    pub fn send_overhead(&self, bytes: Bytes) -> Option<At> {
        self.at(self.style?.send_overhead.as_ref()?, bytes)
    }

    /// o_r at a size
    pub fn recv_overhead(&self, bytes: Bytes) -> Option<At> {
        self.at(self.style?.recv_overhead.as_ref()?, bytes)
    }

    /// g
    pub fn gap(&self) -> Option<Interval<Micros>> {
        known(self.tier.gap.as_ref())
    }

    /// G
    pub fn gap_per_byte(&self) -> Option<Interval<MicrosPerByte>> {
        known(self.tier.gap_per_byte.as_ref())
    }

    /// 1/R_N. A single pair reaches R_b through the card, so R_N is at least R_b.
    pub fn node_gap_per_byte(&self) -> Option<Interval<MicrosPerByte>> {
        let card = known(self.tier.node_gap_per_byte.as_ref())?;
        let pair = self.gap_per_byte_of_pair();
        Some(pair.filter(|pair| pair.value.0 < card.value.0).unwrap_or(card))
    }

    /// 1/R_b: G, or t_b of Hockney's line
    pub fn gap_per_byte_of_pair(&self) -> Option<Interval<MicrosPerByte>> {
        self.gap_per_byte().or_else(|| self.per_byte()).filter(|each| each.value.0 > 0.0)
    }

    /// The warning if R_N is less than R_b.
    pub fn slow_card(&self) -> Option<Warning> {
        let card = known(self.tier.node_gap_per_byte.as_ref())?.value;
        let pair = self.gap_per_byte_of_pair()?.value;
        (card.0 > SLOW * pair.0).then_some(SLOW_CARD)
    }

    /// G times a number of bytes, as a term.
    pub(crate) fn gap_per_byte_term(&self) -> Option<Interval<Micros>> {
        self.gap_per_byte().map(|gap| gap.map(|g| g.of(1.0)))
    }

    /// g(m) of PLogP
    pub fn gap_at(&self, bytes: Bytes) -> Option<At> {
        self.at(self.tier.gap_by_size.as_ref()?, bytes)
    }

    /// EEL
    pub fn end_to_end_latency(&self) -> Option<Interval<Micros>> {
        known(self.tier.end_to_end_latency.as_ref())
    }

    /// t_s
    pub fn startup(&self) -> Option<Interval<Micros>> {
        known(self.style?.startup.as_ref())
    }

    /// t_b
    pub fn per_byte(&self) -> Option<Interval<MicrosPerByte>> {
        known(self.style?.per_byte.as_ref())
    }

    /// S: of the send mode, else of the tier
    pub fn eager_limit(&self) -> Option<Interval<Bytes>> {
        known(self.style.and_then(|s| s.eager_limit.as_ref()))
            .or_else(|| known(self.tier.progress.as_ref()?.eager_limit.as_ref()))
    }

    /// O'
    pub fn control_overhead(&self) -> Option<Interval<Micros>> {
        known(self.tier.progress.as_ref()?.control_overhead.as_ref())
    }

    /// O_i at a size
    pub fn initiation(&self, bytes: Bytes) -> Option<At> {
        self.at(self.tier.progress.as_ref()?.initiation.as_ref()?, bytes)
    }

    /// O_c at a size
    pub fn copy(&self, bytes: Bytes) -> Option<At> {
        self.at(self.tier.progress.as_ref()?.copy.as_ref()?, bytes)
    }

    /// A curve at a size. No interpolation crosses S.
    fn at(&self, curve: &Curve, bytes: Bytes) -> Option<At> {
        curve.at_with_limit(self.eager_limit().map(|limit| limit.value), bytes)
    }

    /// Whether this parameter is known or assumed.
    pub fn has(&self, need: Need) -> bool {
        let any = Bytes(1);
        match need {
            Need::Latency => self.latency().is_some(),
            Need::SendOverhead => self.send_overhead(any).is_some(),
            Need::RecvOverhead => self.recv_overhead(any).is_some(),
            Need::Gap => self.gap().is_some(),
            Need::GapPerByte => self.gap_per_byte().is_some(),
            Need::NodeGapPerByte => self.node_gap_per_byte().is_some(),
            Need::GapBySize => self.gap_at(any).is_some(),
            Need::EndToEndLatency => self.end_to_end_latency().is_some(),
            Need::Startup => self.startup().is_some(),
            Need::PerByte => self.per_byte().is_some(),
            Need::EagerLimit => self.eager_limit().is_some(),
            Need::ControlOverhead => self.control_overhead().is_some() || self.is_assumed(need),
            Need::Initiation => self.initiation(any).is_some() || self.is_assumed(need),
            Need::Copy => self.copy(any).is_some() || self.is_assumed(need),
            Need::ProgressKind => self.tier.progress.as_ref().is_some_and(|p| p.kind.is_some()),
            Need::Transfer => self.tier.progress.as_ref().is_some_and(|p| !p.transfer.is_empty()),
            Need::SecondTier => self.signature.tiers.len() > 1,
        }
    }

    /// The source of the parameter with this symbol: paper and table, or measurement.
    pub fn source(&self, symbol: &str) -> Option<&'a str> {
        let tier = self.tier;
        let progress = tier.progress.as_ref();
        let source = match symbol {
            REST => UNEXPLAINED,
            "O'" if self.is_assumed(Need::ControlOverhead) => ASSUMED,
            "O_i" if self.is_assumed(Need::Initiation) => ASSUMED,
            "O_c" if self.is_assumed(Need::Copy) => ASSUMED,
            "L" => &tier.latency.as_ref()?.source,
            "g" => &tier.gap.as_ref()?.source,
            "G" | "S" if tier.gap_per_byte.is_some() => &tier.gap_per_byte.as_ref()?.source,
            "1/R_N" => &tier.node_gap_per_byte.as_ref()?.source,
            "EEL" => &tier.end_to_end_latency.as_ref()?.source,
            "g(m)" => &tier.gap_by_size.as_ref()?.source,
            "o_s" | "s_s" | "o_s1" => &self.style?.send_overhead.as_ref()?.source,
            "o_r" | "s_r" | "o_r1" => &self.style?.recv_overhead.as_ref()?.source,
            "T" => &self.signature.message_table(self.tier, self.style_name())?.source,
            "t_s" => &self.style?.startup.as_ref()?.source,
            "t_b" => &self.style?.per_byte.as_ref()?.source,
            "O'" => &progress?.control_overhead.as_ref()?.source,
            "O_i" => &progress?.initiation.as_ref()?.source,
            "O_c" => &progress?.copy.as_ref()?.source,
            _ => return None,
        };
        Some(source)
    }

    /// The source of a parameter whose measurement gave no value.
    fn failed_measurement(&self, need: Need) -> Option<&'a str> {
        match need {
            // LoGH's S has the same symbol.
            Need::EagerLimit => Some(&self.tier.progress.as_ref()?.eager_limit.as_ref()?.source),
            need => self.source(need.symbol()),
        }
    }

    /// The route as the place of an error.
    pub fn place(&self) -> String {
        let style = self.style.map(|s| format!(", send mode {}", s.name.0)).unwrap_or_default();
        format!("{}, tier {}{style}", self.signature.name, self.tier.name)
    }

    /// The error if `what` needs parameters that are unknown here.
    pub fn lacks(&self, what: &str, missing: &[Need]) -> Error {
        let (what, place) = (what.to_owned(), self.place());
        let symbols = missing.iter().map(|need| need.symbol()).collect();
        // A source without a value means that a measurement failed.
        if let Some(reason) = missing.iter().find_map(|need| self.failed_measurement(*need)) {
            let reason = reason.to_owned();
            let assumed = assumed(missing.iter().copied());
            return ModelError::Unusable { what, symbols, reason, assumed, place }.into();
        }
        let mut origins: Vec<&str> = Vec::new();
        for need in missing {
            if !origins.contains(&need.origin()) {
                origins.push(need.origin());
            }
        }
        let possible =
            Model::ALL.into_iter().filter(|m| m.is_possible(self)).map(Model::title).collect();
        let assumed = missing.iter().map(|need| need.assumed()).collect();
        ModelError::Lacking { what, symbols, origins, assumed, possible, place }.into()
    }

    /// The error of a route on which no model is possible.
    pub(super) fn no_model(&self) -> Error {
        let needs = Model::LogP.needs().iter().copied();
        let assumed = assumed(needs.filter(|need| !self.has(*need)));
        if let Some(reason) = self.source("L").filter(|_| !self.has(Need::Latency)) {
            let reason = reason.to_owned();
            return ModelError::NoUsableModel { reason, assumed, place: self.place() }.into();
        }
        let reported = [
            Need::Latency,
            Need::SendOverhead,
            Need::RecvOverhead,
            Need::GapPerByte,
            Need::EndToEndLatency,
        ]
        .into_iter()
        .filter(|need| self.has(*need))
        .map(Need::symbol)
        .collect();
        ModelError::NoModel { reported, assumed, place: self.place() }.into()
    }
}

/// Examples of values to assume.
fn assumed(missing: impl Iterator<Item = Need>) -> Vec<Assumption> {
    missing.filter_map(Need::assumed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    /// The measurements end below S, so larger messages shake hands in addition.
    #[test]
    fn a_handshake_is_added_above_all_measured_sizes() {
        let mut machine = library::load("azure-hbv2").unwrap();
        machine.tables.retain(|table| table.op.is_none() && table.pairs.is_none());
        machine.tables[0].points.retain(|point| point.bytes <= Bytes(4096));
        let time = |machine: &Signature, bytes| {
            Route::of(machine, None, None).unwrap().measured(Bytes(bytes)).unwrap()
        };
        let mut limited = machine.clone();
        limited.set("S", "8KiB").unwrap();
        assert_eq!(time(&limited, 8192), time(&machine, 8192));
        for (transfer, count) in [("rat", 2.0), ("rta", 1.0)] {
            let mut with_transfer = limited.clone();
            with_transfer.set("transfer", transfer).unwrap();
            let (eager, all) = (time(&machine, 9000), time(&with_transfer, 9000));
            let control = time(&machine, 1).time.value * count;
            assert_eq!(all.time.value, eager.time.value + control, "{transfer}");
            assert!(all.doubts.contains(&Doubt::Handshake(Bytes(8192))), "{transfer}");
        }
    }

    #[test]
    fn proposed_assumptions_can_be_set() {
        let models = Model::ALL.into_iter().flat_map(|model| model.needs().iter().copied());
        let mut machine = library::load("cray-t3d").unwrap();
        for example in models.filter_map(Need::assumed) {
            machine.set(&example.parameter, &example.value).unwrap();
        }
    }
}
