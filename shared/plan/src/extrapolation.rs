//! Message sizes of a plan outside the measured range.

use super::concrete::{ConcreteAction, ConcreteStep};
use super::machine::Machine;
use loggia_model::measured::Basis;
use loggia_model::model::{Route, predict};
use loggia_model::units::Bytes;

impl Machine {
    /// Sizes of point-to-point messages outside the measured range, ascending.
    pub(super) fn beyond(&self, steps: &[ConcreteStep]) -> Vec<Bytes> {
        let model = self.rules().and_then(|rules| rules.model());
        let signature = self.reported().unwrap_or(self.signature());
        let Ok(route) = Route::of(signature, self.tier(), self.style()) else { return Vec::new() };
        let mut all = Vec::new();
        sizes(steps, &mut all);
        all.sort_unstable();
        all.dedup();
        // A message takes its measured time with every model. Unknown parameters have a warning of
        // their own.
        all.retain(|bytes| match route.measured(*bytes) {
            Some(time) => time.basis == Basis::Extrapolated,
            None => predict(&route, model, *bytes).is_ok_and(|time| time.is_extrapolated()),
        });
        all
    }
}

/// Sizes of point-to-point messages. Collective operations are left out: their algorithms divide
/// the bytes.
fn sizes(steps: &[ConcreteStep], all: &mut Vec<Bytes>) {
    for step in steps {
        match &step.action {
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
