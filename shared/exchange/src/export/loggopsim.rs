//! LogGOPSim: a command line. Its options are whole numbers of nanoseconds, nanoseconds per byte,
//! and bytes, each at most 2^31 − 1.
//!
//! # Formula
//! LogGOPSim simulates a message of s bytes between two idle ranks as 2o + L + (s−1) max(O, G). It
//! has one o for both ends: o is the mean of o_s and o_r at one byte, and O is its growth per byte.

use super::{commented, heading, unknown_parameters};
use crate::error::ExportError;
use loggia_model::Error;
use loggia_model::error::one_line;
use loggia_model::model::{self, Model, Need, Route};
use loggia_model::numbers::Numbers;
use loggia_model::signature::{Curve, Reach};
use loggia_model::units::words::{number, rate, size, time};
use loggia_model::units::{Bytes, BytesPerMicro, Micros, MicrosPerByte};

/// The largest value of an option; as eager limit, it makes every message eager.
const MAX: u32 = i32::MAX as u32;

/// The shell script: comments, then the command.
pub(super) fn command(route: &Route) -> Result<String, Error> {
    let (parameters, mut notes) = parameters(route)?;
    let mut lines = heading(route);
    lines.extend(unknown_parameters(route, &[Need::Gap, Need::EagerLimit]));
    if !route.has(Need::Gap) {
        notes.push("-g 0: assumed".to_owned());
    }
    if !route.has(Need::EagerLimit) {
        notes.push(format!("-S {MAX}: every message is eager"));
    }
    if let Some(card) = route.node_gap_per_byte() {
        notes.push(format!(
            "R_N = {} is not exported: LogGOPSim does not model a shared network card",
            rate(BytesPerMicro(1.0 / card.value.0))
        ));
    }
    notes.extend(prediction_differences(route, &parameters));
    let in_nanoseconds = Options::of(&parameters, 1e3).ok_or_else(|| too_large(route))?;
    notes.extend(in_nanoseconds.rounding_notes(&parameters));
    if in_nanoseconds.is_rounded(&parameters)
        && let Some(finer) = Options::of(&parameters, 1e6)
    {
        notes.push("in picoseconds, for schedules with computation in picoseconds:".into());
        notes.push(finer.line());
    }
    lines.extend(notes.into_iter().map(one_line));
    Ok(format!("#!/bin/sh\n{}{}\n", commented(&lines), in_nanoseconds.line()))
}

/// One number per parameter, and notes on how each was derived.
fn parameters(route: &Route) -> Result<(Numbers, Vec<String>), Error> {
    let missing = || route.missing(Model::LogGp);
    let mut notes = Vec::new();
    let latency = match route.latency() {
        Some(latency) => latency.value,
        // L is neglected inside a node (Al-Tawil & Moritz 2001, Section 3.3).
        None if route.tier.reach == Reach::Intra => Micros(0.0),
        None => return Err(missing()),
    };
    let both = |bytes: Bytes| {
        let (send, recv) = (route.send_overhead(bytes)?, route.recv_overhead(bytes)?);
        Some([send.time.value, recv.time.value])
    };
    let mean = |[send, recv]: [Micros; 2]| (send + recv) * 0.5;
    let (smallest, largest) = (Bytes(1), largest_known_size(route));
    let [send, recv] = both(smallest).ok_or_else(missing)?;
    let [first, last] = [mean([send, recv]), mean(both(largest).ok_or_else(missing)?)];
    let growth = (last - first).0.max(0.0) / largest.after_the_first().max(1.0);
    if send != recv {
        notes.push(format!("o is the mean of o_s = {} and o_r = {}", time(send), time(recv)));
    }
    if growth > 0.0 {
        notes.push(format!(
            "O is the growth of this mean per byte, up to {}; LogGOPSim uses max(O, G)",
            size(largest)
        ));
    }
    let parameters = Numbers {
        latency,
        overhead: first,
        gap: route.gap().map_or(Micros(0.0), |gap| gap.value),
        gap_per_byte: route.gap_per_byte().ok_or_else(missing)?.value,
        overhead_per_byte: MicrosPerByte(growth),
        eager_limit: route.eager_limit().map(|limit| limit.value),
    };
    Ok((parameters, notes))
}

