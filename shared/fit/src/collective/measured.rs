//! Measured times of a collective operation, for comparison with its forms.

use super::conditions::Conditions;
use crate::states::States;
use loggia_model::signature::{Operation, Point, Samples};
use loggia_model::stats::CONFIDENCE;
use loggia_model::stats::quantile::Sample;
use loggia_model::units::{Micros, Procs};

/// The median time by p and m, with an interval if there are enough samples.
pub fn measured(op: Operation, samples: &[Samples]) -> Vec<(Procs, Point)> {
    let of_operation = || samples.iter().filter(|samples| samples.op.as_deref() == Some(op.name()));
    let states = States::of(of_operation());
    let Some(conditions) = Conditions::of(op, of_operation(), &states) else { return Vec::new() };
    let bound = |value: f64| value.is_finite().then_some(Micros(value));
    let mut all = Vec::new();
    for (procs, curve) in &conditions.real {
        for (bytes, parts) in curve {
            if let Some(estimate) = Sample::new(parts, 0.0).estimate(0.5, CONFIDENCE) {
                let (low, high) = (bound(estimate.low), bound(estimate.high));
                let value = Micros(estimate.value);
                all.push((*procs, Point { bytes: *bytes, value, low, high }));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::library;
    use loggia_model::units::Bytes;

    /// Hwang, Wang & Wang, Section 5: 317 ms.
    #[test]
    fn a_published_time_has_no_interval() {
        let sp2 = library::load("ibm-sp2").unwrap();
        let all = measured(Operation::Alltoall, &sp2.samples);
        assert_eq!(all.len(), 1);
        let (procs, point) = all[0];
        assert_eq!((procs, point.bytes), (Procs(64), Bytes(65536)));
        assert_eq!((point.value, point.low), (Micros(317_000.0), None));
    }
}
