//! What was measured again, to compare predictions with: the same middle of the same kind of
//! samples as the fit takes, from the same state of the machine where that occurred again.

use super::evidence::{Evidence, Group};
use crate::signature::{Quantity, Samples, Statistic};
use crate::units::{Bytes, Micros};

/// Samples of one tier that the fit did not see.
pub struct Again<'a> {
    evidence: Evidence<'a>,
    remark: Option<String>,
}

impl<'a> Again<'a> {
    /// In the state in which a small message takes about as long as it usually does.
    #[must_use]
    pub fn of(tier: &str, samples: &'a [Samples], usual: Option<Micros>) -> Self {
        let (evidence, remark) = Evidence::like(tier, samples, usual);
        Again { evidence, remark }
    }

    /// If the machine is not as it was.
    #[must_use]
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// Times of one quantity by size and inserted computation, without the clock's part.
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
}
