//! Merges an import into an existing signature: known parameters stay, unknown parameters are added
//! with their sources.

use crate::error::ImportError;
use loggia_model::signature::{Parameter, Signature, Table, Tier, listing};
use serde::{Deserialize, Serialize};

/// The outcome for one parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Merged {
    /// The tier; `None` for collective operations.
    pub tier: Option<String>,
    /// Symbol of the parameter, or name of the operation.
    pub symbol: String,
    pub outcome: Outcome,
    /// The value after merging, if it is a single number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The imported value, if it is a single number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was unknown; the import's value is added.
    Added,
    /// It was known; its value stays.
    Kept,
}

/// Adds the parameters of an import that are unknown in a signature.
///
/// # Errors
/// If both have a tier of the same name, one inside a node and one between nodes.
pub fn merge(
    base: &Signature,
    imported: &Signature,
) -> Result<(Signature, Vec<Merged>), ImportError> {
    let mut merged = base.clone();
    let mut outcomes = Vec::new();
    for tier in &imported.tiers {
        let Some(known) = merged.tiers.iter_mut().find(|known| known.name == tier.name) else {
            outcomes.extend(added(tier));
            merged.tiers.push(tier.clone());
            continue;
        };
        if known.reach != tier.reach {
            return Err(ImportError::DifferentReach { tier: tier.name.clone() });
        }
        let before = listing::entries(known);
        add_unknown(known, tier);
        let after = listing::entries(known);
        for entry in listing::entries(tier).iter().filter(|e| e.value != listing::Value::None) {
            let same = |other: &&listing::Entry| {
                (&other.symbol, &other.style) == (&entry.symbol, &entry.style)
                    && other.value != listing::Value::None
            };
            let was_known = before.iter().any(|other| same(&other));
            let merged_entry = after.iter().find(same);
            outcomes.push(Merged {
                tier: Some(tier.name.clone()),
                symbol: entry.symbol.clone(),
                outcome: if was_known { Outcome::Kept } else { Outcome::Added },
                value: merged_entry.and_then(number),
                imported: number(entry),
            });
        }
    }
    for form in &imported.collectives {
        let is_known = merged.collectives.iter().any(|known| known.op == form.op);
        outcomes.push(Merged {
            tier: None,
            symbol: form.op.name().to_owned(),
            outcome: if is_known { Outcome::Kept } else { Outcome::Added },
            value: None,
            imported: None,
        });
        if !is_known {
            merged.collectives.push(form.clone());
        }
    }
    for table in &imported.tables {
        let is_same = |known: &Table| {
            (known.op, &known.tier, &known.style, known.procs, known.per_node, known.pairs)
                == (table.op, &table.tier, &table.style, table.procs, table.per_node, table.pairs)
        };
        if !merged.tables.iter().any(is_same) {
            merged.tables.push(table.clone());
        }
    }
    merged.samples.extend(imported.samples.iter().cloned());
    let origin = format!("with parameters from {}", imported.origin.summary());
    let notes = std::iter::once(origin).chain(imported.notes.iter().cloned());
    for note in notes {
        if !merged.notes.contains(&note) {
            merged.notes.push(note);
        }
    }
    Ok((merged, outcomes))
}

/// The value of a parameter that is a single number.
fn number(entry: &listing::Entry) -> Option<f64> {
    match &entry.value {
        listing::Value::Number(interval) => Some(interval.value),
        _ => None,
    }
}

fn added(tier: &Tier) -> Vec<Merged> {
    let known = listing::entries(tier).into_iter().filter(|e| e.value != listing::Value::None);
    let merged = |entry: listing::Entry| Merged {
        tier: Some(tier.name.clone()),
        outcome: Outcome::Added,
        value: number(&entry),
        imported: number(&entry),
        symbol: entry.symbol,
    };
    known.map(merged).collect()
}

