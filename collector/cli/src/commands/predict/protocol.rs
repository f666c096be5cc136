//! `loggia predict protocol`

use super::{conclusion, heading, load, route};
use crate::cli::Protocol;
use crate::report::table::{remarks, table};
use crate::report::{Failure, Output};
use loggia_model::model::Prediction;
use loggia_model::protocol;
use loggia_model::timeline::Timeline;
use loggia_model::units::Micros;
use loggia_model::units::words::number;
use loggia_report::message::{MessageQuery, sources};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    query: MessageQuery<'a>,
    protocol: &'a str,
    sender_us: Option<Micros>,
    delivery_us: Option<Micros>,
    equations: [&'static str; 2],
    sender: &'a Prediction,
    delivery: &'a Prediction,
    timeline: &'a Timeline,
    sources: BTreeMap<&'static str, &'a str>,
    warnings: Vec<String>,
}

pub(crate) fn run(args: &Protocol, output: &mut Output) -> Result<(), Failure> {
    let signature = load(&args.of, &args.route)?;
    let route = route(&signature, &args.route)?;
    let found = protocol::predict(&route, args.protocol, args.bytes)?;
    let equations = protocol::equation_numbers(args.protocol);
    let report = Report {
        query: MessageQuery::of(&route, args.bytes),
        protocol: args.protocol.symbol(),
        sender_us: found.sender.time(),
        delivery_us: found.delivery.time(),
        equations,
        sender: &found.sender,
        delivery: &found.delivery,
        timeline: &found.timeline,
        sources: sources(&route, &found.delivery.terms),
        warnings: found.sender.warnings.iter().map(ToString::to_string).collect(),
    };
    output.print(&report, || {
        let [sender, delivery] = equations;
        format!(
            "{}{}\n\nsender completes, equation {sender}: {}\n\
             message delivered, equation {delivery}: {}\n{}\n{}",
            heading(&route, args.bytes),
            args.protocol.words(),
            conclusion(&found.sender),
            conclusion(&found.delivery),
            spans(&found.timeline),
            remarks(&found.sender.warnings)
        )
    })
}

fn spans(timeline: &Timeline) -> String {
    let rows = timeline.spans.iter().map(|span| {
        [
            number(span.start.0, 6),
            number(span.end.0, 6),
            span.place.name().to_owned(),
            span.activity.symbol().to_owned(),
            span.message.to_owned(),
        ]
    });
    table(&["from, µs>", "to, µs>", "place", "activity", "message"], rows)
}
