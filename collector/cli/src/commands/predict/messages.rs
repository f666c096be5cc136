//! `loggia predict messages`

use super::{MessageQuery, heading, load, route};
use crate::cli::Messages;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use loggia_model::model::Warning;
use loggia_model::model::messages::{self, Comparison, Demand, Outcome};
use loggia_model::units::Micros;
use loggia_model::units::words::{number, time};
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    query: MessageQuery<'a>,
    messages: u64,
    compute_us: Micros,
    depth: Option<u32>,
    strategies: &'a [Outcome],
    definitions: &'a [String],
    warnings: &'a [Warning],
}

pub(crate) fn run(args: &Messages, output: &mut Output) -> Result<(), Failure> {
    let signature = load(&args.of, &args.route)?;
    let route = route(&signature, &args.route)?;
    let demand = Demand {
        messages: args.count.0,
        bytes: args.bytes,
        compute: args.compute,
        depth: args.depth,
    };
    let Comparison { depth, strategies, definitions, warnings, .. } =
        messages::compare(&route, &demand)?;
    let report = Report {
        query: MessageQuery::of(&route, args.bytes),
        messages: args.count.0,
        compute_us: args.compute,
        depth,
        strategies: &strategies,
        definitions: &definitions,
        warnings: &warnings,
    };
    output.answer(&report, || {
        format!(
            "{}{} messages, {} of computation per message\n\n{}\n{}",
            heading(&route, args.bytes),
            args.count.0,
            time(args.compute),
            table(&["", "time>", "speedup>", ""], strategies.iter().map(row)),
            remarks(&warnings)
        )
    })
}

fn row(outcome: &Outcome) -> [String; 4] {
    let missing = match outcome.missing.as_slice() {
        [] => String::new(),
        symbols => format!("{} unknown", symbols.join(", ")),
    };
    [
        outcome.strategy.words().to_owned(),
        outcome.time.map_or("—".to_owned(), time),
        outcome.speedup.map_or("—".to_owned(), |s| number(s, 3)),
        missing,
    ]
}
