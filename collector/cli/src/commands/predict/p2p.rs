//! `loggia predict p2p`

use super::{Asked, conclusion, heading, load, route, sources, terms};
use crate::cli::P2p;
use crate::report::table::remarks;
use crate::report::{Failure, Output};
use loggia_model::model::{self, Prediction};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    asked: Asked<'a>,
    #[serde(flatten)]
    prediction: &'a Prediction,
    sources: BTreeMap<&'static str, &'a str>,
}

pub(crate) fn run(args: &P2p, output: &mut Output) -> Result<(), Failure> {
    let signature = load(&args.of, &args.way)?;
    let route = route(&signature, &args.way)?;
    let prediction = model::predict(&route, args.model, args.bytes)?;
    let answer = Answer {
        asked: Asked::of(&route, args.bytes),
        prediction: &prediction,
        sources: sources(&route, &prediction.terms),
    };
    output.answer(&answer, || {
        format!(
            "{}{}\n{}\n{}",
            heading(&route, args.bytes),
            conclusion(&prediction),
            terms(&prediction.terms, |term| route.source(term.symbol)),
            remarks(&prediction.warnings)
        )
    })
}
