//! `loggia predict p2p`

use super::{MessageQuery, conclusion, heading, load, route, sources, terms};
use crate::cli::P2p;
use crate::report::table::remarks;
use crate::report::{Failure, Output};
use loggia_model::model::{self, Prediction};
use loggia_model::signature::Noise;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    query: MessageQuery<'a>,
    #[serde(flatten)]
    prediction: &'a Prediction,
    sources: BTreeMap<&'static str, &'a str>,
    /// How far a small message on this tier scatters.
    #[serde(skip_serializing_if = "Option::is_none")]
    noise: Option<&'a Noise>,
}

pub(crate) fn run(args: &P2p, output: &mut Output) -> Result<(), Failure> {
    let signature = load(&args.of, &args.route)?;
    let route = route(&signature, &args.route)?;
    let prediction = model::predict(&route, args.model, args.bytes)?;
    let report = Report {
        query: MessageQuery::of(&route, args.bytes),
        prediction: &prediction,
        sources: sources(&route, &prediction.terms),
        noise: route.tier.noise.as_ref(),
    };
    output.answer(&report, || {
        format!(
            "{}{}\n{}\n{}{}",
            heading(&route, args.bytes),
            conclusion(&prediction),
            terms(&prediction.terms, |term| route.source(term.symbol)),
            report.noise.map(|noise| format!("{}\n", noise.words())).unwrap_or_default(),
            remarks(&prediction.warnings)
        )
    })
}
