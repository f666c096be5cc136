//! T(m), EEL and Hockney's line, from ping-pongs (Bell et al., Section 4.1; Touriño &
//! Doallo, Section 3).

use super::evidence::{Evidence, parameter};
use loggia_model::signature::{Parameter, Quantity, Statistic, Tier};
use loggia_model::stats;
use loggia_model::stats::least_squares::Weights;
use loggia_model::stats::quantile::median;
use loggia_model::stats::{CONFIDENCE, Estimate};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, unsigned_percent};
use std::collections::BTreeMap;

/// Size of the smallest message, in bytes (Bell et al., Section 4).
pub(super) const SMALL: u64 = 8;

/// RTT/2 by size.
pub(super) fn by_size(evidence: &Evidence) -> BTreeMap<u64, Estimate> {
    let groups = evidence.by_size(Quantity::EndToEnd, "send");
    groups.iter().filter_map(|(size, group)| Some((*size, group.estimate()?))).collect()
}

/// The entry of the smallest size of at least 8 bytes, or else of the largest size.
pub(super) fn at_small<T: Copy>(by_size: &BTreeMap<u64, T>) -> Option<(u64, T)> {
    let above = by_size.range(SMALL..).next();
    above.or_else(|| by_size.iter().next_back()).map(|(size, value)| (*size, *value))
}

/// EEL; the source also contains the estimate by Bell et al.
pub(super) fn smallest(
    evidence: &Evidence,
    ends: &BTreeMap<u64, Estimate>,
) -> Option<Parameter<Micros>> {
    let (size, eel) = at_small(ends)?;
    let means =
        evidence.by(Quantity::EndToEnd, Statistic::Mean, |s| s.bytes.filter(|b| b.0 == size));
    let bell = means.values().next().and_then(|group| Some((group.least()?, group.count())));
    let bell = match bell {
        Some((minimum, runs)) => {
            format!(" (Bell et al., least mean of {runs} runs: {})", number(minimum, 4))
        }
        None => String::new(),
    };
    let source = format!("median RTT/2 of {size} bytes{bell}");
    Some(parameter(eel, source))
}

/// Hockney's line through all sizes, by relative least squares: t_s, t_b, and the source.
pub(super) fn line(ends: &BTreeMap<u64, Estimate>) -> Option<(Estimate, Estimate, String)> {
    let points: Vec<(f64, f64)> =
        ends.iter().map(|(size, estimate)| (*size as f64, estimate.value)).collect();
    let line = stats::line::line(&points, Weights::Relative)?;
    let error = |(x, y): &(f64, f64)| (line.at(*x, CONFIDENCE).value / y - 1.0).abs();
    let errors: Vec<f64> = points.iter().map(error).collect();
    let source = format!(
        "line through RTT/2 at {} sizes, relative least squares; median error {}",
        points.len(),
        unsigned_percent(median(&errors).unwrap_or_default())
    );
    Some((line.intercept(CONFIDENCE), line.slope(CONFIDENCE), source))
}

/// Sets Hockney's line of the tier from Loggia's own round trips.
pub(super) fn hockney(ends: &BTreeMap<u64, Estimate>, tier: &mut Tier) {
    let Some((startup, per_byte, source)) = line(ends) else { return };
    let style = tier.style_or_new("send");
    style.startup = Some(parameter(startup, source.clone()));
    style.per_byte = Some(parameter(per_byte, source));
}
