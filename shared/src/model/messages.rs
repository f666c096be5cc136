//! Many messages (`003`, Sections 5.1–5.5): one by one, overlapped, pipelined, packed.
//!
//! N messages of m bytes to one partner, with c of computation for each.
//!
//! # Formula
//! - t(m) = EEL + (m−1) G: one message, waited for; where EEL is not reported, o_s + L + o_r is it
//! - blocking: N (t(m) + c)
//! - overlapped with computation (5.2): N max(t(m), o_s + c)
//! - pipelined at queue depth q (5.3): N c + t(m) + (N−1) (g(q) + (m−1) G)
//! - pipelined, the computation in the gaps (5.4): t(m) + (N−1) max(g(q) + (m−1) G, o_s + c) +
//!   max(c + o_s − t(m), 0)
//! - packed into one message (5.5): N c + t(N m); without the cost of packing, so a bound
//!
//! A way whose parameters are not reported has no time.

use super::{Need, Route, Warning};
use crate::Error;
use crate::signature::known;
use crate::units::{Bytes, Micros};
use serde::Serialize;

/// A communication need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// N
    pub messages: u64,
    /// m
    pub bytes: Bytes,
    /// c, for each message
    pub compute: Micros,
    /// q; the deepest reported where it is not given
    pub depth: Option<u32>,
}

/// How to serve it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Each message is waited for.
    Blocking,
    /// Computation while a message is under way.
    Overlapped,
    /// Several messages under way.
    Pipelined,
    /// Both.
    PipelinedOverlapped,
    /// One large message.
    Packed,
}

impl Strategy {
    /// In words.
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

/// What a strategy gives.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Which.
    pub strategy: Strategy,
    /// The time of all messages and all computation.
    #[serde(rename = "time_us")]
    pub time: Option<Micros>,
    /// How many times faster than blocking.
    pub speedup: Option<f64>,
    /// What is not reported here.
    pub missing: Vec<&'static str>,
}

/// All strategies for a need.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Each strategy's outcome.
    pub strategies: Vec<Outcome>,
    /// What to know about them.
    pub warnings: Vec<Warning>,
}

/// What is known of one message here; each may be missing.
struct Known {
    latency: Option<Micros>,
    send: Option<Micros>,
    gap: Option<Micros>,
    per_byte: Option<f64>,
}

impl Known {
    fn of(route: &Route, demand: &Demand, warnings: &mut Vec<Warning>) -> Self {
        let send = route.send_overhead(demand.bytes);
        warnings.extend(send.iter().filter_map(|at| Warning::of_curve("o_s", demand.bytes, at)));
        let serial = || {
            let recv = route.recv_overhead(demand.bytes)?;
            Some(send.as_ref()?.time.value + route.latency()?.value + recv.time.value)
        };
        let measured = route.end_to_end_latency().map(|t| t.value);
        if measured.is_none() {
            warnings.push(Warning::Remark(
                "EEL is not reported; o_s + L + o_r is taken for it, as LogP assumes",
            ));
        }
        Known {
            latency: measured.or_else(serial),
            send: send.map(|at| at.time.value),
            gap: gap_at_depth(route, demand, warnings),
            per_byte: route.gap_per_byte().map(|g| g.value.0),
        }
    }

    /// (m−1) G. A message of up to 8 bytes needs no G: `003` measured EEL and g with 8.
    fn bytes(&self, bytes: u64) -> Option<Micros> {
        match self.per_byte {
            Some(each) => Some(Micros(each * Bytes(bytes).after_the_first())),
            None => (bytes <= 8).then_some(Micros(0.0)),
        }
    }

    fn one(&self, bytes: u64) -> Option<Micros> {
        Some(self.latency? + self.bytes(bytes)?)
    }
}

/// g at the demanded depth: of the deepest reported queue that is not deeper; else plain g.
fn gap_at_depth(route: &Route, demand: &Demand, warnings: &mut Vec<Warning>) -> Option<Micros> {
    let reported = &route.tier.gap_by_depth;
    let depth = demand.depth.unwrap_or(u32::MAX);
    let usable = reported.iter().rev().filter(|point| point.depth <= depth);
    if let Some(gap) = usable.filter_map(|point| point.gap.interval()).next() {
        return Some(gap.value);
    }
    let plain = known(route.tier.gap.as_ref()).map(|g| g.value);
    if plain.is_some() && demand.depth.is_some() {
        warnings.push(Warning::Remark("g by queue depth is not reported; plain g is taken"));
    }
    plain
}

