//! Parameters set by the user, and the measured times of a machine with changed parameters.
//!
//! # Formula
//! A measured time is divided into the terms of one message, as in
//! [`message`](crate::model::message). Unknown terms count as 0. Each term changes as its parameter
//! does:
//!
//! - o_s, o_r and G (k−1): the term · new value / old value
//! - L: new value + rest. The rest, which no parameter explains, stays, or is multiplied as L is. If
//!   the term is shorter than L, it changes in proportion, too.
//!
//! Above S, the control messages of a handshake change as well, if the time jumps at S by at least
//! their latencies. Otherwise the measured time has no handshake.
//!
//! Left out are measured times of collective operations and of several pairs, whose messages are
//! unknown; those with a term that becomes unknown; and all of a tier whose protocol may differ.

use crate::Error;
use crate::measured::message_table;
use crate::model::message::Fit;
use crate::model::{CONTROL, Need, Route};
use crate::signature::listing::{Value, entries};
use crate::signature::{At, Defaults, Point, Signature, Style, Table, Tier, Transfer};
use crate::units::{Bytes, Interval, Micros};
use std::ptr;

impl Signature {
    /// Sets `[tier.][style.]symbol` to a typed value; `none` removes it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        self.set_within(Defaults::default(), key, value)
    }

    /// Sets a parameter, and adjusts the measured times to it; a key without tier or send mode refers
    /// to the defaults. Assuming an unknown parameter changes no measured time.
    pub fn set_within(&mut self, defaults: Defaults, key: &str, value: &str) -> Result<(), Error> {
        self.set_all(defaults, [(key, value)], |_, error| error)
    }

    /// Sets parameters, and adjusts the measured times once, so the order does not matter. `placed`
    /// adds the place of an error.
    pub fn set_all<'a>(
        &mut self,
        defaults: Defaults,
        changes: impl IntoIterator<Item = (&'a str, &'a str)>,
        placed: impl Fn((&str, &str), Error) -> Error,
    ) -> Result<(), Error> {
        let before = self.tiers.clone();
        for (key, value) in changes {
            self.edit(defaults, key, value).map_err(|error| placed((key, value), error))?;
        }
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
        let values = |machine: &Signature| machine.tiers.iter().map(values).collect::<Vec<_>>();
        match values(&self.before) == values(&self.after) {
            true => tables.to_vec(),
            false => tables.iter().flat_map(|table| self.kept(table, tables)).collect(),
        }
    }

    /// What remains of one of these tables.
    fn kept(&self, table: &Table, tables: &[Table]) -> Vec<Table> {
        if table.is_of_one_pair() {
            return self.messages(table, tables);
        }
        let is_unchanged = |[before, after]: [&Tier; 2]| values(before) == values(after);
        let is_kept = table.op.is_none() && self.tiers(table).is_some_and(is_unchanged);
        if is_kept { vec![table.clone()] } else { Vec::new() }
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
        let first = readers.iter().find(named).or(readers.first()).copied();
        let adjusted = |style: Option<&Style>| self.adjusted(table, [before, after], style);
        let main = adjusted(first);
        let others = readers.iter().filter(|style| Some(&style.name) != first.map(|of| &of.name));
        let others = others.filter_map(|style| {
            let own = adjusted(Some(style))?;
            let is_other = main.as_ref().is_none_or(|main| main.points != own.points);
            is_other.then(|| Table { style: Some(style.name.0.clone()), ..own })
        });
        main.iter().cloned().chain(others).collect()
    }

    /// The times of a table by the parameters of a send mode; `None` if the protocol differs, a term
    /// becomes unknown, or a time is no number above 0.
    fn adjusted(
        &self,
        table: &Table,
        [before, after]: [&Tier; 2],
        style: Option<&Style>,
    ) -> Option<Table> {
        let name = style.map(|style| style.name.0.as_str());
        let before = Route {
            signature: &self.before,
            tier: before,
            style: name.and_then(|name| before.style(Some(name)).ok().flatten()),
        };
        let after = Route { signature: &self.after, tier: after, style };
        let is_lost = |need: &Need| before.has(*need) && !after.has(*need);
        if [Need::Latency, Need::SendOverhead, Need::RecvOverhead, Need::GapPerByte]
            .iter()
            .any(is_lost)
            || progress_overheads(before.tier) != progress_overheads(after.tier)
        {
            return None;
        }
        let jump = jump_at_limit(&table.points, &before);
        let change = |point: &Point| {
            if handshake(&before, point.bytes) != handshake(&after, point.bytes) {
                return None;
            }
            let of = |route: &Route| Terms::of(route, point.bytes, jump);
            let (old, new) = (of(&before), of(&after));
            if old == new && self.rest == 1.0 {
                return Some(*point);
            }
            let time = self.time(point.value, &old, &new);
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

    /// A measured time after its terms by the parameters have changed from `old` to `new`.
    fn time(&self, measured: Micros, old: &Terms, new: &Terms) -> Micros {
        let calls = sum(old.calls.into_iter());
        let fit = Fit::to(measured, calls, (old.latency, old.flights), old.bytes);
        let in_proportion = |taken: Micros, old: Micros, new: Micros| {
            if old.0 == 0.0 { taken + new } else { taken * (new.0 / old.0) }
        };
        let calls = old.calls.iter().zip(&new.calls);
        let calls = calls.map(|(old, new)| in_proportion(*old * fit.calls, *old, *new));
        let rest = fit.latency - old.latency;
        let latency = match rest.0 >= 0.0 {
            true => new.latency + rest * self.rest,
            false => in_proportion(fit.latency, old.latency, new.latency),
        };
        sum(calls) + in_proportion(fit.bytes, old.bytes, new.bytes) + latency * old.flights
    }
}

fn sum(times: impl Iterator<Item = Micros>) -> Micros {
    times.fold(Micros(0.0), |sum, time| sum + time)
}

/// The terms of a message by its parameters; unknown ones are 0.
#[derive(Debug, PartialEq)]
struct Terms {
    /// o_s, o_r, and the calls of the control messages.
    calls: [Micros; 3],
    /// L
    latency: Micros,
    /// Number of latencies.
    flights: f64,
    /// G (k−1)
    bytes: Micros,
}

impl Terms {
    /// Above S, with the control messages of a handshake if the measured time jumps by their
    /// latencies.
    fn of(route: &Route, bytes: Bytes, jump: Option<Micros>) -> Self {
        let time = |at: Option<At>| at.map_or(Micros(0.0), |at| at.time.value);
        let latency = route.latency().map_or(Micros(0.0), |latency| latency.value);
        let control = match handshake(route, bytes) {
            Some(_) => route.control_messages(bytes),
            None => 0.0,
        };
        let control =
            if jump.is_some_and(|jump| jump >= latency * control) { control } else { 0.0 };
        let of_control = time(route.send_overhead(CONTROL)) + time(route.recv_overhead(CONTROL));
        Terms {
            calls: [
                time(route.send_overhead(bytes)),
                time(route.recv_overhead(bytes)),
                of_control * control,
            ],
            latency,
            flights: 1.0 + control,
            bytes: route
                .gap_per_byte()
                .map_or(Micros(0.0), |each| each.value.of(bytes.after_the_first())),
        }
    }
}

/// The handshake of a message, by its transfer if that is known; `None` for an eager message.
fn handshake(route: &Route, bytes: Bytes) -> Option<Option<Transfer>> {
    let transfer = || route.tier.progress.as_ref()?.transfer_at(bytes);
    (bytes > route.eager_limit()?.value).then(transfer)
}

/// The increase of the measured time at S beyond that of the bytes. `None` if S is unknown or above
/// all sizes; infinite if S is below all.
fn jump_at_limit(points: &[Point], route: &Route) -> Option<Micros> {
    let limit = route.eager_limit()?.value;
    let above = points.partition_point(|point| point.bytes <= limit);
    let larger = points.get(above)?;
    let Some(eager) = above.checked_sub(1).and_then(|place| points.get(place)) else {
        return Some(Micros(f64::INFINITY));
    };
    let more = (larger.bytes.0 - eager.bytes.0) as f64;
    let bytes = route.gap_per_byte().map_or(Micros(0.0), |each| each.value.of(more));
    Some(larger.value - eager.value - bytes)
}

/// Parameters that are no part of a measured time.
const OTHERS: [&str; 5] = ["EEL", "t_s", "t_b", "g(m)", "progress"];
/// Overheads of LogGPO.
const PROGRESS_OVERHEADS: [&str; 3] = ["O'", "O_i", "O_c"];

/// The values of a tier's parameters that measured times may depend on.
fn values(tier: &Tier) -> Vec<(Option<String>, String, Value)> {
    let value = |value| match value {
        Value::Number(interval) => Value::Number(Interval::exact(interval.value)),
        Value::Points(points) => Value::Points(points.into_iter().map(without_bounds).collect()),
        other => other,
    };
    let known = entries(tier).into_iter().filter(|entry| entry.value != Value::None);
    let relevant = known.filter(|entry| !OTHERS.contains(&entry.symbol.as_str()));
    relevant.map(|entry| (entry.style, entry.symbol, value(entry.value))).collect()
}

fn progress_overheads(tier: &Tier) -> Vec<(Option<String>, String, Value)> {
    let is_one = |symbol: &str| PROGRESS_OVERHEADS.contains(&symbol);
    values(tier).into_iter().filter(|(_, symbol, _)| is_one(symbol)).collect()
}

fn without_bounds(point: Point) -> Point {
    Point { low: None, high: None, ..point }
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
                let terms =
                    [Need::Latency, Need::SendOverhead, Need::RecvOverhead, Need::GapPerByte];
                route.measured(Bytes(8)).is_some() && terms.iter().all(|need| route.has(*need))
            })
            .collect();
        assert!(machines.len() >= 3, "{}", machines.len());
        machines
    }

    /// No built-in table shows a handshake at S.
    #[test]
    fn a_longer_latency_adds_its_difference_to_each_measured_time() {
        for machine in measured() {
            let route = Route::of(&machine, None, None).unwrap();
            let mut changed = machine.clone();
            let latency = route.latency().unwrap().value;
            changed.set("L", &format!("{}us", latency.0 + 1.0)).unwrap();
            for ((bytes, old, _), (_, new, basis)) in times(&machine).iter().zip(times(&changed)) {
                let error = (new.0 - old.0 - 1.0).abs();
                assert!(error < 1e-9 * new.0, "{}, {bytes:?}: {old:?} {new:?}", machine.name);
                assert_eq!(basis, Basis::Adjusted, "{}", machine.name);
            }
        }
    }

    /// The measured time jumps at S by two latencies (RAT) or one (RTA), and by the calls.
    #[test]
    fn a_measured_handshake_has_latencies_of_its_own() {
        for (transfer, count) in [("rat", 2.0), ("rta", 1.0)] {
            let mut machine = library::load("azure-hbv2").unwrap();
            machine.set("S", "4KiB").unwrap();
            machine.set("transfer", transfer).unwrap();
            let route = Route::of(&machine, None, None).unwrap();
            let latency = route.latency().unwrap().value;
            let control = Terms::of(&route, Bytes(8192), Some(Micros(f64::INFINITY)));
            let added = latency * count + control.calls[2];
            for point in machine.tables[0].points.iter_mut().filter(|p| p.bytes > Bytes(4096)) {
                point.value = point.value + added;
                (point.low, point.high) = (None, None);
            }
            let mut changed = machine.clone();
            changed.set("L", &format!("{}us", latency.0 * 0.5)).unwrap();
            for ((bytes, old, _), (_, new, _)) in times(&machine).iter().zip(times(&changed)) {
                let flights = if *bytes > Bytes(4096) { 1.0 + count } else { 1.0 };
                let error = (old.0 - new.0 - flights * latency.0 * 0.5).abs();
                assert!(error < 1e-9 * old.0, "{transfer}, {bytes:?}: {old:?} {new:?}");
            }
        }
    }

    /// L, o_s or o_r of these machines is unknown.
    #[test]
    fn unknown_terms_stay_as_they_are() {
        for name in ["blue-waters", "piz-daint", "aws-c5n-18xlarge"] {
            let machine = library::load(name).unwrap();
            let per_byte = Route::of(&machine, None, None).unwrap().gap_per_byte().unwrap().value;
            let with = |key: &str, value: &str| {
                let mut changed = machine.clone();
                changed.set(key, value).unwrap();
                times(&changed)
            };
            let equal = format!("{}ns", per_byte.0 * 1e3);
            for (key, value) in [("EEL", "9us"), ("g", "9us"), ("R_N", "1GB/s"), ("G", &equal)] {
                let changed = with(key, value);
                for ((bytes, old, _), (_, new, _)) in times(&machine).iter().zip(changed) {
                    assert!((old.0 / new.0 - 1.0).abs() < 1e-12, "{name}, {key}, {bytes:?}");
                }
            }
            let slower = with("G", &format!("{}ns", per_byte.0 * 1.1e3));
            let last = |times: &[(Bytes, Micros, Basis)]| times.last().unwrap().1.0;
            let ratio = last(&slower) / last(&times(&machine));
            assert!((1.01..1.101).contains(&ratio), "{name}: {ratio}");
        }
    }

    #[test]
    fn the_order_of_changes_does_not_matter() {
        let machine = library::load("deep-est").unwrap();
        let changes = [("S", "16KiB"), ("L", "5us"), ("L", "6us")];
        let with = |changes: &mut dyn Iterator<Item = (&'static str, &'static str)>| {
            let mut changed = machine.clone();
            changed.set_all(Defaults::default(), changes, |_, error| error).unwrap();
            times(&changed)
        };
        let all = with(&mut changes.into_iter());
        assert_eq!(all, with(&mut [changes[1], changes[2], changes[0]].into_iter()));
        assert_eq!(all, with(&mut [changes[0], changes[2]].into_iter()));
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
