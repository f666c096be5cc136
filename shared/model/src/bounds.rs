//! A signature with every parameter at the lower or the upper end of its interval.

use crate::measured::sizes;
use crate::signature::{Curve, Form, Parameter, Point, Signature, Table, Tier};
use crate::units::{IntervalEnd, Magnitude};

impl Signature {
    /// The signature with every value at this end of its interval. Values without an interval are
    /// unchanged.
    #[must_use]
    pub fn at_end(&self, end: IntervalEnd) -> Signature {
        let mut moved = self.clone();
        for (tier, own) in moved.tiers.iter_mut().zip(&self.tiers) {
            end.tier(tier, own);
        }
        // A typed value has no interval: then the value before the change does not move, either.
        for before in &mut moved.tiers_before_change {
            let now = self.tiers.iter().find(|now| now.name == before.name);
            now.into_iter().for_each(|now| end.tier(before, now));
        }
        for form in &mut moved.collectives {
            end.form(&mut form.startup);
            form.per_byte.iter_mut().for_each(|form| end.form(form));
            form.compute_per_byte.iter_mut().for_each(|form| end.form(form));
        }
        for table in &mut moved.tables {
            end.table(table);
        }
        moved
    }
}

impl IntervalEnd {
    fn table(self, table: &mut Table) {
        let points = table.points.clone();
        for point in &mut table.points {
            let Some(reading) = sizes::at(&points, point.bytes) else { continue };
            point.value = match self {
                IntervalEnd::Low => reading.time.low,
                IntervalEnd::High => reading.time.high,
            };
            (point.low, point.high) = (None, None);
        }
    }

    /// Moves a parameter if `like` has an interval.
    fn parameter<U: Magnitude + Copy>(
        self,
        parameter: &mut Option<Parameter<U>>,
        like: &Option<Parameter<U>>,
    ) {
        let is_bounded = |of: &Parameter<U>| of.low.is_some() || of.high.is_some();
        let like = like.as_ref().filter(|like| is_bounded(like));
        let (Some(parameter), Some(_)) = (parameter, like) else { return };
        let bound = match self {
            IntervalEnd::Low => parameter.low,
            IntervalEnd::High => parameter.high,
        };
        if parameter.value.is_some() && bound.is_some() {
            parameter.value = bound;
            (parameter.low, parameter.high) = (None, None);
        }
    }

    /// Moves a curve if `like` has an interval.
    fn curve(self, curve: &mut Option<Curve>, like: &Option<Curve>) {
        let is_bounded = |point: &Point| point.low.is_some() || point.high.is_some();
        if !like.iter().flat_map(|like| &like.points).any(is_bounded) {
            return;
        }
        for point in curve.iter_mut().flat_map(|curve| &mut curve.points) {
            let bound = match self {
                IntervalEnd::Low => point.low,
                IntervalEnd::High => point.high,
            };
            point.value = bound.unwrap_or(point.value);
            (point.low, point.high) = (None, None);
        }
    }

    /// Sets all coefficients to one end, which bounds the form, as errors of coefficients may
    /// cancel.
    fn form(self, form: &mut Form) {
        let is_reciprocal = form.reciprocal;
        for term in &mut form.terms {
            let bound = match (self, is_reciprocal) {
                (IntervalEnd::Low, false) | (IntervalEnd::High, true) => term.low,
                (IntervalEnd::High, false) | (IntervalEnd::Low, true) => term.high,
            };
            term.value = bound.unwrap_or(term.value);
            (term.low, term.high) = (None, None);
        }
    }

    /// Moves the parameters of a tier that have an interval in `like`.
    fn tier(self, tier: &mut Tier, like: &Tier) {
        self.parameter(&mut tier.latency, &like.latency);
        self.parameter(&mut tier.gap, &like.gap);
        self.parameter(&mut tier.gap_per_byte, &like.gap_per_byte);
        self.parameter(&mut tier.node_gap_per_byte, &like.node_gap_per_byte);
        self.parameter(&mut tier.end_to_end_latency, &like.end_to_end_latency);
        self.curve(&mut tier.gap_by_size, &like.gap_by_size);
        for style in &mut tier.styles {
            let Some(like) = like.styles.iter().find(|like| like.name == style.name) else {
                continue;
            };
            self.curve(&mut style.send_overhead, &like.send_overhead);
            self.curve(&mut style.recv_overhead, &like.recv_overhead);
            self.parameter(&mut style.startup, &like.startup);
            self.parameter(&mut style.per_byte, &like.per_byte);
        }
        if let (Some(progress), Some(like)) = (&mut tier.progress, &like.progress) {
            self.parameter(&mut progress.control_overhead, &like.control_overhead);
            self.curve(&mut progress.initiation, &like.initiation);
            self.curve(&mut progress.copy, &like.copy);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::library;
    use crate::what_if::WhatIf;

    #[test]
    fn only_values_with_an_interval_change() {
        // Al-Tawil & Moritz 2001, Table 4: L is 4–10 on the Convex.
        let convex = library::load("convex-exemplar").unwrap();
        let of = |signature: &Signature| {
            let tier = signature
                .tiers
                .iter()
                .find(|t| t.latency.as_ref().is_some_and(|l| l.low.is_some()));
            tier.map(|tier| tier.name.clone())
        };
        let name = of(&convex).unwrap();
        let latency = |signature: &Signature| {
            signature.tier(Some(&name)).unwrap().latency.as_ref().unwrap().value.unwrap()
        };
        let known = convex.tier(Some(&name)).unwrap().latency.clone().unwrap();
        assert_eq!(Some(latency(&convex.at_end(IntervalEnd::Low))), known.low);
        assert_eq!(Some(latency(&convex.at_end(IntervalEnd::High))), known.high);
        let t3d = library::load("cray-t3d").unwrap();
        assert_eq!(t3d.at_end(IntervalEnd::High).tiers[0].gap_per_byte, t3d.tiers[0].gap_per_byte);
    }

    /// The old latency moves only if the new one does, so that their ratio stays.
    #[test]
    fn a_typed_value_holds_the_value_before_it() {
        let machine = library::load("alps").unwrap();
        let latency = |tiers: &[Tier]| tiers[0].latency.as_ref().unwrap().value.unwrap();
        let mut typed = machine.clone();
        typed.set("L", "10us").unwrap();
        let high = typed.at_end(IntervalEnd::High);
        assert_eq!(latency(&high.tiers_before_change), latency(&machine.tiers));
        let twice = WhatIf { latency: 2.0, ..WhatIf::default() }.applied(&machine);
        let high = twice.at_end(IntervalEnd::High);
        let ratio = latency(&high.tiers).0 / latency(&high.tiers_before_change).0;
        assert!((ratio - 2.0).abs() < 1e-9);
        assert!(latency(&high.tiers_before_change).0 > latency(&machine.tiers).0);
    }
}
