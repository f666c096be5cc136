//! New measurements for comparison with predictions: medians as in the fit, from the same state of the
//! machine if this state occurred again.

use super::collective::conditions::Conditions;
use super::evidence::{Evidence, Group};
use loggia_model::signature::{Operation, Quantity, Samples, Statistic};
use loggia_model::units::{Bytes, Micros, Procs};

/// Samples that the fit did not use.
pub struct Remeasured<'a> {
    evidence: Evidence<'a>,
    remark: Option<String>,
}

impl<'a> Remeasured<'a> {
    /// Samples of one tier, in the usual state of the machine.
    #[must_use]
    pub fn of_tier(tier: &str, samples: &'a [Samples], usual: Option<Micros>) -> Self {
        let of_tier = samples.iter().filter(|samples| samples.tier.as_deref() == Some(tier));
        Remeasured::of(of_tier.collect(), usual)
    }

    /// Samples of collective operations, in the usual state of the machine.
    #[must_use]
    pub fn together(samples: &'a [Samples], usual: Option<Micros>) -> Self {
        Remeasured::of(samples.iter().filter(|samples| samples.op.is_some()).collect(), usual)
    }

    fn of(all: Vec<&'a Samples>, usual: Option<Micros>) -> Self {
        let (evidence, remark) = Evidence::in_usual_state(all, usual);
        Remeasured { evidence, remark }
    }

    /// A warning if the machine is in another state.
    #[must_use]
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// Size, inserted computation and time of one quantity, without the cost of reading the clock.
    #[must_use]
    pub fn times(&self, quantity: Quantity) -> Vec<(Bytes, Micros, Micros)> {
        let groups = self.evidence.by(quantity, Statistic::Raw, |samples| {
            let compute = samples.compute.unwrap_or_default();
            Some((samples.bytes?, compute.0.to_bits()))
        });
        let time = |(&(bytes, compute), group): (&(Bytes, u64), &Group<'_>)| {
            let compute = Micros(f64::from_bits(compute));
            Some((bytes, compute, Micros(group.estimate()?.value)))
        };
        groups.iter().filter_map(time).collect()
    }

    /// Times of one collective operation by p and m.
    #[must_use]
    pub fn collective(&self, op: Operation) -> Vec<(Procs, Bytes, Micros)> {
        let Evidence { all, states } = &self.evidence;
        let conditions = Conditions::of(op, all.iter().copied(), states);
        let medians = conditions.iter().flat_map(Conditions::medians);
        let points = |(procs, curve): (Procs, Vec<(Bytes, Micros)>)| {
            curve.into_iter().map(move |(bytes, time)| (procs, bytes, time))
        };
        medians.flat_map(points).collect()
    }
}
