//! Many messages (Bell et al. 2003, Sections 5.1–5.5): one by one, overlapped, pipelined, packed.
//!
//! N messages of m bytes to one partner, with c of computation for each.
//!
//! # Formula
//! - t(m): time of one message: measured RTT/2; else EEL + max(m−8, 0) G, as EEL was measured with
//!   8 bytes; else by the richest model
//! - o_s is limited to t(m) here
//! - pause = max(g(q) + max(m−8, 0) G, o_s): the least time from one message to the next
//! - blocking: N (t(m) + c)
//! - overlapped with computation (5.2): N max(t(m), o_s + c)
//! - both are limited by the message rate: if g is known, each message except the last takes at
//!   least the pause
//! - pipelined at queue depth q (5.3): N c + t(m) + (N−1) pause
//! - pipelined, the computation in the gaps (5.4): t(m) + (N−1) max(pause, o_s + c) +
//!   max(c + o_s − t(m), 0)
//! - packed into one message (5.5): N c + t(N m); a lower bound, without the cost of packing
//!
//! A method whose parameters are unknown has no time.

mod explain;

use super::error::ModelError;
use super::{Need, Prediction, Route, Warning};
use crate::Error;
use crate::signature::ProgressKind;
use crate::units::{Bytes, Micros};
use explain::Values;
use serde::Serialize;

/// The messages to send, and their computation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// N
    pub messages: u64,
    /// m
    pub bytes: Bytes,
    /// c, for each message
    pub compute: Micros,
    /// q; by default the deepest reported
    pub depth: Option<u32>,
}

/// A method for many messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Waits for each message.
    Blocking,
    /// Computation while a message is in flight.
    Overlapped,
    /// Several messages in flight.
    Pipelined,
    /// Several messages in flight, with computation in the gaps.
    PipelinedOverlapped,
    /// One large message.
    Packed,
}

impl Strategy {
    /// In order of programming effort.
    pub const ALL: [Strategy; 5] = [
        Strategy::Blocking,
        Strategy::Overlapped,
        Strategy::Pipelined,
        Strategy::PipelinedOverlapped,
        Strategy::Packed,
    ];

    pub fn words(self) -> &'static str {
        match self {
            Strategy::Blocking => "blocking",
            Strategy::Overlapped => "overlapped with computation",
            Strategy::Pipelined => "pipelined",
            Strategy::PipelinedOverlapped => "pipelined and overlapped",
            Strategy::Packed => "packed into one",
        }
    }
}

/// The result of a method.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    pub strategy: Strategy,
    /// The time of all messages and all computation.
    #[serde(rename = "time_us")]
    pub time: Option<Micros>,
    /// Speedup over blocking.
    pub speedup: Option<f64>,
    /// Unknown parameters.
    pub missing: Vec<&'static str>,
    /// In symbols, and with values if the time is known: `N (t(m) + c) = 100 (8.5 + 5) = 1350 µs`.
    pub formula: String,
}

/// All strategies for a demand.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The queue depth of the gap used, if gaps are reported by depth.
    pub depth: Option<u32>,
    /// t(m)
    pub one: Micros,
    /// Definitions of t(m), pause and t(N m), as far as known.
    pub definitions: Vec<String>,
    pub strategies: Vec<Outcome>,
    pub warnings: Vec<Warning>,
}

impl Comparison {
    /// The fastest; among equals, the one with the least programming effort.
    ///
    /// Bell et al. 2003, Section 5.2: on Myrinet/GM, computation during a message is free.
    /// ```
    /// use loggia_model::model::Route;
    /// use loggia_model::model::messages::{self, Strategy};
    /// use loggia_model::library;
    /// use loggia_model::units::{Bytes, Micros};
    /// let gm = library::load("myrinet-gm")?;
    /// let demand = messages::Demand {
    ///     messages: 100, bytes: Bytes(8), compute: Micros(7.8), depth: None,
    /// };
    /// let all = messages::compare(&Route::of(&gm, None, None)?, &demand)?;
    /// assert_eq!(all.best().map(|best| best.strategy), Some(Strategy::Overlapped));
    /// # Ok::<(), loggia_model::Error>(())
    /// ```
    pub fn best(&self) -> Option<&Outcome> {
        let (best, _) = fastest(self.strategies.iter().map(|outcome| outcome.time))?;
        self.strategies.get(best)
    }
}

