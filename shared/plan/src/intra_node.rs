//! Fills unknown parameters of one tier from the tier in use.
//!
//! Ranks that share a node are often measured only in passing. What they lack of a handshake is
//! taken as it is between nodes: it matters little there, and a plan needs not do without it
//! elsewhere.

use super::substitute::{handshake, shake_hands};
use loggia_model::Signature;
use loggia_model::model::{Need, Route};
use loggia_model::rules::Rules;
use loggia_model::signature::Tier;

/// Fills in what these rules need and other tiers lack; returns what was assumed.
pub(super) fn lend(
    signature: &mut Signature,
    chosen: &str,
    style: Option<&str>,
    rules: Rules,
) -> Vec<String> {
    let Some(model) = rules.model() else { return Vec::new() };
    let Some(from) = signature.tiers.iter().find(|tier| tier.name == chosen).cloned() else {
        return Vec::new();
    };
    let names: Vec<String> = signature.tiers.iter().map(|tier| tier.name.clone()).collect();
    let mut said = Vec::new();
    for name in names.into_iter().filter(|name| *name != chosen) {
        let missing = match Route::of(signature, Some(&name), style) {
            Ok(route) => model.needs().iter().copied().filter(|need| !route.has(*need)).collect(),
            Err(_) => Vec::new(),
        };
        let Some(tier) = signature.tiers.iter_mut().find(|tier| tier.name == name) else {
            continue;
        };
        let lent = missing.into_iter().filter(|need| fill(tier, &from, *need));
        let mut lent: Vec<&str> = lent.map(Need::symbol).collect();
        if rules == Rules::LogGpo
            && let Some((_, Some(transfer))) = handshake(&from)
            && shake_hands(tier, transfer)
        {
            lent.push(Need::Transfer.symbol());
        }
        if !lent.is_empty() {
            said.push(format!("{} of {name} is unknown; taken from {chosen}", lent.join(", ")));
        }
    }
    said
}

/// Takes one thing from another tier, if it can be taken.
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

    /// The Convex has two tiers, of which S is known of neither; told of one, it is lent to the
    /// other.
    #[test]
    fn what_ranks_on_a_node_lack_is_lent() {
        let mut signature = library::load("convex-exemplar").unwrap();
        let [one, other] = [0, 1].map(|at: usize| signature.tiers[at].name.clone());
        signature.set(&format!("{one}.S"), "16KiB").unwrap();
        signature.set(&format!("{other}.S"), "none").unwrap();
        let machine = Machine::new(&signature, Some(&one), None, None).unwrap();
        assert_eq!(machine.rules().unwrap().name(), "loggps");
        let said = format!("S of {other} is unknown; taken from {one}");
        assert!(machine.doubts.contains(&said), "{:?}", machine.doubts);
        let lent = machine.signature().tier(Some(&other)).unwrap();
        let progress = lent.progress.as_ref().unwrap();
        assert_eq!(progress.eager_limit.as_ref().unwrap().value.unwrap().0, 16 << 10);
    }
}
