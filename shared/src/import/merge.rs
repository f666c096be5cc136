//! What an import adds to a signature that there is already: what is known stays, what is absent is
//! taken, and each parameter says where it comes from.

use crate::Error;
use crate::signature::{Signature, listing};
use serde::{Deserialize, Serialize};

/// What came of one parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Merged {
    /// Of which tier; none for collective operations.
    pub tier: Option<String>,
    /// Its symbol, or the operation.
    pub symbol: String,
    /// What was done.
    pub outcome: Outcome,
    /// The value that stays, if it is one number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What the import says, if it is one number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imported: Option<f64>,
}

/// What was done with a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was absent, and is taken.
    Added,
    /// It was known, and stays.
    Kept,
}

/// Adds to a signature what an import has found.
///
/// # Errors
/// Where the two have a tier of one name, one of them inside a node and the other between nodes.
pub fn merge(base: &Signature, imported: &Signature) -> Result<(Signature, Vec<Merged>), Error> {
    let mut merged = base.clone();
    let mut outcomes = Vec::new();
    for tier in &imported.tiers {
        let Some(known) = merged.tiers.iter_mut().find(|known| known.name == tier.name) else {
            outcomes.extend(added(tier));
            merged.tiers.push(tier.clone());
            continue;
        };
        if known.reach != tier.reach {
            return Err(Error::new(
                format!(
                    "tier {} is inside a node in one, and between nodes in the other",
                    tier.name
                ),
                "--tier",
                "give the imported one another name: --tier NAME:inter or --tier NAME:intra",
            ));
        }
        let before = listing::entries(known);
        add(known, tier);
        let after = listing::entries(known);
        for entry in listing::entries(tier).iter().filter(|e| e.value != listing::Value::None) {
            let same = |other: &&listing::Entry| {
                (&other.symbol, &other.style) == (&entry.symbol, &entry.style)
                    && other.value != listing::Value::None
            };
            let was_known = before.iter().any(|other| same(&other));
            let stays = after.iter().find(same);
            outcomes.push(Merged {
                tier: Some(tier.name.clone()),
                symbol: entry.symbol.clone(),
                outcome: if was_known { Outcome::Kept } else { Outcome::Added },
                value: stays.and_then(number),
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
    merged.samples.extend(imported.samples.iter().cloned());
    let said = format!("with numbers of {}", imported.origin.summary());
    let notes = std::iter::once(said).chain(imported.notes.iter().cloned());
    for note in notes {
        if !merged.notes.contains(&note) {
            merged.notes.push(note);
        }
    }
    Ok((merged, outcomes))
}

/// The parameter's number.
fn number(entry: &listing::Entry) -> Option<f64> {
    match &entry.value {
        listing::Value::Number(interval) => Some(interval.value),
        _ => None,
    }
}

fn added(tier: &crate::signature::Tier) -> Vec<Merged> {
    let known = listing::entries(tier).into_iter().filter(|e| e.value != listing::Value::None);
    let of = |entry: listing::Entry| Merged {
        tier: Some(tier.name.clone()),
        outcome: Outcome::Added,
        value: number(&entry),
        imported: number(&entry),
        symbol: entry.symbol,
    };
    known.map(of).collect()
}

/// Takes what is absent.
fn add(known: &mut crate::signature::Tier, other: &crate::signature::Tier) {
    macro_rules! take {
        ($known:expr, $other:expr, $($field:ident),+) => {$(
            if $known.$field.is_none() {
                $known.$field.clone_from(&$other.$field);
            }
        )+};
    }
    let take_parameter = |known: &mut Option<_>, other: &Option<_>| keep(known, other);
    take_parameter(&mut known.latency, &other.latency);
    take_parameter(&mut known.gap, &other.gap);
    take_parameter(&mut known.end_to_end_latency, &other.end_to_end_latency);
    keep(&mut known.gap_per_byte, &other.gap_per_byte);
    take!(known, other, gap_by_size);
    if known.gap_by_depth.is_empty() {
        known.gap_by_depth.clone_from(&other.gap_by_depth);
    }
    for style in &other.styles {
        match known.styles.iter_mut().find(|mine| mine.name == style.name) {
            None => known.styles.push(style.clone()),
            Some(mine) => {
                take!(mine, style, send_overhead, recv_overhead, startup, per_byte, eager_limit);
            }
        }
    }
    match (&mut known.progress, &other.progress) {
        (None, Some(progress)) => known.progress = Some(progress.clone()),
        (Some(mine), Some(progress)) => {
            keep(&mut mine.eager_limit, &progress.eager_limit);
            take!(mine, progress, kind, control_overhead, initiation, copy);
        }
        (_, None) => {}
    }
}

/// Takes a parameter where there is none with a value.
fn keep<U: Clone>(
    known: &mut Option<crate::signature::Parameter<U>>,
    other: &Option<crate::signature::Parameter<U>>,
) {
    if known.as_ref().is_none_or(|known| known.value.is_none()) && other.is_some() {
        known.clone_from(other);
    }
}
