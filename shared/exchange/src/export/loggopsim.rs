//! LogGOPSim: a command line. Its options are whole numbers of one unit of time, of this unit per
//! byte, and of bytes, each at most 2^31 − 1. The unit is the nanosecond, or the picosecond if
//! rounding to nanoseconds changes a time by more than 1%.
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

/// The largest relative change of a time by rounding.
const MAX_CHANGE: f64 = 0.01;

/// Message sizes at which times are compared.
const SIZES: [Bytes; 4] = [Bytes(1), Bytes(1 << 10), Bytes(1 << 16), Bytes(1 << 20)];

/// The shell script: comments, then the command.
pub(super) fn command(route: &Route) -> Result<String, Error> {
    let (parameters, mut notes) = parameters(route)?;
    let options = Options::chosen(&parameters).ok_or_else(|| too_large(route))?;
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
    notes.extend(prediction_differences(route, &options.numbers()));
    notes.extend(options.rounding_notes(&parameters));
    notes.extend(unit_warning(&parameters, &options));
    if options.unit == NANOSECONDS
        && options.is_rounded(&parameters)
        && let Some(finer) = Options::of(&parameters, PICOSECONDS)
    {
        notes.push("in picoseconds, for schedules with computation in picoseconds:".into());
        notes.push(finer.line());
    }
    lines.extend(notes.into_iter().map(one_line));
    Ok(format!("#!/bin/sh\n{}{}\n", commented(&lines), options.line()))
}

/// A warning if the options are not in nanoseconds, or rounded by more than 1%.
pub(super) fn warning(route: &Route) -> Result<Option<String>, Error> {
    let (parameters, _) = parameters(route)?;
    let options = Options::chosen(&parameters).ok_or_else(|| too_large(route))?;
    Ok(unit_warning(&parameters, &options))
}

fn unit_warning(parameters: &Numbers, options: &Options) -> Option<String> {
    let rounded =
        Options::of(parameters, NANOSECONDS).and_then(|options| options.change(parameters));
    rounded.map(|change| match options.unit == PICOSECONDS {
        true => format!(
            "times are in picoseconds: {change}; multiply the nanoseconds of each calc in the \
             schedule by 1000"
        ),
        false => format!("{change}; in picoseconds, an option would exceed {MAX}"),
    })
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

/// Messages for which LogGOPSim's time with its options differs from the prediction by more than
/// 1%.
fn prediction_differences(route: &Route, options: &Numbers) -> Vec<String> {
    let at = |bytes: Bytes| {
        let prediction = model::predict(route, None, bytes).ok()?;
        let (predicted, simulated) = (prediction.time()?, message(options, bytes));
        let basis = prediction.model.map_or(prediction.basis.name(), Model::title);
        let differs = (simulated.0 - predicted.0).abs() > 0.01 * predicted.0;
        differs.then(|| {
            let (simulated, predicted) = (time(simulated), time(predicted));
            let bytes = size(bytes);
            format!("message of {bytes}: LogGOPSim: {simulated}; Loggia, {basis}: {predicted}")
        })
    };
    SIZES.into_iter().filter_map(at).collect()
}

/// LogGOPSim's time of one message between idle ranks.
fn message(parameters: &Numbers, bytes: Bytes) -> Micros {
    let each = parameters.gap_per_byte.max(parameters.overhead_per_byte);
    parameters.overhead * 2.0 + parameters.latency + each.of(bytes.after_the_first())
}

/// LogGOPSim's time between the starts of two messages of one rank: max(o + (s−1) O, g + (s−1) G).
fn interval(parameters: &Numbers, bytes: Bytes) -> Micros {
    let with = |time: Micros, each: MicrosPerByte| time + each.of(bytes.after_the_first());
    let processor = with(parameters.overhead, parameters.overhead_per_byte);
    processor.max(with(parameters.gap, parameters.gap_per_byte))
}

/// A unit of time: units per microsecond, and its symbol.
type Unit = (f64, &'static str);

const NANOSECONDS: Unit = (1e3, "ns");
const PICOSECONDS: Unit = (1e6, "ps");

/// The options, in a given unit of time.
struct Options {
    unit: Unit,
    times: [(char, u32); 5],
    eager_limit: u32,
}

impl Options {
    /// In nanoseconds, or in picoseconds if rounding to nanoseconds changes a time by more than 1%.
    /// `None` if a value is too large.
    fn chosen(parameters: &Numbers) -> Option<Self> {
        let options = Options::of(parameters, NANOSECONDS)?;
        let finer = || Options::of(parameters, PICOSECONDS);
        let finer = options.change(parameters).and_then(|_| finer());
        Some(finer.unwrap_or(options))
    }

    /// `None` if a value is too large.
    fn of(parameters: &Numbers, unit: Unit) -> Option<Self> {
        let whole = |value: f64| {
            let rounded = (value * unit.0).round();
            (0.0..=f64::from(MAX)).contains(&rounded).then_some(rounded as u32)
        };
        let mut times = [('L', 0); 5];
        for (place, (option, value)) in times.iter_mut().zip(in_micros(parameters)) {
            *place = (option, whole(value)?);
        }
        let limit = parameters.eager_limit.map_or(MAX, |limit| limit.0.min(MAX.into()) as u32);
        Some(Options { unit, times, eager_limit: limit })
    }

    /// The values of the options.
    fn numbers(&self) -> Numbers {
        let [latency, overhead, gap, gap_per_byte, overhead_per_byte] =
            self.times.map(|(_, whole)| f64::from(whole) / self.unit.0);
        Numbers {
            latency: Micros(latency),
            overhead: Micros(overhead),
            gap: Micros(gap),
            gap_per_byte: MicrosPerByte(gap_per_byte),
            overhead_per_byte: MicrosPerByte(overhead_per_byte),
            eager_limit: Some(Bytes(self.eager_limit.into())),
        }
    }

    /// The time that rounding changes most, in words, if by more than 1%.
    fn change(&self, parameters: &Numbers) -> Option<String> {
        type Time = fn(&Numbers, Bytes) -> Micros;
        let rounded = self.numbers();
        let largest = |(what, of): (&str, Time)| {
            SIZES
                .map(|bytes| (bytes, of(parameters, bytes), of(&rounded, bytes)))
                .into_iter()
                .filter(|(_, exact, rounded)| (*rounded - *exact).0.abs() > MAX_CHANGE * exact.0)
                .max_by(|a, b| ratio(a.1, a.2).total_cmp(&ratio(b.1, b.2)))
                .map(|(bytes, exact, rounded)| {
                    let (bytes, exact, rounded) = (size(bytes), time(exact), time(rounded));
                    format!(
                        "in whole nanoseconds, {what} {bytes} would be {rounded} instead of {exact}"
                    )
                })
        };
        let times: [(&str, Time); 2] =
            [("the time of a message of", message), ("the interval between messages of", interval)];
        times.into_iter().find_map(largest)
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
        let (units, symbol) = self.unit;
        self.times.into_iter().zip(in_micros(parameters)).filter_map(
            move |((option, whole), (_, value))| {
                let value = value * units;
                let differs = (f64::from(whole) - value).abs() > 1e-9 * value;
                differs.then(|| {
                    format!("-{option} {whole} is rounded from {} {symbol}", number(value, 6))
                })
            },
        )
    }
}

/// The larger of two times divided by the smaller.
fn ratio(a: Micros, b: Micros) -> f64 {
    (a.0 / b.0).max(b.0 / a.0)
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
