//! Fills unknown parameters of the other tiers from the tier in use.
//!
//! The tier inside a node often has few measurements. Its unknown handshake parameters have little
//! effect, so they are taken from the tier between nodes. A plan can then use the richer simulation
//! model.

use super::handshake::{handshake, set_handshake};
use loggia_model::Signature;
use loggia_model::model::{Need, Route};
use loggia_model::signature::Tier;
use loggia_model::simulation_model::SimulationModel;

/// Fills the parameters that the simulation model needs and other tiers lack; returns a warning for
/// each tier.
pub(super) fn fill_tiers(
    signature: &mut Signature,
    chosen: &str,
    style: Option<&str>,
    rules: SimulationModel,
) -> Vec<String> {
    let Some(model) = rules.model() else { return Vec::new() };
    let Some(from) = signature.tiers.iter().find(|tier| tier.name == chosen).cloned() else {
        return Vec::new();
    };
    let names: Vec<String> = signature.tiers.iter().map(|tier| tier.name.clone()).collect();
    let mut warnings = Vec::new();
    for name in names.into_iter().filter(|name| *name != chosen) {
        let missing = match Route::of(signature, Some(&name), style) {
            Ok(route) => model.needs().iter().copied().filter(|need| !route.has(*need)).collect(),
            Err(_) => Vec::new(),
        };
        let Some(tier) = signature.tiers.iter_mut().find(|tier| tier.name == name) else {
            continue;
        };
        let filled = missing.into_iter().filter(|need| fill(tier, &from, *need));
        let mut filled: Vec<&str> = filled.map(Need::symbol).collect();
        if rules == SimulationModel::LogGpo
            && let Some((_, Some(transfer))) = handshake(&from)
            && set_handshake(tier, transfer)
        {
            filled.push(Need::Transfer.symbol());
        }
        if !filled.is_empty() {
            warnings
                .push(format!("{} of {name} is unknown; taken from {chosen}", filled.join(", ")));
        }
    }
    warnings
}

/// Copies a parameter from another tier, if that is sensible for this parameter.
fn fill(tier: &mut Tier, from: &Tier, need: Need) -> bool {
    let progress = from.progress.clone().unwrap_or_default();
    let own = tier.progress.get_or_insert_default();
    match need {
        Need::GapPerByte => tier.gap_per_byte = from.gap_per_byte.clone(),
        Need::EagerLimit => own.eager_limit = progress.eager_limit,
        Need::ControlOverhead => own.control_overhead = progress.control_overhead,
        Need::Initiation => own.initiation = progress.initiation,
        Need::Copy => own.copy = progress.copy,
        Need::ProgressKind => {
            own.kind = progress.kind;
            own.quality = progress.quality;
        }
        Need::Transfer => own.transfer = progress.transfer,
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::super::machine::Machine;
    use loggia_model::library;

    /// The Convex has two tiers, both without S. If S of one tier is set, the other tier uses it.
    #[test]
    fn unknown_parameters_are_taken_from_the_other_tier() {
        let mut signature = library::load("convex-exemplar").unwrap();
        let [first, second] = [0, 1].map(|at: usize| signature.tiers[at].name.clone());
        signature.set(&format!("{first}.S"), "16KiB").unwrap();
        signature.set(&format!("{second}.S"), "none").unwrap();
        let machine = Machine::new(&signature, Some(&first), None, None).unwrap();
        assert_eq!(machine.rules().unwrap().name(), "loggps");
        let warning = format!("S of {second} is unknown; taken from {first}");
        assert!(machine.warnings.contains(&warning), "{:?}", machine.warnings);
        let filled = machine.signature().tier(Some(&second)).unwrap();
        let progress = filled.progress.as_ref().unwrap();
        assert_eq!(progress.eager_limit.as_ref().unwrap().value.unwrap().0, 16 << 10);
    }
}