/// The time of each strategy, equal to that of [`compare`], without formulas and warnings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times([Option<Micros>; Strategy::ALL.len()]);

impl Times {
    /// Methods with a known time.
    pub fn each(self) -> impl Iterator<Item = (Strategy, Option<Micros>)> {
        Strategy::ALL.into_iter().zip(self.0)
    }

    pub fn of(self, strategy: Strategy) -> Option<Micros> {
        self.each().find(|(other, _)| *other == strategy)?.1
    }

    /// The fastest by the rule of [`Comparison::best`], and its time.
    pub fn best(self) -> Option<(Strategy, Micros)> {
        let (best, time) = fastest(self.0.into_iter())?;
        Some((Strategy::ALL[best], time))
    }
}

/// Index and value of the least time; the first of nearly equal ones.
fn fastest(times: impl Iterator<Item = Option<Micros>>) -> Option<(usize, Micros)> {
    // A smaller gain is a rounding error.
    const A_GAIN: f64 = 1.0 - 1e-9;
    let known = times.enumerate().filter_map(|(i, time)| Some((i, time?)));
    known.reduce(|best, next| if next.1.0 < best.1.0 * A_GAIN { next } else { best })
}

/// Parameters of the messages; each may be unknown.
struct MessageParameters<'a> {
    route: &'a Route<'a>,
    send: Option<Micros>,
    gap: Option<Micros>,
    per_byte: Option<f64>,
}

/// Bell et al. 2003 measured EEL and g with messages of this size.
pub const MEASURED_WITH: Bytes = Bytes(8);

impl<'a> MessageParameters<'a> {
    fn of(route: &'a Route<'a>, demand: &Demand, gap: Option<Micros>) -> Self {
        MessageParameters {
            route,
            send: route.send_overhead(demand.bytes).map(|at| at.time.value),
            gap,
            per_byte: route.gap_per_byte().map(|g| g.value.0),
        }
    }

    /// G times the bytes beyond [`MEASURED_WITH`]; zero, without G, up to this size.
    fn more_bytes(&self, bytes: u64) -> Option<Micros> {
        match bytes.saturating_sub(MEASURED_WITH.0) {
            0 => Some(Micros(0.0)),
            more => self.per_byte.map(|each| Micros(each * more as f64)),
        }
    }

    /// t(m): measured, else by EEL, else by the richest model.
    fn one(&self, bytes: u64) -> Option<Micros> {
        if let Some(reading) = self.route.measured(Bytes(bytes)) {
            return Some(reading.time.value);
        }
        match self.route.end_to_end_latency() {
            Some(latency) => Some(latency.value + self.more_bytes(bytes)?),
            None => super::predict(self.route, None, Bytes(bytes)).ok()?.time(),
        }
    }

    /// The least time between messages: the network's or the sender's processor's, whichever is
    /// longer.
    fn pause(&self, bytes: u64) -> Option<Micros> {
        Some((self.gap? + self.more_bytes(bytes)?).max(self.busy(bytes).unwrap_or_default()))
    }

    /// Time on the sender's processor: o_s, at most the whole time.
    fn busy(&self, bytes: u64) -> Option<Micros> {
        let (send, one) = (self.send?, self.one(bytes)?);
        Some(if send < one { send } else { one })
    }
}

/// g and its depth: at the requested depth, else at the next smaller reported depth; else plain g.
fn gap_at_depth(
    route: &Route,
    demand: &Demand,
    warnings: &mut Vec<Warning>,
) -> (Option<Micros>, Option<u32>) {
    let requested = demand.depth.unwrap_or(u32::MAX);
    let points = route.tier.gap_by_depth.iter().rev().filter(|point| point.depth <= requested);
    if let Some((gap, depth)) =
        points.filter_map(|point| Some((point.gap.interval()?.value, point.depth))).next()
    {
        return (Some(gap), Some(depth));
    }
    let plain = route.gap().map(|g| g.value);
    if plain.is_some() && demand.depth.is_some() {
        warnings.push(Warning::Remark("g is unknown at that queue depth; plain g is used"));
    }
    (plain, None)
}

/// Bell et al. 2003 measured networks that send without the CPU.
const DEPENDENT: Warning = Warning::Remark(
    "overlapped times assume that messages progress during the computation, but progress is \
     dependent here: above S, computation hides less",
);