fn largest_known_size(route: &Route) -> Bytes {
    let end = |curve: &Curve| match curve.fixed {
        Some(_) => Bytes(1 << 20),
        None => curve.points.last().map_or(Bytes(1), |point| point.bytes),
    };
    let curves = route.style.map(|style| [&style.send_overhead, &style.recv_overhead]);
    curves.into_iter().flatten().flatten().map(end).max().unwrap_or(Bytes(1))
}

/// Messages for which LogGOPSim's time differs from the prediction by more than 1%.
fn prediction_differences(route: &Route, parameters: &Numbers) -> Vec<String> {
    let simulated = |bytes: Bytes| {
        let each = parameters.gap_per_byte.max(parameters.overhead_per_byte);
        parameters.overhead * 2.0 + parameters.latency + each.of(bytes.after_the_first())
    };
    let at = |bytes: Bytes| {
        let prediction = model::predict(route, None, bytes).ok()?;
        let (predicted, simulated) = (prediction.time()?, simulated(bytes));
        let model = prediction.model.map(Model::title).unwrap_or_default();
        let differs = (simulated.0 - predicted.0).abs() > 0.01 * predicted.0;
        differs.then(|| {
            let (simulated, predicted) = (time(simulated), time(predicted));
            format!("message of {}: LogGOPSim {simulated}, {model} {predicted}", size(bytes))
        })
    };
    [1, 1 << 10, 1 << 16, 1 << 20].into_iter().map(Bytes).filter_map(at).collect()
}

/// The options, in a given unit of time.
struct Options {
    /// Units per microsecond.
    units: f64,
    times: [(char, u32); 5],
    eager_limit: u32,
}

impl Options {
    /// `None` if a value is too large.
    fn of(parameters: &Numbers, units: f64) -> Option<Self> {
        let whole = |value: f64| {
            let rounded = (value * units).round();
            (0.0..=f64::from(MAX)).contains(&rounded).then_some(rounded as u32)
        };
        let mut times = [('L', 0); 5];
        for (place, (option, value)) in times.iter_mut().zip(in_micros(parameters)) {
            *place = (option, whole(value)?);
        }
        let limit = parameters.eager_limit.map_or(MAX, |limit| limit.0.min(MAX.into()) as u32);
        Some(Options { units, times, eager_limit: limit })
    }

    fn line(&self) -> String {
        let times = self.times.map(|(option, value)| format!("-{option} {value}")).join(" ");
        format!("LogGOPSim -f SCHEDULE.bin {times} -S {}", self.eager_limit)
    }

    fn is_rounded(&self, parameters: &Numbers) -> bool {
        self.rounding_notes(parameters).next().is_some()
    }

    /// Notes on options that are not whole numbers.
    fn rounding_notes(&self, parameters: &Numbers) -> impl Iterator<Item = String> {
        self.times.into_iter().zip(in_micros(parameters)).filter_map(
            |((option, whole), (_, value))| {
                let value = value * self.units;
                let differs = (f64::from(whole) - value).abs() > 1e-9 * value;
                differs
                    .then(|| format!("-{option} {whole} is rounded from {} ns", number(value, 6)))
            },
        )
    }
}

/// The time parameters, in µs.
fn in_micros(parameters: &Numbers) -> [(char, f64); 5] {
    [
        ('L', parameters.latency.0),
        ('o', parameters.overhead.0),
        ('g', parameters.gap.0),
        ('G', parameters.gap_per_byte.0),
        ('O', parameters.overhead_per_byte.0),
    ]
}

fn too_large(route: &Route) -> ExportError {
    ExportError::ParameterTooLarge { place: route.place(), most: i32::MAX }
}