/// Adds the unknown parameters of a tier.
fn add_unknown(known: &mut Tier, other: &Tier) {
    add_parameter(&mut known.latency, other.latency.as_ref());
    add_parameter(&mut known.gap, other.gap.as_ref());
    add_parameter(&mut known.gap_per_byte, other.gap_per_byte.as_ref());
    add_parameter(&mut known.node_gap_per_byte, other.node_gap_per_byte.as_ref());
    known.ranks_per_node = known.ranks_per_node.or(other.ranks_per_node);
    add_parameter(&mut known.end_to_end_latency, other.end_to_end_latency.as_ref());
    add_value(&mut known.gap_by_size, other.gap_by_size.as_ref());
    if known.gap_by_depth.is_empty() {
        known.gap_by_depth.clone_from(&other.gap_by_depth);
    }
    for style in &other.styles {
        let known_part = known.style_or_new(&style.name.0);
        add_value(&mut known_part.routines, style.routines.as_ref());
        add_value(&mut known_part.send_overhead, style.send_overhead.as_ref());
        add_value(&mut known_part.recv_overhead, style.recv_overhead.as_ref());
        add_parameter(&mut known_part.startup, style.startup.as_ref());
        add_parameter(&mut known_part.per_byte, style.per_byte.as_ref());
        add_parameter(&mut known_part.eager_limit, style.eager_limit.as_ref());
    }
    let Some(progress) = &other.progress else { return };
    let Some(known_part) = &mut known.progress else {
        known.progress = Some(progress.clone());
        return;
    };
    add_parameter(&mut known_part.eager_limit, progress.eager_limit.as_ref());
    add_parameter(&mut known_part.control_overhead, progress.control_overhead.as_ref());
    add_value(&mut known_part.initiation, progress.initiation.as_ref());
    add_value(&mut known_part.copy, progress.copy.as_ref());
    add_value(&mut known_part.kind, progress.kind.as_ref());
}

/// Adds a parameter if the known one has no value.
fn add_parameter<U: Clone>(known: &mut Option<Parameter<U>>, other: Option<&Parameter<U>>) {
    if known.as_ref().is_none_or(|known| known.value.is_none()) {
        *known = other.cloned().or_else(|| known.take());
    }
}

/// Adds a value if there is none.
fn add_value<T: Clone>(known: &mut Option<T>, other: Option<&T>) {
    if known.is_none() {
        *known = other.cloned();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use loggia_model::Error;
    use loggia_model::library;
    use loggia_model::signature::Reach;
    use loggia_model::units::Micros;

    fn imported(tier: &str) -> Signature {
        let mut signature = library::load("ap3000-mpi").unwrap();
        let known =
            Parameter { source: "results.txt:5".to_owned(), ..Parameter::assumed(Micros(9.0)) };
        signature.tiers = vec![Tier {
            latency: Some(known.clone()),
            end_to_end_latency: Some(known),
            ..Tier::unknown(tier)
        }];
        signature
    }

    #[test]
    fn known_parameters_stay() {
        let t3d = library::load("cray-t3d").unwrap();
        let name = t3d.tiers[0].name.clone();
        let (merged, outcomes) = merge(&t3d, &imported(&name)).unwrap();
        let tier = &merged.tiers[0];
        assert_eq!(tier.latency, t3d.tiers[0].latency);
        assert_eq!(tier.end_to_end_latency.as_ref().unwrap().source, "results.txt:5");
        let outcome_of =
            |symbol: &str| outcomes.iter().find(|merged| merged.symbol == symbol).unwrap();
        assert_eq!((outcome_of("L").outcome, outcome_of("L").imported), (Outcome::Kept, Some(9.0)));
        assert_eq!(outcome_of("EEL").outcome, Outcome::Added);
        assert_eq!(merged.name, t3d.name);
        merged.validate().unwrap();
        // A second merge adds nothing.
        let (_, outcomes) = merge(&merged, &imported(&name)).unwrap();
        assert!(outcomes.iter().all(|merged| merged.outcome == Outcome::Kept), "{outcomes:?}");
    }

    #[test]
    fn tiers_of_the_same_name_have_the_same_reach() {
        let t3d = library::load("cray-t3d").unwrap();
        let mut other = imported(&t3d.tiers[0].name);
        other.tiers[0].reach = Reach::Intra;
        let error = merge(&t3d, &other).unwrap_err();
        assert_eq!(error, ImportError::DifferentReach { tier: t3d.tiers[0].name.clone() });
        assert!(Error::from(error).help.to_string().contains("tier NAME:intra"));
    }
}
