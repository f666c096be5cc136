//! Concurrent messages of several pairs on two nodes: the max-rate model (Gropp, Olson & Samfass,
//! *Modeling MPI Communication Performance on SMP Nodes*, EuroMPI 2016).
//!
//! # Formula
//! T = α + n s / min(R_N, n R_b)
//! - n: pairs of ranks on two nodes that send at the same time
//! - α: latency, the time of a message without its bytes
//! - s: bytes of each message
//! - R_b: rate of one pair, 1/G or 1/t_b
//! - R_N: rate of the network card of a node, which all its ranks share, in each direction
//!
//! Up to R_N/R_b pairs, the time is constant; beyond, all pairs share the rate of the card.
//! Contention inside the network is not in the model.

use super::{Need, Prediction, Route, Term, Warning};
use crate::Error;
use crate::measured::Basis;
use crate::model::Model;
use crate::signature::ASSUMED;
use crate::units::{Bytes, BytesPerMicro, Interval};

/// The limit of the model.
pub const NETWORK_CONTENTION: Warning = Warning::Remark(
    "contention inside the network, between the nodes' network cards, is not modelled",
);

/// The time of one message while `pairs` pairs send, and the rates.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairs {
    /// n
    pub pairs: u32,
    /// The time of one message.
    pub prediction: Prediction,
    /// Send rate of one rank.
    pub of_rank: Option<BytesPerMicro>,
    /// Send rate of all ranks of the node.
    pub of_node: Option<BytesPerMicro>,
    /// R_N
    pub card: Option<BytesPerMicro>,
    /// The least number of pairs that saturate the card: R_N/R_b, rounded up.
    pub filled_by: Option<u32>,
}

/// The time of one of `pairs` messages between two nodes: measured; else by the given or the
/// richest model, with the rate of the card.
///
/// # Errors
/// If the rate of the card, or the time of one message, is unknown.
pub fn predict(
    route: &Route,
    model: Option<Model>,
    bytes: Bytes,
    pairs: u32,
) -> Result<Pairs, Error> {
    let mut prediction = time(route, model, bytes, pairs)?;
    prediction.warnings.extend(route.slow_card());
    let rate = |messages: u32| {
        let time = prediction.time().filter(|time| time.0 > 0.0)?;
        Some(BytesPerMicro::of(bytes.count() * f64::from(messages), time))
    };
    let (of_rank, of_node) = (rate(1), rate(pairs));
    let card = route.node_gap_per_byte().map(|card| BytesPerMicro(1.0 / card.value.0));
    Ok(Pairs { pairs, of_rank, of_node, card, filled_by: filled_by(route), prediction })
}

/// The number of pairs that saturate the card, as the end of a sentence; empty if unknown.
#[must_use]
pub fn filling(pairs: Option<u32>) -> String {
    match pairs {
        Some(1) => "; one pair saturates it".to_owned(),
        Some(pairs) => format!("; {pairs} pairs saturate it"),
        None => String::new(),
    }
}

/// The least number of pairs that saturate the card.
#[must_use]
pub fn filled_by(route: &Route) -> Option<u32> {
    let (card, pair) = (route.node_gap_per_byte()?.value, route.gap_per_byte_of_pair()?.value);
    // A ratio that differs from an integer by rounding alone is that integer.
    let pairs = libm::ceil(pair.0 / card.0 * (1.0 - 1e-9)).max(1.0);
    (pairs <= f64::from(u32::MAX)).then_some(pairs as u32)
}

