//! Parameters set by the user, and the measured times of a machine with changed parameters.
//!
//! # Formula
//! A measured time is divided into the terms of one message ([`Message`]); above S, with a handshake
//! if S is known. Each term changes as its parameter does:
//!
//! - o_s, o_r and G (k−1): the term · new value / old value
//! - L: new value + rest. The rest, which no parameter explains, stays, or is multiplied as L is. If
//!   the term is shorter than L, it changes in proportion, too.
//!
//! Left out are measured times of collective operations and of several pairs, whose messages are
//! unknown; those with an unknown term; and all of a tier whose protocol may differ.

use crate::Error;
use crate::measured::message_table;
use crate::model::Route;
use crate::model::message::Message;
use crate::signature::{Defaults, Point, Signature, Style, Table, Tier};
use crate::units::{Interval, Micros};
use std::iter::once;
use std::ptr;

impl Signature {
    /// Sets `[tier.][style.]symbol` to a typed value; `none` removes it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        self.set_within(Defaults::default(), key, value)
    }

    /// Sets a parameter, and adjusts the measured times to it; a key without tier or send mode refers
    /// to the defaults. Assuming an unknown parameter changes no measured time.
    pub fn set_within(&mut self, defaults: Defaults, key: &str, value: &str) -> Result<(), Error> {
        let before = self.tiers.clone();
        self.edit(defaults, key, value)?;
        self.tables = Change::of(before, &self.tiers, 1.0).tables(&self.tables);
        Ok(())
    }

    /// Takes the measured times of the machine `before` an edit, adjusted to the parameters. If they
    /// are those of the original machine, these are adjusted instead: so many edits give the same as
    /// one, and an edit that is taken back restores them.
    pub fn adjust_tables(&mut self, before: &Signature, original: &Signature) {
        let adjusted = |from: &Signature, tiers: &[Tier]| {
            Change::of(from.tiers.clone(), tiers, 1.0).tables(&from.tables)
        };
        let is_of_original = adjusted(original, &before.tiers) == before.tables;
        if is_of_original || self.tiers != original.tiers {
            let from = if is_of_original { original } else { before };
            self.tables = adjusted(from, &self.tiers);
            return;
        }
        let is_own = |table: &&Table| !original.tables.iter().any(|of| of.measures_the_same(table));
        let own = before.tables.iter().filter(is_own);
        self.tables = original.tables.iter().chain(own).cloned().collect();
    }
}

/// The measured times of single messages, adjusted to changed parameters. The part that no parameter
/// explains is multiplied by `rest`.
pub(crate) fn messages(before: &Signature, after: &Signature, rest: f64) -> Vec<Table> {
    let change = Change::of(before.tiers.clone(), &after.tiers, rest);
    let messages = before.tables.iter().filter(|table| table.is_of_one_pair());
    messages.flat_map(|table| change.messages(table, &before.tables)).collect()
}

/// A change of parameters.
struct Change {
    /// Only parameters; unknown ones have the value of `after`.
    before: Signature,
    /// Only parameters.
    after: Signature,
    /// The factor of the time that no parameter explains.
    rest: f64,
}

impl Change {
    fn of(mut before: Vec<Tier>, after: &[Tier], rest: f64) -> Self {
        for tier in after {
            match before.iter_mut().find(|known| known.name == tier.name) {
                Some(known) => known.add_unknown(tier),
                None => before.push(tier.clone()),
            }
        }
        let [before, after] = [before, after.to_vec()].map(Signature::of_tiers);
        Change { before, after, rest }
    }

    /// The old and the new tier of a table.
    fn tiers(&self, table: &Table) -> Option<[&Tier; 2]> {
        let tier = table.tier.as_deref();
        Some([self.before.tier(tier).ok()?, self.after.tier(tier).ok()?])
    }

    /// These tables, adjusted.
    fn tables(&self, tables: &[Table]) -> Vec<Table> {
        match self.before.tiers == self.after.tiers {
            true => tables.to_vec(),
            false => tables.iter().flat_map(|table| self.kept(table, tables)).collect(),
        }
    }

    /// What remains of one of these tables.
    fn kept(&self, table: &Table, tables: &[Table]) -> Vec<Table> {
        match self.tiers(table) {
            Some([before, after]) if before == after && table.op.is_none() => vec![table.clone()],
            Some([before, after])
                if table.is_of_one_pair() && have_same_protocol(before, after) =>
            {
                self.messages(table, tables)
            }
            _ => Vec::new(),
        }
    }

