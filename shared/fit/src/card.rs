//! R_N, the rate of the network card shared by the ranks of a node, from concurrent pairs between two
//! nodes, by the max-rate model (Gropp, Olson & Samfass; `loggia_model::model::pairs`).
//!
//! # Formula
//! - streams: the node sends n s bytes in the time t of a message; R_N = n s / t if the card is full
//! - RTT/2: R_N = n s / (T − α), where α = T₁ − s/R_b is the latency of one pair; the median over
//!   n ≥ n_max/2, at the largest size
//!
//! The card is full if a message of several pairs takes clearly longer than that of one pair. Streams
//! measure one direction best: pairs that wait for replies may lose their synchrony, and then the card
//! serves half of them in each direction.

use super::evidence::{Evidence, parameter};
use super::printed;
use loggia_model::signature::{Parameter, Quality, Quantity, Reach, Samples, Statistic, Tier};
use loggia_model::stats::Estimate;
use loggia_model::stats::quantile::median;
use loggia_model::units::words::{rate, size};
use loggia_model::units::{Bytes, BytesPerMicro, MicrosPerByte};
use std::collections::BTreeMap;

/// The card is full if the time of several pairs is this multiple of the time of one pair.
const FULL: f64 = 1.1;

/// Minimum message size; shorter messages are limited by the message rate.
const SHORTEST: u64 = 4096;

type Times = BTreeMap<u64, Estimate>;

