//! Estimates a run with multiplied parameters from the terms of its critical path, without running
//! it again. Exact while that path stays the longest.

use loggia_link::state::Inputs;
use loggia_model::units::Micros;
use loggia_simulate::result::Term;

/// The factors of a run, and all other inputs, for which there is no estimate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Factors {
    latency: f64,
    bandwidth: f64,
    overhead: f64,
    compute: f64,
    rest: Inputs,
}

impl Factors {
    pub(crate) fn of(inputs: &Inputs) -> Self {
        let one = |factor: Option<f64>| factor.unwrap_or(1.0);
        Factors {
            latency: one(inputs.scale_latency),
            bandwidth: one(inputs.scale_bandwidth),
            overhead: one(inputs.scale_overhead),
            compute: one(inputs.scale_compute),
            rest: Inputs {
                scale_latency: None,
                scale_bandwidth: None,
                scale_overhead: None,
                scale_compute: None,
                ..inputs.clone()
            },
        }
    }
}

/// Estimated completion time with other factors; `None` if other inputs changed or a factor was 0.
pub(crate) fn estimate(terms: &[Term], then: &Factors, now: &Factors) -> Option<Micros> {
    if then.rest != now.rest {
        return None;
    }
    let part = |term: &Term| {
        let times = match term.symbol {
            "L" => now.latency / then.latency,
            "o" | "O'" | "O" => now.overhead / then.overhead,
            "G" => then.bandwidth / now.bandwidth,
            "computation" => now.compute / then.compute,
            _ => 1.0,
        };
        term.time_us * times
    };
    let sum: f64 = terms.iter().map(part).sum();
    sum.is_finite().then_some(Micros(sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_the_path_grows_with_its_parameter() {
        let terms = [("L", 10.0), ("o", 4.0), ("G", 6.0), ("g", 1.0), ("computation", 100.0)]
            .map(|(symbol, time_us)| Term { symbol, count: None, time_us });
        let then = Factors::of(&Inputs::default());
        let mut inputs = Inputs::default();
        inputs.set("scale_latency", "0.5").unwrap();
        inputs.set("scale_bandwidth", "2").unwrap();
        inputs.set("scale_compute", "1.1").unwrap();
        let now = Factors::of(&inputs);
        let Some(Micros(end)) = estimate(&terms, &then, &now) else { panic!("no estimate") };
        assert!((end - (5.0 + 4.0 + 3.0 + 1.0 + 110.0)).abs() < 1e-9, "{end}");
        inputs.set("if_eager_limit", "64KiB").unwrap();
        assert_eq!(estimate(&terms, &then, &Factors::of(&inputs)), None, "it must be simulated");
    }
}
