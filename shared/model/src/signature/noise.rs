//! Scatter of the times of a small message, and its effect on collective operations.

use crate::units::words::{percent, size, time};
use crate::units::{Bytes, Micros, Procs};
use serde::{Deserialize, Serialize};

/// One message in a hundred takes longer than the 99th percentile.
const RARE: f64 = 0.01;

/// RTT/2 of a small message, repeated: median, 95th and 99th percentile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// The size of the message; `None` if the source only calls it small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Bytes>,
    /// The median of the repetitions.
    pub median: Micros,
    /// The 95th percentile of the repetitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percentile_95: Option<Micros>,
    /// The 99th percentile of the repetitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percentile_99: Option<Micros>,
    /// File and tool, or measurement.
    #[serde(default)]
    pub source: String,
}

/// The probability that an operation has a message beyond the 99th percentile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tail {
    /// Number of messages counted.
    pub messages: u64,
    /// Probability that at least one message takes longer than the 99th percentile.
    pub probability: f64,
    /// The 99th percentile.
    pub percentile_99_us: Micros,
    /// The median.
    pub median_us: Micros,
}

impl Noise {
    /// The tail of an operation on p ranks. It needs at least p − 1 messages to reach every rank,
    /// so these are counted. Of n independent messages, at least one is in the tail with
    /// probability 1 − (1 − 0.01)^n.
    pub fn tail(&self, procs: Procs) -> Option<Tail> {
        let percentile_99_us = self.percentile_99?;
        let messages = u64::from(procs.0.checked_sub(1).filter(|messages| *messages > 0)?);
        let probability = -libm::expm1(messages as f64 * libm::log1p(-RARE));
        Some(Tail { messages, probability, percentile_99_us, median_us: self.median })
    }

    /// The known statistics, by name.
    pub fn statistics(&self) -> impl Iterator<Item = (&'static str, Micros)> {
        let all = [
            ("median", Some(self.median)),
            ("95th percentile", self.percentile_95),
            ("99th percentile", self.percentile_99),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }

    /// As one sentence.
    pub fn words(&self) -> String {
        let statistics = self.statistics().map(|(name, value)| format!("{name} {}", time(value)));
        let statistics: Vec<String> = statistics.collect();
        let of = self
            .bytes
            .map_or("A small message".to_owned(), |bytes| format!("A message of {}", size(bytes)));
        format!("{of} scatters: {}.", statistics.join(", "))
    }
}

impl Tail {
    /// As one sentence, with the counted messages.
    pub fn words(&self) -> String {
        format!(
            "With a probability of at least {}, one of its messages takes longer than the 99th \
             percentile, {} instead of {}: 1 − 0.99^{}, for the p − 1 messages that reach every rank.",
            percent(self.probability).trim_start_matches('+'),
            time(self.percentile_99_us),
            time(self.median_us),
            self.messages
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise() -> Noise {
        Noise {
            bytes: Some(Bytes(1)),
            median: Micros(2.47),
            percentile_95: Some(Micros(2.88)),
            percentile_99: Some(Micros(48.5)),
            source: String::new(),
        }
    }

    #[test]
    fn the_tail_is_more_likely_on_more_ranks() {
        let at = |procs| noise().tail(Procs(procs)).unwrap();
        assert_eq!(at(2).messages, 1);
        assert!((at(2).probability - 0.01).abs() < 1e-15);
        // 1 − 0.99^69: about 50% with 70 ranks.
        assert!((at(70).probability - (1.0 - 0.99f64.powi(69))).abs() < 1e-12);
        assert!(at(69).probability < 0.5 && at(70).probability > 0.5);
        assert!(at(u32::MAX).probability <= 1.0);
        assert_eq!(noise().tail(Procs(1)), None);
        assert_eq!(Noise { percentile_99: None, ..noise() }.tail(Procs(9)), None);
    }

    #[test]
    fn statistics_are_named() {
        let words = noise().words();
        assert_eq!(
            words,
            "A message of 1 B scatters: median 2.47 µs, 95th percentile 2.88 µs, 99th percentile 48.5 µs."
        );
        assert!(noise().tail(Procs(64)).unwrap().words().contains("1 − 0.99^63"));
    }
}
