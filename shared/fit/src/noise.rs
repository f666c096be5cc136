//! The scatter of a small message: percentiles printed by a benchmark, or of its repetitions.

use loggia_model::signature::{Noise, Quantity, Samples, Statistic};
use loggia_model::units::{Bytes, Micros};
use std::collections::BTreeMap;

/// EEL and its scatter refer to 8 bytes (Bell et al., Section 4).
const SMALL: f64 = 8.0;
/// Minimum number of repetitions for a 99th percentile.
const ENOUGH: usize = 100;

/// The median and the percentiles of one size.
#[derive(Default)]
struct Percentiles {
    median: Option<f64>,
    percentile_95: Option<f64>,
    percentile_99: Option<f64>,
    tool: String,
}

/// The scatter of RTT/2 on a tier, at the size nearest to 8 bytes with percentiles.
pub(super) fn noise(tier: &str, samples: &[Samples]) -> Option<Noise> {
    let mut by_size: BTreeMap<u64, Percentiles> = BTreeMap::new();
    let is_single_pair = |s: &&Samples| {
        s.quantity == Quantity::EndToEnd
            && s.tier.as_deref() == Some(tier)
            && s.procs.is_none_or(|procs| procs.0 == 2)
    };
    for samples in samples.iter().filter(is_single_pair) {
        let (Some(tool), Some(bytes)) = (&samples.tool, samples.bytes) else { continue };
        add(by_size.entry(bytes.0).or_default(), tool, samples);
    }
    let distance = |size: u64| libm::fabs(libm::log((size.max(1) as f64) / SMALL));
    let with_percentiles = by_size.iter().filter(|(_, all)| {
        all.median.is_some() && (all.percentile_95.is_some() || all.percentile_99.is_some())
    });
    let (size, all) = with_percentiles.min_by(|a, b| distance(*a.0).total_cmp(&distance(*b.0)))?;
    Some(Noise {
        bytes: Some(Bytes(*size)),
        median: Micros(all.median?),
        percentile_95: all.percentile_95.map(Micros),
        percentile_99: all.percentile_99.map(Micros),
        source: format!("RTT/2, by {}", all.tool),
    })
}

fn add(to: &mut Percentiles, tool: &str, samples: &Samples) {
    let mut set = |percent: u8, time: Option<f64>| {
        let field = match percent {
            50 => &mut to.median,
            95 => &mut to.percentile_95,
            99 => &mut to.percentile_99,
            _ => return,
        };
        if field.is_none() && time.is_some() {
            *field = time;
            tool.clone_into(&mut to.tool);
        }
    };
    let printed = samples.times.first().map(|time| time.0);
    match samples.statistic {
        Statistic::Median => set(50, printed),
        Statistic::Percentile(percent) => set(percent, printed),
        Statistic::Raw | Statistic::Reported if samples.times.len() >= ENOUGH => {
            let mut times: Vec<f64> = samples.times.iter().map(|time| time.0).collect();
            times.sort_by(f64::total_cmp);
            for percent in [50, 95, 99] {
                set(percent, at_rank(&times, percent));
            }
        }
        _ => {}
    }
}

/// The percentile of sorted times, by the nearest-rank method.
fn at_rank(times: &[f64], percent: u8) -> Option<f64> {
    let rank = (times.len() * usize::from(percent)).div_ceil(100).max(1);
    times.get(rank - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(bytes: u64, statistic: Statistic, times: &[f64]) -> Samples {
        Samples {
            tier: Some("network".to_owned()),
            bytes: Some(Bytes(bytes)),
            statistic,
            times: times.iter().map(|time| Micros(*time)).collect(),
            tool: Some("a tool".to_owned()),
            ..Samples::raw(Quantity::EndToEnd)
        }
    }

    #[test]
    fn printed_percentiles_are_used_unchanged() {
        let all = [
            sample(8, Statistic::Mean, &[2.6]),
            sample(8, Statistic::Median, &[2.5]),
            sample(8, Statistic::Percentile(95), &[2.9]),
            sample(8, Statistic::Percentile(99), &[48.0]),
            sample(1024, Statistic::Percentile(99), &[99.0]),
        ];
        let result = noise("network", &all).unwrap();
        assert_eq!((result.bytes, result.median), (Some(Bytes(8)), Micros(2.5)));
        assert_eq!(result.percentile_99, Some(Micros(48.0)));
        assert_eq!(noise("node", &all), None);
        assert_eq!(noise("network", &all[..2]), None, "a median alone gives no scatter");
    }

    #[test]
    fn enough_repetitions_give_percentiles() {
        let times: Vec<f64> = (1..=200).map(f64::from).collect();
        let result = noise("network", &[sample(1, Statistic::Raw, &times)]).unwrap();
        assert_eq!(result.median, Micros(100.0));
        assert_eq!(
            (result.percentile_95, result.percentile_99),
            (Some(Micros(190.0)), Some(Micros(198.0)))
        );
        assert_eq!(noise("network", &[sample(1, Statistic::Raw, &times[..99])]), None);
    }
}