/// Whether computation hides less than the overlapped times say.
fn hides_less(route: &Route, demand: &Demand) -> bool {
    let kind = route.tier.progress.as_ref().and_then(|progress| progress.kind);
    kind == Some(ProgressKind::Dependent) && demand.compute.0 > 0.0
}

/// Warnings about the parameters used.
fn warnings(route: &Route, demand: &Demand) -> Vec<Warning> {
    let (send, recv) = (route.send_overhead(demand.bytes), route.recv_overhead(demand.bytes));
    let is_measured = route.measured(demand.bytes).is_some();
    let serial = route.end_to_end_latency().is_none() && !is_measured;
    let curves = [("o_s", send.as_ref()), ("o_r", recv.as_ref().filter(|_| serial))];
    let curves = curves.into_iter().filter_map(|(symbol, at)| Some((symbol, at?)));
    let mut warnings = Warning::of_curves(demand.bytes, curves);
    warnings.extend(hides_less(route, demand).then_some(DEPENDENT));
    if serial {
        warnings.push(Warning::Remark(
            "EEL is unknown: t(m) is the time of one message by the richest model",
        ));
    }
    warnings
}

/// The result of each strategy.
///
/// Bell et al. 2003, Section 5.2: on Myrinet/GM, 7.8 µs of each small message are free for
/// computation.
/// ```
/// use loggia_model::model::{Route, messages};
/// use loggia_model::library;
/// use loggia_model::units::{Bytes, Micros};
/// let gm = library::load("myrinet-gm")?;
/// let demand = messages::Demand {
///     messages: 100, bytes: Bytes(8), compute: Micros(7.8), depth: None,
/// };
/// let all = messages::compare(&Route::of(&gm, None, None)?, &demand)?;
/// let times: Vec<_> = all.strategies.iter().map(|s| s.time.map(|t| t.0.round())).collect();
/// assert_eq!(times[..2], [Some(1630.0), Some(850.0)]);
/// # Ok::<(), loggia_model::Error>(())
/// ```
pub fn compare(route: &Route, demand: &Demand) -> Result<Comparison, Error> {
    let mut warnings = warnings(route, demand);
    let (known, depth, values) = values(route, demand, &mut warnings)?;
    let blocking = values.time(Strategy::Blocking);
    let outcome = |strategy: Strategy| {
        let time = values.time(strategy);
        Outcome {
            strategy,
            time,
            speedup: time.zip(blocking).map(|(time, blocking)| blocking.0 / time.0),
            missing: if time.is_some() {
                Vec::new()
            } else {
                missing(strategy, &known, demand.bytes)
            },
            formula: values.formula(strategy),
        }
    };
    Ok(Comparison {
        depth,
        one: values.one,
        definitions: values.definitions(&t_of_m(route, demand.bytes)),
        strategies: Strategy::ALL.into_iter().map(outcome).collect(),
        warnings,
    })
}

/// Definition of t(m).
fn t_of_m(route: &Route, bytes: Bytes) -> String {
    if route.measured(MEASURED_WITH).is_some() {
        return "t(m) as measured (RTT/2)".to_owned();
    }
    if route.end_to_end_latency().is_some() {
        return "t(m) = EEL + max(m−8, 0) G".to_owned();
    }
    match super::predict(route, None, bytes) {
        Ok(Prediction { model: Some(model), symbols, .. }) => {
            format!("t(m) = {symbols}, by {}", model.title())
        }
        _ => "t(m)".to_owned(),
    }
}

/// Only the times, for plots with hundreds of points.
pub fn times(route: &Route, demand: &Demand) -> Result<Times, Error> {
    let (_, _, values) = values(route, demand, &mut Vec::new())?;
    Ok(Times(Strategy::ALL.map(|strategy| values.time(strategy))))
}