/// The measured numbers of pairs above 1.
pub(super) fn numbers_of_pairs(tier: &str, quantity: Quantity, samples: &[Samples]) -> Vec<u32> {
    let is_selected = |s: &&Samples| s.quantity == quantity && s.tier.as_deref() == Some(tier);
    let mut pairs: Vec<u32> = samples.iter().filter(is_selected).map(Samples::pairs).collect();
    pairs.retain(|pairs| *pairs > 1);
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// RTT/2 of a number of pairs, by send mode and size: from Loggia's own samples, or else from other
/// tools.
pub(super) fn end_to_end(tier: &str, samples: &[Samples], pairs: u32) -> Vec<(String, Times)> {
    let own = own_times(tier, Quantity::EndToEnd, samples, pairs);
    if own.is_empty() { printed::ends_of_pairs(tier, samples, pairs) } else { own }
}

/// Loggia's own measurements of a quantity, by send mode and size.
fn own_times(
    tier: &str,
    quantity: Quantity,
    samples: &[Samples],
    pairs: u32,
) -> Vec<(String, Times)> {
    let is_own =
        |s: &&Samples| s.tier.as_deref() == Some(tier) && s.tool.is_none() && s.pairs() == pairs;
    let (evidence, _) = Evidence::in_usual_state(samples.iter().filter(is_own).collect(), None);
    let statistic = match quantity {
        // Each sample is the mean of a run of many messages.
        Quantity::Gap => Statistic::Mean,
        _ => Statistic::Raw,
    };
    let by_size = |style: &str| -> Times {
        let size = |s: &Samples| s.bytes.filter(|_| s.style.as_deref() == Some(style));
        let groups = evidence.by(quantity, statistic, |s| Some(size(s)?.0)).into_iter();
        groups.filter_map(|(size, group)| Some((size, group.estimate()?))).collect()
    };
    let styles = evidence.styles().into_iter();
    let all = styles.map(|style| (style.to_owned(), by_size(style)));
    all.filter(|(_, times)| !times.is_empty()).collect()
}

/// Measured times by number of pairs, and their tool or send mode.
struct Measured {
    by: String,
    is_own: bool,
    by_pairs: BTreeMap<u32, Times>,
}

/// Sets R_N of a tier between nodes; returns a remark if the card was never full.
pub(super) fn fit(samples: &[Samples], tier: &mut Tier) -> Option<String> {
    if tier.reach == Reach::Intra {
        return None;
    }
    let per_byte = tier.gap_per_byte.as_ref().and_then(|gap| gap.value);
    let streams = streams(&tier.name, samples);
    let from_streams = streams.as_ref().and_then(|streams| streams.card(per_byte, false));
    let trips = trips(&tier.name, samples);
    let from_trips = || trips.as_ref().and_then(|trips| trips.card(per_byte, true));
    if let Some((card, pairs)) = from_streams.or_else(from_trips) {
        (tier.node_gap_per_byte, tier.ranks_per_node) = (Some(card), Some(pairs));
        return None;
    }
    let all = [&streams, &trips].into_iter().flatten();
    let comparable =
        all.filter(|measured| per_byte.is_some() || measured.by_pairs.contains_key(&1));
    let largest = comparable.filter_map(|measured| measured.by_pairs.keys().copied().max()).max();
    largest.filter(|pairs| *pairs > 1).map(|pairs| {
        format!("{pairs} concurrent pairs do not fill the network card: R_N is unknown")
    })
}

/// Streams of the tool with the most numbers of pairs; Loggia's own are preferred.
fn streams(tier: &str, samples: &[Samples]) -> Option<Measured> {
    let mut all: Vec<Measured> = Vec::new();
    let mut add = |by: String, is_own: bool, pairs: u32, times: Times| {
        let known = all.iter_mut().find(|known| known.is_own == is_own && known.by == by);
        match known {
            Some(known) => _ = known.by_pairs.insert(pairs, times),
            None => all.push(Measured { by, is_own, by_pairs: BTreeMap::from([(pairs, times)]) }),
        }
    };
    let several = numbers_of_pairs(tier, Quantity::Gap, samples);
    for pairs in [1].into_iter().chain(several.iter().copied()) {
        let own = own_times(tier, Quantity::Gap, samples, pairs).into_iter();
        own.for_each(|(style, times)| add(style, true, pairs, times));
        let printed = printed::streams_of_pairs(tier, samples, pairs).into_iter();
        printed.for_each(|(tool, times)| add(tool, false, pairs, times));
    }
    let priority = |measured: &Measured| (measured.by_pairs.len(), measured.is_own);
    all.into_iter()
        .filter(|measured| measured.by_pairs.keys().any(|pairs| *pairs > 1))
        .max_by_key(priority)
}

/// RTT/2 in the send mode with the most numbers of pairs.
fn trips(tier: &str, samples: &[Samples]) -> Option<Measured> {
    let mut all: BTreeMap<String, BTreeMap<u32, Times>> = BTreeMap::new();
    let several = numbers_of_pairs(tier, Quantity::EndToEnd, samples);
    for pairs in [1].into_iter().chain(several.iter().copied()) {
        for (style, times) in end_to_end(tier, samples, pairs) {
            all.entry(style).or_default().insert(pairs, times);
        }
    }
    let (style, by_pairs) = all.into_iter().max_by_key(|(_, by_pairs)| by_pairs.len())?;
    let is_own = !own_times(tier, Quantity::EndToEnd, samples, *several.first()?).is_empty();
    Some(Measured { by: format!("send mode {style}"), is_own, by_pairs })
}

impl Measured {
    /// 1/R_N and the largest measured number of pairs, if the card is full. `has_latency` is true
    /// for times that include the latency, such as RTT/2.
    fn card(
        &self,
        per_byte: Option<MicrosPerByte>,
        has_latency: bool,
    ) -> Option<(Parameter<MicrosPerByte>, u32)> {
        let max_pairs = *self.by_pairs.keys().next_back().filter(|pairs| **pairs > 1)?;
        let largest = *self.by_pairs.get(&max_pairs)?.keys().next_back()?;
        if largest < SHORTEST {
            return None;
        }
        let single_pair = self.single_pair(largest, per_byte)?;
        let latency =
            if has_latency { (single_pair.whole - single_pair.bytes).max(0.0) } else { 0.0 };
        let full = |(pairs, times): (&u32, &Times)| {
            let time = times.get(&largest).filter(|time| time.value > FULL * single_pair.whole)?;
            let bytes = f64::from(*pairs) * largest as f64;
            let per_byte = |time: f64| (time - latency).max(0.0) / bytes;
            let [value, low, high] = [time.value, time.low, time.high].map(per_byte);
            (2 * pairs >= max_pairs && value > 0.0).then_some(Estimate { value, low, high })
        };
        let all: Vec<Estimate> = self.by_pairs.iter().filter_map(full).collect();
        let value = median(&all.iter().map(|estimate| estimate.value).collect::<Vec<_>>())?;
        let bounds = all.iter().fold((value, value), |(low, high), estimate| {
            let bounds = match self.is_own {
                true => [estimate.low, estimate.high],
                false => [estimate.value; 2],
            };
            (low.min(bounds[0]), high.max(bounds[1]))
        });
        let estimate = Estimate { value, low: bounds.0, high: bounds.1 };
        let source = format!(
            "{} of {max_pairs} concurrent pairs, {} each, {}: {}",
            if has_latency { "RTT/2" } else { "streams" },
            size(Bytes(largest)),
            if self.is_own { "measured".to_owned() } else { format!("by {}", self.by) },
            rate(BytesPerMicro(1.0 / value)),
        );
        let card = match self.is_own {
            true => parameter(estimate, source),
            false => Parameter {
                value: Some(MicrosPerByte(value)),
                low: (estimate.low < value).then_some(MicrosPerByte(estimate.low)),
                high: (estimate.high > value).then_some(MicrosPerByte(estimate.high)),
                quality: Quality::Uncertain,
                source,
            },
        };
        Some((card, max_pairs))
    }

    /// The time of one pair for a message of this size, and the part for its bytes.
    fn single_pair(&self, bytes: u64, per_byte: Option<MicrosPerByte>) -> Option<SinglePair> {
        let by_gap = per_byte.map(|gap| gap.of(bytes as f64).0);
        let Some(times_of_one) = self.by_pairs.get(&1) else {
            return by_gap.map(|bytes| SinglePair { whole: bytes, bytes });
        };
        let at = |bytes: u64| {
            let (above, below) =
                (times_of_one.range(bytes..).next()?, times_of_one.range(..=bytes).next_back()?);
            let share = match above.0 - below.0 {
                0 => 0.0,
                between => (bytes - below.0) as f64 / between as f64,
            };
            Some(below.1.value + (above.1.value - below.1.value) * share)
        };
        let whole = at(bytes)?;
        let quarter = at(bytes / 4);
        let slope = quarter.map(|quarter| (whole - quarter) * 4.0 / 3.0);
        let bytes_time = slope.or(by_gap).unwrap_or(whole).clamp(0.0, whole);
        Some(SinglePair { whole, bytes: bytes_time })
    }
}

/// The time of one pair, and the part for the bytes.
struct SinglePair {
    whole: f64,
    bytes: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use loggia_model::units::{Micros, Procs};

    fn sample(quantity: Quantity, pairs: u32, bytes: u64, time: f64, tool: bool) -> Samples {
        let times = if tool { vec![Micros(time)] } else { vec![Micros(time); 9] };
        Samples {
            tier: Some("network".to_owned()),
            style: Some("send".to_owned()),
            procs: Some(Procs(2 * pairs)).filter(|procs| procs.0 > 2),
            bytes: Some(Bytes(bytes)),
            statistic: if tool { Statistic::Reported } else { Statistic::Raw },
            times,
            tool: tool.then(|| "a tool".to_owned()),
            ..Samples::raw(quantity)
        }
    }

    /// α = 2 µs, R_b = 1 GB/s, R_N = 2.5 GB/s
    fn max_rate(pairs: u32, bytes: u64) -> f64 {
        2.0 + bytes as f64 * f64::max(0.001, f64::from(pairs) / 2500.0)
    }

    fn fitted(samples: &[Samples]) -> (Tier, Vec<String>) {
        let result = crate::tier("network", Reach::Inter, samples);
        (result.tier, result.remarks)
    }

    fn samples_of(quantity: Quantity, pairs: &[u32], tool: bool) -> Vec<Samples> {
        let sizes = (0..=20).map(|power| 1u64 << power);
        let all = sizes.flat_map(|size| pairs.iter().map(move |pairs| (*pairs, size)));
        let fixed = if quantity == Quantity::Gap { 2.0 } else { 0.0 };
        let time = |pairs, size| max_rate(pairs, size) - fixed;
        all.map(|(pairs, size)| sample(quantity, pairs, size, time(pairs, size), tool)).collect()
    }

    fn assert_rate(card: Option<&Parameter<MicrosPerByte>>, rate: f64) {
        let value = card.unwrap().value.unwrap().0;
        assert!((1.0 / value / rate - 1.0).abs() < 0.01, "{} MB/s", 1.0 / value);
    }

    #[test]
    fn rtt_2_gives_both_rates() {
        for tool in [true, false] {
            let (tier, _) = fitted(&samples_of(Quantity::EndToEnd, &[1, 2, 4, 8], tool));
            assert_rate(tier.node_gap_per_byte.as_ref(), 2500.0);
            assert_eq!(tier.ranks_per_node, Some(8));
            if tool {
                assert_rate(tier.gap_per_byte.as_ref(), 1000.0);
            }
        }
    }

    #[test]
    fn streams_give_both_rates() {
        let (tier, remarks) = fitted(&samples_of(Quantity::Gap, &[1, 2, 4, 8], true));
        assert_rate(tier.node_gap_per_byte.as_ref(), 2500.0);
        assert_rate(tier.gap_per_byte.as_ref(), 1000.0);
        assert!(remarks.is_empty(), "{remarks:?}");
    }

    #[test]
    fn a_card_that_is_not_full_stays_unknown() {
        let (tier, remarks) = fitted(&samples_of(Quantity::EndToEnd, &[1, 2], true));
        assert_eq!(tier.node_gap_per_byte, None);
        assert!(remarks[0].contains("do not fill the network card"), "{remarks:?}");
    }

    #[test]
    fn each_number_of_pairs_has_a_table() {
        let tables = crate::tables(&samples_of(Quantity::EndToEnd, &[1, 4], true));
        let pairs: Vec<_> = tables.iter().map(|table| (table.pairs, table.points.len())).collect();
        assert_eq!(pairs, [(None, 21), (Some(4), 21)]);
    }
}
