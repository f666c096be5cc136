//! Message sizes of a plan beyond the measured ones.

use super::concrete::{ConcreteAction, ConcreteStep};
use super::machine::Machine;
use loggia_model::model::{Route, predict};
use loggia_model::units::Bytes;

impl Machine {
    /// The messages between two ranks that lie outside of what their costs were measured at,
    /// rising.
    pub(super) fn beyond(&self, steps: &[ConcreteStep]) -> Vec<Bytes> {
        let model = self.rules().and_then(|rules| rules.model());
        let signature = self.reported().unwrap_or(self.signature());
        let Ok(route) = Route::of(signature, self.tier(), self.style()) else { return Vec::new() };
        let mut all = Vec::new();
        sizes(steps, &mut all);
        all.sort_unstable();
        all.dedup();
        // Unknown parameters have their own warning.
        all.retain(|bytes| predict(&route, model, *bytes).is_ok_and(|told| told.is_extrapolated()));
        all
    }
}

/// The bytes of messages between two ranks; how operations of all divide theirs is their own
/// matter.
fn sizes(steps: &[ConcreteStep], all: &mut Vec<Bytes>) {
    for step in steps {
        match &step.what {
            ConcreteAction::Steps(steps) => sizes(steps, all),
            ConcreteAction::Halo { towards } => all.extend(towards.iter().flatten()),
            ConcreteAction::Exchange { bytes, .. } | ConcreteAction::Shift(bytes) => {
                all.push(*bytes)
            }
            ConcreteAction::Wavefront { faces, .. } => all.extend(faces),
            ConcreteAction::Compute(_) | ConcreteAction::Collective { .. } => {}
        }
    }
}
