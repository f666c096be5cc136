//! Metrics of messages.

use loggia_model::Error;
use loggia_model::model::blocking::{self, OverlapTime};
use loggia_model::model::metrics::{PointToPoint, point_to_point};
use loggia_model::model::{Model, Route};
use serde::Serialize;

/// The report of `metrics`.
#[derive(Debug, Serialize)]
pub struct MetricsReport<'a> {
    signature: &'a str,
    pub tier: &'a str,
    pub style: Option<&'a str>,
    #[serde(flatten)]
    pub metrics: PointToPoint,
    pub overlap_chances: Vec<OverlapTime<'a>>,
}

impl<'a> MetricsReport<'a> {
    /// # Errors
    /// If parameters of the model are unknown.
    pub fn of(route: &Route<'a>, model: Option<Model>) -> Result<Self, Error> {
        Ok(MetricsReport {
            signature: &route.signature.name,
            tier: &route.tier.name,
            style: route.style.map(|style| style.name.0.as_str()),
            metrics: point_to_point(route, model)?,
            overlap_chances: blocking::overlap_times(route),
        })
    }
}