/// Parameters, the queue depth of the gap, and the values in formulas.
fn values<'a>(
    route: &'a Route,
    demand: &Demand,
    warnings: &mut Vec<Warning>,
) -> Result<(MessageParameters<'a>, Option<u32>, Values), Error> {
    let total = demand.messages.checked_mul(demand.bytes.0);
    let (Some(total), true) = (total, demand.messages > 0) else {
        let Demand { messages, bytes, .. } = *demand;
        return Err(ModelError::ImpossibleCount { messages, bytes: bytes.0 }.into());
    };
    let (gap, depth) = gap_at_depth(route, demand, warnings);
    let known = MessageParameters::of(route, demand, gap);
    let Some(one) = known.one(demand.bytes.0) else {
        let all = [Need::EndToEndLatency, Need::GapPerByte];
        let missing: Vec<Need> = all.into_iter().filter(|need| !route.has(*need)).collect();
        return Err(route.lacks("the time of many messages", &missing));
    };
    let values = Values {
        messages: demand.messages as f64,
        compute: demand.compute,
        one,
        send: known.busy(demand.bytes.0),
        pause: known.pause(demand.bytes.0),
        packed: known.one(total),
    };
    Ok((known, depth, values))
}

fn missing(strategy: Strategy, known: &MessageParameters, bytes: Bytes) -> Vec<&'static str> {
    let of = |is_missing: bool, symbol| is_missing.then_some(symbol);
    let send = of(known.send.is_none(), Need::SendOverhead.symbol());
    let gap = of(known.gap.is_none(), Need::Gap.symbol());
    let per_byte = of(known.per_byte.is_none(), Need::GapPerByte.symbol());
    let of_more = per_byte.filter(|_| known.more_bytes(bytes.0).is_none());
    // With G, only the transfer above S can be unknown.
    let of_packed = per_byte.unwrap_or(Need::Transfer.symbol());
    let all: &[Option<&str>] = match strategy {
        Strategy::Blocking => &[],
        Strategy::Overlapped => &[send],
        Strategy::Pipelined => &[gap, of_more],
        Strategy::PipelinedOverlapped => &[send, gap, of_more],
        Strategy::Packed => &[Some(of_packed)],
    };
    all.iter().flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;
    use crate::library;
    use crate::signature::{Transfer, TransferFrom};

    /// Found at random: one message is eager, all messages together are not, and only LogGPO is
    /// possible.
    #[test]
    fn a_transfer_that_is_unknown_above_s_is_missing() {
        let mut t3d = library::load("cray-t3d").unwrap();
        let overheads = [("O'", "2us"), ("O_i", "5us"), ("O_c", "7us")];
        let unknown = [("o_s", "none"), ("o_r", "none")];
        let protocol = [("S", "1KiB"), ("progress", "dcp")];
        for (symbol, value) in protocol.into_iter().chain(overheads).chain(unknown) {
            t3d.set(symbol, value).unwrap();
        }
        t3d.tiers[0].progress.as_mut().unwrap().transfer =
            vec![TransferFrom { from: Bytes(0), transfer: Transfer::T }];
        let route = Route::of(&t3d, None, None).unwrap();
        assert_eq!(Model::richest(&route), Some(Model::LogGpo));
        let demand = Demand { messages: 10, bytes: Bytes(1000), compute: Micros(0.0), depth: None };
        let packed = compare(&route, &demand).unwrap().strategies.pop().unwrap();
        assert_eq!((packed.time, packed.missing), (None, vec![Need::Transfer.symbol()]));
    }

    /// With independent progress, or without computation, nothing is said about progress.
    #[test]
    fn dependent_progress_hides_less_computation() {
        let warns = |progress: &str, compute: f64| {
            let mut t3d = library::load("cray-t3d").unwrap();
            t3d.set("progress", progress).unwrap();
            let route = Route::of(&t3d, None, None).unwrap();
            let demand =
                Demand { messages: 10, bytes: Bytes(8), compute: Micros(compute), depth: None };
            compare(&route, &demand).unwrap().warnings.contains(&DEPENDENT)
        };
        assert!(warns("dependent", 5.0));
        assert!(!warns("dependent", 0.0) && !warns("independent", 5.0));
    }

    fn all(route: &Route, compute: f64, bytes: u64) -> Vec<Option<f64>> {
        let demand =
            Demand { messages: 10, bytes: Bytes(bytes), compute: Micros(compute), depth: None };
        let comparison = compare(route, &demand).unwrap();
        comparison.strategies.iter().map(|s| s.time.map(|t| t.0)).collect()
    }

    /// EEL = 10, o_s = 2, g = 3, G = 0.1, by hand.
    #[test]
    fn every_strategy_by_hand() {
        let mut gm = library::load("myrinet-gm").unwrap();
        for (key, value) in [("EEL", "10"), ("o_s", "2"), ("g", "3"), ("G", "0.1")] {
            gm.set(key, value).unwrap();
        }
        let route = Route::of(&gm, None, None).unwrap();
        // m = 18: 10 bytes more than EEL's 8, t = 11, pause 4
        let times = all(&route, 5.0, 18);
        let expected = [160.0, 110.0, 50.0 + 11.0 + 36.0, 11.0 + 9.0 * 7.0, 50.0 + 10.0 + 17.2];
        for (got, expected) in times.iter().zip(expected) {
            assert!((got.unwrap() - expected).abs() < 1e-9, "{times:?}");
        }
    }

    /// The sender's processor needs o_s for each message, so it cannot inject faster.
    #[test]
    fn a_gap_below_the_overhead_does_not_count() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("g", "2us").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let times = all(&route, 5.0, 16);
        let one = 48.1 + 15.0 * 0.04;
        assert!((times[2].unwrap() - (50.0 + one + 9.0 * 30.0)).abs() < 1e-9, "{times:?}");
        assert!(times[3] <= times[2], "{times:?}");
    }

    /// A packed message costs as much as any message of its size.
    #[test]
    fn packing_takes_the_overheads_of_the_packed_size() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let packed = all(&route, 0.0, 80)[4].unwrap();
        let predicted = Model::LogGp.predict(&route, Bytes(800)).unwrap().time().unwrap();
        assert!((packed - predicted.0).abs() < 1e-9);
    }

    #[test]
    fn computation_beyond_the_latency_is_not_hidden() {
        let gm = library::load("myrinet-gm").unwrap();
        let route = Route::of(&gm, None, None).unwrap();
        assert_eq!(all(&route, 20.0, 8)[1], Some(10.0 * 20.7));
    }

    /// Without computation, overlapping gains nothing.
    #[test]
    fn the_simplest_of_equally_fast_strategies_is_best() {
        let gm = library::load("myrinet-gm").unwrap();
        let route = Route::of(&gm, None, None).unwrap();
        let demand = Demand { messages: 3, bytes: Bytes(8), compute: Micros(0.0), depth: None };
        let best = |demand| {
            let all = compare(&route, &demand).unwrap();
            let alone = times(&route, &demand).unwrap();
            let each = all.strategies.iter().map(|outcome| (outcome.strategy, outcome.time));
            assert!(alone.each().eq(each), "{demand:?}");
            let best = all.best().unwrap();
            assert_eq!(alone.best(), best.time.map(|time| (best.strategy, time)));
            best.strategy
        };
        assert_eq!(best(demand), Strategy::Blocking);
        assert_eq!(best(Demand { compute: Micros(1.0), ..demand }), Strategy::Overlapped);
    }

    #[test]
    fn a_deeper_queue_has_its_own_gap() {
        let mut gm = library::load("myrinet-gm").unwrap();
        let point = |depth, gap| crate::signature::DepthPoint {
            depth,
            gap: crate::signature::Parameter::assumed(Micros(gap)),
        };
        gm.tiers[0].gap_by_depth = vec![point(1, 8.0), point(8, 2.0)];
        let route = Route::of(&gm, None, None).unwrap();
        let at = |depth| {
            let demand = Demand { messages: 2, bytes: Bytes(8), compute: Micros(0.0), depth };
            compare(&route, &demand).unwrap().strategies[2].time.unwrap().0
        };
        assert_eq!(at(Some(1)), 8.5 + 8.0);
        assert_eq!(at(Some(4)), 8.5 + 8.0);
        assert_eq!(at(Some(8)), 8.5 + 2.0);
        assert_eq!(at(None), 8.5 + 2.0);
    }

    #[test]
    fn unknown_parameters_are_named() {
        let gm = library::load("myrinet-gm").unwrap();
        let route = Route::of(&gm, None, None).unwrap();
        let demand = Demand { messages: 10, bytes: Bytes(8), compute: Micros(0.0), depth: None };
        let comparison = compare(&route, &demand).unwrap();
        let missing: Vec<_> = comparison.strategies.iter().map(|s| s.missing.clone()).collect();
        assert_eq!(missing, [vec![], vec![], vec!["g"], vec!["g"], vec!["G"]]);
        let large = Demand { bytes: Bytes(9), ..demand };
        assert!(compare(&route, &large).unwrap_err().message.contains('G'));
        for messages in [0, u64::MAX] {
            assert!(compare(&route, &Demand { messages, ..demand }).is_err());
        }
    }
}
