//! `loggia predict p2p`

use super::{conclusion, heading, load, route, terms};
use crate::cli::P2p;
use crate::report::table::remarks;
use crate::report::{Failure, Output};
use loggia_report::message::MessageReport;

pub(crate) fn run(args: &P2p, output: &mut Output) -> Result<(), Failure> {
    let signature = load(&args.of, &args.route)?;
    let route = route(&signature, &args.route)?;
    let report = MessageReport::of(&route, args.model, args.bytes)?;
    let prediction = &report.prediction;
    output.answer(&report, || {
        format!(
            "{}{}\n{}\n{}",
            heading(&route, args.bytes),
            conclusion(prediction),
            terms(&prediction.terms, |term| route.source(term.symbol)),
            remarks(&prediction.warnings)
        )
    })
}
