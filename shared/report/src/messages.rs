//! Many messages.

use super::message::MessageQuery;
use loggia_model::Error;
use loggia_model::measured::Basis;
use loggia_model::model::messages::{self, Comparison, Demand, Outcome};
use loggia_model::model::{Route, Warning};
use loggia_model::units::Micros;
use serde::Serialize;

/// The report of `predict messages`.
#[derive(Debug, Serialize)]
pub struct MessagesReport<'a> {
    #[serde(flatten)]
    query: MessageQuery<'a>,
    messages: u64,
    compute_us: Micros,
    depth: Option<u32>,
    /// The basis of t(m), the time of one message.
    basis: Basis,
    pub strategies: Vec<Outcome>,
    definitions: Vec<String>,
    pub warnings: Vec<Warning>,
}

impl<'a> MessagesReport<'a> {
    /// # Errors
    /// If parameters of every strategy are unknown.
    pub fn of(route: &Route<'a>, demand: &Demand) -> Result<Self, Error> {
        let Comparison { depth, strategies, definitions, warnings, .. } =
            messages::compare(route, demand)?;
        let measured = route.measured(demand.bytes).map(|reading| reading.basis);
        Ok(MessagesReport {
            basis: measured.unwrap_or_else(|| Basis::of_model(route.signature)),
            query: MessageQuery::of(route, demand.bytes),
            messages: demand.messages,
            compute_us: demand.compute,
            depth,
            strategies,
            definitions,
            warnings,
        })
    }
}
