//! `loggia predict p2p`

use super::{conclusion, heading, load, route, terms};
use crate::cli::P2p;
use crate::report::table::remarks;
use crate::report::{Failure, Output};
use loggia_model::model::pairs::filling;
use loggia_model::units::BytesPerMicro;
use loggia_model::units::words::{counted, rate};
use loggia_report::message::{MessageReport, PairRates};

/// The rates of several pairs of two nodes.
fn rates(rates: &PairRates) -> String {
    let known = |value: Option<BytesPerMicro>| value.map_or("unknown".to_owned(), rate);
    let filled = filling(rates.pairs_to_fill_card);
    format!(
        "{} at once: {} per rank, {} per node; network card (R_N): {}{filled}\n",
        counted(rates.pairs, "pair"),
        known(rates.rank_bandwidth_bytes_per_us),
        known(rates.node_bandwidth_bytes_per_us),
        known(rates.card_bandwidth_bytes_per_us),
    )
}

pub(crate) fn run(args: &P2p, output: &mut Output) -> Result<(), Failure> {
    let signature = load(&args.of, &args.route)?;
    let route = route(&signature, &args.route)?;
    let report = MessageReport::of(&route, args.model, args.bytes, args.pairs)?;
    let prediction = &report.prediction;
    output.print(&report, || {
        format!(
            "{}{}{}\n{}\n{}{}",
            heading(&route, args.bytes),
            conclusion(prediction),
            report.rates.as_ref().map(rates).unwrap_or_default(),
            terms(&prediction.terms, |term| route.source(term.symbol)),
            report.noise.map(|noise| format!("{}\n", noise.words())).unwrap_or_default(),
            remarks(&prediction.warnings)
        )
    })
}
