//! `loggia predict p2p`

use super::{MessageQuery, conclusion, heading, load, route, sources, terms};
use crate::cli::P2p;
use crate::report::table::remarks;
use crate::report::{Failure, Output};
use loggia_model::model::pairs::{self, Pairs};
use loggia_model::model::{self, Prediction};
use loggia_model::signature::Noise;
use loggia_model::units::BytesPerMicro;
use loggia_model::units::words::rate;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    query: MessageQuery<'a>,
    #[serde(flatten)]
    shared: Option<Shared>,
    #[serde(flatten)]
    prediction: &'a Prediction,
    sources: BTreeMap<&'static str, &'a str>,
    /// How far a small message on this tier scatters.
    #[serde(skip_serializing_if = "Option::is_none")]
    noise: Option<&'a Noise>,
}

/// What several pairs of two nodes share.
#[derive(Serialize)]
struct Shared {
    pairs: u32,
    rank_bandwidth_bytes_per_us: Option<BytesPerMicro>,
    node_bandwidth_bytes_per_us: Option<BytesPerMicro>,
    card_bandwidth_bytes_per_us: Option<BytesPerMicro>,
    pairs_to_fill_card: Option<u32>,
}

impl Shared {
    fn of(pairs: &Pairs) -> Self {
        Shared {
            pairs: pairs.pairs,
            rank_bandwidth_bytes_per_us: pairs.of_rank,
            node_bandwidth_bytes_per_us: pairs.of_node,
            card_bandwidth_bytes_per_us: pairs.card,
            pairs_to_fill_card: pairs.filled_by,
        }
    }

    fn words(&self) -> String {
        let known = |value: Option<BytesPerMicro>| value.map_or("unknown".to_owned(), rate);
        let filled = match self.pairs_to_fill_card {
            Some(1) => "; one pair fills it".to_owned(),
            Some(pairs) => format!("; {pairs} pairs fill it"),
            None => String::new(),
        };
        format!(
            "{} at once: {} per rank, {} per node; network card (R_N): {}{filled}\n",
            if self.pairs == 1 { "1 pair".to_owned() } else { format!("{} pairs", self.pairs) },
            known(self.rank_bandwidth_bytes_per_us),
            known(self.node_bandwidth_bytes_per_us),
            known(self.card_bandwidth_bytes_per_us),
        )
    }
}

pub(crate) fn run(args: &P2p, output: &mut Output) -> Result<(), Failure> {
    let signature = load(&args.of, &args.route)?;
    let route = route(&signature, &args.route)?;
    let (shared, prediction) = match args.pairs {
        None => (None, model::predict(&route, args.model, args.bytes)?),
        Some(pairs) => {
            let of = pairs::predict(&route, args.model, args.bytes, pairs)?;
            (Some(Shared::of(&of)), of.prediction)
        }
    };
    let report = Report {
        query: MessageQuery::of(&route, args.bytes),
        shared,
        prediction: &prediction,
        sources: sources(&route, &prediction.terms),
        noise: route.tier.noise.as_ref(),
    };
    output.answer(&report, || {
        format!(
            "{}{}{}\n{}\n{}{}",
            heading(&route, args.bytes),
            conclusion(&prediction),
            report.shared.as_ref().map(Shared::words).unwrap_or_default(),
            terms(&prediction.terms, |term| route.source(term.symbol)),
            report.noise.map(|noise| format!("{}\n", noise.words())).unwrap_or_default(),
            remarks(&prediction.warnings)
        )
    })
}
