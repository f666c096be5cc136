//! Parameters set by the user, and the measured times of a machine with changed parameters.
//!
//! # Formula
//! A measured time is divided into the terms of one message ([`Message`]). Each term changes as its
//! parameter does:
//!
//! - o_s, o_r and G (k−1): the term · new value / old value
//! - L: new value + rest; the rest, which no parameter explains, stays, or is multiplied as L is
//!
//! Left out are measured times of collective operations, whose messages are unknown; of several
//! pairs; with an unknown term; and all of a tier whose protocol may differ.

use crate::Error;
use crate::model::Route;
use crate::model::message::Message;
use crate::signature::{Defaults, Parameter, Point, Progress, Signature, Style, Table, Tier};
use crate::units::{Interval, Micros};

impl Signature {
    /// Sets `[tier.][style.]symbol` to a typed value; `none` removes it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        self.set_within(Defaults::default(), key, value)
    }

    /// Sets a parameter, and adjusts the measured times to it; a key without tier or send mode refers
    /// to the defaults. Measured times stay if the parameter was unknown.
    pub fn set_within(&mut self, defaults: Defaults, key: &str, value: &str) -> Result<(), Error> {
        let original = self.clone();
        self.edit(defaults, key, value)?;
        self.adjust_tables(&original);
        Ok(())
    }

    /// Restores a parameter, and adjusts the measured times to it.
    pub fn reset_within(&mut self, defaults: Defaults, symbol: &str, original: &Signature) {
        self.restore(defaults, symbol, original);
        self.adjust_tables(original);
    }

    /// Takes the measured times of the original machine, adjusted to these parameters.
    pub fn adjust_tables(&mut self, original: &Signature) {
        let (before, after) = (with_assumed(original, self), without_tables(self));
        let of_change = |table: &Table| kept(table, &before, &after);
        self.tables = match before.tiers == after.tiers {
            true => original.tables.clone(),
            false => original.tables.iter().filter_map(of_change).collect(),
        };
    }
}

/// The measured times of single messages, adjusted to changed parameters. The part that no parameter
/// explains is multiplied by `rest`.
pub(crate) fn messages(before: &Signature, after: &Signature, rest: f64) -> Vec<Table> {
    let (bare_before, bare_after) = (without_tables(before), without_tables(after));
    let messages = before.tables.iter().filter(|table| table.is_of_one_pair());
    messages.filter_map(|table| adjusted(table, &bare_before, &bare_after, rest)).collect()
}

/// The table after a change of parameters, if its times can be adjusted.
fn kept(table: &Table, before: &Signature, after: &Signature) -> Option<Table> {
    let tier = table.tier.as_deref();
    let (old, new) = (before.tier(tier).ok()?, after.tier(tier).ok()?);
    match table.is_of_one_pair() {
        true if old == new => Some(table.clone()),
        true if without_terms(old) == without_terms(new) => adjusted(table, before, after, 1.0),
        _ => None,
    }
}

/// The times of a table, changed term by term.
fn adjusted(table: &Table, before: &Signature, after: &Signature, rest: f64) -> Option<Table> {
    let (before, after) = (route(before, table)?, route(after, table)?);
    let change = |point: &Point| {
        let old = Message::of(&before, point.bytes)?;
        let new = Message::of(&after, point.bytes)?;
        if old == new {
            return Some(*point);
        }
        let time = time(&old.clone().taking(point.value), &old, &new, rest);
        let factor = time.0 / point.value.0;
        let by = |bound: Micros| bound * factor;
        Some(Point { value: time, low: point.low.map(by), high: point.high.map(by), ..*point })
    };
    let points: Vec<Point> = table.points.iter().map(change).collect::<Option<_>>()?;
    Some(Table { adjusted: table.adjusted || points != table.points, points, ..table.clone() })
}

fn route<'a>(signature: &'a Signature, table: &Table) -> Option<Route<'a>> {
    let route = Route::of(signature, table.tier.as_deref(), None).ok()?;
    let style = route.tier.style(table.style.as_deref()).ok()?;
    Some(Route { style, ..route })
}

