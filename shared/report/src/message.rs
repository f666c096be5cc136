//! One message.

use loggia_model::Error;
use loggia_model::model::pairs::{self, Pairs};
use loggia_model::model::{self, Model, Prediction, Route, Term};
use loggia_model::signature::Noise;
use loggia_model::units::{Bytes, BytesPerMicro};
use serde::Serialize;
use std::collections::BTreeMap;

/// Signature, tier, send mode and size: part of every report about one message.
#[derive(Debug, Serialize)]
pub struct MessageQuery<'a> {
    signature: &'a str,
    tier: &'a str,
    style: Option<&'a str>,
    bytes: Bytes,
}

impl<'a> MessageQuery<'a> {
    pub fn of(route: &Route<'a>, bytes: Bytes) -> Self {
        MessageQuery {
            signature: &route.signature.name,
            tier: &route.tier.name,
            style: route.style.map(|style| style.name.0.as_str()),
            bytes,
        }
    }
}

/// The source of each term, by symbol.
pub fn sources<'a>(route: &Route<'a>, terms: &[Term]) -> BTreeMap<&'static str, &'a str> {
    terms.iter().filter_map(|t| Some((t.symbol, route.source(t.symbol)?))).collect()
}

/// The rates of several pairs on two nodes.
#[derive(Debug, Serialize)]
pub struct PairRates {
    pub pairs: u32,
    pub rank_bandwidth_bytes_per_us: Option<BytesPerMicro>,
    pub node_bandwidth_bytes_per_us: Option<BytesPerMicro>,
    pub card_bandwidth_bytes_per_us: Option<BytesPerMicro>,
    pub pairs_to_fill_card: Option<u32>,
}

impl PairRates {
    fn of(pairs: &Pairs) -> Self {
        PairRates {
            pairs: pairs.pairs,
            rank_bandwidth_bytes_per_us: pairs.of_rank,
            node_bandwidth_bytes_per_us: pairs.of_node,
            card_bandwidth_bytes_per_us: pairs.card,
            pairs_to_fill_card: pairs.filled_by,
        }
    }
}

/// The report of `predict p2p`.
#[derive(Debug, Serialize)]
pub struct MessageReport<'a> {
    #[serde(flatten)]
    query: MessageQuery<'a>,
    /// The rates, for a question about several pairs.
    #[serde(flatten)]
    pub rates: Option<PairRates>,
    #[serde(flatten)]
    pub prediction: Prediction,
    sources: BTreeMap<&'static str, &'a str>,
    /// Scatter of a small message on this tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<&'a Noise>,
}

impl<'a> MessageReport<'a> {
    /// # Errors
    /// If parameters of the model are unknown.
    pub fn of(
        route: &Route<'a>,
        model: Option<Model>,
        bytes: Bytes,
        pairs: Option<u32>,
    ) -> Result<Self, Error> {
        let (rates, prediction) = match pairs {
            None => (None, model::predict(route, model, bytes)?),
            Some(pairs) => {
                let of = pairs::predict(route, model, bytes, pairs)?;
                (Some(PairRates::of(&of)), of.prediction)
            }
        };
        Ok(MessageReport {
            query: MessageQuery::of(route, bytes),
            rates,
            sources: sources(route, &prediction.terms),
            prediction,
            noise: route.noise(),
        })
    }
}