    /// An adjusted table of messages. If other send modes read it and change otherwise, each gets a
    /// table of its own.
    fn messages(&self, table: &Table, tables: &[Table]) -> Vec<Table> {
        let Some([before, after]) = self.tiers(table) else { return Vec::new() };
        let reads = |style: &&Style| {
            message_table(tables, after, Some(&style.name.0))
                .is_some_and(|read| ptr::eq(read, table))
        };
        let readers: Vec<&Style> = after.styles.iter().filter(reads).collect();
        let named = |style: &&&Style| table.style.as_ref() == Some(&style.name.0);
        let Some(first) = readers.iter().find(named).or(readers.first()) else { return Vec::new() };
        let adjusted = |style: &Style| self.adjusted(table, [before, after], style);
        let main = adjusted(first);
        let others = readers.iter().filter(|style| style.name != first.name).filter_map(|style| {
            let own = adjusted(style)?;
            let is_other = main.as_ref().is_none_or(|main| main.points != own.points);
            is_other.then(|| Table { style: Some(style.name.0.clone()), ..own })
        });
        main.iter().cloned().chain(others).collect()
    }

    /// The times of a table by the parameters of a send mode; `None` if a term is unknown, or a time
    /// is no number above 0.
    fn adjusted(&self, table: &Table, [before, after]: [&Tier; 2], style: &Style) -> Option<Table> {
        let name = Some(style.name.0.as_str());
        let before = Route {
            signature: &self.before,
            tier: before,
            style: before.style(name).ok().flatten(),
        };
        let after = Route { signature: &self.after, tier: after, style: Some(style) };
        if before.gap_per_byte().is_some() && after.gap_per_byte().is_none() {
            return None;
        }
        let limit = before.eager_limit();
        let change = |point: &Point| {
            let shakes_hands = limit.is_some_and(|limit| point.bytes > limit.value);
            let of =
                |route: &Route| Message::new(route, point.bytes, route.latency()?, shakes_hands);
            let (old, new) = (of(&before)?, of(&after)?);
            if old == new {
                return Some(*point);
            }
            let time = self.time(&old.clone().taking(point.value), &old, &new);
            let factor = time.0 / point.value.0;
            let [low, high] = [point.low, point.high].map(|bound| bound.map(|time| time * factor));
            // Rounding moves no bound beyond the time.
            let (low, high) = (low.map(|low| low.min(time)), high.map(|high| high.max(time)));
            let is_time = time.0.is_finite() && time.0 > 0.0;
            is_time.then_some(Point { value: time, low, high, ..*point })
        };
        let points: Vec<Point> = table.points.iter().map(change).collect::<Option<_>>()?;
        Some(Table { adjusted: table.adjusted || points != table.points, points, ..table.clone() })
    }

    /// The time of a message whose terms were `taken` from a measurement, after its terms by the
    /// parameters changed from `old` to `new`.
    fn time(&self, taken: &Message, old: &Message, new: &Message) -> Micros {
        let in_proportion = |term: fn(&Message) -> Micros| {
            let [taken, old, new] = [taken, old, new].map(term);
            if old.0 == 0.0 { taken + new } else { taken * (new.0 / old.0) }
        };
        let rest = taken.latency.value - old.latency.value;
        let latency = match rest.0 >= 0.0 {
            true => new.latency.value + rest * self.rest,
            false => in_proportion(|message| message.latency.value),
        };
        let flights = if old.handshake.is_some() { 3.0 } else { 1.0 };
        in_proportion(|message| message.send.value)
            + in_proportion(|message| message.bytes.value)
            + in_proportion(|message| message.recv.value)
            + in_proportion(control)
            + latency * flights
    }
}

/// Time of the calls for both messages of a handshake.
fn control(message: &Message) -> Micros {
    let each = |[send, recv]: [Interval<Micros>; 2]| (send.value + recv.value) * 2.0;
    message.handshake.map_or(Micros(0.0), each)
}

