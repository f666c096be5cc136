//! The JSON keys that all reports on collective operations share.

use loggia_model::measured::Basis;
use loggia_model::model::composition::{CollectiveMethod, Question};
use loggia_model::signature::{BytesAre, Signature};
use loggia_model::units::{Bytes, Micros, Procs};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct CollectiveQuery<'a> {
    signature: &'a str,
    op: &'static str,
    procs: Procs,
    bytes: Bytes,
    bytes_are: BytesAre,
}

impl<'a> CollectiveQuery<'a> {
    pub(super) fn of(signature: &'a Signature, question: &Question) -> Self {
        CollectiveQuery {
            signature: &signature.name,
            op: question.op.name(),
            procs: question.procs,
            bytes: question.bytes,
            bytes_are: question.bytes_are,
        }
    }
}

/// The time of one method, with warnings.
#[derive(Serialize)]
pub(super) struct Times {
    pub(super) time_us: Option<Micros>,
    low_us: Option<Micros>,
    high_us: Option<Micros>,
    pub(super) startup_us: Option<Micros>,
    pub(super) transmission_us: Option<Micros>,
    pub(super) compute_us: Option<Micros>,
    pub(super) basis: Basis,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) measured_us: Option<Micros>,
    extrapolated: bool,
    pub(super) warnings: Vec<String>,
}

impl Times {
    pub(super) fn of(way: &CollectiveMethod) -> Self {
        let total = way.total();
        Times {
            time_us: total.map(|t| t.value),
            low_us: total.map(|t| t.low),
            high_us: total.map(|t| t.high),
            startup_us: way.share(|part| part.startup),
            transmission_us: way.share(|part| part.transmission),
            compute_us: way.share(|part| part.compute),
            basis: way.basis(),
            measured_us: way.measured(),
            extrapolated: way.is_extrapolated(),
            warnings: way.warnings(),
        }
    }
}
