//! LogGOPSim: a command line, as its options are declared: whole numbers of nanoseconds,
//! nanoseconds a byte, and bytes, each no larger than 2^31 − 1.
//!
//! # Formula
//! A message of s bytes between two idle ranks takes 2o + L + (s−1) max(O, G) there. It has one o
//! for both ends, so ours is the mean of o_s and o_r at one byte, and O how much that mean grows a
//! byte.

use super::{commented, heading, not_reported};
use crate::error::ExportError;
use loggia_model::Error;
use loggia_model::error::one_line;
use loggia_model::model::{self, Model, Need, Route};
use loggia_model::numbers::Numbers;
use loggia_model::signature::{Curve, Reach};
use loggia_model::units::words::{number, rate, size, time};
use loggia_model::units::{Bytes, BytesPerMicro, Micros, MicrosPerByte};

/// The largest number that an option takes, which also makes everything eager.
const MOST: u32 = i32::MAX as u32;

/// Comments, and the command.
pub(super) fn command(route: &Route) -> Result<String, Error> {
    let (numbers, mut notes) = numbers(route)?;
    let mut lines = heading(route);
    lines.extend(not_reported(route, &[Need::Gap, Need::EagerLimit]));
    if !route.has(Need::Gap) {
        notes.push("-g 0: assumed".to_owned());
    }
    if !route.has(Need::EagerLimit) {
        notes.push(format!("-S {MOST}: every message is eager"));
    }
    if let Some(card) = route.node_gap_per_byte() {
        notes.push(format!(
            "R_N = {} is missing: LogGOPSim has no network card that the ranks of a node share",
            rate(BytesPerMicro(1.0 / card.value.0))
        ));
    }
    notes.extend(differences(route, &numbers));
    let in_nanoseconds = Options::of(&numbers, 1e3).ok_or_else(|| too_large(route))?;
    notes.extend(in_nanoseconds.lost(&numbers));
    if in_nanoseconds.is_rounded(&numbers)
        && let Some(finer) = Options::of(&numbers, 1e6)
    {
        notes.push("in picoseconds, if the schedule's computation is in picoseconds, too:".into());
        notes.push(finer.line());
    }
    lines.extend(notes.into_iter().map(one_line));
    Ok(format!("#!/bin/sh\n{}{}\n", commented(&lines), in_nanoseconds.line()))
}

/// One number for each parameter, and what was done to have one.
fn numbers(route: &Route) -> Result<(Numbers, Vec<String>), Error> {
    let missing = || route.missing(Model::LogGp);
    let mut notes = Vec::new();
    let latency = match route.latency() {
        Some(latency) => latency.value,
        // Neglected inside a node (Al-Tawil & Moritz 2001, Section 3.3).
        None if route.tier.reach == Reach::Intra => Micros(0.0),
        None => return Err(missing()),
    };
    let both = |bytes: Bytes| {
        let (send, recv) = (route.send_overhead(bytes)?, route.recv_overhead(bytes)?);
        Some([send.time.value, recv.time.value])
    };
    let mean = |[send, recv]: [Micros; 2]| (send + recv) * 0.5;
    let (least, most) = (Bytes(1), farthest(route));
    let [send, recv] = both(least).ok_or_else(missing)?;
    let [first, last] = [mean([send, recv]), mean(both(most).ok_or_else(missing)?)];
    let growth = (last - first).0.max(0.0) / most.after_the_first().max(1.0);
    if send != recv {
        notes.push(format!("o is the mean of o_s = {} and o_r = {}", time(send), time(recv)));
    }
    if growth > 0.0 {
        notes.push(format!(
            "O is how much that mean grows per byte, up to {}; LogGOPSim takes the larger of O and G",
            size(most)
        ));
    }
    let numbers = Numbers {
        latency,
        overhead: first,
        gap: route.gap().map_or(Micros(0.0), |gap| gap.value),
        gap_per_byte: route.gap_per_byte().ok_or_else(missing)?.value,
        overhead_per_byte: MicrosPerByte(growth),
        eager_limit: route.eager_limit().map(|limit| limit.value),
    };
    Ok((numbers, notes))
}

/// The largest size at which an overhead is known.
fn farthest(route: &Route) -> Bytes {
    let end = |curve: &Curve| match curve.fixed {
        Some(_) => Bytes(1 << 20),
        None => curve.points.last().map_or(Bytes(1), |point| point.bytes),
    };
    let curves = route.style.map(|style| [&style.send_overhead, &style.recv_overhead]);
    curves.into_iter().flatten().flatten().map(end).max().unwrap_or(Bytes(1))
}

/// What LogGOPSim's own rules make of a message, where that is something else.
fn differences(route: &Route, numbers: &Numbers) -> Vec<String> {
    let theirs = |bytes: Bytes| {
        let each = numbers.gap_per_byte.max(numbers.overhead_per_byte);
        numbers.overhead * 2.0 + numbers.latency + each.of(bytes.after_the_first())
    };
    let at = |bytes: Bytes| {
        let prediction = model::predict(route, None, bytes).ok()?;
        let (ours, theirs) = (prediction.time()?, theirs(bytes));
        let model = prediction.model.map(Model::title).unwrap_or_default();
        let is_off = (theirs.0 - ours.0).abs() > 0.01 * ours.0;
        is_off.then(|| {
            let (theirs, ours) = (time(theirs), time(ours));
            format!("a message of {} takes {theirs} there, {ours} by {model}", size(bytes))
        })
    };
    [1, 1 << 10, 1 << 16, 1 << 20].into_iter().map(Bytes).filter_map(at).collect()
}

/// The options, in some unit of time.
struct Options {
    /// How many units a microsecond has.
    units: f64,
    times: [(char, u32); 5],
    eager_limit: u32,
}

impl Options {
    /// None where one of them is too large.
    fn of(numbers: &Numbers, units: f64) -> Option<Self> {
        let whole = |value: f64| {
            let rounded = (value * units).round();
            (0.0..=f64::from(MOST)).contains(&rounded).then_some(rounded as u32)
        };
        let mut times = [('L', 0); 5];
        for (place, (option, value)) in times.iter_mut().zip(exact(numbers)) {
            *place = (option, whole(value)?);
        }
        let limit = numbers.eager_limit.map_or(MOST, |limit| limit.0.min(MOST.into()) as u32);
        Some(Options { units, times, eager_limit: limit })
    }

    fn line(&self) -> String {
        let times = self.times.map(|(option, value)| format!("-{option} {value}")).join(" ");
        format!("LogGOPSim -f SCHEDULE.bin {times} -S {}", self.eager_limit)
    }

    fn is_rounded(&self, numbers: &Numbers) -> bool {
        self.lost(numbers).next().is_some()
    }

    /// What is no whole number.
    fn lost(&self, numbers: &Numbers) -> impl Iterator<Item = String> {
        self.times.into_iter().zip(exact(numbers)).filter_map(|((option, whole), (_, value))| {
            let value = value * self.units;
            let is_off = (f64::from(whole) - value).abs() > 1e-9 * value;
            is_off.then(|| format!("-{option} {whole} is rounded from {} ns", number(value, 6)))
        })
    }
}

/// In µs.
fn exact(numbers: &Numbers) -> [(char, f64); 5] {
    [
        ('L', numbers.latency.0),
        ('o', numbers.overhead.0),
        ('g', numbers.gap.0),
        ('G', numbers.gap_per_byte.0),
        ('O', numbers.overhead_per_byte.0),
    ]
}

fn too_large(route: &Route) -> ExportError {
    ExportError::ParameterTooLarge { place: route.place(), most: i32::MAX }
}