/// Whether messages of both tiers have the same protocol.
fn have_same_protocol(before: &Tier, after: &Tier) -> bool {
    let limits = |tier: &Tier| {
        let of_tier = tier.progress.as_ref().and_then(|progress| progress.eager_limit.clone());
        let of_styles = tier.styles.iter().map(|style| style.eager_limit.clone());
        once(of_tier).chain(of_styles).map(|limit| limit?.value).collect::<Vec<_>>()
    };
    let others = |tier: &Tier| {
        let progress = tier.progress.clone().unwrap_or_default();
        let control = progress.control_overhead.and_then(|control| control.value);
        (progress.kind, progress.transfer, control, progress.initiation, progress.copy)
    };
    limits(before) == limits(after) && others(before) == others(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::measured::Basis;
    use crate::signature::StyleName;
    use crate::units::Bytes;

    /// Measured times of the first tier, by size.
    fn times(machine: &Signature) -> Vec<(Bytes, Micros, Basis)> {
        let tier = machine.tier(None).unwrap();
        let table = machine.message_table(tier, None).unwrap();
        let time = |bytes| machine.measured_message(tier, None, None, bytes).unwrap();
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

    /// Above S, a handshake takes two more latencies.
    #[test]
    fn a_longer_latency_adds_its_difference_to_each_measured_time() {
        for machine in measured() {
            let route = Route::of(&machine, None, None).unwrap();
            let limit = route.eager_limit().map_or(Bytes(u64::MAX), |limit| limit.value);
            let mut changed = machine.clone();
            let latency = route.latency().unwrap().value;
            changed.set("L", &format!("{}us", latency.0 + 1.0)).unwrap();
            for ((bytes, old, _), (_, new, basis)) in times(&machine).iter().zip(times(&changed)) {
                let added = if *bytes > limit { 3.0 } else { 1.0 };
                let error = (new.0 - old.0 - added).abs();
                assert!(error < 1e-9 * new.0, "{}, {bytes:?}: {old:?} {new:?}", machine.name);
                assert_eq!(basis, Basis::Adjusted, "{}", machine.name);
            }
        }
    }

    /// There is no jump from the measured to the modelled time.
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
    fn many_edits_give_the_same_as_one_and_can_be_taken_back() {
        for machine in measured() {
            let edited = |before: &Signature, key: &str, value: &str| {
                let mut changed = before.clone();
                changed.edit(Defaults::default(), key, value).unwrap();
                changed.adjust_tables(before, &machine);
                changed
            };
            let mut changed = machine.clone();
            for latency in ["4us", "0", "30us", "9us"] {
                changed = edited(&changed, "L", latency);
            }
            assert_eq!(times(&changed), times(&edited(&machine, "L", "9us")), "{}", machine.name);
            // By another way than from the original, up to rounding.
            let mut in_steps = machine.clone();
            for latency in ["4us", "30us", "9us"] {
                in_steps.set("L", latency).unwrap();
            }
            for ((bytes, one, _), (_, other, _)) in times(&changed).iter().zip(times(&in_steps)) {
                let error = (one.0 - other.0).abs();
                assert!(error < 1e-9 * one.0, "{}, {bytes:?}: {one:?} {other:?}", machine.name);
            }
            // An assumed S changes no measured time, whatever it is.
            if Route::of(&machine, None, None).unwrap().eager_limit().is_none() {
                assert_eq!(times(&edited(&machine, "S", "7")), times(&machine));
                continue;
            }
            let other_protocol = edited(&changed, "S", "7");
            assert!(other_protocol.message_table(&machine.tiers[0], None).is_none());
            let restored = |mut from: Signature, symbol| {
                let before = from.clone();
                from.restore(Defaults::default(), symbol, &machine);
                from.adjust_tables(&before, &machine);
                from
            };
            assert!(restored(restored(other_protocol.clone(), "S"), "L") == machine);
            // Tables that the reader has added stay.
            let mut added = restored(other_protocol, "L");
            let own = Table { pairs: Some(7), ..machine.tables[0].clone() };
            added.tables.push(own.clone());
            assert!(restored(added, "S").tables == [&machine.tables[..], &[own]].concat());
        }
    }

    /// Whatever is changed or removed, the machine stays valid: a table is left out instead.
    #[test]
    fn no_adjusted_time_is_invalid() {
        for machine in measured() {
            for value in ["0", "none", "1e-9us", "1s"] {
                let mut all = machine.clone();
                for symbol in ["L", "o_s", "o_r", "G"] {
                    let mut one = machine.clone();
                    // A clock with coarse ticks: bounds equal their value.
                    for point in &mut one.tables[0].points {
                        (point.low, point.high) = (Some(point.value), Some(point.value));
                    }
                    one.set(symbol, value).unwrap();
                    one.validate().unwrap();
                    all.set(symbol, value).unwrap();
                    all.validate().unwrap();
                }
            }
            let mut without_bytes = machine.clone();
            without_bytes.set("G", "none").unwrap();
            assert!(without_bytes.message_table(&machine.tiers[0], None).is_none());
        }
    }

    /// The first send mode has no table of its own.
    #[test]
    fn each_send_mode_is_adjusted_by_its_own_overheads() {
        let mut machine = measured().remove(0);
        let mut other = machine.tiers[0].styles[0].clone();
        other.name = StyleName("isend".to_owned());
        machine.tiers[0].styles.insert(0, other);
        let measured = |machine: &Signature, style| {
            let time = machine.measured_message(&machine.tiers[0], style, None, Bytes(8)).unwrap();
            (time.time.value, time.basis)
        };
        let before = measured(&machine, Some("isend"));
        assert_eq!(before, measured(&machine, Some("send")));
        machine.set("isend.o_s", "1ms").unwrap();
        assert_eq!(measured(&machine, Some("send")), before);
        let (time, basis) = measured(&machine, None);
        assert!(time > before.0 && basis == Basis::Adjusted, "{time:?}");
    }

    /// EEL and the line of Hockney are no part of RTT/2; the former value of S is no change.
    #[test]
    fn other_parameters_change_no_measured_time() {
        for machine in measured() {
            let limit = Route::of(&machine, None, None).unwrap().eager_limit();
            let limit = limit.map_or("none".to_owned(), |limit| limit.value.0.to_string());
            let mut changed = machine.clone();
            for (key, value) in [("g", "9us"), ("EEL", "9us"), ("t_s", "9us"), ("S", &limit)] {
                changed.set(key, value).unwrap();
                changed.set(key, value).unwrap();
            }
            assert_eq!(times(&changed), times(&machine), "{}", machine.name);
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
