//! Collective operations of a changed machine: the measured time or the closed form before the
//! change, scaled. Its startup, its bytes and its arithmetic change by the same ratios as those of
//! the algorithm that was the fastest; the library is assumed to keep its algorithm.

use super::algorithm::Parts;
use super::assumed::assume_costs;
use super::request::CollectiveRequest;
use loggia_model::Error;
use loggia_model::measured::Basis;
use loggia_model::model::composition::CollectiveMethod;
use loggia_model::model::{Route, Warning};
use loggia_model::signature::Signature;
use loggia_model::units::Micros;

const SCALED: Warning = Warning::Remark(
    "a parameter was changed: the time before the change is scaled as the fastest algorithm",
);

const NO_EFFECT: Warning = Warning::Remark(
    "a parameter was changed, without effect on this time: no algorithm can be predicted here",
);

/// Ratios of the parts of a time, after and before the change.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ratios {
    startup: f64,
    bytes: f64,
    compute: f64,
}

const UNCHANGED: Ratios = Ratios { startup: 1.0, bytes: 1.0, compute: 1.0 };

impl CollectiveRequest<'_> {
    /// Methods by measured times and closed forms; on a changed machine, scaled.
    pub(super) fn forms(
        &self,
        of: impl FnOnce(&Signature) -> Result<Vec<CollectiveMethod>, Error>,
    ) -> Result<Vec<CollectiveMethod>, Error> {
        let before = self.with_costs.unwrap_or(self.signature).before_change();
        let Some(before) = before else { return of(self.signature) };
        let ratios = self.ratios().ok();
        let methods = of(&before)?.into_iter().map(|method| scaled(method, ratios));
        let mut methods: Vec<CollectiveMethod> = methods.collect();
        methods.sort_by(CollectiveMethod::compared);
        Ok(methods)
    }

    /// The ratios of the algorithm that was the fastest before the change.
    fn ratios(&self) -> Result<Ratios, Error> {
        // Algorithms by parameters alone: a measured message may have no time after the change.
        let mut now = self.with_costs.unwrap_or(self.signature).without_measurements();
        let tier = now.tier(self.tier)?.name.clone();
        assume_costs(&mut now, &tier, self.style)?;
        let Some(before) = now.before_change() else { return Ok(UNCHANGED) };
        let on = |signature| CollectiveRequest { signature, ..self.clone() };
        let [before, now] = [on(&before), on(&now)];
        let fastest = before.algorithm_model()?.best_parts(&self.question);
        let (algorithm, was) =
            fastest.ok_or_else(|| self.question.nothing_known(self.signature))?;
        let is = now.algorithm_model()?.parts(&self.question, algorithm)?;
        let ratio = |part: fn(&Parts) -> Micros, unknown| match part(&was).0 {
            0.0 => unknown,
            was => part(&is).0 / was,
        };
        let each = |request: &CollectiveRequest| {
            let route = Route::of(request.signature, self.tier, self.style).ok()?;
            Some(route.gap_per_byte()?.value.0).filter(|each| *each > 0.0)
        };
        let per_byte = each(&before).zip(each(&now)).map_or(1.0, |(was, is)| is / was);
        Ok(Ratios {
            startup: ratio(|it| it.startup, 1.0),
            bytes: ratio(|it| it.bytes, per_byte),
            compute: ratio(|it| it.compute, 1.0),
        })
    }
}

/// The method with its parts scaled; without ratios, it is unchanged.
fn scaled(mut method: CollectiveMethod, ratios: Option<Ratios>) -> CollectiveMethod {
    if ratios == Some(UNCHANGED) {
        return method;
    }
    for cost in &mut method.parts {
        let prediction = &mut cost.prediction;
        let Some(ratios) = ratios else {
            prediction.warnings.push(NO_EFFECT);
            continue;
        };
        for (part, ratio) in [
            (&mut cost.startup, ratios.startup),
            (&mut cost.transmission, ratios.bytes),
            (&mut cost.compute, ratios.compute),
        ] {
            *part = part.map(|time| time * ratio);
        }
        for term in &mut prediction.terms {
            let ratio = match term.symbol {
                "T0" => ratios.startup,
                "t_c" => ratios.compute,
                _ => ratios.bytes,
            };
            term.each = term.each.map(|time| time * ratio);
        }
        let parts = [cost.startup, cost.transmission, cost.compute];
        let sum: Micros = parts.into_iter().flatten().sum();
        prediction.total = prediction.total.map(|total| match total.value.0 {
            0.0 => total,
            before => total.map(|time| time * (sum.0 / before)),
        });
        if prediction.basis.is_of_table() {
            prediction.basis = prediction.basis.max(Basis::Scaled);
        }
        prediction.warnings.push(SCALED);
    }
    method
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use loggia_model::library;
    use loggia_model::model::composition::Question;
    use loggia_model::signature::Operation;
    use loggia_model::units::{Bytes, Procs};

    fn alltoall(machine: &Signature, procs: u32, bytes: u64) -> CollectiveMethod {
        let (op, bytes) = (Operation::Alltoall, Bytes(bytes));
        let question = Question::of(machine, op, Procs(procs), bytes, None).unwrap();
        let request = CollectiveRequest::of(machine, question);
        request.form(|machine| question.by_best_basis(machine)).unwrap()
    }

    fn changed(name: &str, symbol: &str, factor: f64) -> [Signature; 2] {
        let before = library::load(name).unwrap();
        let mut after = before.clone();
        let tier = &before.tiers[0];
        let of = match symbol {
            "L" => tier.latency.as_ref().unwrap().value.unwrap().0,
            _ => tier.gap_per_byte.as_ref().unwrap().value.unwrap().0,
        };
        after.set(symbol, &(of * factor).to_string()).unwrap();
        [before, after]
    }

    /// A measured machine whose L and o are unknown, and a machine with published closed forms.
    #[test]
    fn half_the_gap_per_byte_halves_the_bytes_of_measured_times_and_closed_forms() {
        for (name, basis) in [("aws-p5-48xlarge", Basis::Scaled), ("cray-t3d", Basis::Published)] {
            let machines = changed(name, "G", 0.5);
            let [before, after] = machines.each_ref().map(|of| alltoall(of, 32, 1 << 20));
            let near = |a: Option<Micros>, b: f64| assert!((a.unwrap().0 / b - 1.0).abs() < 1e-3);
            near(after.share(|part| part.startup), before.share(|part| part.startup).unwrap().0);
            let bytes = |of: &CollectiveMethod| of.share(|part| part.transmission);
            near(bytes(&after), bytes(&before).unwrap().0 / 2.0);
            let sum = after.share(|part| part.startup).unwrap() + bytes(&after).unwrap();
            near(after.time(), sum.0);
            assert_eq!(after.basis(), basis, "{name}");
            assert!(after.warnings().contains(&SCALED.to_string()));
        }
    }

    #[test]
    fn a_change_without_effect_keeps_the_measured_time() {
        let [before, same] = changed("aws-p5-48xlarge", "G", 1.0);
        assert_eq!(alltoall(&same, 32, 1024), alltoall(&before, 32, 1024));
        let [before, mut back] = changed("cray-t3d", "L", 2.0);
        assert_ne!(alltoall(&back, 32, 1024), alltoall(&before, 32, 1024));
        let latency = before.tiers[0].latency.as_ref().unwrap().value.unwrap().0;
        back.set("L", &latency.to_string()).unwrap();
        assert_eq!(alltoall(&back, 32, 1024), alltoall(&before, 32, 1024));
    }
}