/// The time of a message whose terms were `taken` from a measurement, after a change of the parameters
/// from `old` to `new`.
fn time(taken: &Message, old: &Message, new: &Message, rest: f64) -> Micros {
    let ratio = |term: fn(&Message) -> Interval<Micros>| {
        let [taken, old, new] = [taken, old, new].map(|message| term(message).value);
        if old.0 == 0.0 { taken + new } else { taken * (new.0 / old.0) }
    };
    let latency = new.latency.value + (taken.latency.value - old.latency.value) * rest;
    ratio(|message| message.send)
        + ratio(|message| message.bytes)
        + ratio(|message| message.recv)
        + latency.max(Micros(0.0))
}

fn without_tables(signature: &Signature) -> Signature {
    Signature { tables: Vec::new(), ..signature.clone() }
}

/// A tier without the parameters that are terms of one message, and without those that do not enter
/// it.
fn without_terms(tier: &Tier) -> Tier {
    let bare = |style: &Style| Style { send_overhead: None, recv_overhead: None, ..style.clone() };
    Tier {
        latency: None,
        gap: None,
        gap_per_byte: None,
        node_gap_per_byte: None,
        styles: tier.styles.iter().map(bare).collect(),
        ..tier.clone()
    }
}

/// The original machine, where unknown parameters have their assumed values.
fn with_assumed(original: &Signature, changed: &Signature) -> Signature {
    let mut machine = without_tables(original);
    for tier in &changed.tiers {
        match machine.tiers.iter_mut().find(|own| own.name == tier.name) {
            Some(own) => assume_in_tier(own, tier),
            None => machine.tiers.push(tier.clone()),
        }
    }
    machine
}

fn assume_in_tier(own: &mut Tier, from: &Tier) {
    assume(&mut own.latency, &from.latency);
    assume(&mut own.gap, &from.gap);
    assume(&mut own.gap_per_byte, &from.gap_per_byte);
    assume(&mut own.node_gap_per_byte, &from.node_gap_per_byte);
    assume(&mut own.end_to_end_latency, &from.end_to_end_latency);
    assume_whole(&mut own.gap_by_size, &from.gap_by_size);
    for style in &from.styles {
        match own.styles.iter_mut().find(|own| own.name == style.name) {
            Some(own) => assume_in_style(own, style),
            None => own.styles.push(style.clone()),
        }
    }
    match (&mut own.progress, &from.progress) {
        (Some(own), Some(from)) => assume_in_progress(own, from),
        (own, from) => assume_whole(own, from),
    }
}

fn assume_in_style(own: &mut Style, from: &Style) {
    assume_whole(&mut own.send_overhead, &from.send_overhead);
    assume_whole(&mut own.recv_overhead, &from.recv_overhead);
    assume(&mut own.startup, &from.startup);
    assume(&mut own.per_byte, &from.per_byte);
    assume(&mut own.eager_limit, &from.eager_limit);
}

fn assume_in_progress(own: &mut Progress, from: &Progress) {
    assume(&mut own.eager_limit, &from.eager_limit);
    assume(&mut own.control_overhead, &from.control_overhead);
    assume_whole(&mut own.kind, &from.kind);
    assume_whole(&mut own.initiation, &from.initiation);
    assume_whole(&mut own.copy, &from.copy);
    if own.transfer.is_empty() {
        own.transfer.clone_from(&from.transfer);
    }
}

fn assume<U: Clone>(own: &mut Option<Parameter<U>>, from: &Option<Parameter<U>>) {
    if own.as_ref().is_none_or(|parameter| parameter.value.is_none()) {
        own.clone_from(from);
    }
}