fn time(
    route: &Route,
    model: Option<Model>,
    bytes: Bytes,
    pairs: u32,
) -> Result<Prediction, Error> {
    if pairs <= 1 {
        return super::predict(route, model, bytes);
    }
    if model.is_none()
        && let Some(reading) = route.measured_pairs(pairs, bytes)
    {
        let is_measured = reading.basis == Basis::Measured;
        let whole = vec![Term::new("T", 1.0, Interval::exact(reading.time.value))];
        let mut prediction = Prediction::read(reading, "T(n, k)", whole);
        prediction.warnings.extend((!is_measured).then_some(NETWORK_CONTENTION));
        return Ok(prediction);
    }
    let what = "a message of several pairs";
    let card = route
        .node_gap_per_byte()
        .ok_or_else(|| route.lacks(what, &[Need::NodeGapPerByte]))?
        .map(|each| each.of(1.0));
    let one = super::predict(route, model, bytes)?;
    let of_bytes = one.terms.iter().position(|term| matches!(term.symbol, "G" | "t_b"));
    let pairs = f64::from(pairs);
    let mut terms = one.terms.clone();
    let symbols = match of_bytes {
        Some(at) if pairs * card.value.0 > terms[at].each.value.0 => {
            let symbols = match terms[at].symbol {
                "G" => "α + n(k−1)/R_N",
                _ => "α + n k/R_N",
            };
            terms[at] = Term::new("1/R_N", terms[at].count * pairs, card);
            Some(symbols)
        }
        Some(_) => None,
        None => {
            let pair = route
                .gap_per_byte_of_pair()
                .ok_or_else(|| route.lacks(what, &[Need::GapPerByte]))?;
            let is_full = pairs * card.value.0 > pair.value.0;
            if is_full {
                let alone = Interval::exact(pair.value.of(1.0));
                terms.push(Term::new("1/R_N", bytes.count() * pairs, card));
                terms.push(Term::new("1/R_b", -bytes.count(), alone));
            }
            is_full.then_some("T(k) + n k/R_N − k/R_b")
        }
    };
    let mut warnings = one.warnings.clone();
    warnings.push(NETWORK_CONTENTION);
    let is_assumed = route.source("1/R_N") == Some(ASSUMED);
    let basis = match one.basis {
        Basis::Published if !is_assumed => Basis::Published,
        _ => Basis::Modelled,
    };
    Ok(match symbols {
        None => Prediction { warnings, basis, ..one },
        Some(symbols) => {
            let mut all = Prediction::sum(one.model, symbols, terms, warnings);
            // The relative interval is at least that of one pair.
            if let (Some(all), Some(one)) = (&mut all.total, one.total)
                && one.value.0 > 0.0
            {
                all.low = all.low.min(all.value * (one.low.0 / one.value.0));
                all.high = all.high.max(all.value * (one.high.0 / one.value.0));
            }
            Prediction { basis, ..all }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;
    use crate::signature::Signature;
    use crate::units::Micros;

    /// Touriño & Doallo 2001, Table 1: t_s = 69 µs and t_b = 16.2 ns; three ranks saturate its
    /// card.
    fn ap3000() -> Signature {
        let mut signature = library::load("ap3000-mpi").unwrap();
        signature.set("R_N", "5.4ns").unwrap();
        signature
    }

    fn pairs(signature: &Signature, pairs: u32) -> Pairs {
        let route = Route::of(signature, None, Some("send")).unwrap();
        predict(&route, Some(Model::Hockney), Bytes(100_000), pairs).unwrap()
    }

    /// T = α + n s / min(R_N, n R_b)
    #[test]
    fn the_card_limits_the_rate_from_saturation_on() {
        let signature = ap3000();
        let time = |n| pairs(&signature, n).prediction.time().unwrap().0;
        for n in 1..=3 {
            assert!((time(n) - (69.0 + 1620.0)).abs() < 1e-9, "{n}");
        }
        for n in 4..=64 {
            let expected = 69.0 + f64::from(n) * 100_000.0 * 0.0054;
            assert!((time(n) - expected).abs() < 1e-6, "{n}");
        }
        assert_eq!(pairs(&signature, 1).filled_by, Some(3));
    }

    #[test]
    fn the_rate_of_the_node_is_the_sum_of_its_ranks() {
        let signature = ap3000();
        let of = pairs(&signature, 16);
        let (rank, node) = (of.of_rank.unwrap().0, of.of_node.unwrap().0);
        assert!((node - 16.0 * rank).abs() < 1e-9);
        assert!((of.card.unwrap().0 - 1000.0 / 5.4).abs() < 1e-9 && node < of.card.unwrap().0);
        assert_eq!(of.prediction.formula().split(" = ").next(), Some("α + n k/R_N"));
    }

    #[test]
    fn loggp_counts_its_first_byte_in_the_latency() {
        let mut t3d = library::load("cray-t3d").unwrap();
        t3d.set("R_N", "100MB/s").unwrap();
        let route = Route::of(&t3d, None, Some("isend")).unwrap();
        let of = predict(&route, Some(Model::LogGp), Bytes(16), 8).unwrap();
        assert_eq!(of.prediction.time(), Some(Micros(30.0 + 3.1 + 15.0 + 8.0 * 15.0 * 0.01)));
        assert_eq!(of.filled_by, Some(4));
    }

    #[test]
    fn without_the_rate_of_the_card_there_is_no_time() {
        let t3d = library::load("cray-t3d").unwrap();
        let route = Route::of(&t3d, None, None).unwrap();
        let error = predict(&route, None, Bytes(16), 2).unwrap_err();
        assert!(error.message.contains("1/R_N"), "{error:?}");
        assert_eq!(
            predict(&route, None, Bytes(16), 1).unwrap().prediction,
            crate::model::predict(&route, None, Bytes(16)).unwrap()
        );
    }
}
