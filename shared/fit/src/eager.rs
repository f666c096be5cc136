//! S by send mode (Chen et al., Section 2.2): the largest size at which a send completes without a
//! receive. If the end-to-end time jumps by a handshake only at a larger size, S is the largest size
//! below the jump: between the two sizes, messages are eager and the send waits for an
//! acknowledgement (TA).

use super::evidence::{Evidence, unusable};
use loggia_model::signature::{Parameter, Quality, Quantity, Samples, Statistic, Tier};
use loggia_model::units::Bytes;
use std::collections::BTreeMap;

/// Result of the search over sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bracket {
    /// Largest size up to which all sends completed without a receive.
    low: u64,
    /// Smallest size from which on all sends waited for the receive.
    high: u64,
    /// Largest size at which most sends completed without a receive.
    value: u64,
}

/// S in one send mode, and the largest size at which sends complete without a receive.
pub(super) struct Limits {
    pub(super) eager: u64,
    pub(super) completes: Option<u64>,
}

/// S in one send mode.
enum Limit {
    Jump(Bracket),
    Bracketed(Bracket),
    /// No send waited, up to this size.
    AlwaysEager(u64),
    /// Every send waited, from this size on.
    NeverEager(u64),
}

/// S of a tier, if the samples bracket it.
pub fn eager_limit(tier: &str, samples: &[Samples]) -> Option<usize> {
    match limit(&Evidence::of_tier(tier, samples), "isend")? {
        Limit::Bracketed(bracket) | Limit::Jump(bracket) => usize::try_from(bracket.value).ok(),
        _ => None,
    }
}

fn limit(evidence: &Evidence, style: &str) -> Option<Limit> {
    jump(evidence, style).map(Limit::Jump).or_else(|| completions(evidence, style))
}

/// The sizes between which the end-to-end time jumps: the closest pair of the bisection.
fn jump(evidence: &Evidence, style: &str) -> Option<Bracket> {
    let groups = evidence.by(Quantity::EndToEnd, Statistic::Median, |samples| {
        samples.bytes.filter(|_| samples.style.as_deref() == Some(style)).map(|bytes| bytes.0)
    });
    let sizes: Vec<u64> = groups.keys().copied().collect();
    let closest = sizes.windows(2).min_by_key(|pair| pair[1] - pair[0])?;
    Some(Bracket { low: closest[0], high: closest[1], value: closest[0] })
}

fn completions(evidence: &Evidence, style: &str) -> Option<Limit> {
    let is_style = |samples: &Samples| samples.style.as_deref() == Some(style);
    let groups = evidence.by(Quantity::SendAlone, Statistic::Raw, |samples| {
        // Delay of the receive, in whole ns to be usable as a key.
        let delay = (samples.compute?.0 * 1e3) as u64;
        samples.bytes.filter(|_| is_style(samples)).map(|bytes| (bytes.0, delay))
    });
    // The fraction of sends at each size that completed before the receive was posted.
    let shares: BTreeMap<u64, f64> = groups
        .iter()
        .map(|((size, delay), group)| {
            let completed = group.times().filter(|time| *time < *delay as f64 * 0.5e-3).count();
            (*size, completed as f64 / group.count().max(1) as f64)
        })
        .collect();
    let (smallest, largest) = (*shares.keys().next()?, *shares.keys().next_back()?);
    let first =
        |is_waiting: fn(f64) -> bool| shares.iter().find(|(_, s)| is_waiting(**s)).map(|(m, _)| *m);
    let last = |eager: fn(f64) -> bool| shares.iter().rfind(|(_, s)| eager(**s)).map(|(m, _)| *m);
    let Some(first_waiting) = first(|share| share <= 0.5) else {
        return Some(Limit::AlwaysEager(largest));
    };
    let Some(value) = last(|share| share > 0.5) else {
        return Some(Limit::NeverEager(smallest));
    };
    // `low` is below the first size with a waiting send; `high` is above the last size with a
    // completed send.
    let first_incomplete = first(|share| share < 1.0).unwrap_or(first_waiting);
    let low = shares.range(..first_incomplete).next_back().map_or(value, |(size, _)| *size);
    let last_complete = last(|share| share > 0.0).unwrap_or(value);
    let high = shares.range(last_complete + 1..).next().map_or(first_waiting, |(size, _)| *size);
    Some(Limit::Bracketed(Bracket { low: low.min(value), high, value }))
}

/// Writes S into the tier, and into send modes that differ from it.
pub(super) fn fit(
    evidence: &Evidence,
    tier: &mut Tier,
    remarks: &mut Vec<String>,
) -> Option<Limits> {
    let (mut tier_value, mut limits) = (None, None);
    for style in ["isend", "send"] {
        let Some(limit) = limit(evidence, style) else { continue };
        let parameter = limit_parameter(&limit, style);
        if let (Limit::AlwaysEager(size), None) = (&limit, tier_value) {
            remarks.push(format!("no {style} waited for its receive, up to {size} bytes"));
        }
        let progress = tier.progress.get_or_insert_default();
        match &progress.eager_limit {
            None => {
                tier_value = parameter.value.map(|bytes| bytes.0);
                let completes = match completions(evidence, style) {
                    Some(Limit::Bracketed(bracket)) => Some(bracket.value),
                    Some(Limit::AlwaysEager(size)) => Some(size),
                    _ => None,
                };
                limits = match limit {
                    // No larger size was measured.
                    Limit::AlwaysEager(size) => Some(Limits { eager: size, completes }),
                    Limit::NeverEager(_) => Some(Limits { eager: 0, completes: None }),
                    _ => tier_value.map(|eager| Limits { eager, completes }),
                };
                progress.eager_limit = Some(parameter);
            }
            Some(known) if known.value != parameter.value => {
                remarks.push(format!(
                    "S differs by send mode: {} for isend, {} for {style}",
                    words(known),
                    words(&parameter)
                ));
                tier.style_or_new(style).eager_limit = Some(parameter);
            }
            Some(_) => {}
        }
    }
    limits
}

fn words(limit: &Parameter<Bytes>) -> String {
    limit.value.map_or("unknown".to_owned(), |bytes| format!("{} bytes", bytes.0))
}

fn limit_parameter(limit: &Limit, style: &str) -> Parameter<Bytes> {
    match limit {
        Limit::Jump(Bracket { low, high, value }) => Parameter {
            value: Some(Bytes(*value)),
            low: Some(Bytes(*low)),
            high: Some(Bytes(*high)),
            quality: Quality::Good,
            source: format!(
                "{style}: the end-to-end time jumps by a handshake between {low} and {high} bytes, \
                 by bisection (Chen et al., Section 2.2)"
            ),
        },
        Limit::Bracketed(Bracket { low, high, value }) => {
            let is_exact = high - low <= (*low / 50).max(1);
            let remark = if is_exact { "" } else { "; between these sizes, sends differed" };
            Parameter {
                value: Some(Bytes(*value)),
                low: Some(Bytes(*low)),
                high: Some(Bytes(*high)),
                quality: if is_exact { Quality::Good } else { Quality::Uncertain },
                source: format!(
                    "{style} without a posted receive, by bisection: completes up to {low} bytes, \
                     waits from {high} bytes on{remark} (Chen et al., Section 2.2)"
                ),
            }
        }
        Limit::AlwaysEager(size) => unusable(format!(
            "{style} without a posted receive completes at all measured sizes, up to {size} bytes"
        )),
        Limit::NeverEager(size) => unusable(format!(
            "{style} without a posted receive waits at all measured sizes, from {size} bytes on"
        )),
    }
}