fn assume_whole<T: Clone>(own: &mut Option<T>, from: &Option<T>) {
    if own.is_none() {
        own.clone_from(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::measured::Basis;
    use crate::units::Bytes;

    /// Measured times of the first tier, by size.
    fn times(machine: &Signature) -> Vec<(Bytes, Micros, Basis)> {
        let tier = machine.tier(None).unwrap();
        let table = machine.message_table(tier, None).unwrap();
        let time = |bytes| machine.measured_message(tier, None, bytes).unwrap();
        let sizes = table.points.iter().map(|point| point.bytes);
        sizes.map(|bytes| (bytes, time(bytes).time.value, time(bytes).basis)).collect()
    }

    /// Built-in machines with measured times of messages and all terms.
    fn measured() -> Vec<Signature> {
        let machines = library::names().map(|name| library::load(name).unwrap());
        let machines: Vec<Signature> = machines
            .filter(|machine| {
                let Ok(route) = Route::of(machine, None, None) else { return false };
                route.measured(Bytes(8)).is_some()
                    && route.gap_per_byte().is_some()
                    && Message::of(&route, Bytes(8)).is_some()
            })
            .collect();
        assert!(machines.len() >= 3, "{}", machines.len());
        machines
    }

    #[test]
    fn a_longer_latency_adds_its_difference_to_each_measured_time() {
        for machine in measured() {
            let mut changed = machine.clone();
            let latency = Route::of(&machine, None, None).unwrap().latency().unwrap().value;
            changed.set("L", &format!("{}us", latency.0 + 1.0)).unwrap();
            for ((bytes, old, _), (_, new, basis)) in times(&machine).iter().zip(times(&changed)) {
                let name = &machine.name;
                assert!(
                    (new.0 - old.0 - 1.0).abs() < 1e-9 * new.0,
                    "{name}, {bytes:?}: {old:?} {new:?}"
                );
                assert_eq!(basis, Basis::Adjusted, "{name}");
            }
        }
    }

    /// A change of 0.1% used to jump from the measured to the modelled time.
    #[test]
    fn a_small_change_changes_each_measured_time_little() {
        for machine in measured() {
            let route = Route::of(&machine, None, None).unwrap();
            let per_byte = route.gap_per_byte().unwrap().value.0;
            let mut changed = machine.clone();
            changed.set("G", &format!("{}us", per_byte * 1.001)).unwrap();
            let (mut grown, olds) = (0, times(&machine));
            for ((bytes, old, _), (_, new, _)) in olds.iter().zip(times(&changed)) {
                let ratio = new.0 / old.0;
                let name = &machine.name;
                assert!((1.0..1.001_001).contains(&ratio), "{name}, {bytes:?}: {old:?} {new:?}");
                grown += usize::from(ratio > 1.000_1);
            }
            assert!(grown > 0, "{}: G is no part of a long message", machine.name);
        }
    }

    #[test]
    fn changes_in_steps_end_at_the_same_times_and_a_reset_restores_them() {
        for machine in measured() {
            let mut at_once = machine.clone();
            at_once.set("L", "9us").unwrap();
            let mut changed = machine.clone();
            for latency in ["4us", "0", "30us", "9us"] {
                changed.set("L", latency).unwrap();
                changed.adjust_tables(&machine);
            }
            assert_eq!(times(&changed), times(&at_once), "{}", machine.name);
            changed.reset_within(Defaults::default(), "L", &machine);
            assert_eq!(changed, machine);
        }
    }

    /// To assume an unknown parameter changes nothing that was measured.
    #[test]
    fn measured_times_stay_if_a_parameter_was_unknown() {
        let mut cloud = library::load("aws-c5n-18xlarge").unwrap();
        let measured = cloud.tables.clone();
        for (key, value) in [("L", "5us"), ("o_s", "2us"), ("send.o_r", "2us"), ("O'", "1us")] {
            cloud.set(key, value).unwrap();
            assert_eq!(cloud.tables, measured, "{key}");
        }
    }

    #[test]
    fn times_that_cannot_be_adjusted_are_left_out() {
        let machine = &measured()[0];
        let mut operations = machine.clone();
        operations.tables.push(Table {
            op: Some(crate::signature::Operation::Bcast),
            tier: None,
            procs: Some(crate::units::Procs(8)),
            ..machine.tables[0].clone()
        });
        operations.set("L", "9us").unwrap();
        assert!(operations.tables.iter().all(Table::is_of_one_pair));
        assert!(!operations.tables.is_empty());
        let mut protocol = machine.clone();
        protocol.set("S", "1KiB").unwrap();
        protocol.set("S", "4KiB").unwrap();
        assert!(protocol.message_table(protocol.tier(None).unwrap(), None).is_none());
    }

    #[test]
    fn only_the_changed_tier_is_adjusted() {
        let mut machine = measured().remove(0);
        let mut inside = machine.tiers[0].clone();
        inside.name = "inside".to_owned();
        machine.tiers.push(inside);
        let mut table = machine.tables[0].clone();
        table.tier = Some("inside".to_owned());
        machine.tables.push(table.clone());
        machine.set("L", "9us").unwrap();
        assert_eq!(machine.tables.last(), Some(&table));
        assert!(machine.tables[0].adjusted);
    }
}
