//! Changed parameters of a machine: multiplied, or set to a value.

use crate::Error;
use crate::error::{Expected, ValueError};
use crate::signature::{Curve, Parameter, ProgressKind, Quality, Signature, Tier};
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
        for tier in &mut changed.tiers {
            self.change(tier);
        }
        changed.changed_from(&signature.tiers);
        changed
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::model::{Need, Route};

    fn time(machine: &Signature, bytes: Bytes) -> Option<f64> {
        let route = Route::of(machine, None, None).ok()?;
        Some(route.measured(bytes)?.time.value.0)
    }

    /// Whether all terms are known.
    fn has_terms(machine: &Signature) -> bool {
        let needs = [Need::SendOverhead, Need::RecvOverhead, Need::Latency];
        let route = Route::of(machine, None, None);
        route.is_ok_and(|route| needs.into_iter().all(|need| route.has(need)))
    }

    /// At measured sizes and between them, each term counts once: if all are halved, so is the time.
    #[test]
    fn the_savings_of_all_terms_are_half_of_a_measured_time() {
        let same = WhatIf::default();
        let halved = [
            WhatIf { latency: 0.5, ..same },
            WhatIf { bandwidth: 2.0, ..same },
            WhatIf { overhead: 0.5, ..same },
        ];
        let mut number = 0;
        for machine in library::all().filter(has_terms) {
            for bytes in (0..24).flat_map(|power| [1, 3].map(|count| Bytes(count << power))) {
                let Some(before) = time(&machine, bytes) else { continue };
                let saved =
                    |what_if: &WhatIf| Some(before - time(&what_if.applied(&machine), bytes)?);
                let Some(saved) = halved.iter().map(saved).collect::<Option<Vec<_>>>() else {
                    continue;
                };
                let place = || format!("{}, {bytes:?}: {saved:?} of {before}", machine.name);
                assert!(saved.iter().all(|time| *time > -1e-9 * before), "{}", place());
                let sum: f64 = saved.iter().sum();
                assert!((sum / before - 0.5).abs() < 1e-9, "{}", place());
                number += 1;
            }
        }
        assert!(number > 400, "{number}");
    }

    /// A message that has another protocol than measured may take another time.
    #[test]
    fn a_measured_time_holds_for_its_protocol() {
        let machine = library::load("deep-est").unwrap();
        let limited = WhatIf { eager_limit: Some(Bytes(1024)), ..WhatIf::default() };
        let limited = limited.applied(&machine);
        assert_eq!(time(&limited, Bytes(8)), time(&machine, Bytes(8)));
        assert!(time(&machine, Bytes(2048)).is_some());
        assert_eq!(time(&limited, Bytes(2048)), None);
    }

    /// A what-if and the same value, typed, are the same change.
    #[test]
    fn a_typed_value_scales_measured_times_as_a_factor_does() {
        let machine = library::load("deep-est").unwrap();
        let twice = WhatIf { latency: 2.0, ..WhatIf::default() }.applied(&machine);
        let latency = twice.tiers[0].latency.as_ref().unwrap().value.unwrap();
        let mut typed = machine.clone();
        typed.set("L", &latency.0.to_string()).unwrap();
        for bytes in [Bytes(8), Bytes(3000), Bytes(1 << 20)] {
            let [before, by_factor, by_value] =
                [&machine, &twice, &typed].map(|of| time(of, bytes).unwrap());
            assert_eq!(by_factor, by_value);
            assert!(by_factor > before && by_factor < 2.0 * before, "{bytes:?}");
        }
    }

    /// What no parameter explains is no latency.
    #[test]
    fn a_longer_latency_adds_its_difference_alone() {
        let alps = library::load("alps").unwrap();
        let latency = alps.tiers[0].latency.as_ref().unwrap().value.unwrap().0;
        let mut far = alps.clone();
        far.set("L", "100us").unwrap();
        let more = time(&far, Bytes(1024)).unwrap() - time(&alps, Bytes(1024)).unwrap();
        assert!((more - (100.0 - latency)).abs() < 1e-6, "{more}");
    }

    /// OSU's latency test gives neither o nor L.
    #[test]
    fn without_overheads_the_bytes_of_a_measured_time_change() {
        let machine = library::load("aws-p5-48xlarge").unwrap();
        assert!(!has_terms(&machine));
        let mut slow = machine.clone();
        slow.set("G", "10ns").unwrap();
        let [before, after] = [&machine, &slow].map(|of| time(of, Bytes(65536)).unwrap());
        assert!(before < 70.0 && after > 10.0 * 65.536 && after < before + 10.0 * 65.536);
    }
}
