//! Finds a slow host or a slow link among pairs of ranks on different hosts.

use loggia_model::signature::{Host, Quantity, Samples};
use loggia_model::stats::quantile::median;
use loggia_model::units::words::{size, time};
use loggia_model::units::{Bytes, Micros};
use std::collections::BTreeMap;

/// A pair is slow if its time exceeds this multiple of the median over pairs …
const SLOWER: f64 = 1.25;
/// … and exceeds the median by this many standard deviations (from the MAD).
const DEVIATIONS: f64 = 5.0;

/// A host is slow if all its pairs are slow; other slow pairs are slow links. Samples of pairs have
/// no tier, and name their ranks.
pub fn slow(samples: &[Samples], hosts: &[Host]) -> Vec<String> {
    let host_of = |rank: u32| hosts.iter().position(|host| host.ranks.contains(&rank));
    let mut by_size: BTreeMap<Bytes, BTreeMap<[usize; 2], Vec<f64>>> = BTreeMap::new();
    for samples in samples.iter().filter(|s| s.tier.is_none()) {
        let (Quantity::EndToEnd, Some([a, b]), Some(bytes)) =
            (samples.quantity, samples.ranks, samples.bytes)
        else {
            continue;
        };
        if let (Some(a), Some(b)) = (host_of(a), host_of(b)) {
            let times = by_size.entry(bytes).or_default().entry([a.min(b), a.max(b)]).or_default();
            times.extend(samples.times.iter().map(|time| time.0));
        }
    }
    let mut remarks = Vec::new();
    for (bytes, pairs) in by_size {
        let medians: BTreeMap<[usize; 2], f64> =
            pairs.iter().filter_map(|(pair, times)| Some((*pair, median(times)?))).collect();
        remarks.extend(slow_at(bytes, &medians, hosts));
    }
    remarks
}

fn slow_at(bytes: Bytes, medians: &BTreeMap<[usize; 2], f64>, hosts: &[Host]) -> Vec<String> {
    let all: Vec<f64> = medians.values().copied().collect();
    // With two pairs, either pair may be the slow one.
    let Some(median_time) = median(&all).filter(|_| all.len() > 2) else { return Vec::new() };
    let deviations: Vec<f64> = all.iter().map(|time| (time - median_time).abs()).collect();
    let deviation = 1.4826 * median(&deviations).unwrap_or_default();
    let is_slow =
        |time: f64| time > SLOWER * median_time && time > median_time + DEVIATIONS * deviation;
    let pairs_of = |host: usize| medians.iter().filter(move |(pair, _)| pair.contains(&host));
    let slow_hosts: Vec<usize> = (0..hosts.len())
        .filter(|&host| {
            pairs_of(host).count() > 1 && pairs_of(host).all(|(_, time)| is_slow(*time))
        })
        .collect();
    let usual = time(Micros(median_time));
    let host_remarks = slow_hosts.iter().map(|&host| {
        let times: Vec<f64> = pairs_of(host).map(|(_, time)| *time).collect();
        let slow_time = time(Micros(median(&times).unwrap_or_default()));
        let name = &hosts[host].name;
        format!("{name} is slow: {} take {slow_time} to this host, {usual} elsewhere", size(bytes))
    });
    let slow_links = medians.iter().filter(|(pair, time)| {
        is_slow(**time) && !pair.iter().any(|host| slow_hosts.contains(host))
    });
    let link_remarks = slow_links.map(|([a, b], slow_time)| {
        let (a, b, slow_time) = (&hosts[*a].name, &hosts[*b].name, time(Micros(*slow_time)));
        format!(
            "the link between {a} and {b} is slow: {} take {slow_time}, {usual} elsewhere",
            size(bytes)
        )
    });
    host_remarks.chain(link_remarks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(slow: impl Fn(u32, u32) -> bool) -> Vec<String> {
        let hosts: Vec<Host> = (0..6)
            .map(|i| Host { name: format!("n{i}"), ranks: vec![i], processors: Vec::new() })
            .collect();
        let samples: Vec<Samples> = (0..6)
            .map(|a| {
                let b = (a + 1) % 6;
                let factor = if slow(a, b) { 2.0 } else { 1.0 + f64::from(a) * 0.01 };
                Samples {
                    ranks: Some([a, b]),
                    bytes: Some(Bytes(8)),
                    times: vec![Micros(10.0 * factor); 9],
                    ..Samples::raw(Quantity::EndToEnd)
                }
            })
            .collect();
        super::slow(&samples, &hosts)
    }

    #[test]
    fn a_slow_host_is_named_once() {
        let remarks = ring(|a, b| a == 3 || b == 3);
        assert_eq!(remarks, ["n3 is slow: 8 B take 20 µs to this host, 10.45 µs elsewhere"]);
    }

    #[test]
    fn a_slow_link_is_named() {
        let remarks = ring(|a, b| (a, b) == (1, 2));
        assert_eq!(remarks.len(), 1);
        assert!(remarks[0].starts_with("the link between n1 and n2 is slow"), "{remarks:?}");
    }

    #[test]
    fn equal_hosts_give_no_remark() {
        assert_eq!(ring(|_, _| false), Vec::<String>::new());
    }
}
