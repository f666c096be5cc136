//! How far a small message scatters: percentiles as a benchmark prints them, or of its repetitions.

use loggia_model::signature::{Noise, Quantity, Samples, Statistic};
use loggia_model::units::{Bytes, Micros};
use std::collections::BTreeMap;

/// EEL is that of eight bytes (Bell et al., Section 4); so is its scatter.
const SMALL: f64 = 8.0;
/// Of fewer repetitions, the 99th percentile is one of them at best.
const ENOUGH: usize = 100;

/// The median and the percentiles of one size.
#[derive(Default)]
struct Percentiles {
    median: Option<f64>,
    percentile_95: Option<f64>,
    percentile_99: Option<f64>,
    tool: String,
}

/// The scatter of RTT/2 on a tier, at the size nearest to 8 bytes for which a tool prints it.
pub(super) fn noise(tier: &str, samples: &[Samples]) -> Option<Noise> {
    let mut by_size: BTreeMap<u64, Percentiles> = BTreeMap::new();
    let is_of_it = |s: &&Samples| {
        s.quantity == Quantity::EndToEnd
            && s.tier.as_deref() == Some(tier)
            && s.procs.is_none_or(|procs| procs.0 == 2)
    };
    for samples in samples.iter().filter(is_of_it) {
        let (Some(tool), Some(bytes)) = (&samples.tool, samples.bytes) else { continue };
        add(by_size.entry(bytes.0).or_default(), tool, samples);
    }
    let far = |size: u64| libm::fabs(libm::log((size.max(1) as f64) / SMALL));
    let told = by_size.iter().filter(|(_, all)| {
        all.median.is_some() && (all.percentile_95.is_some() || all.percentile_99.is_some())
    });
    let (size, all) = told.min_by(|a, b| far(*a.0).total_cmp(&far(*b.0)))?;
    Some(Noise {
        bytes: Some(Bytes(*size)),
        median: Micros(all.median?),
        percentile_95: all.percentile_95.map(Micros),
        percentile_99: all.percentile_99.map(Micros),
        source: format!("RTT/2, by {}", all.tool),
    })
}

fn add(to: &mut Percentiles, tool: &str, samples: &Samples) {
    let mut keep = |percent: u8, time: Option<f64>| {
        let place = match percent {
            50 => &mut to.median,
            95 => &mut to.percentile_95,
            99 => &mut to.percentile_99,
            _ => return,
        };
        if place.is_none() && time.is_some() {
            *place = time;
            tool.clone_into(&mut to.tool);
        }
    };
    let printed = samples.times.first().map(|time| time.0);
    match samples.statistic {
        Statistic::Median => keep(50, printed),
        Statistic::Percentile(percent) => keep(percent, printed),
        Statistic::Raw | Statistic::Reported if samples.times.len() >= ENOUGH => {
            let mut times: Vec<f64> = samples.times.iter().map(|time| time.0).collect();
            times.sort_by(f64::total_cmp);
            for percent in [50, 95, 99] {
                keep(percent, at_rank(&times, percent));
            }
        }
        _ => {}
    }
}

/// The smallest of sorted times that so many of a hundred do not exceed.
fn at_rank(times: &[f64], percent: u8) -> Option<f64> {
    let rank = (times.len() * usize::from(percent)).div_ceil(100).max(1);
    times.get(rank - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: u64, statistic: Statistic, times: &[f64]) -> Samples {
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
    fn printed_percentiles_are_taken_as_they_stand() {
        let all = [
            of(8, Statistic::Mean, &[2.6]),
            of(8, Statistic::Median, &[2.5]),
            of(8, Statistic::Percentile(95), &[2.9]),
            of(8, Statistic::Percentile(99), &[48.0]),
            of(1024, Statistic::Percentile(99), &[99.0]),
        ];
        let found = noise("network", &all).unwrap();
        assert_eq!((found.bytes, found.median), (Some(Bytes(8)), Micros(2.5)));
        assert_eq!(found.percentile_99, Some(Micros(48.0)));
        assert_eq!(noise("node", &all), None);
        assert_eq!(noise("network", &all[..2]), None, "a median alone is no scatter");
    }

    #[test]
    fn repetitions_tell_their_percentiles_when_there_are_enough() {
        let times: Vec<f64> = (1..=200).map(f64::from).collect();
        let found = noise("network", &[of(1, Statistic::Raw, &times)]).unwrap();
        assert_eq!(found.median, Micros(100.0));
        assert_eq!(
            (found.percentile_95, found.percentile_99),
            (Some(Micros(190.0)), Some(Micros(198.0)))
        );
        assert_eq!(noise("network", &[of(1, Statistic::Raw, &times[..99])]), None);
    }
}