/// What each strategy gives.
///
/// `003`, Section 5.2: on Myrinet/GM 7.8 µs of each small message can be computed through.
/// ```
/// use loggia_model::model::{Route, messages};
/// use loggia_model::{library, units::{Bytes, Micros}};
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
    let total = demand.messages.checked_mul(demand.bytes.0);
    let (Some(total), true) = (total, demand.messages > 0) else {
        return Err(Error::new(
            format!("{} messages of {} bytes cannot be", demand.messages, demand.bytes.0),
            "--count",
            "give at least one message, and fewer than 2^64 bytes in all",
        ));
    };
    let mut warnings = Vec::new();
    let known = Known::of(route, demand, &mut warnings);
    if known.one(demand.bytes.0).is_none() {
        let missing: Vec<Need> = [
            (known.latency.is_none(), Need::EndToEndLatency),
            (known.bytes(demand.bytes.0).is_none(), Need::GapPerByte),
        ]
        .into_iter()
        .filter_map(|(is, need)| is.then_some(need))
        .collect();
        return Err(route.lacks("the time of many messages", &missing));
    }
    let Demand { messages, bytes: Bytes(bytes), compute, .. } = *demand;
    let n = messages as f64;
    let pause = || Some(known.gap? + known.bytes(bytes)?);
    let busy = || Some(known.send? + compute);
    let one = known.one(bytes);

    let blocking = one.map(|one| (one + compute) * n);
    let overlapped = one.zip(busy()).map(|(one, busy)| one.max(busy) * n);
    let pipelined = one.zip(pause()).map(|(one, pause)| compute * n + one + pause * (n - 1.0));
    let both = one.zip(pause()).zip(busy()).map(|((one, pause), busy)| {
        one + pause.max(busy) * (n - 1.0) + (busy - one).max(Micros(0.0))
    });
    let packed = known.one(total).map(|one| compute * n + one);
    let strategies = [
        (Strategy::Blocking, blocking),
        (Strategy::Overlapped, overlapped),
        (Strategy::Pipelined, pipelined),
        (Strategy::PipelinedOverlapped, both),
        (Strategy::Packed, packed),
    ];
    let outcome = |(strategy, time): (Strategy, Option<Micros>)| Outcome {
        strategy,
        time,
        speedup: time.zip(blocking).map(|(time, blocking)| blocking.0 / time.0),
        missing: if time.is_some() { Vec::new() } else { missing(strategy, &known) },
    };
    Ok(Comparison { strategies: strategies.into_iter().map(outcome).collect(), warnings })
}

fn missing(strategy: Strategy, known: &Known) -> Vec<&'static str> {
    let of = |is_missing: bool, symbol| is_missing.then_some(symbol);
    let send = of(known.send.is_none(), "o_s");
    let gap = of(known.gap.is_none(), "g");
    let per_byte = of(known.per_byte.is_none(), "G");
    let all: &[Option<&str>] = match strategy {
        Strategy::Blocking => &[],
        Strategy::Overlapped => &[send],
        Strategy::Pipelined => &[gap],
        Strategy::PipelinedOverlapped => &[send, gap],
        Strategy::Packed => &[per_byte],
    };
    all.iter().flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

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
        // m = 11: bytes 1, t = 11, pause 4
        let times = all(&route, 5.0, 11);
        let expected = [160.0, 110.0, 50.0 + 11.0 + 36.0, 11.0 + 9.0 * 7.0, 50.0 + 10.0 + 10.9];
        for (got, expected) in times.iter().zip(expected) {
            assert!((got.unwrap() - expected).abs() < 1e-9, "{times:?}");
        }
    }

    #[test]
    fn computation_beyond_the_latency_is_not_hidden() {
        let gm = library::load("myrinet-gm").unwrap();
        let route = Route::of(&gm, None, None).unwrap();
        assert_eq!(all(&route, 20.0, 8)[1], Some(10.0 * 20.7));
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
    fn what_is_not_reported_is_named() {
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
