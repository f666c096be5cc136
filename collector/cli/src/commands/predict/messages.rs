//! `loggia predict messages`

use super::{heading, load, route};
use crate::cli::Messages;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use loggia_model::model::messages::{Demand, Outcome};
use loggia_model::units::words::{number, time};
use loggia_report::messages::MessagesReport;

pub(crate) fn run(args: &Messages, output: &mut Output) -> Result<(), Failure> {
    let signature = load(&args.of, &args.route)?;
    let route = route(&signature, &args.route)?;
    let demand = Demand {
        messages: args.count.0,
        bytes: args.bytes,
        compute: args.compute,
        depth: args.depth,
    };
    let report = MessagesReport::of(&route, &demand)?;
    output.print(&report, || {
        format!(
            "{}{} messages, {} of computation per message\n\n{}\n{}",
            heading(&route, args.bytes),
            args.count.0,
            time(args.compute),
            table(&["", "time>", "speedup>", ""], report.strategies.iter().map(row)),
            remarks(&report.warnings)
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
