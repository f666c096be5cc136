//! One message.

use loggia_model::Error;
use loggia_model::model::{self, Model, Prediction, Route, Term};
use loggia_model::units::Bytes;
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

/// The report of `predict p2p`.
#[derive(Debug, Serialize)]
pub struct MessageReport<'a> {
    #[serde(flatten)]
    query: MessageQuery<'a>,
    #[serde(flatten)]
    pub prediction: Prediction,
    sources: BTreeMap<&'static str, &'a str>,
}

impl<'a> MessageReport<'a> {
    /// # Errors
    /// Parameters of the model are unknown.
    pub fn of(route: &Route<'a>, model: Option<Model>, bytes: Bytes) -> Result<Self, Error> {
        let prediction = model::predict(route, model, bytes)?;
        let sources = sources(route, &prediction.terms);
        Ok(MessageReport { query: MessageQuery::of(route, bytes), prediction, sources })
    }
}
