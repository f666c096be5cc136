//! One message with computation on both sides.

use super::message::MessageQuery;
use loggia_model::Error;
use loggia_model::model::exchange::{Arrivals, Exchange, MessageProtocol, Printed};
use loggia_model::model::overlap::{self, Overlap, Programs};
use loggia_model::model::{Model, Route, Warning};
use loggia_model::signature::ProgressKind;
use loggia_model::units::Bytes;
use serde::Serialize;

/// The report of `predict overlap`.
#[derive(Debug, Serialize)]
pub struct OverlapReport<'a> {
    #[serde(flatten)]
    query: MessageQuery<'a>,
    model: Model,
    pub protocol: MessageProtocol,
    pub progress: ProgressKind,
    arrivals: Arrivals,
    #[serde(flatten)]
    pub exchange: Exchange,
    pub send_overlap_ratio: Option<f64>,
    pub recv_overlap_ratio: Option<f64>,
    pub as_printed: Option<Printed>,
    pub by_loggp: Option<Exchange>,
    pub warnings: Vec<Warning>,
}

impl<'a> OverlapReport<'a> {
    /// # Errors
    /// If parameters of LogGPO are unknown.
    pub fn of(route: &Route<'a>, bytes: Bytes, programs: &Programs) -> Result<Self, Error> {
        let Overlap {
            protocol, progress, at, exchange, printed, by_loggp, ratios, warnings, ..
        } = overlap::overlap(route, bytes, programs)?;
        let [send_overlap_ratio, recv_overlap_ratio] = ratios;
        Ok(OverlapReport {
            query: MessageQuery::of(route, bytes),
            model: Model::LogGpo,
            protocol,
            progress,
            arrivals: at,
            exchange,
            send_overlap_ratio,
            recv_overlap_ratio,
            as_printed: printed,
            by_loggp,
            warnings,
        })
    }
}
