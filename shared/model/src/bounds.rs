//! A signature with every parameter at the lower or the upper end of its interval.

use crate::measured::sizes;
use crate::signature::{Curve, Form, Parameter, Signature, Table, Tier};
use crate::units::{IntervalEnd, Magnitude};

impl Signature {
    /// The signature with every value at this end of its interval. Values without an interval are
    /// unchanged.
    #[must_use]
    pub fn at_end(&self, end: IntervalEnd) -> Signature {
        let mut moved = self.clone();
        for tier in moved.tiers_before_and_now().flatten() {
            end.tier(tier);
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

    fn parameter<U: Magnitude + Copy>(self, parameter: &mut Option<Parameter<U>>) {
        let Some(parameter) = parameter else { return };
        let bound = match self {
            IntervalEnd::Low => parameter.low,
            IntervalEnd::High => parameter.high,
        };
        if parameter.value.is_some() && bound.is_some() {
            parameter.value = bound;
            (parameter.low, parameter.high) = (None, None);
        }
    }

    fn curve(self, curve: &mut Option<Curve>) {
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

    fn tier(self, tier: &mut Tier) {
        self.parameter(&mut tier.latency);
        self.parameter(&mut tier.gap);
        self.parameter(&mut tier.gap_per_byte);
        self.parameter(&mut tier.node_gap_per_byte);
        self.parameter(&mut tier.end_to_end_latency);
        self.curve(&mut tier.gap_by_size);
        for style in &mut tier.styles {
            self.curve(&mut style.send_overhead);
            self.curve(&mut style.recv_overhead);
            self.parameter(&mut style.startup);
            self.parameter(&mut style.per_byte);
        }
        if let Some(progress) = &mut tier.progress {
            self.parameter(&mut progress.control_overhead);
            self.curve(&mut progress.initiation);
            self.curve(&mut progress.copy);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::library;

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
}
