//! Changed parameters of a machine: multiplied, or set to a value.

use crate::Error;
use crate::error::{Expected, ValueError};
use crate::model::Route;
use crate::model::message::Message;
use crate::signature::{Curve, Parameter, Point, ProgressKind, Quality, Signature, Table, Tier};
use crate::units::float;
use crate::units::{Bytes, Magnitude, Micros, MicrosPerByte};
use serde::{Deserialize, Serialize};

/// Changes of a machine. Unknown parameters stay unknown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhatIf {
    /// Factor of L.
    pub latency: f64,
    /// Factor of the bandwidth: G and 1/R_N are divided by it.
    pub bandwidth: f64,
    /// Factor of all overheads: o_s, o_r, O', O_i, O_c.
    pub overhead: f64,
    pub progress: Option<ProgressKind>,
    /// S
    pub eager_limit: Option<Bytes>,
}

impl Default for WhatIf {
    fn default() -> Self {
        WhatIf { latency: 1.0, bandwidth: 1.0, overhead: 1.0, progress: None, eager_limit: None }
    }
}

impl WhatIf {
    /// Whether nothing changes.
    pub fn is_nothing(&self) -> bool {
        *self == WhatIf::default()
    }

    /// The machine with these changes.
    pub fn applied(&self, signature: &Signature) -> Signature {
        let mut changed = signature.clone();
        if !self.is_nothing() {
            changed.tables = self.tables(signature);
        }
        for tier in &mut changed.tiers {
            self.change(tier);
        }
        changed
    }

    /// Tables of messages, changed term by term. Left out are tables of collective operations,
    /// whose messages are unknown, of several pairs, and with an unknown term. If the protocol may
    /// change, all tables are left out.
    fn tables(&self, signature: &Signature) -> Vec<Table> {
        if self.progress.is_some() || self.eager_limit.is_some() {
            return Vec::new();
        }
        let is_of_one = |table: &&Table| table.op.is_none() && table.pairs.is_none();
        let messages = signature.tables.iter().filter(is_of_one);
        messages.filter_map(|table| self.of_messages(signature, table)).collect()
    }

    fn of_messages(&self, signature: &Signature, table: &Table) -> Option<Table> {
        let route = Route::of(signature, table.tier.as_deref(), None).ok()?;
        let style = route.tier.style(table.style.as_deref()).ok()?;
        let route = Route { style, ..route };
        let changed = |point: &Point| {
            let message = Message::of(&route, point.bytes)?.taking(point.value);
            let factor = self.of_message(&message).0 / point.value.0;
            let by = |time: Micros| time * factor;
            Some(Point {
                bytes: point.bytes,
                value: by(point.value),
                low: point.low.map(by),
                high: point.high.map(by),
            })
        };
        let points: Option<Vec<Point>> = table.points.iter().map(changed).collect();
        Some(Table { points: points?, ..table.clone() })
    }

    fn of_message(&self, message: &Message) -> Micros {
        let Message { send, latency, bytes, recv, .. } = message;
        (send.value + recv.value) * self.overhead
            + latency.value * self.latency
            + bytes.value * (1.0 / self.bandwidth)
    }

    fn change(&self, tier: &mut Tier) {
        if self.latency != 1.0 {
            multiply(tier.latency.as_mut(), |time: Micros| Micros(time.0 * self.latency));
        }
        if self.bandwidth != 1.0 {
            let faster = |each: MicrosPerByte| MicrosPerByte(each.0 / self.bandwidth);
            multiply(tier.gap_per_byte.as_mut(), faster);
            multiply(tier.node_gap_per_byte.as_mut(), faster);
        }
        if self.overhead != 1.0 {
            let slower = |time: Micros| Micros(time.0 * self.overhead);
            let progress = tier.progress.as_mut();
            let (mut curves, mut control) = (Vec::new(), None);
            for style in &mut tier.styles {
                curves.extend(style.send_overhead.as_mut());
                curves.extend(style.recv_overhead.as_mut());
            }
            if let Some(progress) = progress {
                curves.extend(progress.initiation.as_mut());
                curves.extend(progress.copy.as_mut());
                control = progress.control_overhead.as_mut();
            }
            curves.into_iter().for_each(|curve| scale(curve, self.overhead));
            multiply(control, slower);
        }
        if let Some(kind) = self.progress {
            tier.progress.get_or_insert_default().kind = Some(kind);
        }
        if let Some(limit) = self.eager_limit {
            tier.progress.get_or_insert_default().eager_limit = Some(Parameter::assumed(limit));
            for style in &mut tier.styles {
                style.eager_limit = None;
            }
        }
    }
}

/// Reads a factor: `0.5`, `2`, `0`.
pub fn factor(text: &str) -> Result<f64, Error> {
    number(text, |number| number >= 0.0, Expected::Factor)
}

/// Reads a factor other than 0.
pub fn divisor(text: &str) -> Result<f64, Error> {
    number(text, |number| number > 0.0, Expected::Divisor)
}

fn number(text: &str, is_good: fn(f64) -> bool, expected: Expected) -> Result<f64, Error> {
    let number = float(text);
    number
        .filter(|number| is_good(*number))
        .ok_or_else(|| ValueError::Malformed { text: text.to_owned(), expected }.into())
}

fn multiply<U: Magnitude>(parameter: Option<&mut Parameter<U>>, by: impl Fn(U) -> U) {
    let Some(parameter) = parameter else { return };
    for value in [&mut parameter.value, &mut parameter.low, &mut parameter.high] {
        *value = value.map(&by);
    }
    if parameter.quality != Quality::Unusable {
        parameter.quality = Quality::Assumed;
    }
}

fn scale(curve: &mut Curve, by: f64) {
    for point in &mut curve.points {
        let times = [Some(&mut point.value), point.low.as_mut(), point.high.as_mut()];
        for time in times.into_iter().flatten() {
            *time = Micros(time.0 * by);
        }
    }
    curve.fixed = curve.fixed.map(|time| Micros(time.0 * by));
    curve.per_byte = curve.per_byte.map(|each| MicrosPerByte(each.0 * by));
}
